"""The figures of a run as a picture (SVG): a bar for each contender of each query, by rows a second.

python -m benchmarks.chart [benchmarks/results/latest.json] [docs/benchmarks.svg]
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from benchmarks.run import LATEST

CHART = Path(__file__).parent.parent / "docs" / "benchmarks.svg"

# In pixels. Names stand left of the bars, numbers right of them.
WIDTH, NAMES, NUMBERS = 760, 150, 150
BAR, GAP, TITLE, MARGIN = 18, 4, 30, 16

HEADRACE, OTHERS, TEXT = "#1f6f8b", "#b8c4c9", "#24292f"


def chart(entries: Sequence[Mapping[str, Any]]) -> str:
    """Entries as `latest.json` has them; of each query only its smallest scale, and only runs with an exact answer."""
    groups = {query: _runs(entries, query) for query in dict.fromkeys(e["query"] for e in entries)}
    lines, top = [], MARGIN
    for query, runs in groups.items():
        lines.append(_text(MARGIN, top + TITLE - 12, _title(query, runs), weight="bold"))
        top += TITLE
        lines += _bars(runs, top)
        top += len(runs) * (BAR + GAP) + GAP
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{top + MARGIN}" '
            'font-family="system-ui, sans-serif" font-size="13">',
            f'<rect width="{WIDTH}" height="{top + MARGIN}" fill="white"/>',
            *lines,
            "</svg>\n",
        ]
    )


def _runs(entries: Sequence[Mapping[str, Any]], query: str) -> list[Mapping[str, Any]]:
    exact = [e for e in entries if e["query"] == query and e["exact"]]
    smallest = min((e["scale"] for e in exact), default=None)
    return [e for e in exact if e["scale"] == smallest]


def _title(query: str, runs: Sequence[Mapping[str, Any]]) -> str:
    return f"{query}: {runs[0]['rows']:,} rows" if runs else query


def _bars(runs: Sequence[Mapping[str, Any]], top: int) -> Iterator[str]:
    most = max((run["rows_per_s"] for run in runs), default=1)
    for number, run in enumerate(runs):
        y = top + number * (BAR + GAP)
        length = round((WIDTH - NAMES - NUMBERS) * run["rows_per_s"] / most)
        own = run["engine"] == "headrace"
        name = "Headrace" if own else f"Flink {run['variant']}"
        said = f"{run['rows_per_s']:,}/s, {run['seconds']:.1f} s"
        yield _text(MARGIN, y + BAR - 5, name)
        yield (
            f'<rect x="{NAMES}" y="{y}" width="{length}" height="{BAR}" '
            f'fill="{HEADRACE if own else OTHERS}"/>'
        )
        yield _text(NAMES + length + 6, y + BAR - 5, said)


def _text(x: int, y: int, text: str, weight: str = "normal") -> str:
    return f'<text x="{x}" y="{y}" fill="{TEXT}" font-weight="{weight}">{escape(text)}</text>'


def main(arguments: Sequence[str]) -> int:
    results, target = (*map(Path, arguments), *(LATEST, CHART)[len(arguments) :])
    target.write_text(chart(json.loads(results.read_text(encoding="utf-8"))), encoding="utf-8")
    print(target)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
