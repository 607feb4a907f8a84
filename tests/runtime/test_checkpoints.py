import json
from collections.abc import Callable, Iterator

import pytest

from headrace.errors import EnvironmentFault
from headrace.runtime.checkpoints import JobFolder, job_id
from headrace.runtime.environment import TableEnvironment
from headrace.sql.dialect import parse_statement

SOURCE = (
    "CREATE TABLE s (a INT) WITH ('connector' = 'kafka', 'topic' = '{topic}', 'format' = 'json', "
    "'properties.bootstrap.servers' = 'b:9092', 'properties.sasl.jaas.config' = '{secret}', "
    "'scan.startup.mode' = 'earliest-offset')"
)
INSERT = "INSERT INTO t SELECT a FROM s WHERE a > 1"


def identity(
    sql: str = INSERT, *, name: str = "job", topic: str = "x", secret: str = "p", topics=None
) -> str:
    env = TableEnvironment()
    env.execute_sql(SOURCE.format(topic=topic, secret=secret))
    env.execute_sql("CREATE TABLE t (a INT) WITH ('connector' = 'print')")
    (plan,) = env.plans(parse_statement(sql))
    return job_id(name, plan, topics or {})


def test_the_same_job_has_the_same_name():
    assert identity() == identity()


@pytest.mark.parametrize(
    "other",
    [
        {"sql": "INSERT INTO t SELECT a FROM s WHERE a > 2"},
        {"name": "other"},
        {"topic": "y"},
        {"topics": {"x": "another-topic-id"}},
    ],
)
def test_another_job_has_another(other):
    assert identity(**other) != identity()


def test_a_rotated_secret_is_the_same_job():
    assert identity(secret="p") == identity(secret="q")


def test_other_orders_for_unreadable_records_are_the_same_job():
    env = TableEnvironment()
    made = []
    for mode in ("fail", "skip"):
        env.execute_sql(SOURCE.format(topic="x", secret="p"))
        env.execute_sql(f"ALTER TABLE s SET ('headrace.errors.mode' = '{mode}')")
        env.execute_sql("CREATE TABLE IF NOT EXISTS t (a INT) WITH ('connector' = 'print')")
        (plan,) = env.plans(parse_statement(INSERT))
        made.append(job_id("job", plan, {}))
        env.execute_sql("DROP TABLE s")
    assert made == [identity(), identity()]


def test_the_name_is_readable_and_fit_for_a_folder():
    made = identity(name="insert into/ünï " + "x" * 80)
    assert made.startswith("insert_into_n_xxx")
    head, _, digest = made.rpartition("-")
    assert len(head) == 60
    assert len(digest) == 12


@pytest.fixture
def opened(tmp_path) -> Iterator[Callable[..., tuple[JobFolder, bool]]]:
    """Takes the one folder; whether the job resumes. What is still held is given back after the test."""
    folders = []

    def take(*, fresh: bool = False, continues: bool = False) -> tuple[JobFolder, bool]:
        folder = JobFolder(tmp_path / "job-1")
        folders.append(folder)
        return folder, folder.open(fresh=fresh, continues=continues, description={"name": "job"})

    yield take
    for folder in folders:
        folder.close()


def ended(folder: JobFolder, state: str) -> None:
    (folder.checkpoint / "offsets").mkdir(parents=True, exist_ok=True)
    folder.record(state)
    folder.close()


def test_the_first_start_is_fresh_and_told(opened):
    folder, resumed = opened()
    assert not resumed
    stored = json.loads((folder.path / "job.json").read_text())
    assert (stored["name"], stored["state"]) == ("job", "RUNNING")
    assert folder.name == "job-1"


@pytest.mark.parametrize(
    ("state", "resumes"),
    [("CANCELED", True), ("FAILED", True), ("RUNNING", True), ("FINISHED", False)],
)
def test_what_did_not_finish_resumes(opened, state, resumes):
    ended(opened()[0], state)
    folder, resumed = opened()
    assert resumed is resumes
    assert folder.checkpoint.exists() is resumes


def test_what_finished_may_go_on_to_a_new_end(opened):
    folder, _ = opened()
    end = folder.checkpoint / "sources" / "0" / "end"
    end.parent.mkdir(parents=True)
    end.write_text("{}")
    ended(folder, "FINISHED")
    again, resumed = opened(continues=True)
    assert resumed
    assert again.checkpoint.is_dir()
    assert not end.exists()


def test_what_was_killed_keeps_its_end(opened):
    folder, _ = opened()
    end = folder.checkpoint / "sources" / "0" / "end"
    end.parent.mkdir(parents=True)
    end.write_text("{}")
    ended(folder, "RUNNING")
    assert opened(continues=True)[1]
    assert end.exists()


def test_fresh_forgets_the_checkpoint(opened):
    ended(opened()[0], "CANCELED")
    folder, resumed = opened(fresh=True)
    assert not resumed
    assert not folder.checkpoint.exists()


def test_one_process_at_a_time(opened):
    folder, _ = opened()
    with pytest.raises(EnvironmentFault) as caught:
        opened()
    assert caught.value.render().splitlines() == [
        "[JOB_RUNNING] job 'job-1' is running in another process",
        "  cure: stop the other one, or SET 'pipeline.name' to another name",
    ]
    folder.close()
    folder.close()
    assert opened()[0].state() == "RUNNING"


def test_a_record_keeps_what_was_known(opened):
    folder, _ = opened()
    folder.record("FAILED", reason="no")
    stored = json.loads((folder.path / "job.json").read_text())
    assert (stored["name"], stored["state"], stored["reason"]) == ("job", "FAILED", "no")
    assert not list(folder.path.glob("*.tmp"))


def test_a_damaged_record_is_no_obstacle(opened):
    folder, _ = opened()
    ended(folder, "FINISHED")
    (folder.path / "job.json").write_text("{")
    assert folder.state() is None
    again, resumed = opened()
    assert resumed
    assert again.state() == "RUNNING"
