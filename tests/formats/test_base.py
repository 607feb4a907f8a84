import pytest

from headrace import types as t
from headrace.errors import UserError
from headrace.formats.base import (
    IGNORE_PARSE_ERRORS,
    require_text_map_keys,
    type_spec,
    unsupported_type,
    walk_types,
)


def test_walking_visits_columns_and_everything_inside_them():
    seen = []
    fields = t.row(
        a=t.INT, r=t.row(x=t.STRING, y=t.array(t.row(z=t.DATE))), m=t.map_of(t.STRING, t.INT)
    )
    walk_types(fields, lambda path, found: seen.append((path, str(found.kind))))
    assert seen == [
        ("a", "INT"),
        ("r", "ROW"),
        ("r.x", "STRING"),
        ("r.y", "ARRAY"),
        ("r.y", "ROW"),
        ("r.y.z", "DATE"),
        ("m", "MAP"),
        ("m", "STRING"),
        ("m", "INT"),
    ]


@pytest.mark.parametrize(
    "type", [t.map_of(t.char(3), t.INT), t.multiset(t.varchar(9)), t.array(t.INT)]
)
def test_text_keys_pass(type):
    require_text_map_keys("json", "c", type)


def test_other_keys_are_refused_with_the_type_found():
    with pytest.raises(UserError) as caught:
        require_text_map_keys("json", "a.b", t.multiset(t.INT))
    assert caught.value.found == "MULTISET<INT>"
    assert "'a.b'" in caught.value.summary


def test_an_unsupported_type_is_rendered_in_five_lines_at_most():
    error = unsupported_type("csv", "c", t.map_of(t.STRING, t.INT), "a simple type", "drop it")
    assert error.render().splitlines() == [
        "[UNSUPPORTED_TYPE] format 'csv' cannot carry column 'c'",
        "  found: MAP<STRING, INT>",
        "  expected: a simple type",
        "  cure: drop it",
    ]


def test_ignoring_parse_errors_is_off_unless_asked_for():
    assert IGNORE_PARSE_ERRORS.parse(IGNORE_PARSE_ERRORS.default or "") is False


def test_a_type_keeps_what_spark_would_lose():
    spec = type_spec(t.row(a=t.timestamp(3).not_null(), b=t.multiset(t.decimal(9, 2))))
    assert spec == {
        "kind": "ROW",
        "nullable": True,
        "names": ["a", "b"],
        "children": [
            {"kind": "TIMESTAMP", "nullable": False, "precision": 3},
            {
                "kind": "MULTISET",
                "nullable": True,
                "children": [{"kind": "DECIMAL", "nullable": True, "precision": 9, "scale": 2}],
            },
        ],
    }
