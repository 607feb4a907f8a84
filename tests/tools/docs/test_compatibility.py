from headrace.connectors.registry import CONNECTORS
from headrace.formats.registry import FORMATS
from tools.docs import compatibility
from tools.docs.features import Feature, Features, Section, load

JOINS = Section(
    "Joins",
    "Of two tables.",
    (Feature("inner", "works", "", "tests/x.py::test_y"), Feature("outer", "no", "refused")),
)


def test_a_section_is_a_table_with_proofs():
    assert compatibility.section(JOINS).splitlines() == [
        "## Joins",
        "",
        "Of two tables.",
        "",
        "| feature | status | note | proof |",
        "| --- | --- | --- | --- |",
        "| inner | works |  | `tests/x.py::test_y` |",
        "| outer | no | refused |  |",
    ]


def test_the_summary_counts_by_status():
    last = compatibility.summary(Features((JOINS,), {})).splitlines()[-1]
    assert last == "| Joins | 1 | 0 | 1 |"


def test_every_connector_and_format_has_its_options():
    text = compatibility.render()
    for name in CONNECTORS:
        assert f"`{name}`" in text
    for name in FORMATS:
        assert f"## Options of format `{name}`" in text


def test_every_section_is_on_the_page_once():
    titles = [line for line in compatibility.render().splitlines() if line.startswith("## ")]
    assert len(titles) == len(set(titles))
    assert [f"## {section.title}" for section in load().sections] == titles[: len(load().sections)]


def test_what_is_far_away_is_not_promised():
    by_title = {section.title: section.features for section in load().sections}
    assert {feature.status for feature in by_title["Kafka Connect"]} == {"no"}
    assert {feature.status for feature in by_title["Lake"]} == {"no"}
