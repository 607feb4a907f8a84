"""What needs no JVM: names of job folders. Jobs that run are in the tests marked `spark`."""

from datetime import timedelta
from types import SimpleNamespace

import pytest

from headrace.errors import EnvironmentFault, UserError
from headrace.runtime.checkpoints import JobFolder
from headrace.runtime.config import Config
from headrace.runtime.jobs import Job, JobState
from headrace.runtime.launch import Launcher, begin_transactions, remarks, shared_pace
from headrace.sql.dialect import parse_statement


@pytest.fixture
def launcher(tmp_path, monkeypatch) -> Launcher:
    """Starts fake queries: what is compiled and written is left out."""
    config = Config()
    config.set("execution.checkpointing.dir", str(tmp_path))
    made = Launcher(None, config, fresh=False)
    monkeypatch.setattr(made, "_compile", lambda plans: [FakeFrame() for _ in plans])
    monkeypatch.setattr(made, "_writer", lambda plan: FakeWriter())
    monkeypatch.setattr(made, "_stream_writer", lambda branches: len(branches))
    return made


class FakeWriter:
    """A printer in the JVM that has two lines to tell, once."""

    def __init__(self) -> None:
        self.lines = "+I[1]\n+I[2]\n"

    def drain(self) -> str:
        lines, self.lines = self.lines, ""
        return lines


class FakeFrame:
    """A DataFrame that nothing looks into."""


@pytest.fixture
def printed() -> list[tuple[str, bool]]:
    return []


@pytest.fixture
def start(env, launcher, query, printed, monkeypatch):
    """Starts a statement with the given query."""

    def run(running=None, sql="INSERT INTO console SELECT n FROM numbers") -> Job:
        monkeypatch.setattr(launcher, "_start", lambda *_: running or query())
        plans = env.plans(parse_statement(sql))
        (job,) = launcher.insert(plans, lambda line, to_error: printed.append((line, to_error)))
        return job

    yield run
    for _, job in launcher._jobs:
        job.stop()


def test_a_job_is_named_by_its_sink_or_by_the_setting(start, launcher):
    assert start().name == "insert-into_default_catalog.default_database.console"
    launcher.config.set("pipeline.name", "nightly")
    assert start().id.startswith("nightly-")


def test_the_same_insert_twice_at_once_is_two_jobs(start):
    first, second, third = start(), start(), start()
    assert second.id == f"{first.id}-2"
    assert third.id == f"{first.id}-3"


def test_a_stopped_job_started_again_is_the_same_one(start):
    first = start()
    (first._folder.checkpoint / "offsets").mkdir(parents=True)
    first.stop()
    again = start()
    assert again.id == first.id
    assert again.resumed
    assert not first.resumed


def test_a_job_in_the_middle_gives_its_name_back(start):
    first, second, third = start(), start(), start()
    second.stop()
    assert start().id == second.id
    assert len({first.id, second.id, third.id}) == 3


def test_an_insert_that_finished_and_stands_again_in_the_script_is_the_same_job_anew(start, query):
    first = start(query(active=False))
    (first._folder.checkpoint / "offsets").mkdir(parents=True)
    assert first.state is JobState.FINISHED
    again = start()
    assert again.id == first.id
    assert not again.resumed


def test_a_start_that_fails_leaves_the_folder_free(start, launcher, env, monkeypatch, tmp_path):
    def fail(*_):
        raise EnvironmentFault("the broker is away")

    plans = env.plans(parse_statement("INSERT INTO console SELECT n FROM numbers"))
    monkeypatch.setattr(launcher, "_start", fail)
    with pytest.raises(EnvironmentFault, match="the broker is away"):
        launcher.insert(plans, lambda line, to_error: None)
    (folder,) = tmp_path.iterdir()
    assert JobFolder(folder).state() == "FAILED"
    assert start().id == folder.name


COUNT = "INSERT INTO console SELECT COUNT(*) FROM numbers GROUP BY word"
BOTH = "EXECUTE STATEMENT SET BEGIN INSERT INTO console SELECT n FROM numbers; {}; END"


def test_a_set_is_one_job(start, env, launcher, monkeypatch):
    job = start(sql=BOTH.format(COUNT))
    console = "insert-into_default_catalog.default_database.console"
    assert job.name == f"{console},{console}"
    assert len(job._folder.facts()["sinks"]) == 2
    plans = env.plans(parse_statement(BOTH.format("INSERT INTO console VALUES (1)")))
    ran = []
    monkeypatch.setattr(launcher, "_write_constants", lambda plan, _: ran.append(plan) or job)
    assert len(launcher.insert(plans, lambda line, to_error: None)) == 2
    assert [plan.has_stream for plan in ran] == [False]


class TestNamedJobs:
    """A name makes it the same job, whatever its query."""

    @pytest.fixture
    def told(self, launcher) -> list[str]:
        lines: list[str] = []
        launcher.config.notify = lines.append
        return lines

    @pytest.fixture(autouse=True)
    def name(self, launcher) -> None:
        launcher.config.set("pipeline.name", "nightly")

    @pytest.fixture
    def stopped(self, start, launcher):
        """Runs a statement and stops it."""

        def run(sql: str) -> Job:
            job = start(sql=sql)
            (job._folder.checkpoint / "offsets").mkdir(parents=True, exist_ok=True)
            job.stop()
            return job

        return run

    def test_a_changed_query_goes_on_with_its_state_and_says_so(self, start, stopped, told):
        stopped(COUNT)
        stopped(COUNT)
        assert told == []
        again = start(sql=COUNT.replace("COUNT(*)", "COUNT(*) + 1"))
        assert again.resumed
        (line,) = told
        assert line.startswith("job 'nightly' goes on with its state under a changed query")

    def test_a_query_with_other_state_is_refused(self, start, stopped):
        first = stopped(COUNT)
        with pytest.raises(
            UserError, match="cannot go on with the state of job 'nightly'"
        ) as caught:
            start(sql=COUNT.replace("COUNT(*)", "MAX(n)"))
        assert caught.value.condition == "STATE_MISMATCH"
        assert start(sql=COUNT).id == first.id

    def test_fresh_begins_anew(self, start, stopped, launcher):
        stopped(COUNT)
        launcher.fresh = True
        assert not start(sql=COUNT.replace("COUNT(*)", "MAX(n)")).resumed

    def test_without_a_name_it_is_another_job(self, start, stopped, launcher):
        first = stopped(COUNT)
        launcher.config.reset("pipeline.name")
        assert start(sql=COUNT.replace("COUNT(*)", "MAX(n)")).id != first.id

    def test_two_inserts_of_one_session_are_two_jobs_also_when_the_first_has_ended(
        self, start, query, launcher
    ):
        first = start(query(active=False), COUNT)
        second = start(sql="INSERT INTO console SELECT n FROM numbers")
        assert second.id == f"{first.id}-2"
        assert start(sql=COUNT).id == first.id


def test_lines_of_a_printer_are_handed_over_when_the_job_is_looked_at(start, printed):
    job = start()
    assert printed == []
    job.poll()
    job.poll()
    assert printed == [("+I[1]", False), ("+I[2]", False)]


def test_a_relative_folder_is_where_the_process_is(launcher, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    launcher.config.set("execution.checkpointing.dir", "jobs")
    assert launcher._jobs_folder() == tmp_path / "jobs"
    launcher.config.set("execution.checkpointing.dir", "file:///var/jobs")
    assert str(launcher._jobs_folder()) == "/var/jobs"


UPSERT = """CREATE TABLE {name} (n BIGINT, PRIMARY KEY (n) NOT ENFORCED) WITH ('connector' = 'upsert-kafka',
  'topic' = 't', 'properties.bootstrap.servers' = 'b:1', 'key.format' = 'json', 'value.format' = 'json'{options})"""


@pytest.fixture
def planned(env):
    """Plans of INSERTs into upsert topics, by their tables' further options."""

    def plan(*options):
        plans = []
        for number, more in enumerate(options):
            env.execute_sql(UPSERT.format(name=f"sink{number}", options=more))
            plans += env.plans(parse_statement(f"INSERT INTO sink{number} SELECT n FROM numbers"))
        return plans

    return plan


def buffered(interval):
    return f", 'sink.buffer-flush.max-rows' = '9', 'sink.buffer-flush.interval' = '{interval}'"


def test_sinks_wait_as_long_as_the_one_that_waits_least(planned):
    one, two, none = planned(buffered("1 s"), buffered("2 s"), "")
    assert shared_pace([one, two]) == timedelta(seconds=1)
    assert shared_pace([two]) == timedelta(seconds=2)
    assert shared_pace([one, none]) == timedelta()


def test_sinks_of_a_job_have_transactions_of_their_own(planned, tmp_path):
    exactly = ", 'sink.delivery-guarantee' = 'exactly-once', 'sink.transactional-id-prefix' = 'p'"
    calls = []

    def branch(plan):
        writer = SimpleNamespace(withinTransactions=lambda *given: calls.append(given[0]))
        return SimpleNamespace(sink=plan.sink, writer=writer)

    begin_transactions([branch(plan) for plan in planned(exactly, "", exactly)], tmp_path / "job")
    assert calls == ["p-job-0", "p-job-2"]


def test_options_without_effect_are_remarked_upon(planned):
    plans = planned(", 'properties.key.serializer' = 'a.b.C'", "")
    (line,) = remarks([SimpleNamespace(sink=plan.sink) for plan in plans])
    assert "'properties.key.serializer' of table 'sink0'" in line
