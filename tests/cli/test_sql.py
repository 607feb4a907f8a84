from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from headrace.cli import repl
from headrace.cli.sql import command

TABLE = "CREATE TABLE gen (id BIGINT) WITH ('connector' = 'datagen');"


def sql(*arguments: str, typed: str | None = None):
    return CliRunner().invoke(command, list(arguments), input=typed)


@pytest.fixture
def tables(tmp_path):
    file = tmp_path / "tables.sql"
    file.write_text(TABLE)
    return str(file)


def test_statements_of_the_command_line_are_answered():
    result = sql("-e", TABLE + "SHOW TABLES")
    assert result.exit_code == 0
    assert result.stdout.startswith("OK\n")
    assert "| gen" in result.stdout


def test_a_file_is_run(tables):
    assert sql("-f", tables).stdout == "OK\n"


def test_an_initial_script_runs_first(tables):
    result = sql("-i", tables, "-e", "DESCRIBE gen")
    assert result.exit_code == 0
    assert "BIGINT" in result.stdout


def test_standard_input_that_is_no_terminal_is_a_script():
    result = sql(typed=TABLE + "SHOW TABLES;")
    assert result.exit_code == 0
    assert "| gen" in result.stdout


def test_settings_are_set_before_the_first_statement():
    result = sql("-D", "parallelism.default=3", "-e", "SET")
    assert "parallelism.default" in result.stdout
    assert "3" in result.stdout


def test_a_secret_setting_is_not_shown():
    result = sql("-D", "spark.ssl.keyPassword=hunter2", "-e", "SET")
    assert "spark.ssl.keyPassword" in result.stdout
    assert "hunter2" not in result.output


def test_an_error_has_its_place_and_exit_code():
    result = sql("-e", "SHOW TABLES;\nDESCRIBE gone")
    assert result.exit_code == 1
    assert "<sql>:2:10" in result.stderr
    assert len(result.stderr.splitlines()) <= 5


def test_a_mistake_at_the_end_is_found_before_anything_runs():
    result = sql("-e", TABLE + "SHOW TABLES; SELEC")
    assert result.exit_code == 1
    assert result.stdout == ""


def test_programs_read_events():
    result = sql("-e", "SHOW TABLES; DESCRIBE gone", "--output", "json")
    events = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 1
    assert [event["event"] for event in events] == ["statement", "error"]


def test_a_text_or_a_file_and_not_both(tables):
    assert sql("-e", "SHOW TABLES", "-f", tables).exit_code == 2


def test_a_terminal_gets_a_session(monkeypatch, tables):
    seen = {}

    def session(environment, observer, interrupts, first, variables):
        seen["tables"] = [statement.name.name for statement in first]
        seen["setting"] = environment.config.get("parallelism.default")
        observer.notice("from the session")

    monkeypatch.setattr(repl, "is_terminal", lambda: True)
    monkeypatch.setattr(repl, "run_session", session)
    result = sql("-i", tables, "-D", "parallelism.default=5")
    assert (result.exit_code, seen) == (0, {"tables": ["gen"], "setting": 5})
    assert result.stderr == "note: from the session\n"


def test_a_program_never_gets_a_prompt(monkeypatch):
    monkeypatch.setattr(repl, "is_terminal", lambda: True)
    result = sql("--output", "json", typed="SHOW TABLES;")
    assert json.loads(result.stdout.splitlines()[0])["statement"] == "SHOW TABLES"
