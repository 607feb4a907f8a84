from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from headrace.cli.explain import TITLE_WIDTH, command

SCRIPT = """CREATE TABLE gen (id BIGINT, name STRING) WITH ('connector' = 'datagen');
CREATE TABLE sink (n BIGINT) WITH ('connector' = 'print');
SET 'table.exec.state.ttl' = '1 h';
INSERT INTO sink
SELECT COUNT(*) FROM gen GROUP BY name;
SELECT id FROM gen;
"""


@pytest.fixture
def script(tmp_path):
    file = tmp_path / "s.sql"
    file.write_text(SCRIPT)
    return str(file)


def explain(*arguments: str):
    return CliRunner().invoke(command, list(arguments))


def test_every_query_is_explained_under_its_place(script):
    result = explain(script)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert [line for line in lines if line.startswith("--")] == [
        f"-- {script}:4:1: INSERT INTO sink SELECT COUNT(*) FROM gen GROUP BY name",
        f"-- {script}:6:1: SELECT id FROM gen",
    ]
    assert any("Aggregate" in line for line in lines)
    assert any("for 1 h" in line for line in lines), "the setting before the query counts"


def test_programs_get_the_plan_as_data(script):
    statements = json.loads(explain(script, "-o", "json").stdout)["statements"]
    assert [item["plan"]["operator"] for item in statements] == ["Sink", "Collect"]
    assert statements[0]["where"] == f"{script}:4:1"
    assert statements[0]["statement"].startswith("INSERT INTO sink")
    assert statements[1]["plan"]["inputs"][0]["changelog"] == ["I"]


def test_a_statement_on_the_command_line_uses_the_tables_of_a_script(script):
    result = explain("-i", script, "-e", "SELECT name FROM gen")
    assert result.exit_code == 0
    assert "-- <sql>:1:1: SELECT name FROM gen" in result.stdout


def test_a_long_statement_is_named_by_its_beginning():
    result = explain("-e", "SELECT " + " + ".join(["1"] * 60))
    title = result.stdout.splitlines()[0].removeprefix("-- <sql>:1:1: ")
    assert len(title) == TITLE_WIDTH
    assert title.endswith("…")


def test_a_script_of_definitions_has_nothing_to_explain():
    assert explain("-e", "SHOW TABLES").stdout == "no SELECT and no INSERT to explain\n"


def test_the_first_error_ends_it():
    result = explain("-e", "SELECT a FROM nowhere; SELECT b FROM elsewhere")
    assert result.exit_code == 1
    assert "nowhere" in result.stderr
    assert "elsewhere" not in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("both", [True, False])
def test_a_file_or_a_text_and_not_both(both, script):
    arguments = [script, "-e", "SELECT 1"] if both else []
    assert explain(*arguments).exit_code == 2


def test_inserts_of_a_statement_set_are_explained_one_by_one(script):
    body = "INSERT INTO sink SELECT id FROM gen;"
    result = explain(
        "-i", script, "-e", f"EXECUTE STATEMENT SET BEGIN {body} {body} END", "-o", "json"
    )
    statements = json.loads(result.stdout)["statements"]
    assert [item["where"] for item in statements] == ["<sql>:1:29", "<sql>:1:66"]


def test_settings_of_the_command_line_count(script):
    query = "SELECT COUNT(*) FROM gen GROUP BY name"
    kept = explain("-i", script, "-D", "table.exec.state.ttl=2 d", "-e", "RESET; " + query)
    assert "for ever" in kept.stdout
    bounded = explain("-D", "table.exec.state.ttl=2 d", "-e", SCRIPT.splitlines()[0] + query)
    assert "for 2 d" in bounded.stdout


def test_a_plan_is_drawn(script):
    lines = explain(script, "--format", "mermaid").stdout.splitlines()
    assert lines[0] == f"%% {script}:4:1: INSERT INTO sink SELECT COUNT(*) FROM gen GROUP BY name"
    assert lines.count("flowchart LR") == 2
    assert not any(line.startswith("==") for line in lines)


def test_programs_get_the_drawing_beside_the_plan(script):
    drawn = json.loads(explain(script, "-o", "json", "--format", "mermaid").stdout)["statements"]
    assert all("flowchart LR" in item["mermaid"] and item["plan"] for item in drawn)
    plain = json.loads(explain(script, "-o", "json").stdout)["statements"]
    assert not any("mermaid" in item for item in plain)


def test_another_form_is_refused(script):
    result = explain(script, "--format", "svg")
    assert result.exit_code == 2
    assert "'svg' is not one of 'text', 'mermaid'" in result.stderr
