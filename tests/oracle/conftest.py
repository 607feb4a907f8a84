from __future__ import annotations

import pytest

# Every query is new code, and compiling it takes longer than the few rows do without.
INTERPRETED = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}


@pytest.fixture
def interpreted(spark):
    for key, value in INTERPRETED.items():
        spark.conf.set(key, value)
    yield spark
    for key in INTERPRETED:
        spark.conf.unset(key)
