"""Checking a script without running it: parsed, defined in a catalog and planned, statement by statement.

Each statement yields its first error only, and a statement that fails for want of a table whose own definition failed
is passed over: one mistake, one message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from headrace.errors import HeadraceError, Position, UnknownName, UserError
from headrace.plan.plan import Plan
from headrace.runtime.environment import TableEnvironment
from headrace.sql.dialect import parse_piece
from headrace.sql.lexer import Token, TokenKind, UnclosedText, tokenize
from headrace.sql.split import ScriptPiece, is_complete, split_script
from headrace.sql.statements import Statement, StatementSet

OnPlan = Callable[[Statement, Plan], None]


@dataclass(slots=True)
class CheckReport:
    """`passed_over`: statements not judged because they need a table that failed."""

    source: str
    statements: int = 0
    passed_over: int = 0
    errors: list[HeadraceError] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.errors


def check_script(
    text: str,
    source: str,
    environment: TableEnvironment,
    on_plan: OnPlan = lambda _statement, _plan: None,
    variables: Mapping[str, str] | None = None,
) -> CheckReport:
    """What is wrong with the script; `on_plan` receives every plan made on the way. `variables`: values for `${NAME}`."""
    checker = _Checker(environment, CheckReport(source), on_plan)
    try:
        for piece in _pieces(text, source, variables):
            checker.check(piece)
    except UserError as error:
        # A quote that is not closed, or a variable without a value: the rest of the script cannot be read.
        checker.report.statements += 1
        checker.report.errors.append(error)
    return checker.report


def _pieces(text: str, source: str, variables: Mapping[str, str] | None) -> Iterator[ScriptPiece]:
    """The statements, and where text is never closed those before it, then the error."""
    try:
        yield from split_script(text, source, variables)
    except UnclosedText as error:
        before = _text_before(text, error.where)
        pieces = split_script(before, source, variables)
        yield from pieces if is_complete(before)[0] else pieces[:-1]
        raise


def _text_before(text: str, where: Position | str | None) -> str:
    assert isinstance(where, Position), "the lexer knows the place of what it cannot close"
    lines = text.split("\n")[: where.line]
    return "\n".join([*lines[:-1], lines[-1][: where.column - 1]])


class _Checker:
    def __init__(self, environment: TableEnvironment, report: CheckReport, on_plan: OnPlan) -> None:
        self.environment = environment
        self.report = report
        self.on_plan = on_plan
        self._undefined: set[str] = set()

    def check(self, piece: ScriptPiece) -> None:
        self.report.statements += 1
        try:
            self._judge(parse_piece(piece))
        except UserError as error:
            if self._follows_from_earlier(error):
                self.report.passed_over += 1
            else:
                self.report.errors.append(error.at(piece.position))
            self._undefined.update(created_name(piece.text))

    def _judge(self, statement: Statement) -> None:
        for part in statement.inserts if isinstance(statement, StatementSet) else (statement,):
            for plan in self.environment.plans(part):
                self.on_plan(part, plan)
        self.environment.define(statement)

    def _follows_from_earlier(self, error: UserError) -> bool:
        return isinstance(error, UnknownName) and error.name.rpartition(".")[2] in self._undefined


def created_name(text: str) -> list[str]:
    """The table or view that a CREATE statement, however broken after its name, would have made."""
    words = [token for token in tokenize(text) if token.kind is not TokenKind.END]
    if not words or words[0].key != "CREATE":
        return []
    skipped = ("CREATE", "TEMPORARY", "TABLE", "VIEW", "IF", "NOT", "EXISTS")
    rest = iter(words)
    first = next((token for token in rest if token.key not in skipped), None)
    return [] if first is None else [_last_part(first, rest)]


def _last_part(first: Token, rest: Iterator[Token]) -> str:
    name = first.text
    for dot in rest:
        if dot.key != ".":
            break
        name = next(rest, dot).text
    return name
