from __future__ import annotations

import pytest

from headrace.errors import Position
from headrace.runtime.check import check_script, created_name
from headrace.runtime.environment import TableEnvironment
from headrace.sql.dialect import parse_piece
from headrace.sql.split import split_script
from headrace.sql.statements import Insert, Select

TABLES = """CREATE TABLE gen (id BIGINT, name STRING) WITH ('connector' = 'datagen');
CREATE TABLE sink (id BIGINT) WITH ('connector' = 'blackhole');
"""


def check(script: str):
    return check_script(script, "s.sql", TableEnvironment())


def found(script: str) -> list[tuple[str, str]]:
    return [(error.condition, str(error.where)) for error in check(script).errors]


def test_a_sound_script_has_no_errors():
    report = check(TABLES + "INSERT INTO sink SELECT id FROM gen; SELECT name FROM gen;")
    assert report.ok
    assert (report.statements, report.passed_over) == (4, 0)


def test_every_statement_is_judged_at_its_own_place():
    script = TABLES + "SELECT nope FROM gen;\n  SELEC 1;\nINSERT INTO sink SELECT name FROM gen;"
    assert found(script) == [
        ("UNKNOWN_COLUMN", "s.sql:3:8"),
        ("PARSE_ERROR", "s.sql:4:3"),
        ("TYPE_MISMATCH", "s.sql:5:13"),
    ]


@pytest.mark.parametrize(
    "definition",
    [
        "CREATE TABLE broken (id BIGINT) WITH ('connector' = 'nope')",
        "CREATE TABLE broken (id BIGNIT) WITH ('connector' = 'datagen')",
        "CREATE TEMPORARY TABLE IF NOT EXISTS db.broken (id",
    ],
)
def test_a_failed_table_is_reported_once_whoever_uses_it(definition):
    users = "SELECT id FROM broken; CREATE VIEW v AS SELECT * FROM broken; SELECT * FROM v;"
    report = check(f"{definition};\n{users}")
    assert len(report.errors) == 1
    assert report.passed_over == 3


def test_another_unknown_table_is_still_reported():
    script = "CREATE TABLE broken (id BIGINT) WITH ('connector' = 'nope'); SELECT * FROM typo;"
    assert [condition for condition, _ in found(script)] == ["UNKNOWN_CONNECTOR", "UNKNOWN_TABLE"]


def test_text_never_closed_ends_the_check_but_what_precedes_it_is_judged():
    report = check("SELECT * FROM nowhere;\nSELECT 1;\nSELECT 'it''s; fine', 'open;\nSELECT 2;")
    assert [(e.condition, str(e.where)) for e in report.errors] == [
        ("UNKNOWN_TABLE", "s.sql:1:15"),
        ("PARSE_ERROR", "s.sql:3:23"),
    ]
    assert report.statements == 3


def test_settings_apply_to_the_statements_after_them():
    script = "SET 'parallelism.default' = 'many'; SET 'table.exec.state.ttl' = '1 d';"
    environment = TableEnvironment()
    report = check_script(script, "s.sql", environment)
    assert [error.condition for error in report.errors] == ["INVALID_OPTION"]
    assert environment.config.values == {"table.exec.state.ttl": "1 d"}


def test_plans_are_handed_over_with_their_statements():
    seen = []
    script = TABLES + (
        "SELECT id FROM gen;"
        "EXECUTE STATEMENT SET BEGIN INSERT INTO sink SELECT id FROM gen; INSERT INTO sink SELECT 1; END;"
    )
    check_script(script, "s.sql", TableEnvironment(), lambda s, plan: seen.append((type(s), plan)))
    assert [kind for kind, _ in seen] == [Select, Insert, Insert]
    assert [plan.has_stream for _, plan in seen] == [True, True, False]


def test_a_piece_keeps_its_place_in_the_script():
    piece = split_script("SELECT 1;\n\n   SELECT 2", "s.sql")[1]
    assert parse_piece(piece).position == Position(3, 4, 6, "s.sql")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("CREATE TABLE t (a INT)", ["t"]),
        ("create temporary view if not exists `my view` AS", ["my view"]),
        ("CREATE TABLE c.d.t (", ["t"]),
        ("CREATE TABLE", []),
        ("INSERT INTO t SELECT 1", []),
        ("", []),
    ],
)
def test_the_name_a_definition_would_have_made(text, names):
    assert created_name(text) == names


@pytest.mark.parametrize("script", ["", "  \n", "-- nothing but a comment\n", ";;"])
def test_a_script_of_nothing_is_sound(script):
    report = check(script)
    assert report.ok
    assert report.statements == 0


def test_a_statement_set_is_reported_at_its_faulty_insert():
    script = TABLES + (
        "EXECUTE STATEMENT SET BEGIN\nINSERT INTO sink SELECT id FROM gen;\n"
        "INSERT INTO sink SELECT nope FROM gen;\nEND;"
    )
    assert found(script) == [("UNKNOWN_COLUMN", "s.sql:5:25")]


def test_what_is_dropped_is_gone_for_the_statements_after_it():
    assert found(TABLES + "DROP TABLE sink; INSERT INTO sink SELECT id FROM gen;") == [
        ("UNKNOWN_TABLE", "s.sql:3:30")
    ]


def test_an_explained_query_is_planned():
    assert found(TABLES + "EXPLAIN SELECT nope FROM gen;") == [("UNKNOWN_COLUMN", "s.sql:3:16")]


def test_a_repeated_definition_is_an_error_and_the_first_one_stands():
    again = "CREATE TABLE gen (x INT) WITH ('connector' = 'datagen');"
    assert [condition for condition, _ in found(TABLES + again)] == ["ALREADY_EXISTS"]
    assert check(TABLES + again.replace("TABLE gen", "TABLE IF NOT EXISTS gen")).ok
    assert check(TABLES + "SELECT id FROM gen;").ok


def test_options_are_checked_without_any_connection():
    script = """CREATE TABLE k (a INT) WITH ('connector' = 'kafka', 'topic' = 't',
  'properties.bootstrap.servers' = 'nowhere:1', 'format' = 'json', 'scan.startup.mod' = 'x');"""
    assert [condition for condition, _ in found(script)] == ["UNKNOWN_OPTION"]
