"""Pictures of plans, compared with fixtures/mermaid; `--regenerate` writes them anew."""

import re
from pathlib import Path

import pytest

from headrace.plan.mermaid import explain_mermaid

FIXTURES = Path(__file__).parent.parent / "fixtures/mermaid"
QUERIES = {
    "copy": "INSERT INTO users_copy SELECT user_id, name FROM users",
    "join": "SELECT /*+ STATE_TTL('o' = '1d') */ o.item, u.name FROM orders o JOIN users u "
    "ON o.user_id = u.user_id WHERE u.name <> '\"x\"'",
    "subquery": "INSERT INTO totals SELECT country, COUNT(*) FROM users WHERE age > "
    "(SELECT AVG(age) FROM users) GROUP BY country",
}


@pytest.mark.parametrize("name", QUERIES)
def test_pictures(name, plan, request):
    fixture = FIXTURES / f"{name}.mmd"
    drawn = explain_mermaid(plan(QUERIES[name])) + "\n"
    if request.config.getoption("--regenerate", default=False):
        fixture.parent.mkdir(exist_ok=True)
        fixture.write_text(drawn)
    assert drawn == fixture.read_text()


def test_every_operator_is_a_box_and_every_input_an_arrow(plan):
    made = plan(QUERIES["join"])
    lines = explain_mermaid(made).splitlines()
    operators = list(made.root.walk())
    boxes = [line for line in lines if re.match(r"  n\d+[\[(]", line)]
    arrows = [line for line in lines if "-->" in line]
    assert (len(boxes), len(arrows)) == (len(operators), len(operators) - 1)
    assert sum(line.endswith(":::state") for line in boxes) == sum(
        bool(item.traits.state) for item in operators
    )


def test_marks_of_mermaid_are_written_as_entities(plan):
    text = explain_mermaid(plan("SELECT item FROM orders WHERE item <> '\"#'"))
    assert "#lt;#gt; '#quot;#35;'" in text


def test_long_labels_are_cut(plan):
    text = explain_mermaid(plan(f"SELECT item FROM orders WHERE item = '{'x' * 80}'"))
    assert "x" * 40 + "…" in text
    assert "x" * 80 not in text
