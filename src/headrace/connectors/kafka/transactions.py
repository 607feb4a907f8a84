"""Transactions of an exactly-once sink: how they are named, and where a job keeps what became of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from headrace.connectors.kafka.settings import KafkaSettings


def prefix_of(settings: KafkaSettings, job: str, number: int) -> str:
    """No two sinks begin their ids alike: neither of two jobs, nor of one."""
    return f"{settings.options['sink.transactional-id-prefix']}-{job}-{number}"


def begin(settings: KafkaSettings, writer: Any, folder: Path, number: int) -> None:
    """Lets `writer`, that of the job's sink with this number, write in transactions. `folder` is the job's, its name
    the job's id; a decision counts as long as the checkpoint that it belongs to."""
    if not settings.is_exactly_once:
        return
    writer.withinTransactions(
        prefix_of(settings, folder.name, number),
        str(folder / "checkpoint" / "transactions" / f"{number}.json"),
        str(folder / "transactions" / f"{number}.json"),
        settings.options["sink.transaction-naming-strategy"] == "POOLING",
    )
