"""Traces as clients of Connect read them."""

from __future__ import annotations

import pytest

from headrace.connect.errors import Failure, ToleranceExceeded
from headrace.connect.traces import Traced, trace_of
from headrace.errors import EnvironmentFault, InternalError

DATA = "org.apache.kafka.connect.errors.DataException"


def raised(error: Exception, cause: Exception | None = None) -> Exception:
    with pytest.raises(type(error)) as caught:
        raise error from cause
    return caught.value


def test_what_happened_comes_first_and_then_where():
    lines = trace_of(raised(RuntimeError("it broke"))).splitlines()
    assert lines[0] == "RuntimeError: it broke"
    assert lines[1].startswith("\tat raised (test_traces.py:")
    assert len(lines) == 2


def test_the_innermost_frame_is_the_first():
    def fail() -> None:
        raise KeyError("x")

    with pytest.raises(KeyError) as caught:
        fail()
    names = [line.split()[1] for line in trace_of(caught.value).splitlines()[1:]]
    assert names == ["fail", "test_the_innermost_frame_is_the_first"]


def test_causes_stand_beneath():
    whole = trace_of(raised(RuntimeError("outer"), raised(ValueError("inner"))))
    told = [line for line in whole.splitlines() if not line.startswith("\t")]
    assert told == ["RuntimeError: outer", "Caused by: ValueError: inner"]


def test_what_was_being_handled_is_a_cause_unless_it_is_hidden():
    def handle(hidden: bool) -> None:
        try:
            raise ValueError("inner")
        except ValueError:
            if hidden:
                raise RuntimeError("outer") from None
            raise RuntimeError("outer")  # noqa: B904

    for hidden in (False, True):
        with pytest.raises(RuntimeError) as caught:
            handle(hidden)
        assert ("Caused by: ValueError" in trace_of(caught.value)) is not hidden


def test_errors_of_ours_need_no_stack():
    fault = raised(EnvironmentFault("no bucket", found="404", cure="make one"))
    assert trace_of(fault) == "[ENVIRONMENT] no bucket\n  found: 404\n  cure: make one"
    defect = trace_of(raised(InternalError("a defect"))).splitlines()
    assert defect[-1].startswith("\tat raised (test_traces.py:")


def test_a_bad_record_is_told_as_connect_tells_it():
    failure = Failure("t", "VALUE_CONVERTER", "x.Json", DATA, "no: \nCaused by: E: x", 0, 1)
    error = raised(ToleranceExceeded(failure))
    assert isinstance(error, Traced)
    assert trace_of(error).splitlines() == [
        "org.apache.kafka.connect.errors.ConnectException: Tolerance exceeded in error handler",
        "  at: topic t, partition 0, offset 1, stage VALUE_CONVERTER (x.Json)",
        f"  cure: {error.cure}",
        f"Caused by: {DATA}: no: ",
        "\tat x.Json (VALUE_CONVERTER, topic t, partition 0, offset 1)",
        "Caused by: E: x",
    ]
