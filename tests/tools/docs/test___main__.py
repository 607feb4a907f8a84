import pytest

from tools.docs import __main__ as docs


def test_the_pages_are_those_that_the_code_gives():
    assert docs.outdated() == [], "run make docs"


@pytest.fixture
def one_page(tmp_path, monkeypatch):
    (tmp_path / "docs").mkdir()
    monkeypatch.setattr(docs, "ROOT", tmp_path)
    monkeypatch.setattr(docs, "PAGES", {"a.md": lambda: "new\n"})
    return tmp_path / "docs" / "a.md"


def test_a_missing_page_is_written(one_page, capsys):
    assert docs.main([]) == 0
    assert one_page.read_text() == "new\n"
    assert capsys.readouterr().out == "wrote docs/a.md\n"


def test_a_page_that_is_current_is_left_alone(one_page, capsys):
    one_page.write_text("new\n")
    before = one_page.stat().st_mtime_ns
    assert docs.main([]) == 0
    assert one_page.stat().st_mtime_ns == before
    assert capsys.readouterr().out == ""


def test_checking_names_what_is_out_of_date_and_writes_nothing(one_page, capsys):
    one_page.write_text("old\n")
    assert docs.main(["--check"]) == 1
    assert one_page.read_text() == "old\n"
    assert capsys.readouterr().err == "docs/a.md is out of date: run make docs\n"


def test_checking_what_is_current_is_silent(one_page, capsys):
    one_page.write_text("new\n")
    assert docs.main(["--check"]) == 0
    assert capsys.readouterr().err == ""
