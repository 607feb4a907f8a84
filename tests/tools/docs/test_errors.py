import ast
import tomllib

import pytest

from headrace.errors import HeadraceError
from tools.docs import errors

NAMES = sorted(tomllib.loads(errors.FILE.read_text())["conditions"])
# Written in the examples as the default of every installation; nothing of the machine at hand may show.
HOME = "~/.local/state/headrace"


@pytest.fixture(scope="module")
def examples():
    return errors.load()


def test_every_condition_in_use_is_explained_and_no_other():
    assert set(NAMES) == errors.conditions_in_use()


@pytest.mark.parametrize("condition", NAMES)
def test_an_example_shows_its_own_condition_in_five_lines_at_most(examples, condition):
    lines = examples[condition].shown.splitlines()
    assert lines[0].startswith(f"[{condition}] ")
    assert len(lines) <= 5
    labels = [line.strip().split(":")[0] for line in lines[1:]]
    assert labels == sorted(labels, key=["at", "found", "expected", "cure"].index)


@pytest.mark.parametrize("condition", NAMES)
def test_it_says_when_and_with_which_exit_code(examples, condition):
    example = examples[condition]
    assert example.when[0].isupper()
    assert not example.when.endswith(".")
    assert example.exit_code in (1, 3, 4)


def test_conditions_are_found_however_they_are_written():
    tree = ast.parse(
        "class A(Fault):\n    condition = 'OF_A_CLASS'\n"
        "raise B('x', condition='OF_A_CALL')\n"
        "raise B('x', condition='ONE' if x else 'OTHER')\n"
        "raise UnknownName('jar set', name, names)\n"
        "raise C('x', condition=f'MADE_{up}')\n"
    )
    found = set(errors._conditions_of(tree))
    assert found == {"OF_A_CLASS", "OF_A_CALL", "ONE", "OTHER", "UNKNOWN_JAR_SET"}


def test_an_example_is_what_the_statement_gives():
    error = errors.raised_by("SELECT b FROM t", TABLE)
    assert isinstance(error, HeadraceError)
    assert error.condition == "UNKNOWN_COLUMN"


def test_the_last_of_several_statements_may_be_the_wrong_one():
    error = errors.raised_by("CREATE VIEW v AS SELECT a FROM t;\nSELECT b FROM v", TABLE)
    assert str(error.where) == "<sql>:1:8"


def test_an_example_is_made_in_one_of_three_ways():
    asked = {"when": "Wrong", "sql": "SELECT b FROM t"}
    assert errors._example(asked, TABLE).sql == "SELECT b FROM t"
    fault = {"when": "Wrong", "fault": "Caused by: java.lang.OutOfMemoryError: Java heap space"}
    assert errors._example(fault, TABLE).shown.startswith("[OUT_OF_MEMORY]")
    told = {"when": "Wrong", "text": "\n[TOLD] so\n", "exit": 3}
    assert errors._example(told, TABLE) == errors.Example("Wrong", "[TOLD] so", 3)


def test_exit_codes_are_those_of_the_errors(examples):
    assert examples["UNKNOWN_TABLE"].exit_code == 1
    assert examples["BROKER_UNREACHABLE"].exit_code == 3
    assert examples["INTERNAL_ERROR"].exit_code == 4


def test_no_base_class_is_explained_as_if_it_were_raised():
    assert not set(errors.BASES) & set(NAMES)


def test_an_example_without_an_error_is_a_mistake():
    with pytest.raises(ValueError, match="no error was raised"):
        errors.raised_by("SELECT a FROM t", TABLE)


TABLE = "CREATE TABLE t (a INT) WITH ('connector' = 'datagen')"


@pytest.fixture(scope="module")
def text():
    return errors.render()


def test_the_page_lists_and_explains(text):
    assert "| [UNKNOWN_TABLE](#unknown_table) | 1 |" in text
    assert "\n## UNKNOWN_TABLE\n" in text
    assert "```sql\nSELECT * FROM oders\n```" in text


def test_paths_are_those_of_a_default_installation(text):
    assert HOME in text
    assert "/root" not in text
    assert "/tmp" not in text
