"""The options of `datagen`: the rate, the end, and one generator per column."""

from __future__ import annotations

from headrace.catalog.options import Option, OptionType
from headrace.connectors.support import CONNECTOR
from headrace.types import NUMERIC, Kind

RANDOM, SEQUENCE = "random", "sequence"

DATAGEN_OPTIONS = (
    CONNECTOR,
    Option("rows-per-second", OptionType.LONG, "Rows generated per second.", default="10000"),
    Option(
        "number-of-rows",
        OptionType.LONG,
        "Rows generated in all; the table is bounded then. By default there is no end.",
    ),
    Option("scan.parallelism", OptionType.INT, "Number of tasks that generate rows."),
    Option(
        "fields.#.kind",
        OptionType.ENUM,
        "Generator of the column. The first sequence that is used up ends the table.",
        default=RANDOM,
        choices=(RANDOM, SEQUENCE),
    ),
    Option("fields.#.min", OptionType.STRING, "Smallest random value, of the column's type."),
    Option("fields.#.max", OptionType.STRING, "Largest random value, of the column's type."),
    Option(
        "fields.#.max-past",
        OptionType.DURATION,
        "How far before the current time a random timestamp may lie.",
        default="0",
    ),
    Option(
        "fields.#.length",
        OptionType.INT,
        "Length of random text and bytes (100) and collections (3).",
    ),
    Option(
        "fields.#.var-len",
        OptionType.BOOLEAN,
        "Whether random text and bytes have any length up to the given one.",
        default="false",
    ),
    Option("fields.#.start", OptionType.LONG, "First value of a sequence."),
    Option("fields.#.end", OptionType.LONG, "Last value of a sequence."),
    Option(
        "fields.#.null-rate",
        OptionType.DOUBLE,
        "Proportion of NULLs, between 0 and 1.",
        default="0",
    ),
)

FIELD_OPTIONS = tuple(
    option.name.removeprefix("fields.#.")
    for option in DATAGEN_OPTIONS
    if option.name.startswith("fields.#.")
)

INTERVALS = (Kind.INTERVAL_YEAR_MONTH, Kind.INTERVAL_DAY_SECOND)
TIMESTAMPS = (Kind.TIMESTAMP, Kind.TIMESTAMP_LTZ)
VARIABLE_LENGTH = (Kind.VARCHAR, Kind.STRING, Kind.VARBINARY, Kind.BYTES)
COLLECTIONS = (Kind.ARRAY, Kind.MULTISET, Kind.MAP)
SEQUENCES = (
    *NUMERIC,
    Kind.CHAR,
    Kind.VARCHAR,
    Kind.STRING,
    Kind.BINARY,
    Kind.VARBINARY,
    Kind.BYTES,
)


def options_of(kind: Kind) -> tuple[str, ...]:
    """What a random generator of this type listens to."""
    if kind in NUMERIC or kind in INTERVALS:
        return ("min", "max", "null-rate")
    if kind in TIMESTAMPS:
        return ("max-past", "null-rate")
    if kind in VARIABLE_LENGTH:
        return ("length", "var-len", "null-rate")
    if kind in COLLECTIONS:
        return ("length", "null-rate")
    return ("null-rate",)
