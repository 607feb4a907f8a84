import pytest

from tools.docs.proofs import ROOT, exists, missing

HERE = "tests/tools/docs/test_proofs.py"


class TestInside:
    def test_something(self):
        assert exists(f"{HERE}::TestInside::test_something")


def test_a_test_of_a_module_exists():
    assert exists(f"{HERE}::test_a_test_of_a_module_exists")


@pytest.mark.parametrize(
    "proof",
    [
        f"{HERE}::test_nobody_wrote",
        f"{HERE}::test_something",
        f"{HERE}::HERE",
        f"{HERE}",
        "tests/nowhere.py::test_something",
    ],
)
def test_what_is_no_test(proof):
    assert not exists(proof)


def test_what_is_missing_is_named_once_and_sorted():
    asked = ["tests/b.py::test_b", "tests/a.py::test_a", "tests/b.py::test_b"]
    assert missing([*asked, f"{HERE}::test_what_is_no_test"]) == asked[1::-1]


def test_the_root_is_that_of_the_repository():
    assert (ROOT / HERE).is_file()
