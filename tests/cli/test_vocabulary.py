from __future__ import annotations

import inspect
import re

from headrace.cli.vocabulary import KEYWORDS
from headrace.sql import commands


def test_every_statement_the_parser_knows_begins_with_a_known_word():
    source = inspect.getsource(commands.StatementParser._rules)
    starts = set(re.findall(r'"([A-Z]+)":', source))
    assert starts
    assert starts <= set(KEYWORDS)
