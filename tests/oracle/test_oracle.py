"""After every batch a sink holds what DuckDB answers to the same query over the tables as they are then.

A bounded number of cases, the same in every run, or with `--soak-seconds` (make soak) new ones until the time is over.
"""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Callable
from itertools import count

import pytest
from hypothesis import HealthCheck, assume, given, seed, settings
from hypothesis import strategies as st

from tests.oracle.grammar import GROUPS, IN_SIGHT, PLAIN, Source, queries
from tests.oracle.harness import Case, Keep, Target, check
from tests.oracle.worlds import batches

# Rounds of up to five queries, three batches each.
ROUNDS = 15
# How many rounds are drawn from one seed before the clock is looked at.
SOAK_ROUNDS = 10


@st.composite
def cases(draw: st.DrawFn) -> Case:
    changes = draw(batches())
    view = draw(queries(PLAIN, depth=0))
    tables = (*IN_SIGHT, Source("v", view.columns))
    targets = [
        Target(draw(queries(constructs, tables)).sql, draw(st.sampled_from(list(Keep))))
        for constructs in GROUPS
        # Shrinks to leaving a query out.
        if draw(st.sampled_from([False, *[True] * 7]))
    ]
    # A round costs seconds: none for tables that stay empty, or for no query.
    assume(targets and any(changes))
    return Case(targets, view.sql, changes)


@pytest.fixture
def prove(interpreted, tmp_path) -> Callable[[Case], None]:
    numbers = count()

    def run(case: Case) -> None:
        checkpoint = tmp_path / str(next(numbers))
        try:
            check(interpreted, case, checkpoint)
        finally:
            shutil.rmtree(checkpoint, ignore_errors=True)

    return run


def property_of(prove: Callable[[Case], None], rounds: int, *, derandomize: bool):
    @settings(
        max_examples=rounds,
        derandomize=derandomize,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    @given(case=cases())
    def holds(case: Case) -> None:
        prove(case)

    return holds


@pytest.mark.spark
@pytest.mark.slow
def test_sinks_hold_the_answer(prove, request):
    seconds = request.config.getoption("--soak-seconds")
    if seconds is None:
        property_of(prove, ROUNDS, derandomize=True)()
        return
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        seed(random.getrandbits(64))(property_of(prove, SOAK_ROUNDS, derandomize=False))()
