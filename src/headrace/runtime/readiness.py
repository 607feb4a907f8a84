"""When a job's sources have fixed where they begin: from then on, a record that arrives will be read."""

from __future__ import annotations

from headrace.runtime.jobs import Job, JobState

# A query asks every source for its first and latest offsets before it says one of these; earlier it is
# "Initializing sources" or "Getting offsets from …". An idle query reports no progress at all, so the status is
# the only sign that 'latest-offset' has been looked up.
READING_MESSAGES = ("Processing new data", "Waiting for data to arrive", "Waiting for next trigger")


def is_reading(job: Job) -> bool:
    if job.query is None or job.state is not JobState.RUNNING:
        return True
    if job.query.lastProgress() is not None:
        return True
    return str(job.query.status().message()) in READING_MESSAGES
