import pytest

from tools.docs import declared
from tools.docs.features import load
from tools.docs.proofs import missing


@pytest.mark.parametrize("owner", sorted(declared.option_names()))
def test_everything_declared_is_judged_and_nothing_else(owner):
    assert set(load().declared[owner]) == set(declared.option_names()[owner])


def test_nothing_is_judged_that_nobody_owns():
    assert set(load().declared) == set(declared.option_names())


def test_the_tests_behind_functions_exist():
    assert missing(declared.proofs()) == []
