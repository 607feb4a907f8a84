"""Rules that hold whichever way a Kafka table is used: topics, formats, key."""

from __future__ import annotations

from headrace.catalog.table import Table
from headrace.connectors.kafka.settings import KafkaSettings, key_names, settings_of
from headrace.connectors.support import option_error
from headrace.errors import InvalidSchema, UnknownName
from headrace.types import row_of


def validate(table: Table) -> None:
    settings = settings_of(table)
    _check_topics(table, settings)
    _check_alignment(table)
    _check_formats(table, settings)
    _check_key(table, settings)
    _check_contents(settings)


def _check_topics(table: Table, settings: KafkaSettings) -> None:
    if settings.topics and settings.pattern:
        raise option_error(
            table,
            "topic-pattern",
            "options 'topic' and 'topic-pattern' must not be set together",
            condition="CONFLICTING_OPTIONS",
            cure="remove one of them",
        )
    if not settings.topics and not settings.pattern:
        raise option_error(
            table,
            "topic",
            f"connector '{table.options['connector']}' needs a topic",
            condition="MISSING_OPTION",
            expected="'topic' or 'topic-pattern'",
            cure="'topic' = '…'",
        )


ALIGNMENT = "scan.watermark.alignment."


def _check_alignment(table: Table) -> None:
    given = [key for key in table.options if key.startswith(ALIGNMENT)]
    missing = [f"{ALIGNMENT}{n}" for n in ("group", "max-drift") if f"{ALIGNMENT}{n}" not in given]
    if given and missing:
        raise option_error(
            table,
            given[0],
            f"alignment of watermarks needs '{ALIGNMENT}group' and '{ALIGNMENT}max-drift' together",
            condition="MISSING_OPTION",
            cure=", ".join(f"'{key}' = '…'" for key in missing) + ", or remove the options",
        )


def _check_formats(table: Table, settings: KafkaSettings) -> None:
    if settings.key is not None and not settings.key.format.changelog_mode.is_append:
        raise option_error(
            table,
            "key.format",
            f"a key format must be insert-only, '{settings.key.format.name}' is not",
            expected="[I]",
            cure="'key.format' = 'json'",
        )
    value = settings.value.format
    if settings.upsert and not value.changelog_mode.is_append:
        raise option_error(
            table,
            "value.format",
            f"'upsert-kafka' takes insert-only value formats, '{value.name}' is not",
            cure=f"'connector' = 'kafka', 'format' = '{value.name}', or 'value.format' = 'json'",
        )
    if not settings.upsert and table.primary_key and value.changelog_mode.is_append:
        raise InvalidSchema(
            f"a 'kafka' table with format '{value.name}' cannot have a PRIMARY KEY",
            found=f"PRIMARY KEY ({', '.join(table.primary_key)})",
            expected="no primary key: every record is an insertion, nothing keeps the key unique",
            cure="'connector' = 'upsert-kafka', or remove the PRIMARY KEY",
        )


def _check_key(table: Table, settings: KafkaSettings) -> None:
    if settings.upsert:
        _check_primary_key(table)
    else:
        _check_key_options(table, settings)
    keys = key_names(table, settings.options, settings.upsert)
    if not settings.upsert:
        _check_physical(table, keys)
    _check_prefix(table, settings, keys)


def _check_primary_key(table: Table) -> None:
    if not table.primary_key:
        raise InvalidSchema(
            "an 'upsert-kafka' table needs a PRIMARY KEY",
            found="no primary key",
            expected="the columns of the record's key, by which it is updated and deleted",
            cure=f"PRIMARY KEY ({table.columns[0].name}) NOT ENFORCED",
        )
    physical = [column.name for column in table.physical_columns]
    for name in table.primary_key:
        if name not in physical:
            raise InvalidSchema(
                f"the PRIMARY KEY column '{name}' is not a physical column",
                found=f"PRIMARY KEY ({', '.join(table.primary_key)})",
                expected="one or more of " + ", ".join(physical),
            )


def _check_key_options(table: Table, settings: KafkaSettings) -> None:
    fields = settings.options["key.fields"]
    if fields and settings.key is None:
        raise option_error(
            table,
            "key.fields",
            "option 'key.fields' needs a key format",
            condition="CONFLICTING_OPTIONS",
            cure="'key.format' = 'json'",
        )
    if settings.key is not None and not fields:
        raise option_error(
            table,
            "key.format",
            "option 'key.format' needs one or more key fields",
            condition="MISSING_OPTION",
            cure=f"'key.fields' = '{table.physical_columns[0].name}'",
        )


def _check_physical(table: Table, keys: tuple[str, ...]) -> None:
    physical = [column.name for column in table.physical_columns]
    for name in keys:
        if name not in physical:
            raise UnknownName(
                "column",
                name,
                physical,
                where=table.positions.get("key.fields"),
                context=" among the physical columns, named by 'key.fields'",
            )


def _check_prefix(table: Table, settings: KafkaSettings, keys: tuple[str, ...]) -> None:
    prefix = settings.options.get("key.fields-prefix", "")
    if not prefix:
        return
    if settings.options["value.fields-include"] == "ALL":
        raise option_error(
            table,
            "key.fields-prefix",
            "a key prefix does not go with 'value.fields-include' = 'ALL'",
            condition="CONFLICTING_OPTIONS",
            cure="'value.fields-include' = 'EXCEPT_KEY'",
        )
    for name in keys:
        if not name.startswith(prefix):
            raise option_error(
                table,
                "key.fields-prefix",
                f"key column '{name}' lacks the prefix '{prefix}'",
                expected=f"all key columns start with '{prefix}': {', '.join(keys)}",
                cure=f"rename '{name}' to '{prefix}{name}'",
            )
        if name == prefix:
            raise option_error(
                table,
                "key.fields-prefix",
                f"nothing is left of key column '{name}' without the prefix",
                expected="a name beyond the prefix",
                cure="a shorter 'key.fields-prefix'",
            )


def _check_contents(settings: KafkaSettings) -> None:
    """Each format looks at the columns it would have to carry."""
    if settings.key is not None:
        fields = row_of((inner, type) for _, inner, type in settings.key.columns)
        settings.key.format.validate(fields, settings.key.options, "key")
    fields = row_of((inner, type) for _, inner, type in settings.value.columns)
    settings.value.format.validate(fields, settings.value.options, "value")
