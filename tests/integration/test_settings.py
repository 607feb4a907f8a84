"""Settings as they show in a running job: partitions of its state, the zone of its texts, the times of its batches."""

from datetime import datetime

import pytest

from headrace.testing.topics import eventually

pytestmark = pytest.mark.spark

SECONDS = 2


@pytest.fixture
def nowhere(env):
    env.execute_sql(
        "CREATE TABLE nowhere (n BIGINT, rows_of BIGINT) WITH ('connector' = 'blackhole')"
    )
    return "INSERT INTO nowhere"


def test_state_has_as_many_partitions_as_is_said(env, nowhere):
    env.execute_sql("""CREATE TABLE numbers (n BIGINT) WITH ('connector' = 'datagen',
        'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '9')""")
    counted = {}
    for partitions in (3, 1):
        env.execute_sql(f"SET 'parallelism.default' = '{partitions}'")
        query = f"SELECT n, COUNT(*) + {partitions} FROM numbers GROUP BY n"
        job = env.execute_sql(f"{nowhere} {query}").get_job_client()
        job.wait()
        stores = (job._folder.checkpoint / "state/0").iterdir()
        counted[partitions] = sorted(store.name for store in stores if store.name.isdigit())
    assert counted == {3: ["0", "1", "2"], 1: ["0"]}


@pytest.mark.parametrize("name", ["mein häus", "100%25 #1"])
def test_the_folder_of_checkpoints_may_have_any_name(env, tmp_path, capsys, name):
    """Runs the job three times. Each run has a new checkpoint, so each must print all rows."""
    (folder := tmp_path / name).mkdir()
    env.execute_sql(f"SET 'execution.checkpointing.dir' = '{folder}'")
    env.execute_sql("""CREATE TABLE numbers (n BIGINT) WITH ('connector' = 'datagen',
        'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '3')""")
    env.execute_sql("CREATE TABLE shown (n BIGINT) WITH ('connector' = 'print')")
    for _ in range(3):
        env.execute_sql("INSERT INTO shown SELECT n FROM numbers").get_job_client().wait()
        assert sorted(capsys.readouterr().out.split()) == ["+I[1]", "+I[2]", "+I[3]"]
    assert [path.name for path in tmp_path.iterdir()] == [name]


INSTANT = """SELECT CAST(TO_TIMESTAMP_LTZ(0, 3) AS STRING), CAST(TO_TIMESTAMP_LTZ(0, 3) AS TIMESTAMP(3)),
    EXTRACT(HOUR FROM TO_TIMESTAMP_LTZ(0, 3)),
    TO_TIMESTAMP_LTZ(0, 3) = CAST(TIMESTAMP '1970-01-01 01:00:00' AS TIMESTAMP_LTZ(3))"""


def test_an_instant_is_told_in_the_zone_that_is_set(env):
    told = {}
    for zone in ("Europe/Berlin", "America/New_York"):
        env.execute_sql(f"SET 'table.local-time-zone' = '{zone}'")
        (told[zone],) = env.execute_sql(INSTANT).collect()
    assert told == {
        "Europe/Berlin": ("1970-01-01 01:00:00.000", datetime(1970, 1, 1, 1), 1, True),
        "America/New_York": ("1969-12-31 19:00:00.000", datetime(1969, 12, 31, 19), 19, False),
    }


def batch_starts(job) -> dict[int, float]:
    """When each batch began, in seconds."""
    return {
        progress.batchId(): datetime.fromisoformat(progress.timestamp()).timestamp()
        for progress in reversed(list(job.query.recentProgress()))
    }


def test_every_batch_begins_in_an_interval_of_its_own(env, nowhere):
    """Rows are always there, so that batches would follow each other at once."""
    env.execute_sql("""CREATE TABLE numbers (n BIGINT) WITH ('connector' = 'datagen',
        'rows-per-second' = '1000')""")
    env.execute_sql(f"SET 'execution.checkpointing.interval' = '{SECONDS} s'")
    job = env.execute_sql(f"{nowhere} SELECT n, n FROM numbers").get_job_client()
    try:
        starts = eventually(lambda: batch_starts(job), lambda found: len(found) > 3)
    finally:
        job.stop()
    # The first one begins with the job, which may be at the very end of an interval.
    later = [int(start // SECONDS) for batch, start in starts.items() if batch > 0]
    assert len(later) > 2
    assert len(set(later)) == len(later)
