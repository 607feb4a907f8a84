"""What the code declares, as tables: options of connectors and formats, metadata, settings, functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from headrace.catalog.connector import MetadataKey
from headrace.catalog.options import Option, OptionType, parse_options
from headrace.connectors.kafka.metadata import METADATA
from headrace.connectors.kafka.options import KAFKA_OPTIONS, UPSERT_OPTIONS
from headrace.connectors.registry import CONNECTORS
from headrace.formats.changelog import ChangelogFormat
from headrace.formats.registry import FORMATS
from headrace.plan.functions.lookup import AGGREGATES, NOT_RUN, PLANNED, SCALARS
from headrace.runtime.config import NO_EFFECT, SETTINGS
from tools.docs.features import Feature, Features
from tools.docs.markdown import code, table

EXAMPLES = "tests/plan/functions/test_examples.py::test_spark_gives_flinks_results"
CLOCK = "tests/plan/functions/test_examples.py::test_the_clock_answers"
GROUPING = "tests/plan/test_grouping.py::TestGroupingSets::test_grouping_tells_the_sets_apart"
PLANNED_PROOFS = {
    "CURRENT_DATABASE": "tests/plan/test_queries.py::test_the_current_database_is_that_of_the_query",
    "GROUPING": GROUPING,
    "GROUPING_ID": GROUPING,
    "GROUP_ID": "tests/plan/test_grouping.py::TestGroupingSets::test_equal_sets_are_numbered",
}
REFUSED_FUNCTION = (
    "tests/plan/functions/test_lookup.py::test_functions_of_flink_that_are_not_run_say_so"
)
REFUSED_AGGREGATE = "tests/plan/test_grouping.py::test_what_is_not_planned_is_named"


def option_names() -> dict[str, list[str]]:
    """By owner, every name that docs/features.toml must judge."""
    kafka = dict.fromkeys(option.name for option in (*KAFKA_OPTIONS, *UPSERT_OPTIONS))
    owners = {"kafka": list(kafka)}
    for name, connector in CONNECTORS.items():
        if name not in ("kafka", "upsert-kafka"):
            owners[name] = [option.name for option in connector.options({})]
    for name, format in FORMATS.items():
        owners[name] = [option.name for option in format.declared]
    owners["metadata"] = list(METADATA)
    for name, format in FORMATS.items():
        if isinstance(format, ChangelogFormat) and message_keys(format):
            owners[metadata_of(name)] = list(message_keys(format))
    owners["settings"] = [option.name for option in SETTINGS]
    owners["aggregates"] = [name for name, found in AGGREGATES.items() if found.accumulator]
    return owners


def kafka_options(features: Features) -> str:
    judged = features.declared["kafka"]
    both = (_by_name(KAFKA_OPTIONS), _by_name(UPSERT_OPTIONS))
    rows = (
        [code(name), *(_default(options.get(name)) for options in both), *judgement(judged[name])]
        for name in judged
    )
    return table(("option", "`kafka`", "`upsert-kafka`", "status", "note", "proof"), rows)


def options(owner: str, declared: Iterable[Option], features: Features) -> str:
    judged = features.declared[owner]
    rows = (
        [code(option.name), _default(option), *judgement(judged[option.name])]
        for option in declared
    )
    return table(("option", "default", "status", "note", "proof"), rows)


def metadata(
    features: Features, keys: Mapping[str, MetadataKey] = METADATA, owner: str = "metadata"
) -> str:
    rows = (
        [
            code(name),
            code(key.type.sql()),
            "R/W" if key.writable else "R",
            *judgement(features.declared[owner][name]),
        ]
        for name, key in keys.items()
    )
    return table(("key", "type", "", "status", "note", "proof"), rows)


def metadata_of(format: str) -> str:
    """The owner of a format's metadata in docs/features.toml."""
    return f"metadata of {format}"


def message_keys(format: ChangelogFormat) -> dict[str, MetadataKey]:
    """All keys that any options give a table of this format."""
    given = {
        option.name: "true"
        for option in format.declared
        if option.type is OptionType.BOOLEAN or option.required
    }
    options = parse_options(format.declared, given, owner=format.name)
    return {f"value.{name}": key for name, key in format.metadata(options).items()}


def settings(features: Features) -> str:
    judged = features.declared["settings"]
    known = (
        [code(option.name), _default(option), *judgement(judged[option.name])]
        for option in SETTINGS
    )
    proof = (
        "tests/runtime/test_config.py::test_a_setting_without_effect_is_accepted_with_its_reason"
    )
    idle = (
        [code(name), "", "no", f"accepted with a notice: {reason}", code(proof)]
        for name, reason in NO_EFFECT.items()
    )
    return table(("setting", "default", "status", "note", "proof"), [*known, *idle])


def scalar_functions() -> str:
    rows = [[code(name), "works", _example(name), code(_proof(name))] for name in SCALARS]
    rows += [
        [code(name), "works", f"in {place}", code(PLANNED_PROOFS[name])]
        for name, place in PLANNED.items()
    ]
    rows += [
        [code(name), "no", "rejected with an error that names it", code(REFUSED_FUNCTION)]
        for name in sorted(NOT_RUN)
    ]
    return table(("function or operator", "status", "example", "proof"), rows)


def aggregate_functions(features: Features) -> str:
    judged = features.declared["aggregates"]
    rows = [[code(name), *judgement(judged[name])] for name in judged]
    rows += [
        [
            code(name),
            "no",
            "known by name and type, rejected by the planner",
            code(REFUSED_AGGREGATE),
        ]
        for name, found in AGGREGATES.items()
        if found.accumulator is None
    ]
    return table(("aggregate", "status", "note", "proof"), rows)


def judgement(feature: Feature) -> Sequence[str]:
    return feature.status, feature.note, code(feature.proof)


def proofs() -> Iterator[str]:
    """Tests that these tables name on their own account."""
    yield from (EXAMPLES, CLOCK, *PLANNED_PROOFS.values())
    yield from (REFUSED_FUNCTION, REFUSED_AGGREGATE)


def _by_name(declared: Iterable[Option]) -> dict[str, Option]:
    return {option.name: option for option in declared}


def _default(option: Option | None) -> str:
    if option is None:
        return "refused"
    if option.required:
        return "required"
    return code(option.default) if option.default else "–"


def _proof(name: str) -> str:
    return EXAMPLES if SCALARS[name].example else CLOCK


def _example(name: str) -> str:
    examples = SCALARS[name].examples() if SCALARS[name].example else []
    return " → ".join(code(part) for part in examples[0]) if examples else ""
