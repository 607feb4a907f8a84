from __future__ import annotations

import importlib
import os
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

import headrace
from headrace.cli.main import VERBS, bypass_proxy_for_this_machine, cli

HEAVY = ("pyspark", "sqlglot", "rich", "confluent_kafka", "boto3", "psycopg")


def commands(
    command: click.Command, path: tuple[str, ...]
) -> list[tuple[tuple[str, ...], click.Command]]:
    """A command and all below it, each with the words that call it."""
    found = [(path, command)]
    if isinstance(command, click.Group):
        for name, child in command.commands.items():
            found += commands(child, (*path, name))
    return found


@pytest.fixture(params=list(VERBS))
def family(request) -> list[tuple[tuple[str, ...], click.Command]]:
    return commands(importlib.import_module(VERBS[request.param].module).command, (request.param,))


@pytest.mark.parametrize(
    ("given", "bypassed"),
    [
        ({}, None),
        ({"https_proxy": "http://proxy:1"}, "127.0.0.1,localhost"),
        ({"HTTP_PROXY": "http://proxy:1", "NO_PROXY": "x.y"}, "x.y,127.0.0.1,localhost"),
        ({"http_proxy": "http://proxy:1", "no_proxy": "*", "NO_PROXY": "*"}, "*"),
    ],
)
def test_local_services_bypass_a_proxy(monkeypatch, given, bypassed):
    monkeypatch.setattr(os, "environ", environment := dict(given))
    bypass_proxy_for_this_machine()
    assert environment.get("no_proxy") == bypassed
    assert environment.get("NO_PROXY", given.get("NO_PROXY")) == bypassed


def test_help_lists_every_verb():
    result = CliRunner().invoke(cli, ["--help"])
    assert result.exit_code == 0
    for name, verb in VERBS.items():
        assert name in result.output
        assert verb.summary.split()[0] in result.output


@pytest.mark.parametrize("arguments", [["--help"], ["--version"]])
def test_help_and_version_import_nothing_heavy(arguments):
    program = (
        "import sys\nfrom headrace.cli.main import cli\n"
        f"try: cli({arguments!r}, prog_name='headrace')\nexcept SystemExit: pass\n"
        f"print('HEAVY', [name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "HEAVY []"


def test_the_version_is_that_of_the_package():
    assert (
        CliRunner().invoke(cli, ["--version"]).output.strip()
        == f"headrace, version {headrace.__version__}"
    )


def test_every_command_has_help_with_an_example_of_its_verb(family):
    for path, _ in family:
        result = CliRunner().invoke(cli, [*path, "--help"])
        assert result.exit_code == 0, result.output
        assert "Example" in result.output
        assert f"headrace {path[0]}" in result.output


def test_every_command_offers_both_forms_of_output(family):
    for path, command in family:
        options = {name for option in command.params for name in option.opts}
        assert isinstance(command, click.Group) or "--output" in options, path


def test_a_misspelled_verb_is_answered_with_the_nearest():
    result = CliRunner().invoke(cli, ["doktor"])
    assert result.exit_code == 2
    assert "did you mean 'doctor'?" in result.output


def test_a_verb_like_no_other_is_answered_with_all():
    result = CliRunner().invoke(cli, ["xyzzy"])
    assert result.exit_code == 2
    assert "dev" in result.output
    assert "doctor" in result.output


def test_the_module_runs_as_a_program():
    done = subprocess.run(
        [sys.executable, "-m", "headrace.cli.main", "--version"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert headrace.__version__ in done.stdout


@pytest.mark.parametrize("arguments", [["-h"], ["dev", "-h"], ["dev", "up", "-h"]])
def test_the_short_help_option_works_everywhere(arguments):
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 0
    assert result.output.startswith("Usage:")


def test_without_a_verb_help_is_shown():
    assert "Commands:" in CliRunner().invoke(cli, []).output


def test_a_verb_imports_its_own_module_only():
    program = (
        "import sys\nfrom headrace.cli.main import cli\n"
        "try: cli(['doctor', '--help'], prog_name='headrace')\nexcept SystemExit: pass\n"
        "print('DEV', 'headrace.cli.dev' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "DEV False"
