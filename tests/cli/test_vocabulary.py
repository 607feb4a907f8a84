from __future__ import annotations

import inspect
import re

from headrace.cli.vocabulary import KEYWORDS, SESSION_COMMANDS, TIME_UNITS, TYPE_NAMES
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


def test_words_are_upper_case_and_named_once():
    words = (*KEYWORDS, *TIME_UNITS)
    assert all(word == word.upper() for word in words)
    assert len(set(words)) == len(words)


def test_types_are_single_words_that_begin_a_type():
    assert {"BIGINT", "STRING", "TIMESTAMP_LTZ", "ROW"} <= set(TYPE_NAMES)
    assert not {"NULL", "INTERVAL"} & set(TYPE_NAMES)
    assert all(" " not in name for name in TYPE_NAMES)


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


def test_commands_of_the_session_are_explained():
    assert set(SESSION_COMMANDS) == {"HELP", "CLEAR", "QUIT", "EXIT"}
    assert all(SESSION_COMMANDS.values())
