from __future__ import annotations

import json

import click
import pytest
from click.testing import CliRunner
from rich.text import Text

from headrace.cli.output import JsonOutput, Output, TextOutput, pass_output, unexpected
from headrace.errors import EnvironmentFault, HeadraceError, InternalError, UserError
from headrace.toolchain.progress import ProgressEvent

ROWS = [{"name": "kafka", "port": 9092, "hidden": "x"}, {"name": "s3", "port": None, "hidden": "y"}]


@click.command()
@click.argument("how")
@pass_output
def example(output: Output, how: str) -> None:
    raised: dict[str, BaseException] = {
        "user": UserError("bad script", cure="mend it"),
        "environment": EnvironmentFault("no broker"),
        "defect": ValueError("first line\nsecond line"),
        "usage": click.UsageError("wrong words"),
        "exit": click.exceptions.Exit(7),
    }
    if how in raised:
        raise raised[how]
    output.table("services", ROWS, ("name", "port"))


def run(*arguments: str):
    return CliRunner().invoke(example, list(arguments))


def test_text_shows_the_chosen_columns():
    lines = [line.split() for line in run("ok").stdout.splitlines()]
    assert lines == [["name", "port"], ["kafka", "9092"], ["s3"]]


def test_json_holds_everything():
    assert json.loads(run("ok", "--output", "json").stdout) == {"services": ROWS}


def test_the_short_option_is_known():
    assert json.loads(run("ok", "-o", "json").stdout)


def test_an_unknown_form_is_a_usage_error():
    assert run("ok", "--output", "xml").exit_code == 2


@pytest.mark.parametrize(
    ("how", "code"), [("user", 1), ("usage", 2), ("environment", 3), ("defect", 4), ("exit", 7)]
)
@pytest.mark.parametrize("form", ["text", "json"])
def test_exit_codes_follow_the_class_of_the_error(how, code, form):
    assert run(how, "--output", form).exit_code == code


def test_errors_as_text_go_to_stderr():
    result = run("user")
    assert result.stdout == ""
    assert result.stderr == "[USER_ERROR] bad script\n  cure: mend it\n"


def test_errors_as_json_are_a_document_on_stdout():
    result = run("user", "--output", "json")
    expected = {"error": {"condition": "USER_ERROR", "message": "bad script", "cure": "mend it"}}
    assert json.loads(result.stdout) == expected
    assert result.stderr == ""


def test_a_defect_has_the_form_of_every_error():
    result = run("defect")
    assert result.stderr.startswith("[INTERNAL_ERROR] unexpected ValueError: first line\n")
    assert "Traceback" not in result.stderr
    assert "second line" not in result.stderr


@pytest.mark.parametrize("form", ["text", "json"])
def test_verbose_adds_the_stack_trace_on_stderr(form):
    result = run("defect", "--verbose", "--output", form)
    assert "Traceback" in result.stderr
    assert "Traceback" not in result.stdout


def test_unexpected_without_a_message():
    error = unexpected(RuntimeError())
    assert isinstance(error, InternalError)
    assert error.summary == "unexpected RuntimeError: no message"


def test_a_document_is_text_or_data(capsys):
    TextOutput().document({"a": 1}, "for people [not markup]")
    assert capsys.readouterr().out == "for people [not markup]\n"
    JsonOutput().document({"a": 1}, "for people")
    assert json.loads(capsys.readouterr().out) == {"a": 1}


def test_a_document_may_be_drawn_by_rich(capsys):
    TextOutput().document({}, Text("styled", "red"))
    assert capsys.readouterr().out == "styled\n"


def test_lines_are_not_folded_without_a_terminal(capsys):
    TextOutput().table("rows", [{"path": "x" * 300}], ("path",))
    assert "x" * 300 in capsys.readouterr().out


def test_other_scripts_survive_json(capsys):
    JsonOutput().document({"name": "Zürich 東京"}, "")
    assert "Zürich 東京" in capsys.readouterr().out


def test_notes_are_for_people(capsys):
    TextOutput().note("by the way")
    JsonOutput().note("by the way")
    assert capsys.readouterr() == ("", "by the way\n")


@pytest.mark.parametrize(
    ("output", "shown"), [(TextOutput(), "[kafka] starting\n"), (JsonOutput(), "")]
)
def test_progress_is_for_people(output, shown, capsys):
    with output.progress() as report:
        report(ProgressEvent("kafka", "starting"))
    assert capsys.readouterr() == ("", shown)


def test_an_error_of_one_line_prints_one_line(capsys):
    TextOutput().error(HeadraceError("only this"))
    assert capsys.readouterr().err == "[ERROR] only this\n"


def test_the_command_keeps_its_name_and_help():
    @pass_output
    def documented(output: Output) -> None:
        """What it does."""

    assert documented.__doc__ == "What it does."
    assert documented.__name__ == "documented"


def test_an_interrupt_is_not_an_error_of_ours():
    @click.command()
    @pass_output
    def interrupted(output: Output) -> None:
        raise KeyboardInterrupt

    result = CliRunner().invoke(interrupted)
    assert result.exit_code == 130
    assert "INTERNAL_ERROR" not in result.output


def test_the_form_is_known_to_the_command():
    @click.command()
    @pass_output
    def form(output: Output) -> None:
        click.echo(f"{output.is_json} {output.verbose}")

    assert CliRunner().invoke(form, []).output == "False False\n"
    assert CliRunner().invoke(form, ["-o", "json", "--verbose"]).output == "True True\n"


def test_the_result_of_a_command_is_returned():
    @pass_output
    def counted(output: Output) -> int:
        return 42

    assert counted.__wrapped__(TextOutput()) == 42


def test_brackets_in_cells_are_not_markup(capsys):
    TextOutput().table("rows", [{"type": "ARRAY[red]"}], ("type",))
    assert "ARRAY[red]" in capsys.readouterr().out


def test_an_empty_table_has_its_header(capsys):
    TextOutput().table("rows", [], ("name", "state"))
    assert capsys.readouterr().out.split() == ["name", "state"]


def test_values_json_does_not_know_become_text(capsys, tmp_path):
    JsonOutput().document({"folder": tmp_path}, "")
    assert json.loads(capsys.readouterr().out) == {"folder": str(tmp_path)}


def test_facts_of_an_error_survive_in_json():
    @click.command()
    @pass_output
    def failing(output: Output) -> None:
        raise UserError("s", condition="C", where="f.sql:1:2", found="f", expected="e", cure="c")

    document = json.loads(CliRunner().invoke(failing, ["-o", "json"]).stdout)
    assert document["error"] == {
        "condition": "C",
        "message": "s",
        "where": "f.sql:1:2",
        "found": "f",
        "expected": "e",
        "cure": "c",
    }


def test_a_text_result_is_printed_as_it_is(monkeypatch, capsys):
    """Lines that a shell reads must not be broken at the width of a terminal."""
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    line = "export URL='" + "x " * 100 + ":warning: [red]'"
    TextOutput().document({}, line)
    assert capsys.readouterr().out == line + "\n"
