"""The runner: one broker, the same topics for every engine, every answer checked.

python -m benchmarks [--queries q1,q3] [--scale 1,3] [--engines headrace,flink] [--variants plain,mini,rocks]
"""

from __future__ import annotations

import argparse
import os
import platform
import signal
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType

import psutil

from benchmarks import flink_engine, headrace_engine, topics
from benchmarks.flink_setup import ensure_flink
from benchmarks.fold import compare, fold
from benchmarks.generate import Loaded, load
from benchmarks.measure import EngineFailed, Measurement
from benchmarks.queries import QUERIES, SINK, query_named
from benchmarks.record import RESULTS
from benchmarks.report import Figure, comparison, table, with_steady_rates, write
from headrace.errors import HeadraceError, UnknownName
from headrace.services.kafka import KafkaService
from headrace.toolchain.progress import show_progress

ENGINES: dict[str, ModuleType] = {
    headrace_engine.NAME: headrace_engine,
    flink_engine.NAME: flink_engine,
}

LATEST = RESULTS / "latest.json"


@dataclass(frozen=True, slots=True)
class Options:
    queries: tuple[str, ...]
    scales: tuple[float, ...]
    engines: tuple[str, ...]
    variants: tuple[str, ...]
    results: Path
    recordings: Path | None


@dataclass(frozen=True, slots=True)
class Contender:
    engine: str
    variant: str

    def __str__(self) -> str:
        return f"{self.engine}-{self.variant}"


class Runner:
    def __init__(self, options: Options, servers: str, broker: int, scratch: Path) -> None:
        self.options = options
        self.servers = servers
        self.broker = broker
        self.scratch = scratch

    def figures(self) -> Iterator[Figure]:
        for scale in self.options.scales:
            for query in map(query_named, self.options.queries):
                _note(f"{query.name}: loading scale {scale:g}")
                loaded = load(query, scale, self.servers, self.scratch / "answers")
                for contender in contenders(self.options):
                    yield self._figure(loaded, contender)
                topics.delete(self.servers, loaded.topics.values())

    def _figure(self, loaded: Loaded, contender: Contender) -> Figure:
        _note(f"{loaded.query.name}: {contender}, {loaded.rows:,} rows")
        sink = f"{loaded.query.name}-{contender}-x{loaded.scale:g}"
        topics.create(self.servers, sink)
        try:
            measured = self._measure(loaded, contender, sink)
        except EngineFailed as error:
            return replace(blank(loaded, contender), exact=False, note=error.found)
        figure = self._checked(figure_of(loaded, contender, measured), loaded, sink)
        topics.delete(self.servers, [sink])
        return figure

    def _measure(self, loaded: Loaded, contender: Contender, sink: str) -> Measurement:
        statements = loaded.query.statements(self.servers, {**loaded.topics, SINK: sink})
        recordings = self.options.recordings
        with tempfile.TemporaryDirectory(prefix=f"{contender}-", dir=self.scratch) as folder:
            measured: Measurement = ENGINES[contender.engine].run(
                statements,
                contender.variant,
                Path(folder),
                neighbours=[self.broker],
                recording=None if recordings is None else recordings / f"{sink}.jfr",
            )
        return measured

    def _checked(self, figure: Figure, loaded: Loaded, sink: str) -> Figure:
        if figure.seconds is None:
            return figure
        last = topics.last_records(self.servers, sink)
        comparison = compare(loaded.answer(), fold(loaded.query, last.values))
        note = None if comparison.exact else str(comparison)
        return replace(figure, exact=comparison.exact, records_out=last.count, note=note)


def blank(loaded: Loaded, contender: Contender) -> Figure:
    return Figure(loaded.query.name, contender.engine, contender.variant, loaded.scale, loaded.rows)


def figure_of(loaded: Loaded, contender: Contender, measured: Measurement) -> Figure:
    base = blank(loaded, contender)
    usage = measured.usage
    if usage is None:
        return replace(base, note=f"not supported: {measured.unsupported}")
    report = dict(measured.report)
    seconds: float = report.pop("seconds")
    return replace(
        base,
        seconds=seconds,
        rows_per_s=round(loaded.rows / seconds),
        cpu_s=usage.cpu_seconds,
        peak_rss_mb=usage.peak_rss_mb,
        wall_s=usage.wall_seconds,
        others_share=usage.others_share,
        details=report | {f"{kind}_cpu_s": round(s, 1) for kind, s in usage.overhead.items()},
    )


def contenders(options: Options) -> Iterator[Contender]:
    """Variants choose among Flink's; Headrace has one."""
    for engine in options.engines:
        for variant in ENGINES[engine].VARIANTS:
            if engine != flink_engine.NAME or variant in options.variants:
                yield Contender(engine, variant)


def parse(arguments: Sequence[str] | None = None) -> Options:
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__.splitlines()[0])
    parser.add_argument("--queries", default=",".join(QUERIES), help="default: %(default)s")
    parser.add_argument("--scale", default="1", help="one or several, e.g. 1,3 (default: 1)")
    parser.add_argument("--engines", default=",".join(ENGINES), help="default: %(default)s")
    parser.add_argument(
        "--variants", default=",".join(flink_engine.VARIANTS), help="Flink's (default: %(default)s)"
    )
    parser.add_argument("--results", type=Path, default=LATEST, help="file for the figures")
    parser.add_argument("--jfr", type=Path, help="folder for a flight recording of every run")
    given = parser.parse_args(arguments)
    return Options(
        _chosen("query", given.queries, QUERIES),
        tuple(map(float, given.scale.split(","))),
        _chosen("engine", given.engines, ENGINES),
        _chosen("variant", given.variants, flink_engine.VARIANTS),
        given.results,
        given.jfr and given.jfr.absolute(),
    )


def _chosen(kind: str, text: str, known: Iterable[str]) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(","))
    for name in names:
        if name not in known:
            raise UnknownName(kind, name, known)
    return names


def run(options: Options) -> Iterator[Figure]:
    """Everything lives in a temporary folder and is gone afterwards, except the results and the recordings."""
    if flink_engine.NAME in options.engines:
        with show_progress() as progress:
            ensure_flink(progress)
    if options.recordings is not None:
        options.recordings.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="headrace-bench-") as folder:
        scratch = Path(folder)
        with KafkaService(scratch / "kafka") as broker:
            pid = broker.status().pid
            assert pid is not None
            topics.ready_transactions(broker.bootstrap_servers)
            yield from Runner(options, broker.bootstrap_servers, pid, scratch).figures()


def main(arguments: Sequence[str] | None = None) -> int:
    # Ended by a signal, the broker must not stay behind either.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    figures: list[Figure] = []
    try:
        options = parse(arguments)
        for figure in run(options):
            figures = with_steady_rates([*figures, figure])
            write(figures, options.results)
    except HeadraceError as error:
        sys.stderr.write(f"{error.render()}\n")
        return error.exit_code
    print(f"{_machine()}\n\n{table(figures)}\n\n{comparison(figures)}\n\n{options.results}")
    return 0 if all(figure.exact is not False for figure in figures) else 1


def _machine() -> str:
    memory = psutil.virtual_memory().total / 2**30
    return f"{os.cpu_count()} cores, {memory:.0f} GiB, {platform.system()} {platform.machine()}"


def _note(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
