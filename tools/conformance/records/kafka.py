"""Kafka's own classes at work, in a JVM of their own."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from headrace.toolchain.compiler import compile_sources
from headrace.toolchain.jars import ensure
from headrace.toolchain.java import find_java
from tools.conformance.records.case import Case

_SOURCE = Path(__file__).parent / "RecordsOfKafka.java"

# Java writes dates as the machine's zone and language have them.
_NEUTRAL = ("-Duser.timezone=UTC", "-Duser.language=en", "-Duser.country=US")


def answers_of_kafka(cases: Iterable[Case]) -> list[Any]:
    """For each case, an answer for each of its records, or what its configuration is refused with."""
    java, jars = find_java(), ensure("connect")
    lines = "".join(json.dumps(case.facts()) + "\n" for case in cases)
    with tempfile.TemporaryDirectory() as scratch:
        classes = Path(scratch)
        compile_sources(java, [_SOURCE], jars, classes, compiler_jar=ensure("compiler")[0])
        path = os.pathsep.join(map(str, [classes, *jars]))
        command = [str(java.executable), *_NEUTRAL, "-cp", path, _SOURCE.stem]
        done = subprocess.run(
            command, input=lines, capture_output=True, text=True, encoding="utf-8", check=True
        )
    # Logs are written to the same place; answers are the lines of JSON.
    return [json.loads(line) for line in done.stdout.splitlines() if line[:1] in "[{"]
