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
    begun = (
        "Kafka Connect: JDBC source",
        "Kafka Connect: REST",
        "Kafka Connect: S3 sink",
        "Kafka Connect: transforms, converters, errors, Debezium",
    )
    titles = ("Kafka Connect", "Lake")
    sections = [item for item in load().sections if item.title.startswith(titles)]
    far = [item for item in sections if item.title not in begun]
    assert len(far) == 1
    assert {feature.status for section in far for feature in section.features} == {"no"}


def test_other_connectors_have_a_table_each_and_kafka_one_of_its_own():
    headings = [b for b in compatibility.other_connectors(load()) if b.startswith("## ")]
    assert headings == [f"## Options of `{n}`" for n in ("datagen", "print", "blackhole")]


def test_formats_have_a_table_each():
    blocks = compatibility.formats(load())
    titles = [b for b in blocks if b.startswith("## ")]
    assert [title for title in titles if title.startswith("## Options")] == [
        f"## Options of format `{name}`" for name in FORMATS
    ]
    assert [title for title in titles if not title.startswith("## Options")] == [
        f"## Metadata of format `{name}-json`" for name in ("debezium", "canal", "maxwell", "ogg")
    ]
    assert "`ignore-parse-errors`" in blocks[1]


def test_the_page_says_where_it_comes_from_and_what_its_words_mean():
    top = compatibility.render().split("## ")[0]
    assert "docs/features.toml" in top
    for status in ("works", "partly", "no"):
        assert f"| `{status}` | " in top
