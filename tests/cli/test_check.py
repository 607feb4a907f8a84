from __future__ import annotations

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from headrace.cli.check import command, count, summary
from headrace.errors import UserError
from headrace.runtime.check import CheckReport

GOOD = "CREATE TABLE gen (id BIGINT) WITH ('connector' = 'datagen'); SELECT id FROM gen;"
BAD = """CREATE TABLE gen (id BIGINT) WITH ('connector' = 'datagenn');
SELECT id FROM gen;
SELECT 1 +;
"""


@pytest.fixture
def good(tmp_path):
    file = tmp_path / "good.sql"
    file.write_text(GOOD)
    return str(file)


@pytest.fixture
def bad(tmp_path):
    file = tmp_path / "bad.sql"
    file.write_text(BAD)
    return str(file)


def check(*arguments: str):
    return CliRunner().invoke(command, list(arguments))


def test_a_sound_script_says_so(good):
    result = check(good)
    assert (result.exit_code, result.stdout) == (0, "1 file, 2 statements, no errors\n")
    assert result.stderr == ""


def test_every_error_is_shown_with_place_and_cure(good, bad):
    result = check(good, bad)
    assert result.exit_code == 1
    assert result.stdout == (
        "2 files, 5 statements, 2 errors, 1 statement skipped because of another error\n"
    )
    assert f"{bad}:1:50" in result.stderr
    assert "did you mean 'datagen'?" in result.stderr
    assert f"{bad}:3:11" in result.stderr
    assert "UNKNOWN_TABLE" not in result.stderr


def test_programs_get_one_document(good, bad):
    result = check(good, bad, "--output", "json")
    files = json.loads(result.stdout)["files"]
    assert result.exit_code == 1
    assert [(item["file"], item["ok"]) for item in files] == [(good, True), (bad, False)]
    assert [error["condition"] for error in files[1]["errors"]] == [
        "UNKNOWN_CONNECTOR",
        "PARSE_ERROR",
    ]
    assert files[1]["passed_over"] == 1


def test_files_do_not_see_each_other(good, tmp_path):
    user = tmp_path / "user.sql"
    user.write_text("SELECT id FROM gen;")
    assert check(good, str(user)).exit_code == 1
    assert check(str(user), "-i", good).exit_code == 0


def test_settings_are_checked_too(good):
    result = check(good, "-D", "parallelism.default=many")
    assert result.exit_code == 1
    assert "parallelism.default" in result.stderr


def test_a_missing_file_is_a_usage_error():
    assert check("nowhere.sql").exit_code == 2
    assert check().exit_code == 2


def test_standard_input_can_be_checked():
    result = CliRunner().invoke(command, ["-"], input="SELECT oops;")
    assert result.exit_code == 1
    assert "<stdin>:1:8" in result.stderr


def test_counting_words():
    assert [count(number, "error") for number in (0, 1, 2)] == ["0 errors", "1 error", "2 errors"]
    report = CheckReport("a", statements=2, errors=[UserError("x")])
    assert summary([report]) == "1 file, 2 statements, 1 error"


@pytest.mark.parametrize("verb", ["check", "explain"])
def test_it_imports_nothing_that_windows_lacks(good, verb):
    program = (
        "import sys\n"
        "for name in ('fcntl', 'grp', 'pwd', 'pty', 'resource', 'termios', 'tty'):\n"
        "    sys.modules[name] = None\n"
        "from headrace.cli.main import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, verb, good], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout
