"""A stand-in for Spark's StreamingQuery where a test is about what surrounds it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from headrace.runtime.environment import TableEnvironment


@dataclass
class JavaException:
    text: str
    cause: JavaException | None = None

    def toString(self) -> str:
        return self.text

    def getCause(self) -> JavaException | None:
        return self.cause


@dataclass
class JavaOption:
    value: Any = None

    def isDefined(self) -> bool:
        return self.value is not None

    def get(self) -> Any:
        return self.value


@dataclass
class JavaProgress:
    facts: dict[str, Any]

    def json(self) -> str:
        return json.dumps(self.facts)


@dataclass
class FakeQuery:
    """Ends by itself after `lasts` looks; -1 never ends."""

    lasts: int = -1
    failure: JavaException | None = None
    batches: list[dict[str, Any]] = field(default_factory=list)
    active: bool = True
    stops: int = 0

    def isActive(self) -> bool:
        return self.active

    def awaitTermination(self, _millis: int) -> bool:
        if self.lasts > 0:
            self.lasts -= 1
        if self.lasts == 0:
            self.active = False
            if self.failure is not None:
                raise RuntimeError("the query failed")
        return not self.active

    def stop(self) -> None:
        self.stops += 1
        self.active = False

    def exception(self) -> JavaOption:
        return JavaOption(self.failure)

    def recentProgress(self) -> list[JavaProgress]:
        return [JavaProgress(batch) for batch in self.batches]


@pytest.fixture
def query() -> type[FakeQuery]:
    return FakeQuery


@pytest.fixture
def java_exception() -> type[JavaException]:
    return JavaException


@pytest.fixture
def env() -> TableEnvironment:
    environment = TableEnvironment()
    environment.execute_sql(
        "CREATE TABLE numbers (n BIGINT, word STRING) WITH ('connector' = 'datagen')"
    )
    environment.execute_sql("CREATE TABLE console (n BIGINT) WITH ('connector' = 'print')")
    return environment
