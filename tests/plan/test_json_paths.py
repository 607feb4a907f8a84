from __future__ import annotations

import pytest

from headrace.errors import UnsupportedSql
from headrace.plan.json_paths import read_path


@pytest.mark.parametrize(
    ("written", "path", "fault"),
    [
        ("$", [""], "ON ERROR"),
        ("$.a.b", [".a", ".b"], "ON ERROR"),
        ("lax $.a[0]", [".a", "#0"], "ON EMPTY"),
        ("LAX $.a", [".a"], "ON EMPTY"),
        ("strict $.a", [".a"], "ON ERROR"),
        ("$['a b'].c", [".a b", ".c"], "ON ERROR"),
        ('$.["a.b"][1]', [".a.b", "#1"], "ON ERROR"),
        ("$.a-b", [".a-b"], "ON ERROR"),
        ("$['$']", [".$"], "ON ERROR"),
        ('$["it\'s"]', [".it's"], "ON ERROR"),
        ("$.a[-1]", [".a", "#-1"], "ON ERROR"),
        ("$.a.length()", [".a", "("], "ON ERROR"),
        ("$.size()", ["("], "ON ERROR"),
        ("lax $.a.first()", [".a", "#0"], "ON EMPTY"),
        ("$.last( ).b", ["#-1", ".b"], "ON ERROR"),
    ],
)
def test_a_path_to_one_place(written, path, fault):
    found = read_path(written)
    assert (found.text.split("\n"), found.fault, found.several) == (path, fault, False)


@pytest.mark.parametrize(
    ("written", "steps"),
    [
        ("$.*", ["*"]),
        ("$..a", ["^a"]),
        ("$..*", ["^"]),
        ("$.a[*]", [".a", "*"]),
        ("lax $.a[ * ].b", [".a", "*", ".b"]),
        ("$.a[1:-1]", [".a", ":1:-1"]),
        ("$[:2]", ["::2"]),
        ("$[0, 2]", ["#0\t2"]),
        ("$[-1, 0]", ["#-1\t0"]),
        ("$['a', 'b c']", [".a\tb c"]),
        ("$[*]['it']", ["*", ".it"]),
    ],
)
def test_a_path_to_several_places_is_a_step_per_line(written, steps):
    found = read_path(written)
    assert (found.text.split("\n"), found.several) == (steps, True)


@pytest.mark.parametrize(
    "written",
    ["a.b", "", "$.", "$.a[", "$.a[?(@.b > 1)]", "$.a.sum()", "loose $.a", "$..a.length()", "$a"],
)
def test_paths_that_do_not_run(written):
    with pytest.raises(UnsupportedSql) as caught:
        read_path(written)
    assert caught.value.found == f"'{written}'"
