"""When what failed is started again."""

import pytest

from headrace.connect.configdef import InvalidConfig
from headrace.connect.restarts import Policy, Restarts


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def restarts():
    return Restarts(Clock())


def test_nothing_is_started_again_unless_asked_for(restarts):
    assert Policy.of({}) == Policy(0, 1.0)
    assert restarts.next_wait(Policy.of({}), "c", 0) is None


@pytest.mark.parametrize(
    ("option", "text", "message"),
    [
        ("headrace.restart.attempts", "often", "Not a number of type INT"),
        ("headrace.restart.attempts", "-2", "Value must be at least -1"),
        ("headrace.restart.delay.ms", "-1", "Value must be at least 0"),
    ],
)
def test_values_that_do_not_do(option, text, message):
    with pytest.raises(InvalidConfig, match=f"{option}: {message}"):
        Policy.of({option: text})


@pytest.mark.parametrize(
    ("policy", "waits"),
    [
        (Policy(3, 1.0), [1.0, 2.0, 4.0, None, None]),
        (Policy(-1, 20.0), [20.0, 40.0, 60.0, 60.0, 60.0]),
        (Policy(-1, 90.0), [90.0, 90.0, 90.0, 90.0, 90.0]),
        (Policy(2, 0.0), [0.0, 0.0, None, None, None]),
    ],
)
def test_waits_are_doubled_up_to_a_minute_or_what_is_said(restarts, policy, waits):
    assert [restarts.next_wait(policy, "c", 0) for _ in waits] == waits


def test_attempts_without_end_stay_within_what_a_number_holds():
    assert Policy(-1, 1.0).wait(10_000) == 60.0


def test_each_task_is_counted_by_itself(restarts):
    policy = Policy(1, 1.0)
    assert restarts.next_wait(policy, "c", 0) == 1.0
    assert restarts.next_wait(policy, "c", 1) == 1.0
    assert restarts.next_wait(policy, "c") == 1.0
    assert restarts.next_wait(policy, "c", 0) is None


def test_who_ran_for_longer_than_the_longest_wait_is_counted_anew(restarts):
    policy = Policy(1, 1.0)
    assert restarts.next_wait(policy, "c", 0) == 1.0
    restarts.started("c", 0)
    restarts.clock.now = 60.0
    assert restarts.next_wait(policy, "c", 0) is None
    restarts.started("c", 0)
    restarts.clock.now = 120.5
    assert restarts.next_wait(policy, "c", 0) == 1.0


def test_a_connector_that_was_changed_is_counted_anew(restarts):
    policy = Policy(1, 1.0)
    assert [restarts.next_wait(policy, name, 0) for name in ("c", "d")] == [1.0, 1.0]
    restarts.forget("c")
    assert [restarts.next_wait(policy, name, 0) for name in ("c", "d")] == [1.0, None]
