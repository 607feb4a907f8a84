from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest

from benchmarks import chart

SVG = "{http://www.w3.org/2000/svg}"


def run(query: str, engine: str, rate: int, **others: Any) -> dict[str, Any]:
    base = {"query": query, "engine": engine, "variant": "mini", "scale": 1.0, "rows": 2_000_000}
    return base | {"rows_per_s": rate, "seconds": 10.0, "exact": True} | others


@pytest.fixture
def drawn():
    def draw(*entries):
        return ElementTree.fromstring(chart.chart(entries))

    return draw


def bars(root) -> list[tuple[int, str]]:
    return [
        (int(r.attrib["width"]), r.attrib["fill"])
        for r in root.findall(f"{SVG}rect")
        if r.attrib["fill"] != "white"
    ]


def texts(root) -> list[str]:
    return [text.text for text in root.findall(f"{SVG}text")]


def test_bars_are_as_long_as_the_rates_within_a_query(drawn):
    root = drawn(run("q1", "headrace", 400), run("q1", "flink", 100), run("q2", "headrace", 7))
    longest = chart.WIDTH - chart.NAMES - chart.NUMBERS
    assert bars(root) == [
        (longest, chart.HEADRACE),
        (round(longest / 4), chart.OTHERS),
        (longest, chart.HEADRACE),
    ]


def test_each_bar_is_named_and_numbered(drawn):
    assert texts(drawn(run("q1", "headrace", 4000), run("q1", "flink", 1000, variant="<x>"))) == [
        "q1: 2,000,000 rows",
        "Headrace",
        "4,000/s, 10.0 s",
        "Flink <x>",
        "1,000/s, 10.0 s",
    ]


def test_only_exact_runs_of_the_smallest_scale_are_shown(drawn):
    root = drawn(
        run("q1", "headrace", 4, scale=3.0),
        run("q1", "headrace", 5),
        run("q1", "flink", 6, exact=False),
    )
    assert len(bars(root)) == 1
    assert "5/s, 10.0 s" in texts(root)


def test_a_query_without_a_figure_has_its_name_only(drawn):
    assert texts(drawn(run("q1", "flink", 6, exact=False))) == ["q1"]


def test_from_file_to_file(tmp_path, capsys):
    results, target = tmp_path / "latest.json", tmp_path / "chart.svg"
    results.write_text(json.dumps([run("q1", "headrace", 4000)]))
    assert chart.main([str(results), str(target)]) == 0
    assert target.read_text().startswith("<svg")
    assert capsys.readouterr().out == f"{target}\n"
