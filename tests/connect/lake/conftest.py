from __future__ import annotations

from typing import Any

import pytest

from headrace.testing.connect import Bench


@pytest.fixture(scope="session")
def connect(spark: Any) -> Bench:
    return Bench(spark)
