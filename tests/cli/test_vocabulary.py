from __future__ import annotations

import inspect
import re

from headrace.cli.vocabulary import KEYWORDS
from headrace.sql import (
    alter,
    calls,
    commands,
    ddl,
    expressions,
    namespaces,
    queries,
    relations,
    statements,
)


def test_every_statement_the_parser_knows_begins_with_a_known_word():
    source = inspect.getsource(commands.StatementParser._rules)
    starts = set(re.findall(r'"([A-Z]+)":', source))
    assert starts
    assert starts <= set(KEYWORDS)


def test_keywords_are_words_the_parser_reads():
    """A word that no rule mentions would be offered in vain."""
    modules = (
        alter,
        calls,
        commands,
        ddl,
        expressions,
        namespaces,
        queries,
        relations,
        statements,
    )
    source = " ".join(inspect.getsource(module) for module in modules)
    unread = [word for word in KEYWORDS if not re.search(rf"\b{word}\b", source)]
    assert unread == []
