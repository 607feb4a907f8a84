"""The services of the demo: a broker, a database, a bucket and a Connect worker, in a folder that is deleted afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from headrace.cli.demo.pagila.bucket import Bucket
from headrace.cli.demo.pagila.database import Database
from headrace.cli.demo.pagila.topics import TopicReader
from headrace.cli.demo.pagila.worker import SHORT_LIVED, WorkerService
from headrace.cli.output import Output
from headrace.connect.client import Client
from headrace.services.kafka import KafkaService
from headrace.services.postgres import PostgresService
from headrace.services.s3 import ACCESS_KEY, BUCKET, SECRET_KEY, S3Service
from headrace.services.supervisor import Service

# How much of the worker's log --verbose prints when the demo fails: a few traces.
LOG_CHARACTERS = 20_000


class Broker(KafkaService):
    def java_options(self) -> list[str]:
        return list(SHORT_LIVED)


@dataclass(frozen=True)
class Stage:
    database: Database
    topics: TopicReader
    bucket: Bucket
    worker: WorkerService
    servers: str

    @property
    def client(self) -> Client:
        return self.worker.client


@contextmanager
def stage(output: Output, folder: Path) -> Iterator[Stage]:
    """Starts the services side by side, the worker after those that it needs; stops it before them."""
    kafka = Broker(folder / "kafka")
    postgres = PostgresService(folder / "postgres", own=True)
    s3 = S3Service(folder / "s3")
    for service in (kafka, postgres, s3):
        service.owned = True
    with ExitStack() as stack:
        with output.progress() as progress:
            # Registered first: what started is stopped although another service did not start.
            stack.callback(_stop, [kafka, postgres, s3])
            side_by_side([partial(service.start, progress) for service in (kafka, postgres, s3)])
            database = Database(postgres.url)
            stack.callback(database.close)
            environment = {**database.environment(), **s3_environment(s3.endpoint)}
            worker = WorkerService(folder / "connect", kafka.bootstrap_servers, environment)
            worker.owned = True
            stack.callback(worker.stop)
            with _log_on_failure(output, worker):
                side_by_side([partial(worker.start, progress), database.fill])
        topics = TopicReader(kafka.bootstrap_servers)
        stack.callback(topics.close)
        with _log_on_failure(output, worker):
            bucket = Bucket(s3.client(), BUCKET)
            yield Stage(database, topics, bucket, worker, kafka.bootstrap_servers)


def side_by_side(actions: Sequence[Callable[[], object]]) -> None:
    """Returns when all have ended; raises the first error in their order."""
    with ThreadPoolExecutor(len(actions)) as threads:
        futures = [threads.submit(action) for action in actions]
    for future in futures:
        future.result()


def s3_environment(endpoint: str) -> dict[str, str]:
    """For the configurations, and credentials where every client of S3 looks for them."""
    return {
        "PAGILA_S3_URL": endpoint,
        "PAGILA_BUCKET": BUCKET,
        "AWS_ACCESS_KEY_ID": ACCESS_KEY,
        "AWS_SECRET_ACCESS_KEY": SECRET_KEY,
    }


def _stop(services: Sequence[Service]) -> None:
    side_by_side([service.stop for service in services])


@contextmanager
def _log_on_failure(output: Output, worker: Service) -> Iterator[None]:
    """Prints the end of the worker's log with --verbose, before its folder is deleted."""
    try:
        yield
    except Exception:
        if output.verbose and worker.log.exists():
            output.note(worker.log.read_text(errors="replace")[-LOG_CHARACTERS:])
        raise
