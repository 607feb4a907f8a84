import importlib
import subprocess
import sys

import pytest

import headrace

PUBLIC = {
    "ChangelogMode": "headrace.changelog.modes",
    "HeadraceError": "headrace.errors",
    "Job": "headrace.runtime.jobs",
    "JobState": "headrace.runtime.jobs",
    "QueryTable": "headrace.runtime.environment",
    "Row": "headrace.runtime.results",
    "RowKind": "headrace.changelog.modes",
    "StatementSetBuilder": "headrace.runtime.environment",
    "TableEnvironment": "headrace.runtime.environment",
    "TableResult": "headrace.runtime.results",
}


def test_the_public_names_are_these():
    assert sorted(headrace.__all__) == sorted([*PUBLIC, "__version__"])
    assert dir(headrace) == sorted(headrace.__all__)


@pytest.mark.parametrize(("name", "home"), PUBLIC.items())
def test_each_is_the_thing_itself(name, home):
    assert getattr(headrace, name) is getattr(importlib.import_module(home), name)
    assert getattr(headrace, name).__doc__ is not None


def test_anything_else_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'headrace' has no attribute 'Nope'"):
        _ = headrace.Nope


def test_the_version_is_a_release_number():
    assert all(part.isdigit() for part in headrace.__version__.split("."))


def test_importing_loads_nothing_of_weight():
    code = (
        "import sys, headrace; "
        "sys.exit(any(name in sys.modules for name in ('sqlglot', 'pyspark', 'headrace.errors')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
