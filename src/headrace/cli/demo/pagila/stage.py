"""The services of the demo: a broker, a database, a bucket and a Connect worker, in a folder that is gone afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from headrace.cli.demo.pagila.bucket import Bucket
from headrace.cli.demo.pagila.database import Database
from headrace.cli.demo.pagila.topics import TopicReader
from headrace.cli.demo.pagila.worker import WorkerService
from headrace.cli.output import Output
from headrace.connect.client import Client
from headrace.services.kafka import KafkaService
from headrace.services.postgres import PostgresService
from headrace.services.s3 import ACCESS_KEY, BUCKET, SECRET_KEY, S3Service
from headrace.services.supervisor import Service

# How much of the worker's log --verbose prints when the demo fails: a few traces.
LOG_CHARACTERS = 20_000


@dataclass(frozen=True)
class Stage:
    database: Database
    topics: TopicReader
    bucket: Bucket
    worker: WorkerService

    @property
    def client(self) -> Client:
        return self.worker.client


@contextmanager
def stage(output: Output, folder: Path) -> Iterator[Stage]:
    with ExitStack() as stack:
        kafka = KafkaService(folder / "kafka")
        postgres = PostgresService(folder / "postgres", own=True)
        s3 = S3Service(folder / "s3")
        for service in (kafka, postgres, s3):
            _start(output, stack, service)
        database = Database(postgres.url)
        stack.callback(database.close)
        environment = {**database.environment(), **s3_environment(s3.endpoint)}
        worker = WorkerService(folder / "connect", kafka.bootstrap_servers, environment)
        _start(output, stack, worker)
        topics = TopicReader(kafka.bootstrap_servers)
        stack.callback(topics.close)
        with _told(output, worker):
            yield Stage(database, topics, Bucket(s3.client(), BUCKET), worker)


def s3_environment(endpoint: str) -> dict[str, str]:
    """For the configurations, and credentials where every client of S3 looks for them."""
    return {
        "PAGILA_S3_URL": endpoint,
        "PAGILA_BUCKET": BUCKET,
        "AWS_ACCESS_KEY_ID": ACCESS_KEY,
        "AWS_SECRET_ACCESS_KEY": SECRET_KEY,
    }


def _start(output: Output, stack: ExitStack, service: Service) -> None:
    service.owned = True
    with output.progress() as progress:
        service.start(progress)
    stack.callback(service.stop)


@contextmanager
def _told(output: Output, worker: Service) -> Iterator[None]:
    """On request, what the worker had to say before its folder goes."""
    try:
        yield
    except Exception:
        if output.verbose:
            output.note(worker.log.read_text(errors="replace")[-LOG_CHARACTERS:])
        raise
