"""Figures of a run: one table for reading, one JSON file for comparing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmarks.record import keep


@dataclass(frozen=True, slots=True)
class Figure:
    """One engine on one query at one scale. Without `seconds` it did not run, and `note` says why."""

    query: str
    engine: str
    variant: str
    scale: float
    rows: int
    seconds: float | None = None
    rows_per_s: int | None = None
    cpu_s: float | None = None
    peak_rss_mb: int | None = None
    exact: bool | None = None
    records_out: int | None = None
    wall_s: float | None = None
    others_share: float | None = None
    steady_rows_per_s: int | None = None
    note: str | None = None
    details: dict[str, Any] = field(default_factory=dict)


def with_steady_rates(figures: Sequence[Figure]) -> list[Figure]:
    """The largest scale of each contender gets the marginal rate from its smallest scale: warm-up cancels out."""
    contenders: dict[tuple[str, str, str], list[Figure]] = {}
    for figure in figures:
        if figure.seconds is not None:
            key = (figure.query, figure.engine, figure.variant)
            contenders.setdefault(key, []).append(figure)
    rates = {}
    for runs in contenders.values():
        small, large = min(runs, key=_scale), max(runs, key=_scale)
        rates[id(large)] = _marginal_rate(small, large)
    return [replace(figure, steady_rows_per_s=rates.get(id(figure))) for figure in figures]


def _marginal_rate(small: Figure, large: Figure) -> int | None:
    """None where a second scale is missing, or where noise made the larger one the faster."""
    assert small.seconds is not None
    assert large.seconds is not None
    seconds = large.seconds - small.seconds
    return round((large.rows - small.rows) / seconds) if seconds > 0 else None


def _scale(figure: Figure) -> float:
    return figure.scale


def write(figures: Iterable[Figure], file: Path) -> None:
    entries = [_rounded(asdict(figure)) for figure in figures]
    keep(entries, ("query", "engine", "variant", "scale"), file)


def _rounded(entry: dict[str, Any]) -> dict[str, Any]:
    """Digits beyond the millisecond are noise; facts that are not known are left out, but those every entry needs."""
    kept = {key: value for key, value in entry.items() if key in ALWAYS or value not in (None, {})}
    return {key: round(v, 3) if isinstance(v, float) else v for key, v in kept.items()}


ALWAYS = (
    "query",
    "engine",
    "variant",
    "scale",
    "rows",
    "seconds",
    "rows_per_s",
    "cpu_s",
    "peak_rss_mb",
    "exact",
)

_COLUMNS: Sequence[tuple[str, Callable[[Figure], str]]] = (
    ("query", lambda f: f.query),
    ("engine", lambda f: f.engine),
    ("variant", lambda f: f.variant),
    ("scale", lambda f: f"{f.scale:g}"),
    ("rows", lambda f: f"{f.rows:,}"),
    ("seconds", lambda f: _number(f.seconds, ".1f")),
    ("rows/s", lambda f: _number(f.rows_per_s, ",")),
    ("steady rows/s", lambda f: _number(f.steady_rows_per_s, ",")),
    ("CPU s", lambda f: _number(f.cpu_s, ".0f")),
    ("peak MB", lambda f: _number(f.peak_rss_mb, ",")),
    ("records out", lambda f: _number(f.records_out, ",")),
    ("others", lambda f: _number(f.others_share, ".0%")),
    ("answer", lambda f: _verdict(f)),
)


def table(figures: Iterable[Figure]) -> str:
    header = [name for name, _ in _COLUMNS]
    return _markdown(header, [[show(figure) for _, show in _COLUMNS] for figure in figures])


def comparison(figures: Sequence[Figure]) -> str:
    """Seconds side by side, and how many times as long Flink's best variant on the heap and its durable one took."""
    variants = list(dict.fromkeys(f.variant for f in figures if f.engine == "flink"))
    header = ["query", "scale", "Headrace", *(f"Flink {name}" for name in variants)]
    rows = [
        _compared(runs, variants)
        for runs in _by_query(f for f in figures if f.seconds is not None and f.exact)
    ]
    return _markdown([*header, "best heap ÷ ours", "rocks ÷ ours"], rows)


def _by_query(figures: Iterable[Figure]) -> Iterator[list[Figure]]:
    groups: dict[tuple[float, str], list[Figure]] = {}
    for figure in figures:
        groups.setdefault((figure.scale, figure.query), []).append(figure)
    yield from groups.values()


def _compared(runs: Sequence[Figure], variants: Sequence[str]) -> list[str]:
    seconds = {run.variant if run.engine == "flink" else "": run.seconds or 0.0 for run in runs}
    own = seconds.get("")
    heap = min((seconds[name] for name in HEAP_VARIANTS if name in seconds), default=None)
    cells = [own, *(seconds.get(name) for name in variants)]
    ratios = [_ratio(heap, own), _ratio(seconds.get("rocks"), own)]
    return [runs[0].query, f"{runs[0].scale:g}", *(_number(c, ".1f") for c in cells), *ratios]


def _ratio(theirs: float | None, own: float | None) -> str:
    return "–" if not theirs or not own else f"{theirs / own:.2f}×"


# Flink's variants that keep state on the heap and lose it in a crash.
HEAP_VARIANTS = ("plain", "mini")


def _markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Aligned for terminals as well."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    rule = ["-" * width for width in widths]
    return "\n".join(_line(cells, widths) for cells in (header, rule, *rows))


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
    return f"| {' | '.join(padded)} |"


def _number(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)


def _verdict(figure: Figure) -> str:
    if figure.exact is None:
        return figure.note or "–"
    if figure.seconds is None:
        return f"FAILED: {figure.note}"
    return "exact" if figure.exact else f"WRONG: {figure.note}"
