import json

import pytest

from headrace.errors import DataError
from headrace.runtime.checkpoints import JobFolder
from headrace.runtime.jobs import Job, JobState, Progress


def folder_at(path) -> JobFolder:
    folder = JobFolder(path / "job-1")
    folder.open(fresh=False, description={"name": "job"})
    return folder


def batch(number: int, rows: int, *, run: str = "r1", behind: str | None = None) -> dict:
    metrics = {} if behind is None else {"maxOffsetsBehindLatest": behind}
    return {
        "runId": run,
        "batchId": number,
        "batchDuration": 250,
        "sources": [{"numInputRows": rows, "metrics": metrics}],
    }


def test_a_job_without_a_query_is_done():
    job = Job("values", bounded=True)
    assert job.state is JobState.FINISHED
    assert job.wait() is JobState.FINISHED
    assert job.progress() is None
    assert job.id == "values"


def test_waiting_until_the_end(query, tmp_path):
    folder = folder_at(tmp_path)
    job = Job("job", bounded=True, query=query(lasts=3), folder=folder)
    assert job.state is JobState.RUNNING
    assert job.id == "job-1"
    assert job.wait() is JobState.FINISHED
    assert folder.state() == "FINISHED"


def test_waiting_for_a_while(query):
    job = Job("job", bounded=False, query=query())
    assert job.wait(0) is JobState.RUNNING
    assert job.wait(0.001) is JobState.RUNNING


def test_stop_leaves_a_job_that_can_resume(query, tmp_path):
    folder, running = folder_at(tmp_path), query()
    job = Job("job", bounded=False, query=running, folder=folder)
    job.stop()
    assert job.state is JobState.CANCELED
    assert folder.state() == "CANCELED"
    job.stop()
    assert running.stops == 1


def test_the_folder_is_free_after_the_end(query, tmp_path):
    for _ in range(2):
        folder = folder_at(tmp_path)
        assert folder.state() == "RUNNING"
        Job("job", bounded=False, query=query(), folder=folder).stop()


def test_a_failure_is_raised_in_words(query, java_exception, tmp_path):
    cause = java_exception(
        "org.apache.spark.SparkArithmeticException: [DIVIDE_BY_ZERO] Division by zero."
    )
    failure = java_exception("org.apache.spark.sql.streaming.StreamingQueryException: boom", cause)
    folder = folder_at(tmp_path)
    job = Job("job", bounded=True, query=query(lasts=1, failure=failure), folder=folder)
    with pytest.raises(DataError) as caught:
        job.wait()
    assert caught.value.condition == "DIVISION_BY_ZERO"
    assert caught.value.found == "[DIVIDE_BY_ZERO] Division by zero."
    assert job.state is JobState.FAILED
    assert job.error is caught.value
    assert folder.state() == "FAILED"


def test_a_failure_is_raised_every_time_it_is_asked_for(query, java_exception):
    job = Job("job", bounded=True, query=query(active=False, failure=java_exception("no")))
    for ask in (job.wait, job.poll, job.wait):
        with pytest.raises(Exception, match="no"):
            ask()


def test_polling_does_not_wait(query):
    looks = []
    running = query(lasts=1)
    job = Job("job", bounded=True, query=running, on_poll=lambda: looks.append(1))
    assert job.poll() is JobState.RUNNING
    assert running.lasts == 1
    assert len(looks) == 1


def test_lines_are_handed_over_while_waiting_and_after_the_end(query):
    looks = []
    Job("job", bounded=True, query=query(lasts=2), on_poll=lambda: looks.append(1)).wait()
    assert len(looks) == 3
    Job("job", bounded=False, query=query(), on_poll=lambda: looks.append(1)).stop()
    assert len(looks) == 4


class TestProgress:
    def test_none_before_the_first_batch(self, query):
        assert Job("job", bounded=False, query=query()).progress() is None

    def test_the_last_batch_and_all_rows(self, query):
        running = query(batches=[batch(0, 10), batch(1, 5, behind="7.0")])
        job = Job("job", bounded=False, query=running)
        assert job.progress() == Progress(1, 15, 20.0, 7, 250)

    def test_a_source_that_counts_its_records_is_believed(self, query):
        first, second = batch(0, 3), batch(1, 2)
        first["sources"] = [{"numInputRows": 3, "metrics": {"records": "100"}}]
        second["sources"] = [
            {"numInputRows": 2, "metrics": {"records": "150"}},
            {"numInputRows": 7, "metrics": None},
        ]
        job = Job("job", bounded=False, query=query(batches=[first, second]))
        progress = job.progress()
        assert progress is not None
        assert progress.rows == 150 + 7
        assert progress.rows_per_second == (50 + 7) * 4

    def test_batches_are_counted_once(self, query):
        running = query(batches=[batch(0, 10)])
        job = Job("job", bounded=False, query=running)
        job.progress()
        running.batches = [batch(0, 10), batch(1, 5)]
        progress = job.progress()
        assert progress is not None
        assert progress.rows == 15

    def test_a_batch_that_left_the_window_still_counts(self, query):
        running = query(batches=[batch(0, 10)])
        job = Job("job", bounded=False, query=running)
        job.progress()
        running.batches = [batch(9, 1)]
        progress = job.progress()
        assert progress is not None
        assert (progress.batch, progress.rows) == (9, 11)

    def test_as_data(self, query):
        job = Job("job", bounded=False, query=query(batches=[batch(2, 3)]))
        progress = job.progress()
        assert progress is not None
        assert json.loads(json.dumps(progress.to_dict())) == {
            "batch": 2,
            "rows": 3,
            "rows_per_second": 12.0,
            "behind": None,
            "batch_ms": 250,
            "skipped": 0,
        }

    def test_skipped_records_are_those_of_all_sources_by_topic_and_partition(self, query):
        latest = batch(0, 10, behind="0")
        latest["sources"] = [
            {"numInputRows": 0} | source
            for source in [
                {"metrics": {"skipped/a.b/0": "2", "skipped/a.b/11": "1", "minOffsets": "7"}},
                {"metrics": {"skipped/a.b/0": "5", "skipped/c/0": "1"}},
                {"metrics": None},
                {},
            ]
        ]
        progress = Job("job", bounded=False, query=query(batches=[latest])).progress()
        assert progress is not None
        assert progress.skipped == {"a.b": {0: 7, 11: 1}, "c": {0: 1}}
        assert progress.skipped_by_topic() == {"a.b": 8, "c": 1}
        assert progress.to_dict()["skipped"] == progress.skipped_records == 9
