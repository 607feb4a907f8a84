import re

import pytest

from headrace.cli.demo.pagila.example_files import (
    FOLDER,
    LOG_SOURCE,
    PAIRS,
    config,
    sql,
    statements,
)

JDBC = "io.confluent.connect.jdbc.JdbcSourceConnector"
S3 = "io.confluent.connect.s3.S3SinkConnector"


def test_sources_and_sinks_come_in_the_order_of_the_document():
    assert [config(name)["connector.class"] for name in PAIRS] == [JDBC, S3] * 3
    assert [name[-2:] for name in PAIRS] == ["00", "00", "01", "01", "02", "02"]


def test_no_file_of_the_example_is_left_out():
    names = {file.stem for file in (FOLDER / "config").glob("*.json")}
    assert names == {*PAIRS, LOG_SOURCE}


@pytest.mark.parametrize("name", [*PAIRS, LOG_SOURCE])
def test_addresses_and_secrets_are_references(name):
    found = config(name)
    assert found["name"] == name
    for option in ("connection.url", "connection.password", "database.password", "store.url"):
        assert re.fullmatch(r"\$\{env:PAGILA_\w+\}", found.get(option, "${env:PAGILA_X}")), option


def test_numbers_stay_numbers_as_in_the_document():
    assert config(PAIRS[0])["poll.interval.ms"] == 5000
    assert (config(PAIRS[1])["flush.size"], config(PAIRS[1])["tasks.max"]) == (100, 1)


def test_the_third_pair_shapes_the_lake():
    source, sink = config(PAIRS[4]), config(PAIRS[5])
    assert source["topic.prefix"] == sink["topics"] == "pagila.query"
    assert sink["parquet.codec"] == "gzip"
    assert sink["partition.field.name"] == "country"
    assert sink["transforms"].startswith("RenameField, insertStaticField1,"), "with the blank"


def test_changes_are_told_apart_and_comments_are_none():
    found = statements("changes")
    assert len(found) == 8
    assert found[0].startswith("UPDATE address SET address = '123 CDC Test Lane'")
    assert found[-1] == "DELETE FROM address WHERE address_id = 104"
    assert not any("--" in statement or ";" in statement for statement in found)


def test_queries_read_the_table_of_the_lake():
    assert "FROM pagila_query" in sql("history")
    assert "ROW_NUMBER() OVER (PARTITION BY address_id ORDER BY last_update DESC)" in sql("latest")
