from __future__ import annotations

import logging
import uuid

import pytest

from headrace.connect.loggers import LEVELS, ROOT, Loggers


@pytest.fixture
def loggers():
    return Loggers()


@pytest.fixture
def name():
    """A logger that no other test uses, with one below it and one beside it."""
    made = f"loggers{uuid.uuid4().hex[:8]}"
    for one in (f"{made}.inner", f"{made}er"):
        logging.getLogger(one)
    return made


@pytest.fixture
def untouched_root():
    """Setting root's level sets every logger; put back what was there."""
    known = [logging.getLogger(), *map(logging.getLogger, logging.Logger.manager.loggerDict)]
    before = [(one, one.level) for one in known]
    yield
    for one, level in before:
        one.setLevel(level)


def test_a_level_reaches_those_below(loggers, name):
    assert loggers.set(name, "debug") == [name, f"{name}.inner"]
    assert loggers.one(f"{name}.inner")["level"] == "DEBUG"
    assert logging.getLogger(f"{name}er").level == logging.NOTSET


def test_an_unset_logger_shows_what_counts_for_it(loggers, name):
    logging.getLogger(name).setLevel(logging.ERROR)
    assert loggers.one(f"{name}.inner") == {"level": "ERROR", "last_modified": None}
    assert name in loggers.all()
    assert f"{name}.inner" not in loggers.all()


def test_the_time_of_the_change_is_kept(loggers, name):
    loggers.set(name, "INFO")
    assert loggers.one(name)["last_modified"] > 1_600_000_000_000


@pytest.mark.parametrize(
    ("level", "number"),
    [("TRACE", 5), ("WARN", logging.WARNING), ("FATAL", logging.CRITICAL), ("OFF", 60)],
)
def test_levels_of_log4j(loggers, name, level, number):
    loggers.set(name, level)
    assert logging.getLogger(name).level == number
    assert loggers.one(name)["level"] == level


def test_an_unknown_logger(loggers):
    assert loggers.one("no.such.logger.anywhere") is None


def test_root_is_always_there(loggers):
    level = loggers.all()[ROOT]["level"]
    assert LEVELS[level] == logging.getLogger().level


def test_root_reaches_everyone(loggers, name, untouched_root):
    affected = loggers.set(ROOT, "ERROR")
    assert {ROOT, f"{name}.inner", f"{name}er"} <= set(affected)
    assert logging.getLogger(f"{name}er").level == logging.ERROR
