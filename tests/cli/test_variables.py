from __future__ import annotations

import io
import json
import os
import threading

import pytest
from click.testing import CliRunner

from headrace.cli.main import cli
from headrace.cli.observers import TextObserver
from headrace.cli.repl import Session
from headrace.cli.variables import Variables, read_variables
from headrace.runtime.environment import TableEnvironment
from headrace.runtime.interrupts import Interrupts

SCRIPT = """\
CREATE TABLE t (a INT) WITH ('connector' = '${KIND}');
SHOW TABLES;
"""
# A table whose options hold a secret, and a query over it.
SECRET = """\
CREATE TABLE t (a INT) WITH ('connector' = 'kafka', 'topic' = 't', 'format' = 'json',
  'properties.bootstrap.servers' = 'localhost:1', 'scan.startup.mode' = 'earliest-offset',
  'properties.sasl.jaas.config' = '${LOGIN}'%s);
"""


@pytest.fixture
def script(tmp_path):
    def write(text: str = SCRIPT) -> str:
        file = tmp_path / "s.sql"
        file.write_text(text)
        return str(file)

    return write


def run(*arguments: str, stdin: str | bytes | None = None):
    return CliRunner().invoke(cli, arguments, input=stdin)


@pytest.mark.parametrize("verb", ["run", "check", "explain"])
def test_scripts_take_variables(script, verb):
    result = run(verb, script(), "--var", "KIND=datagen")
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("verb", ["run", "check", "explain"])
def test_an_unknown_variable_is_an_error_with_its_place(script, verb):
    result = run(verb, file := script(), "--var", "KINDS=datagen")
    assert result.exit_code == 1
    assert "[UNKNOWN_VARIABLE] variable 'KIND' does not exist" in result.stderr
    assert f"{file}:1:45" in result.stderr
    assert "did you mean 'KINDS'?" in result.stderr


def test_check_counts_it_as_an_error_of_the_file(script):
    result = run("check", script(), "--var", "A=1", "--output", "json")
    assert result.exit_code == 1
    (file,) = json.loads(result.stdout)["files"]
    assert [error["condition"] for error in file["errors"]] == ["UNKNOWN_VARIABLE"]


@pytest.mark.parametrize("verb", ["run", "check", "explain"])
def test_without_the_option_text_stays_as_it_is_whatever_the_environment_holds(
    script, verb, monkeypatch
):
    monkeypatch.setenv("KIND", "datagen")
    result = run(verb, script())
    assert result.exit_code == 1
    assert "'${KIND}'" in result.stderr


def test_the_environment_is_no_source_beside_the_option_either(script, monkeypatch):
    monkeypatch.setenv("KIND", "datagen")
    assert "UNKNOWN_VARIABLE" in run("run", script(), "--var", "A=1").stderr


def test_statements_on_the_command_line_and_in_files_of_sql(script):
    given = ("--var", "NAME=t", "--var", "KIND=datagen")
    result = run("sql", "-i", script(), "-e", "DESCRIBE ${NAME}", *given)
    assert result.exit_code == 0, result.output
    assert "| a    | INT" in result.stdout
    assert run("sql", "-f", script(), "--var", "KIND=print").exit_code == 0
    assert run("sql", *given, stdin="SHOW TABLES LIKE '${NAME}'").exit_code == 0


def test_explain_on_the_command_line(script):
    result = run(
        "explain",
        "-i",
        script(),
        "-e",
        "SELECT ${C} FROM t",
        "--var",
        "C=a",
        "--var",
        "KIND=datagen",
    )
    assert result.exit_code == 0, result.output
    assert "SELECT a FROM t" in result.stdout


def test_a_session_takes_them_too(capsys):
    environment = TableEnvironment()
    observer = TextObserver(quiet_definitions=False)
    with Interrupts() as interrupts:
        session = Session(environment, observer, interrupts, {"KIND": "datagen"})
        session.handle("CREATE TABLE t (a INT) WITH ('connector' = '${KIND}');")
        session.handle("SELECT ${KNID};")
    assert environment.list_tables() == ["t"]
    assert "UNKNOWN_VARIABLE" in capsys.readouterr().err


def test_the_last_one_counts_and_the_option_before_files(script, tmp_path):
    files = []
    for number in (1, 2):
        (tmp_path / f"{number}.env").write_text(f"A={number}\nB={number}\nC={number}\n")
        files.append(str(tmp_path / f"{number}.env"))
    assert dict(Variables([("A", "x"), ("A", "y")], files)) == {"A": "y", "B": "2", "C": "2"}
    assert dict(Variables([], files[::-1]))["C"] == "1"


@pytest.mark.parametrize("given", ["KIND", "=x", "1A=x", "A-B=x", ""])
def test_a_malformed_option_is_a_usage_error(script, given):
    result = run("run", script(), "--var", given)
    assert result.exit_code == 2
    assert "Invalid value for '--var'" in result.stderr


def test_a_usage_error_does_not_repeat_what_may_be_a_secret(script):
    assert "hunter2" not in run("run", script(), "--var", "pass-word=hunter2").output


def test_a_value_may_hold_anything(script):
    result = run("sql", "-e", "SET 'pipeline.name' = '${A}'; SET;", "--var", "A=it's = ü")
    assert "it's = ü" in result.stdout


@pytest.mark.parametrize("verb", ["run", "check", "explain"])
def test_a_variable_that_nobody_asks_for_is_told(script, verb):
    result = run(verb, script(), "--var", "KIND=datagen", "--var", "TOPIK=x")
    assert result.exit_code == 0
    assert "--var TOPIK is not used" in result.stderr
    assert "KIND is not used" not in result.stderr


def test_a_file_may_hold_more_than_is_needed(script, tmp_path):
    (tmp_path / "v").write_text("KIND=datagen\nOTHER=1\n")
    assert "not used" not in run("run", script(), "--var-file", str(tmp_path / "v")).stderr


LINES = """\
# services
export A=plain
B='it'"'"'s quoted' # trailing

  export   C="two words"
D=
E=a=b#c
F='$HOME ${A}'
G='one\u2028line'
"""


def test_lines_of_a_file(tmp_path):
    (tmp_path / "v").write_text(LINES)
    assert read_variables(str(tmp_path / "v")) == {
        "A": "plain",
        "B": "it's quoted",
        "C": "two words",
        "D": "",
        "E": "a=b#c",
        "F": "$HOME ${A}",
        "G": "one\u2028line",
    }


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("A", "no name and value"),
        ("=x", "no name and value"),
        ("A='secret", "a quote that is not closed"),
        ("A=secret\\", "a backslash at the end"),
        ("A=x secret", "several words"),
        ("export", "no name and value"),
        ("A B=secret", "several words"),
        ("a-b=secret", "no name and value"),
    ],
)
def test_a_line_that_is_no_variable_is_named_but_not_shown(script, tmp_path, line, found):
    file = tmp_path / "v"
    file.write_text(f"X=1\n{line}\n")
    result = run("run", script(), "--var-file", str(file))
    assert result.exit_code == 1
    assert "[INVALID_VARIABLE]" in result.stderr
    assert f"{file}:2:1" in result.stderr
    assert f"found: {found}" in result.stderr
    assert "secret" not in result.stderr


def test_such_an_error_is_an_event_of_a_running_script(script, tmp_path):
    (tmp_path / "v").write_text("nothing\n")
    result = run("run", script(), "--var-file", str(tmp_path / "v"), "--output", "json")
    events = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(event["event"], event["condition"]) for event in events] == [
        ("error", "INVALID_VARIABLE")
    ]


def test_standard_input_is_a_file(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"A=1\n")))
    assert read_variables("-") == {"A": "1"}


@pytest.mark.parametrize("verb", ["run", "check", "explain"])
def test_a_pipe_is_read_once(script, tmp_path, verb):
    """As a shell gives it for <(headrace dev env)."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=("KIND=datagen\n",))
    writer.start()
    result = run(verb, script(), "--var-file", str(pipe))
    writer.join(30)
    assert result.exit_code == 0, result.output


def test_secrets_that_come_as_variables_stay_secret(script):
    login = "--var", "LOGIN=hunter2"
    hint = "/*+ OPTIONS('properties.sasl.jaas.config' = '${LOGIN}') */"
    query = script(SECRET % "" + f"SELECT a FROM t {hint}; SHOW CREATE TABLE t;")
    explained = run("explain", query, *login, "--output", "json")
    assert explained.exit_code == 0, explained.output
    titled = run("explain", query, *login)
    assert "'properties.sasl.jaas.config' = '******'" in titled.stdout
    shown = run("sql", "-e", SECRET % "" + "SHOW CREATE TABLE t;", *login)
    assert "properties.sasl.jaas.config" in shown.stdout
    wrong = run("check", script(SECRET % ", 'nope' = 'x'" + "SELECT a FROM t;"), *login)
    assert wrong.exit_code == 1
    broken = run("check", script(SECRET.replace("= '${LOGIN}'", "'${LOGIN}'") % ""), *login)
    assert broken.exit_code == 1
    for result in (explained, titled, shown, wrong, broken):
        assert "hunter2" not in result.output


def test_a_file_that_is_missing_is_a_usage_error(script):
    assert run("run", script(), "--var-file", "/nowhere").exit_code == 2


def test_the_names_of_a_mapping_are_read_without_being_used():
    variables = Variables([("A", "1")], [])
    assert (list(variables), len(variables), "A" in variables) == (["A"], 1, True)
    with pytest.raises(KeyError):
        variables["B"]


@pytest.mark.parametrize("verb", [("check", "-"), ("sql", "-e", "SHOW TABLES", "--var-file", "-")])
def test_standard_input_that_is_no_text_is_an_error_of_the_user(verb):
    result = run(*verb, stdin=b"SELECT '\xff'")
    assert result.exit_code == 1
    assert "[NOT_UTF8]" in result.stderr
    assert "<stdin>" in result.stderr


def test_variables_on_standard_input_leave_no_room_for_the_script():
    result = run("sql", "--var-file", "-", stdin="A=1\n")
    assert result.exit_code == 2
    assert "with -e or -f" in result.stderr


def test_after_a_malformed_name_no_variable_is_called_unused(script):
    result = run("check", script("SELECT '${a b}', ${B};"), "--var", "B=1")
    assert "[INVALID_VARIABLE]" in result.stderr
    assert "not used" not in result.stderr


def test_standard_input_can_be_named_once(script):
    result = run("check", "-", "--var-file", "-", stdin="A=1")
    assert result.exit_code == 2
    assert "read only once" in result.stderr


@pytest.mark.parametrize("content", ["A=1\n", "\ufeffexport A='1'\n"])
def test_a_file_may_begin_with_a_mark(tmp_path, content):
    file = tmp_path / "values.env"
    file.write_text(content, encoding="utf-8")
    assert read_variables(str(file)) == {"A": "1"}


def test_a_file_in_another_encoding_is_an_error_of_the_user(tmp_path, script):
    file = tmp_path / "values.env"
    file.write_bytes("A=é".encode("latin-1"))
    result = run("run", script(), "--var-file", str(file))
    assert result.exit_code == 1
    assert "[NOT_UTF8] the file of variables is not UTF-8 text" in result.stderr


def test_a_variable_behind_an_unknown_one_is_not_called_unused(tmp_path):
    file = tmp_path / "both.sql"
    file.write_text("SELECT ${A}, ${B};")
    result = run("check", str(file), "--var", "B=1")
    assert "UNKNOWN_VARIABLE" in result.stderr
    assert "not used" not in result.stderr
