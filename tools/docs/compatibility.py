"""docs/compatibility.md: what works, what works in part and what does not, each with the test that proves it."""

from __future__ import annotations

from collections import Counter

from headrace.connectors.registry import CONNECTORS
from headrace.formats.changelog import ChangelogFormat
from headrace.formats.registry import FORMATS
from tools.docs import declared
from tools.docs.features import STATUSES, Feature, Features, Section, load
from tools.docs.markdown import code, notice, page, table

INTRO = """\
# Compatibility

After reading this page you know whether Headrace runs your Flink SQL script or your Kafka Connect configuration, and with which limits.

| status | meaning |
| --- | --- |
| `works` | behaves as the documentation of Flink or Kafka Connect says; `rejected` in a note means that Headrace rejects it as the peer does |
| `partly` | works with the limit in the note |
| `no` | not available: Headrace rejects it with an error that names it, unless the note says otherwise |

The last column of each table names a test of the row; a row with status `no` may have none. Run it with
`.venv/bin/pytest <proof>`. Rows by area:"""


def render() -> str:
    features = load()
    return page(
        notice("docs/features.toml"),
        INTRO,
        summary(features),
        *(section(item) for item in features.sections),
        "## Options of `kafka` and `upsert-kafka`",
        "The column of a connector contains the default; `–` means that there is none.",
        declared.kafka_options(features),
        "## Metadata of `kafka` and `upsert-kafka`",
        declared.metadata(features),
        *other_connectors(features),
        *formats(features),
        "## Settings",
        "Any other key is an error, which suggests the nearest known key.",
        declared.settings(features),
        "## Aggregate functions",
        declared.aggregate_functions(features),
        "## Functions and operators",
        declared.scalar_functions(),
    )


def summary(features: Features) -> str:
    """Counts of the hand-kept sections, which are the ones a reader chooses by."""
    header = ("", *STATUSES)
    return table(header, (_counted(item.title, item.features) for item in features.sections))


def _counted(title: str, rows: tuple[Feature, ...]) -> list[str]:
    counts = Counter(feature.status for feature in rows)
    return [title, *(str(counts[status]) for status in STATUSES)]


def section(item: Section) -> str:
    rows = ([feature.name, *declared.judgement(feature)] for feature in item.features)
    return page(f"## {item.title}", item.intro, table(("feature", "status", "note", "proof"), rows))


def other_connectors(features: Features) -> list[str]:
    blocks = []
    for name, connector in CONNECTORS.items():
        if name not in ("kafka", "upsert-kafka"):
            blocks += [
                f"## Options of {code(name)}",
                declared.options(name, connector.options({}), features),
            ]
    return blocks


def formats(features: Features) -> list[str]:
    blocks = []
    for name, format in FORMATS.items():
        blocks += [
            f"## Options of format {code(name)}",
            declared.options(name, format.declared, features),
        ]
        keys = declared.message_keys(format) if isinstance(format, ChangelogFormat) else {}
        if keys:
            owner = declared.metadata_of(name)
            blocks += [
                f"## Metadata of format {code(name)}",
                declared.metadata(features, keys, owner),
            ]
    return blocks
