"""`python -m tools.conformance`: ask Kafka's own worker, on a broker of its own, and keep what it answers."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from headrace.connect.java.process import JavaProcess
from headrace.connect.rest.messages import Request
from headrace.connect.settings import load
from headrace.services.kafka import KafkaService
from tools.conformance.answers import FILE, ask_all, keep
from tools.conformance.scenario import SCENARIO


def record(folder: Path) -> int:
    with KafkaService(folder / "kafka") as kafka:
        settings = load(
            None,
            {
                "bootstrap.servers": kafka.bootstrap_servers,
                "offset.flush.interval.ms": "500",
            },
        )
        process = JavaProcess(settings)
        process.begin(lambda ask: None)
        try:
            process.ask(Request("GET", "/"))
            found = ask_all(process.url, process.login, folder, SCENARIO)
        finally:
            process.stop()
    recorded = [
        {"request": f"{step.method} {step.target}", "payload": step.payload, "answer": answer}
        for step, answer in found
    ]
    keep(recorded)
    return len(recorded)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        sys.stdout.write(f"{record(Path(scratch))} answers in {FILE}\n")
