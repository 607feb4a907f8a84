"""When a job may delete what its sink held before. That it does is seen in tests/integration/test_takeover.py."""

import pytest

from headrace.catalog.connector import ReconciledSink, ReplayedSource
from headrace.connectors.registry import connector_named
from headrace.runtime.checkpoints import JobFolder
from headrace.runtime.environment import TableEnvironment
from headrace.runtime.takeover import Branch, Takeover, notices, running_sinks
from headrace.sql.dialect import parse_statement

SERVERS = "'properties.bootstrap.servers' = 'b:9092'"
UPSERT = f"'connector' = 'upsert-kafka', 'key.format' = 'json', 'value.format' = 'json', {SERVERS}"
IDENTITY = {"totals": "topic-id"}
ENDS = {"0": 3, "1": 4}
NAME = "default_catalog.default_database.totals"


class Writer:
    def __init__(self, strange: int = 0) -> None:
        self.existing: list[object] = []
        self.strange = strange

    def takeStrangeKeys(self) -> int:
        strange, self.strange = self.strange, 0
        return strange

    def takeDeletedKeys(self) -> int:
        return 0


@pytest.fixture
def kafka(monkeypatch):
    """What the broker would say: the sink holds records, sources are not empty."""
    upsert = type(connector_named("upsert-kafka"))
    found = {"ends": ENDS, "empty": False, "asked": 0}

    def existing(self, session, table):
        found["asked"] += 1
        return found["ends"]

    monkeypatch.setattr(upsert, "existing", existing)
    monkeypatch.setattr(type(connector_named("kafka")), "is_empty", lambda *_: found["empty"])
    monkeypatch.setattr(
        upsert, "reconcile", lambda s, _, t, writer, ends: writer.existing.append(ends)
    )
    return found


@pytest.fixture
def env():
    environment = TableEnvironment()
    columns = "name STRING, n BIGINT, PRIMARY KEY (name) NOT ENFORCED"
    for table in ("users", "totals"):
        environment.execute_sql(
            f"CREATE TABLE {table} ({columns}) WITH ({UPSERT}, 'topic' = '{table}')"
        )
    environment.execute_sql(f"""
        CREATE TABLE lines (name STRING, n BIGINT) WITH ('connector' = 'kafka', 'topic' = 'lines', {SERVERS},
        'format' = 'json', 'scan.startup.mode' = 'earliest-offset')""")
    environment.execute_sql(
        "CREATE TABLE made (name STRING, n BIGINT) WITH ('connector' = 'datagen')"
    )
    environment.execute_sql(
        "CREATE TABLE console (name STRING, n BIGINT) WITH ('connector' = 'print')"
    )
    return environment


@pytest.fixture
def branch(env):
    def into(query="SELECT * FROM users", sink="totals", identity=None) -> Branch:
        (plan,) = env.plans(parse_statement(f"INSERT INTO {sink} {query}"))
        return Branch(plan, None, Writer(), IDENTITY if identity is None else identity)

    return into


@pytest.fixture
def folder(tmp_path):
    made = JobFolder(tmp_path / "jobs" / "job-1")
    made.path.mkdir(parents=True)
    return made


@pytest.fixture
def prepare(kafka, folder):
    """What each writer was told to look at."""
    empty_runs: list[Branch] = []

    def run(*branches: Branch, writes=()) -> list[list[object]]:
        Takeover(None, writes, empty_runs.append).prepare(branches, folder)
        return [branch.writer.existing for branch in branches]

    run.empty_runs = empty_runs
    return run


def test_what_the_sink_holds_is_looked_at_in_the_first_batch(prepare, branch, folder):
    assert prepare(branch()) == [[ENDS]]
    assert folder.facts()["existing"] == {NAME: ENDS}
    assert prepare.empty_runs == []


def test_an_empty_sink_needs_nothing(prepare, branch, kafka):
    kafka["ends"] = {}
    assert prepare(branch()) == [[]]


def test_a_job_that_has_written_is_past_it(prepare, branch, folder, kafka):
    commits = folder.checkpoint / "commits"
    commits.mkdir(parents=True)
    (commits / "0").touch()
    assert prepare(branch()) == [[]]
    assert kafka["asked"] == 0


def test_the_ends_stay_those_of_the_first_start(prepare, branch, kafka):
    prepare(branch())
    kafka["ends"] = {"0": 99, "1": 99}
    assert prepare(branch()) == [[ENDS]]


def test_without_input_it_is_done_at_once_and_once(prepare, branch, kafka, folder):
    kafka["empty"] = True
    only = branch()
    assert prepare(only) == [[ENDS]]
    assert prepare.empty_runs == [only]
    assert folder.facts()["existing"] == {NAME: {}}
    prepare(branch())
    assert prepare.empty_runs == [only]


@pytest.mark.parametrize(
    ("query", "whole"),
    [
        ("SELECT name, SUM(n) FROM lines GROUP BY name", True),
        (
            "SELECT name, SUM(n) FROM lines /*+ OPTIONS('scan.startup.mode' = 'latest-offset') */ GROUP BY name",
            False,
        ),
        ("SELECT name, SUM(n) FROM made GROUP BY name", False),
        (
            "SELECT name, SUM(n) FROM (SELECT * FROM users UNION ALL SELECT * FROM made) GROUP BY name",
            False,
        ),
    ],
)
def test_only_a_job_that_reads_all_its_input_knows_what_is_old(
    prepare, branch, kafka, query, whole
):
    assert prepare(branch(query)) == [[ENDS] if whole else []]
    assert kafka["asked"] == int(whole)


def test_sinks_without_keys_hold_nothing_to_look_at(prepare, branch, kafka):
    assert prepare(branch(sink="console", identity={})) == [[]]
    assert kafka["asked"] == 0


class TestOthersThatWrite:
    def test_two_inserts_of_one_job(self, prepare, branch):
        assert prepare(branch(), branch("SELECT name, n + 1 FROM users")) == [[], []]

    def test_a_job_of_the_same_session(self, prepare, branch):
        assert prepare(branch(), writes=[IDENTITY]) == [[]]

    def test_a_job_of_another_process(self, prepare, branch, folder):
        other = JobFolder(folder.path.with_name("job-2"))
        other.open(fresh=False, description={"sinks": [IDENTITY]})
        assert running_sinks(folder) == [IDENTITY]
        assert prepare(branch()) == [[]]
        other.close()

    def test_a_job_that_has_ended_does_not_count(self, prepare, branch, folder):
        other = JobFolder(folder.path.with_name("job-2"))
        other.open(fresh=False, description={"sinks": [IDENTITY]})
        other.close()
        assert running_sinks(folder) == []
        assert prepare(branch()) == [[ENDS]]

    def test_folders_that_are_no_jobs_are_passed_over(self, folder):
        folder.path.with_name("something").mkdir()
        assert running_sinks(folder) == []


def test_what_a_writer_found_is_told_once(branch):
    found = branch()
    found.writer.strange = 2
    assert list(notices([found])) == [
        "topic 'totals' holds 2 keys that this table cannot have; left as they are"
    ]
    assert list(notices([found])) == []
    found.writer.strange = 1
    assert list(notices([found])) == [
        "topic 'totals' holds 1 key that this table cannot have; left as they are"
    ]


def test_connectors_say_by_their_methods_what_they_can():
    upsert, kafka = connector_named("upsert-kafka"), connector_named("kafka")
    assert isinstance(upsert, ReconciledSink)
    assert isinstance(upsert, ReplayedSource)
    assert isinstance(kafka, ReplayedSource)
    assert not isinstance(kafka, ReconciledSink)
    assert not isinstance(connector_named("print"), ReconciledSink)
