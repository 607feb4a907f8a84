"""Why a connector or task has failed, as its status tells it: what happened first, then where, as stacks of Java have it.

Clients of Connect show or search the first line of a trace.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from typing import Protocol, runtime_checkable

from headrace.errors import HeadraceError, InternalError


@runtime_checkable
class Traced(Protocol):
    """An exception with words of its own for its trace."""

    def told(self) -> str: ...

    def caused_by(self) -> str: ...


def trace_of(error: BaseException) -> str:
    """A fault that says itself what happened, where and what helps needs no stack; what nobody foresaw has one."""
    if isinstance(error, Traced):
        return f"{error.told()}\nCaused by: {error.caused_by()}"
    if isinstance(error, HeadraceError) and not isinstance(error, InternalError):
        return error.render()
    return "\n".join(_stack(error))


def _stack(error: BaseException) -> Iterator[str]:
    """The exception, its frames with the innermost first, and what caused it."""
    yield "".join(traceback.format_exception_only(error)).rstrip("\n")
    yield from map(_frame, reversed(traceback.extract_tb(error.__traceback__)))
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None:
        yield f"Caused by: {trace_of(cause)}"


def _frame(frame: traceback.FrameSummary) -> str:
    """Without the folder: a status is no place for paths of the machine."""
    file = frame.filename.replace("\\", "/").rpartition("/")[2]
    return f"\tat {frame.name} ({file}:{frame.lineno})"
