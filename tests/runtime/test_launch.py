"""What needs no JVM: names of job folders. Jobs that run are in the tests marked `spark`."""

import pytest

from headrace.errors import EnvironmentFault
from headrace.runtime.checkpoints import JobFolder
from headrace.runtime.config import Config
from headrace.runtime.jobs import Job, JobState
from headrace.runtime.launch import Launcher
from headrace.sql.dialect import parse_statement


@pytest.fixture
def launcher(tmp_path, monkeypatch) -> Launcher:
    """Starts fake queries: what is compiled and written is left out."""
    config = Config()
    config.set("execution.checkpointing.dir", str(tmp_path))
    made = Launcher(None, config, fresh=False)
    monkeypatch.setattr(made, "_compile", lambda plan: FakeFrame())
    monkeypatch.setattr(made, "_writer", lambda plan, sink: FakeWriter())
    monkeypatch.setattr(made, "_topics", lambda plan: {})
    return made


class FakeWriter:
    """A printer in the JVM that has two lines to tell, once."""

    def __init__(self) -> None:
        self.lines = "+I[1]\n+I[2]\n"

    def drain(self) -> str:
        lines, self.lines = self.lines, ""
        return lines


class FakeFrame:
    """A DataFrame of which only the path to its stream writer is used."""

    @property
    def _jdf(self):
        return self

    def writeStream(self):
        return self

    def foreachBatch(self, _writer):
        return self


@pytest.fixture
def printed() -> list[tuple[str, bool]]:
    return []


@pytest.fixture
def start(env, launcher, query, printed, monkeypatch):
    """Starts the one INSERT with the given query."""

    def run(running=None) -> Job:
        monkeypatch.setattr(launcher, "_start", lambda *_: running or query())
        (plan,) = env.plans(parse_statement("INSERT INTO console SELECT n FROM numbers"))
        return launcher.insert(plan, lambda line, to_error: printed.append((line, to_error)))

    yield run
    for job in launcher._jobs:
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

    (plan,) = env.plans(parse_statement("INSERT INTO console SELECT n FROM numbers"))
    monkeypatch.setattr(launcher, "_start", fail)
    with pytest.raises(EnvironmentFault, match="the broker is away"):
        launcher.insert(plan, lambda line, to_error: None)
    (folder,) = tmp_path.iterdir()
    assert JobFolder(folder).state() == "FAILED"
    assert start().id == folder.name


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
