import json
from collections.abc import Callable, Iterator

import pytest

from headrace.errors import EnvironmentFault, UserError
from headrace.runtime.checkpoints import JobFolder, job_id, named_job_id, plan_digest
from headrace.runtime.environment import TableEnvironment
from headrace.sql.dialect import parse_statement

SOURCE = (
    "CREATE TABLE s (a INT) WITH ('connector' = 'kafka', 'topic' = '{topic}', 'format' = 'json', "
    "'properties.bootstrap.servers' = 'b:9092', 'properties.sasl.jaas.config' = '{secret}', "
    "'scan.startup.mode' = 'earliest-offset')"
)
INSERT = "INSERT INTO t SELECT a FROM s WHERE a > 1"


def plans_of(sql: str = INSERT, *, topic: str = "x", secret: str = "p", more: str = ""):
    env = TableEnvironment()
    env.execute_sql(SOURCE.format(topic=topic, secret=secret).removesuffix(")") + f"{more})")
    env.execute_sql("CREATE TABLE t (a INT) WITH ('connector' = 'print')")
    env.execute_sql("CREATE TABLE u (a INT) WITH ('connector' = 'print')")
    return env.plans(parse_statement(sql))


def identity(sql: str = INSERT, *, name: str = "job", topics=None, **tables: str) -> str:
    return job_id(name, plans_of(sql, **tables), topics or {})


def test_the_same_job_has_the_same_name():
    assert identity() == identity()


@pytest.mark.parametrize(
    "other",
    [
        {"sql": "INSERT INTO t SELECT a FROM s WHERE a > 2"},
        {"name": "other"},
        {"topic": "y"},
        {"topics": {"x": "another-topic-id"}},
        {"more": ", 'json.ignore-parse-errors' = 'true'"},
        {"sql": "INSERT INTO t SELECT a FROM s UNION ALL VALUES (1)"},
    ],
)
def test_another_job_has_another(other):
    assert identity(**other) != identity()


def test_constants_are_part_of_a_job():
    union = "INSERT INTO t SELECT a FROM s UNION ALL VALUES ({})"
    assert identity(union.format(1)) != identity(union.format(2))


def test_a_rotated_secret_is_the_same_job():
    assert identity(secret="p") == identity(secret="q")


@pytest.mark.parametrize("mode", ["fail", "skip"])
def test_other_orders_for_unreadable_records_are_the_same_job(mode):
    assert identity(more=f", 'headrace.errors.mode' = '{mode}'") == identity()


def test_a_named_job_is_known_by_its_sinks():
    def named(sql=INSERT, name="job", sinks=None, **tables):
        return named_job_id(name, plans_of(sql, **tables), sinks or {})

    assert named() == named("INSERT INTO t SELECT a + 1 FROM s", topic="y")
    others = (
        named(name="other"),
        named(sql="INSERT INTO u SELECT a FROM s"),
        named(sinks={"t": "1"}),
    )
    assert len({named(), *others}) == 4


def test_the_digest_of_plans_tells_the_query_alone():
    assert plan_digest(plans_of()) == plan_digest(plans_of(topic="y"))
    assert plan_digest(plans_of()) != plan_digest(plans_of("INSERT INTO t SELECT a FROM s"))


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

    def take(
        *, fresh: bool = False, continues: bool = False, **description: object
    ) -> tuple[JobFolder, bool]:
        folder = JobFolder(tmp_path / "job-1")
        folders.append(folder)
        facts = {"name": "job"} | description
        return folder, folder.open(fresh=fresh, continues=continues, description=facts)

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


def counted(*calls: str) -> list[dict[str, object]]:
    return [{"title": "Aggregate on (region)", "parts": {"call": list(calls)}}]


def test_state_that_means_something_else_is_refused(opened):
    ended(opened(signature=counted("COUNT(*)"))[0], "CANCELED")
    with pytest.raises(UserError) as caught:
        opened(signature=counted("COUNT(*)", "SUM(amount)"))
    assert caught.value.render().splitlines() == [
        "[STATE_MISMATCH] the changed query cannot go on with the state of job 'job'",
        "  found: Aggregate on (region): new call SUM(amount)",
        "  expected: the same sources and stateful operators as when the job first started",
        "  cure: run with --fresh to compute it anew, or SET 'pipeline.name' to another name",
    ]
    # Nothing is lost by the refusal: the old query still resumes, and the folder is free.
    assert opened(signature=counted("COUNT(*)"))[1]


def test_fresh_and_finished_jobs_may_change(opened):
    ended(opened(signature=counted("COUNT(*)"))[0], "CANCELED")
    folder, resumed = opened(fresh=True, signature=counted("SUM(a)"))
    assert not resumed
    ended(folder, "FINISHED")
    assert not opened(signature=counted("MAX(a)"))[1]


def test_a_job_that_begins_anew_forgets_what_was_noted_of_it(opened):
    folder, _ = opened()
    folder.record("CANCELED", existing={"t": {"0": 7}})
    ended(folder, "CANCELED")
    assert opened(fresh=True)[0].facts().get("existing") is None


def test_a_batch_counts_when_its_end_was_written(opened):
    folder, _ = opened()
    assert not folder.has_written()
    (folder.checkpoint / "commits").mkdir(parents=True)
    (folder.checkpoint / "commits" / ".0.crc").touch()
    assert not folder.has_written()
    (folder.checkpoint / "commits" / "0").touch()
    assert folder.has_written()


def test_a_folder_tells_whether_its_job_runs(opened):
    folder, _ = opened()
    assert JobFolder(folder.path).is_held()
    folder.close()
    assert not JobFolder(folder.path).is_held()
    assert not JobFolder(folder.path.with_name("none")).is_held()
