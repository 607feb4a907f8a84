"""What could be typed next: options of the connector inside WITH, settings after SET, and names elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prompt_toolkit.completion import CompleteEvent, Completer, Completion

from headrace.catalog.options import Option
from headrace.catalog.table import Table
from headrace.cli.vocabulary import KEYWORDS, SESSION_COMMANDS, TYPE_NAMES
from headrace.connectors.registry import CONNECTORS
from headrace.errors import Position
from headrace.formats.registry import FORMATS
from headrace.plan.functions import function_names
from headrace.runtime.config import SETTINGS
from headrace.sql.statements import ObjectName

if TYPE_CHECKING:
    from prompt_toolkit.document import Document

    from headrace.catalog import Catalog

_OPEN_QUOTE = re.compile(r"'([^']*)$")
_PAIR = re.compile(r"'([^']*)'\s*=\s*'([^']*)'")
_VALUE_OF = re.compile(r"'([^']*)'\s*=\s*$")
_WITH = re.compile(r"\bWITH\s*\(", re.IGNORECASE)
_SET = re.compile(r"^\s*(?:RE)?SET\s+$", re.IGNORECASE)
_WORD = re.compile(r"[\w$]*$")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """`text` replaces the last `replaces` characters before the cursor."""

    text: str
    replaces: int
    about: str = ""


def suggestions(before: str, catalog: Catalog) -> list[Suggestion]:
    """For the statement being typed, given what stands before the cursor."""
    statement = _last_statement(before)
    quoted = _open_quote(statement)
    if quoted is not None:
        head = statement[: len(statement) - len(quoted) - 1]
        return _matching(_quoted(head, catalog), quoted)
    prefix = _typed_word(statement)
    if not prefix and not statement.endswith("."):
        return []
    return _matching(_words(statement, catalog), prefix)


def _last_statement(text: str) -> str:
    """After the last semicolon that stands outside of quotes."""
    start, inside = 0, False
    for index, char in enumerate(text):
        if char == "'":
            inside = not inside
        elif char == ";" and not inside:
            start = index + 1
    return text[start:]


def _open_quote(statement: str) -> str | None:
    if statement.count("'") % 2 == 0:
        return None
    match = _OPEN_QUOTE.search(statement)
    return match[1] if match else None


def _typed_word(statement: str) -> str:
    match = _WORD.search(statement)
    return match[0] if match else ""


def _matching(offers: Iterable[tuple[str, str]], prefix: str) -> list[Suggestion]:
    seen = dict(offers)
    wanted = [name for name in seen if name.lower().startswith(prefix.lower()) and name != prefix]
    return [Suggestion(name, len(prefix), seen[name]) for name in sorted(wanted)]


def _quoted(head: str, catalog: Catalog) -> Iterator[tuple[str, str]]:
    """Inside quotes: a key or a value of WITH, or a setting."""
    if _SET.search(head):
        yield from _about(SETTINGS)
        return
    opened = list(_WITH.finditer(head))
    if not opened:
        return
    given = dict(_PAIR.findall(head[opened[-1].end() :]))
    value_of = _VALUE_OF.search(head)
    options = _declared(given)
    if value_of is None:
        yield from (offer for offer in _about(options) if offer[0] not in given)
    else:
        yield from _values(value_of[1], options)


def _declared(given: Mapping[str, str]) -> Sequence[Option]:
    connector = CONNECTORS.get(given.get("connector", ""))
    return () if connector is None else connector.options(given)


def _about(options: Iterable[Option]) -> Iterator[tuple[str, str]]:
    """A declared prefix is offered up to its star: the rest is the user's."""
    yield from ((option.name.partition("*")[0].partition("#")[0], option.doc) for option in options)
    yield "connector", "which connector the table uses"


def _values(key: str, options: Iterable[Option]) -> Iterator[tuple[str, str]]:
    if key == "connector":
        yield from ((name, "connector") for name in CONNECTORS)
    elif key == "format" or key.endswith(".format"):
        yield from ((name, "format") for name in FORMATS)
    for option in options:
        if option.matches(key):
            yield from ((choice, "") for choice in option.choices)


def _words(statement: str, catalog: Catalog) -> Iterator[tuple[str, str]]:
    """Names last: a column called like a keyword is described as the column."""
    if statement.strip() == _typed_word(statement):
        yield from SESSION_COMMANDS.items()
    yield from ((word, "") for word in (*KEYWORDS, *TYPE_NAMES))
    yield from ((name, "function") for name in function_names())
    yield from _columns(catalog)
    yield from ((name, "table") for name in catalog.names())


def _columns(catalog: Catalog) -> Iterator[tuple[str, str]]:
    for name in catalog.names(Table):
        found = catalog.find(ObjectName((name,), Position(1, 1)))
        for column in found.columns if isinstance(found, Table) else ():
            yield column.name, f"{column.type.sql()} of {name}"


class SqlCompleter(Completer):
    """The suggestions as prompt-toolkit wants them."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        for item in suggestions(document.text_before_cursor, self._catalog):
            yield Completion(item.text, start_position=-item.replaces, display_meta=item.about)
