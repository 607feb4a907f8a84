"""`python -m headrace.toolchain`: fetch every jar set and compile the operators, with visible progress."""

from __future__ import annotations

import sys

from headrace.errors import HeadraceError
from headrace.toolchain.coordinates import SETS
from headrace.toolchain.jars import ensure
from headrace.toolchain.operators import operator_jar
from headrace.toolchain.progress import Reporter, show_progress


def prepare(progress: Reporter) -> None:
    """Everything that a later start would otherwise fetch or compile."""
    for name, wanted in SETS.items():
        if not wanted.on_demand:
            ensure(name, progress)
    operator_jar(progress)


def main() -> int:
    try:
        with show_progress() as progress:
            prepare(progress)
    except HeadraceError as error:
        sys.stderr.write(f"{error.render()}\n")
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
