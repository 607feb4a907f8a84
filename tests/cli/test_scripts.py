from __future__ import annotations

import io
import json
import logging
import warnings

import click
import pytest

from headrace.cli.observers import JsonObserver, TextObserver
from headrace.cli.output import JsonOutput, TextOutput
from headrace.cli.scripts import (
    environment_for,
    errors_as_events,
    execute_script,
    observer_for,
    quiet_libraries,
    read_script,
    run_definitions,
    settings,
    statements_in,
)
from headrace.errors import EnvironmentFault, UserError
from headrace.runtime.environment import TableEnvironment
from headrace.sql.dialect import parse_script
from headrace.sql.statements import CreateTable, Insert
from headrace.toolchain.progress import ProgressEvent

TABLE = "CREATE TABLE gen (id BIGINT) WITH ('connector' = 'datagen');"


def events(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_script_is_named_by_its_path(tmp_path):
    file = tmp_path / "a.sql"
    file.write_text("SELECT 'ä'", encoding="utf-8")
    assert read_script(str(file)) == ("SELECT 'ä'", str(file))


def test_a_dash_is_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"SELECT 1")))
    assert read_script("-") == ("SELECT 1", "<stdin>")


def test_a_script_in_another_encoding_is_refused_with_the_place(tmp_path):
    file = tmp_path / "latin.sql"
    file.write_bytes("SELECT 'ä'".encode("latin-1"))
    with pytest.raises(UserError) as error:
        read_script(str(file))
    assert (error.value.condition, error.value.found) == ("NOT_UTF8", "byte 0xe4 at offset 8")


def test_several_scripts_are_one_list_of_statements(tmp_path):
    first, second = tmp_path / "1.sql", tmp_path / "2.sql"
    first.write_text(TABLE)
    second.write_text("INSERT INTO t SELECT 1;")
    found = statements_in([str(first), str(second)])
    assert [type(statement) for statement in found] == [CreateTable, Insert]
    assert found[1].position.source == str(second)


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ((), {}),
        (("a=1", "b.c = x"), {"a": "1", "b.c": "x"}),
        (("a=1=2",), {"a": "1=2"}),
        (("a=",), {"a": ""}),
    ],
)
def test_settings_of_the_command_line(given, wanted):
    assert settings(None, None, given) == wanted


@pytest.mark.parametrize("item", ["novalue", "=1"])
def test_a_setting_without_key_or_value_is_a_usage_error(item):
    with pytest.raises(click.BadParameter, match="KEY=VALUE"):
        settings(None, None, (item,))


def test_initialisation_defines_and_starts_nothing(tmp_path):
    file = tmp_path / "init.sql"
    file.write_text(TABLE + "INSERT INTO gen SELECT 1; SET 'parallelism.default' = '3';")
    environment = TableEnvironment()
    run_definitions(environment, [str(file)])
    assert environment.list_tables() == ["gen"]
    assert environment.config.get("parallelism.default") == 3
    assert environment.jobs == []


def test_each_form_of_output_has_its_observer():
    assert isinstance(observer_for(JsonOutput(), quiet=True), JsonObserver)
    assert isinstance(observer_for(TextOutput(), quiet=True), TextObserver)


def test_definitions_run_to_the_end_without_a_job(capsys):
    execute_script(JsonOutput(), lambda: parse_script(TABLE), {}, fresh=False, quiet=True)
    found = events(capsys.readouterr().out)
    assert [event["event"] for event in found] == ["statement", "end"]
    assert found[0]["statement"] == "CREATE TABLE"
    assert found[1]["outcome"] == "finished"


def test_settings_that_mean_nothing_here_are_noticed(capsys):
    key = "table.exec.mini-batch.enabled"
    execute_script(JsonOutput(), list, {key: "true"}, fresh=False, quiet=True)
    notice = events(capsys.readouterr().out)[0]
    assert notice["event"] == "notice"
    assert key in str(notice["message"])


def test_an_error_is_the_last_event_and_gives_the_exit_code(capsys):
    with pytest.raises(click.exceptions.Exit) as leaving:
        execute_script(
            JsonOutput(), lambda: parse_script("DESCRIBE gone"), {}, fresh=False, quiet=True
        )
    (error,) = events(capsys.readouterr().out)
    assert leaving.value.exit_code == 1
    assert (error["event"], error["condition"]) == ("error", "UNKNOWN_TABLE")


def test_a_parse_error_is_an_event_too(capsys):
    with pytest.raises(click.exceptions.Exit):
        execute_script(JsonOutput(), lambda: parse_script("SELEC"), {}, fresh=False, quiet=True)
    assert events(capsys.readouterr().out)[0]["condition"] == "PARSE_ERROR"


def test_errors_for_people_are_left_to_the_command():
    with (
        pytest.raises(EnvironmentFault),
        errors_as_events(TextOutput(), TextObserver(quiet_definitions=True)),
    ):
        raise EnvironmentFault("no broker")


@pytest.mark.parametrize(
    ("error", "code"), [(EnvironmentFault("no broker"), 3), (ValueError("odd"), 4)]
)
def test_every_error_has_an_exit_code(error, code, capsys):
    with (
        pytest.raises(click.exceptions.Exit) as leaving,
        errors_as_events(JsonOutput(), JsonObserver()),
    ):
        raise error
    assert leaving.value.exit_code == code
    assert capsys.readouterr().err == ""


def test_the_stack_trace_is_for_the_verbose(capsys):
    output = JsonOutput(verbose=True)
    with pytest.raises(click.exceptions.Exit), errors_as_events(output, JsonObserver()):
        raise ValueError("odd")
    assert "ValueError: odd" in capsys.readouterr().err


def test_an_interrupt_has_the_shell_s_exit_code():
    with (
        pytest.raises(click.exceptions.Exit) as leaving,
        errors_as_events(JsonOutput(), JsonObserver()),
    ):
        raise KeyboardInterrupt
    assert leaving.value.exit_code == 130


def noise() -> None:
    logging.getLogger("SomeLibrary").error("inner workings")
    warnings.warn("old ways", stacklevel=1)


def test_the_environment_speaks_through_the_observer(capsys):
    environment = environment_for(TextObserver(quiet_definitions=True), {}, fresh=True)
    environment.config.set("state.backend.type", "rocksdb")
    environment._write_line("+I[1]", False)
    assert environment._progress is not None
    environment._progress(ProgressEvent("jars", "a.jar", 1, 1))
    printed = capsys.readouterr()
    assert printed.out == "+I[1]\n"
    assert printed.err.startswith("note: 'state.backend.type' has no effect")
    assert printed.err.endswith("[jars 1/1] a.jar\n")


def test_libraries_are_quiet_and_may_speak_afterwards(caplog):
    with quiet_libraries(TextOutput()):
        noise()
    assert caplog.messages == []
    with pytest.warns(UserWarning, match="old ways"):
        noise()
    assert caplog.messages == ["inner workings"]


def test_the_verbose_hear_everything(caplog):
    with quiet_libraries(TextOutput(verbose=True)), pytest.warns(UserWarning, match="old ways"):
        noise()
    assert caplog.messages == ["inner workings"]
