"""The pages written by hand: their links lead somewhere, and their examples are what they say."""

import ast
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from headrace.changelog import WEIGHT
from headrace.cli.main import VERBS
from headrace.plan.nodes import Aggregate, Normalize
from headrace.runtime.config import NO_EFFECT, SETTINGS
from headrace.runtime.environment import TableEnvironment
from headrace.sql.dialect import parse_script
from headrace.sql.statements import CreateTable
from headrace.toolchain import paths

ROOT = Path(__file__).parents[2]
PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "docs/architecture.md",
    "docs/connect.md",
    "docs/security.md",
    "docs/sql.md",
    "examples/pagila/README.md",
)


def blocks(page, language):
    # A name behind the language is that of a file (tests/docs/walk.py).
    return re.findall(rf"```{language}(?: \S+)?\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)


def anchors(file):
    headings = re.findall(r"^#+ (.+)$", file.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", h).strip().lower().replace(" ", "-") for h in headings}


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page):
    file = ROOT / page
    for path, anchor in re.findall(r"\]\((?!https?:)([^)#]*)#?([^)]*)\)", file.read_text()):
        target = file.parent / path if path else file
        assert target.exists(), path
        assert not anchor or anchor in anchors(target), anchor


@pytest.mark.parametrize("page", ["README.md", "docs/security.md", "docs/sql.md"])
def test_examples_are_planned(page):
    environment = TableEnvironment()
    found = [item for block in blocks(page, "sql") for item in parse_script(block)]
    assert found
    for statement in found:
        if isinstance(statement, CreateTable):
            environment.define(statement)
        elif not environment.plans(statement):
            assert environment.define(statement) is not None


def test_the_first_screen_has_the_picture_and_the_two_commands():
    top = "\n".join((ROOT / "README.md").read_text().splitlines()[:16])
    assert "](docs/pipeline.svg)" in top
    assert top.index("make install") < top.index("make demo")


def test_the_first_example_shows_a_count_that_goes_down():
    top = "\n".join((ROOT / "README.md").read_text().splitlines()[:52])
    assert "$ headrace run moves.sql" in top
    rows = [line.split() for line in blocks("README.md", "console")[0].splitlines()]
    counts = [(row[1], int(row[5])) for row in rows if "Nepal" in row]
    assert counts == [("+I", 2), ("-U", 2), ("+U", 1)]


def test_everything_in_the_picture_has_a_colour_and_is_described():
    svg = "{http://www.w3.org/2000/svg}"
    picture = ElementTree.parse(ROOT / "docs/pipeline.svg").getroot()
    styled = set(re.findall(r"\.([\w-]+)(?=[ ,{])", picture.findtext(f"{svg}style")))
    drawn = {name for element in picture.iter() for name in element.get("class", "").split()}
    assert drawn
    assert drawn == styled
    described = [element.get("id") for element in picture if element.tag != f"{svg}style"]
    assert picture.get("aria-labelledby").split() == [name for name in described if name]


def test_the_python_example_is_python():
    (example,) = blocks("README.md", "python")
    assert ast.parse(example).body


def test_the_tour_names_every_setting_and_no_other():
    table = (ROOT / "docs/sql.md").read_text().split("## Settings")[1]
    named = re.findall(r"^\| `([\w.*-]+)` \|", table, re.MULTILINE)
    assert sorted(named) == sorted(option.name for option in SETTINGS)
    assert not set(named) & set(NO_EFFECT)


def test_commands_of_the_pages_exist():
    targets = set(re.findall(r"^([a-z]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for page in PAGES:
        for named in re.findall(r"`make ([a-z ]+)`", (ROOT / page).read_text()):
            assert set(named.split()) <= targets, f"{page}: make {named}"


def test_the_folders_of_the_layout_exist():
    text = (ROOT / "CONTRIBUTING.md").read_text()
    for folder in re.findall(r"^    ([\w/]+)/ ", text, re.MULTILINE):
        assert (ROOT / folder).is_dir(), folder


def test_the_overview_names_every_verb():
    text = (ROOT / "README.md").read_text()
    named = re.findall(r"^\| `headrace (\w+)", text, re.MULTILINE)
    assert named == list(VERBS)


def test_the_folders_that_hold_state_are_those_of_the_code():
    text = (ROOT / "README.md").read_text()
    assert f"| `{paths.HOME_VARIABLE}` |" in text
    assert f"| `{paths.CACHE_VARIABLE}` |" in text


def test_the_stages_are_the_folders_of_the_package():
    stages = (ROOT / "docs/architecture.md").read_text().split("## Stages")[1].split("\n## ")[0]
    named = {
        name
        for line in stages.splitlines()
        for name in re.findall(r"`(\w+)/`", line.split(" | ")[0])
    }
    package = ROOT / "src" / "headrace"
    assert named == {folder.parent.name for folder in package.glob("*/__init__.py")}


def test_every_stateful_operator_is_described():
    table = (ROOT / "docs/architecture.md").read_text().split("\n## Stages")[0]
    for kind in (Normalize, Aggregate):
        assert f"| {kind.__name__} |" in table


def test_the_weight_column_is_called_as_in_the_code():
    assert f"`{WEIGHT}`" in (ROOT / "docs/architecture.md").read_text()


@pytest.mark.parametrize("page", PAGES)
def test_fences_are_closed(page):
    assert (ROOT / page).read_text().count("```") % 2 == 0


@pytest.mark.parametrize("page", [*PAGES, "docs/compatibility.md", "docs/errors.md"])
def test_rows_of_a_table_have_as_many_cells_as_its_header(page):
    """An unescaped bar would move everything after it into the next column."""
    width = None
    outside = re.sub(r"```.*?```", "", (ROOT / page).read_text(), flags=re.DOTALL)
    for line in outside.splitlines():
        cells = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else None
        assert width is None or cells is None or cells == width, line
        width = cells
