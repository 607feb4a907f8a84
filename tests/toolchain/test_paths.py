from __future__ import annotations

from pathlib import Path

import pytest

from headrace.toolchain import paths


@pytest.fixture
def unset(monkeypatch):
    monkeypatch.delenv(paths.CACHE_VARIABLE, raising=False)
    monkeypatch.delenv(paths.HOME_VARIABLE, raising=False)


def test_variables_choose_the_roots(monkeypatch, tmp_path):
    monkeypatch.setenv("HEADRACE_CACHE", str(tmp_path / "c"))
    monkeypatch.setenv("HEADRACE_HOME", str(tmp_path / "h"))
    assert paths.cache_folder("a", "b") == tmp_path / "c" / "a" / "b"
    assert paths.home_folder() == tmp_path / "h"
    assert paths.jars_folder() == tmp_path / "c" / "jars"
    assert paths.operators_folder() == tmp_path / "c" / "operators"
    assert paths.services_folder() == tmp_path / "h" / "services"


def test_asking_for_a_folder_does_not_create_it(monkeypatch, tmp_path):
    monkeypatch.setenv("HEADRACE_HOME", str(tmp_path / "h"))
    assert not paths.home_folder("x").exists()


@pytest.mark.usefixtures("unset")
def test_defaults_are_absolute_separate_and_named_after_the_project():
    cache, home = paths.cache_folder(), paths.home_folder()
    assert cache.is_absolute()
    assert home.is_absolute()
    assert cache != home
    assert "headrace" in cache.parts
    assert "headrace" in home.parts


def test_an_empty_variable_counts_as_unset(monkeypatch, unset):
    default = paths.cache_folder()
    monkeypatch.setenv("HEADRACE_CACHE", "")
    assert paths.cache_folder() == default


def test_a_relative_variable_is_fixed_to_the_current_folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HEADRACE_CACHE", "here")
    assert paths.cache_folder() == tmp_path / "here"


def test_a_tilde_is_the_users_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("HEADRACE_CACHE", "~/jars")
    assert paths.cache_folder() == Path(tmp_path) / "jars"


def test_the_credentials_file_is_named_or_lies_with_the_users_configuration(monkeypatch, tmp_path):
    monkeypatch.setenv("HEADRACE_CREDENTIALS", str(tmp_path / "mine.toml"))
    assert paths.credentials_file() == tmp_path / "mine.toml"
    monkeypatch.setenv("HEADRACE_CREDENTIALS", "")
    assert paths.credentials_file().name == "credentials.toml"
    assert paths.credentials_file().parent.name == "headrace"


@pytest.mark.parametrize("variable", ["HEADRACE_HOME", "HEADRACE_CACHE"])
@pytest.mark.parametrize("below", ["", "jobs/1"])
def test_a_folder_that_cannot_be_created_is_a_fault_of_the_environment(
    monkeypatch, tmp_path, variable, below
):
    (tmp_path / "file").touch()
    monkeypatch.setenv(variable, str(tmp_path / "file/ours"))
    with pytest.raises(OSError, match="Not a directory") as caught:
        (tmp_path / "file/ours" / below).mkdir(parents=True)
    fault = paths.fault_of_folder(caught.value)
    assert fault is not None
    assert fault.condition == f"{variable.removeprefix('HEADRACE_')}_NOT_WRITABLE"
    assert fault.cure is not None
    assert f"export {variable}=" in fault.cure


def test_an_error_of_another_file_is_not_one_of_the_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("HEADRACE_HOME", str(tmp_path / "home"))
    for path in (tmp_path / "home/gone", tmp_path / "elsewhere"):
        with pytest.raises(FileNotFoundError) as caught:
            path.read_text()
        assert paths.fault_of_folder(caught.value) is None
