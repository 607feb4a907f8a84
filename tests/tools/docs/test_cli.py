import click

from headrace.cli.main import VERBS
from tools.docs import cli


def test_every_verb_and_its_members_in_order():
    names = [name for name, _ in cli.commands()]
    assert names[0] == "headrace"
    assert [name.split()[1] for name in names[1:] if name.count(" ") == 1] == list(VERBS)
    assert {"headrace dev up", "headrace dev down", "headrace demo pageviews"} <= set(names)


def test_a_group_comes_before_its_members():
    names = [name for name, _ in cli.commands()]
    assert names.index("headrace dev") < names.index("headrace dev up")


def test_help_is_that_of_the_full_name_and_of_one_width():
    @click.command()
    @click.option("--rows", help="How many. " + "Many words. " * 20)
    def count() -> None:
        """Count."""

    text = cli.help_of("headrace count", count)
    assert text.startswith("Usage: headrace count [OPTIONS]")
    assert "-h, --help" in text
    assert 70 < max(map(len, text.splitlines())) <= cli.WIDTH


def test_the_page_has_a_section_per_command():
    text = cli.render()
    for name, _ in cli.commands():
        assert f"# {name}\n\n```text\nUsage: {name}" in text


def test_help_of_one_command_does_not_depend_on_the_terminal(monkeypatch):
    before = cli.render()
    monkeypatch.setenv("COLUMNS", "40")
    assert cli.render() == before


def test_headings_follow_the_depth_of_the_name():
    lines = cli.render().splitlines()
    assert {"## headrace", "### headrace dev", "#### headrace dev up"} <= set(lines)


def test_the_page_says_where_errors_go():
    assert "standard error" in cli.render().split("## ")[0]
