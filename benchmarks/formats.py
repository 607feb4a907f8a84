"""How fast records are decoded and encoded on one core, beside Spark's own functions where it has them.

    python -m benchmarks.formats [--formats json csv]

The rate is of the CPU time that Spark counts for the tasks, which neighbours on the machine disturb little; each
contender runs some times over the same records in memory, and its best pass counts.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.record import RESULTS, keep
from headrace import types as t
from headrace.catalog.options import parse_options
from headrace.formats import FormatUse, format_named
from headrace.formats.avro_schema import derived_schema
from headrace.formats.codec import decode, encode
from headrace.runtime.session import spark_session
from headrace.services.schema_registry import SchemaRegistryService
from headrace.toolchain.jars import ensure

RECORDS = 2_000_000

# The first passes compile the code; from the third on, passes differ by noise alone.
PASSES = 5

ORDER = {
    "order_id": t.BIGINT,
    "customer_id": t.BIGINT,
    "amount": t.BIGINT,
    "status": t.STRING,
}
COLUMNS = ", ".join(f"{name} {type.spark()}" for name, type in ORDER.items())

# A number and the text at the record's end: the fields between are passed over.
FEW = ("order_id", "status")

SETTINGS = {"spark.master": "local[1]", "spark.driver.memory": "2g"}

MESSAGE = """
syntax = "proto3";
message Order { int64 order_id = 1; int64 customer_id = 2; int64 amount = 3; string status = 4; }
"""

_ROW = (
    "id AS order_id",
    "id * 7919 % 100000 AS customer_id",
    "id % 100 AS amount",
    "element_at(array('CREATED', 'PAID', 'SHIPPED'), int(id % 3) + 1) AS status",
    "1L AS __weight",
)

FORMATS = ("json", "csv", "avro", "avro-confluent", "protobuf")

Work = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Rivals:
    """Spark's own way from bytes to the struct of a row, and from the struct `row` to bytes; None where it has none."""

    decode: str | None = None
    encode: str | None = None


def rivals() -> Mapping[str, Rivals]:
    avro = json.dumps(derived_schema(t.row(**ORDER), legacy=True))
    return {
        "json": Rivals(f"from_json(cast(value AS string), '{COLUMNS}')", "to_json(row)"),
        "csv": Rivals(f"from_csv(cast(value AS string), '{COLUMNS}')", "to_csv(row)"),
        "avro": Rivals(f"from_avro(value, '{avro}', map())", f"to_avro(row, '{avro}')"),
    }


@contextmanager
def needs_of(format: str) -> Iterator[dict[str, str]]:
    """The options without which the format does not work, and what they name: a registry, descriptors."""
    with tempfile.TemporaryDirectory() as folder:
        if format == "protobuf":
            yield {"message-class-name": "Order", "descriptor-file": _descriptors(Path(folder))}
        elif format == "avro-confluent":
            with SchemaRegistryService(Path(folder)) as registry:
                yield {"url": registry.url, "subject": "orders-value"}
        else:
            yield {}


def _descriptors(folder: Path) -> str:
    protoc = folder / "protoc"
    protoc.write_bytes(ensure("protoc")[0].read_bytes())
    protoc.chmod(0o755)
    (folder / "order.proto").write_text(MESSAGE, encoding="utf-8")
    command = [str(protoc), "--descriptor_set_out=order.desc", "order.proto"]
    subprocess.run(command, cwd=folder, check=True)
    return str(folder / "order.desc")


def use_of(format: str, options: Mapping[str, str]) -> FormatUse:
    chosen = format_named(format)
    parsed = parse_options(chosen.declared, options, owner=f"format '{format}'")
    return FormatUse(chosen, parsed, tuple((name, name, type) for name, type in ORDER.items()))


def rows(spark: Any, count: int) -> Any:
    """The rows to encode, kept in memory."""
    kept = spark.range(count).selectExpr(*_ROW).cache()
    kept.count()
    return kept


def records(of: Any, use: FormatUse) -> Any:
    """The same as Kafka's source gives them: records of the format, their values kept in memory."""
    values = encode(of, key=None, value=use, keep=()).select("value").cache()
    values.count()
    return values.selectExpr(
        "cast(null AS binary) AS key",
        "value",
        "'orders' AS topic",
        "0 AS partition",
        "0L AS offset",
    )


def decoders(format: str, use: FormatUse) -> dict[str, Work]:
    """What runs over the records of a format, by its name in the table."""
    works: dict[str, Work] = {
        "decode": lambda frame: decoded(frame, use, tuple(ORDER)),
        "2 of 4 columns": lambda frame: decoded(frame, use, FEW),
    }
    rival = rivals().get(format, Rivals()).decode
    if rival is not None:
        works["Spark"] = lambda frame: frame.selectExpr(f"{rival} AS row").select("row.*")
    return works


def encoders(format: str, use: FormatUse) -> dict[str, Work]:
    works: dict[str, Work] = {
        "encode": lambda frame: encode(frame, key=None, value=use, keep=()).select("value")
    }
    rival = rivals().get(format, Rivals()).encode
    if rival is not None:
        struct = f"struct({', '.join(ORDER)}) AS row"
        works["Spark encodes"] = lambda frame: frame.selectExpr(struct).selectExpr(rival)
    return works


def decoded(frame: Any, use: FormatUse, needed: Sequence[str]) -> Any:
    return decode(frame, key=None, value=use, upsert=False, keep=(), needed=needed)


def task_seconds(spark: Any, frame: Any) -> float:
    """CPU-seconds of the tasks that compute every row and column of the frame and drop them."""
    context = spark.sparkContext
    context.setJobGroup("pass", "one pass over the records")
    before = set(context.statusTracker().getJobIdsForGroup("pass"))
    frame.write.format("noop").mode("overwrite").save()
    java = context._jsc.sc()
    # Counters reach the store with the events of the ended tasks.
    java.listenerBus().waitUntilEmpty()
    jobs = set(context.statusTracker().getJobIdsForGroup("pass")) - before
    stages = [stage for job in jobs for stage in context.statusTracker().getJobInfo(job).stageIds]
    nanos = sum(java.statusStore().lastStageAttempt(stage).executorCpuTime() for stage in stages)
    return float(nanos) / 1e9


def rates(spark: Any, format: str, count: int, passes: int) -> dict[str, int]:
    """Records a second on one core, by contender."""
    with needs_of(format) as options:
        use = use_of(format, options)
        given = rows(spark, count)
        # Before the records are in memory: Spark would take what is encoded from there.
        best = best_seconds(spark, encoders(format, use), given, passes)
        best |= best_seconds(spark, decoders(format, use), records(given, use), passes)
    spark.catalog.clearCache()
    return {name: round(count / seconds) for name, seconds in best.items()}


def best_seconds(
    spark: Any, works: Mapping[str, Work], frame: Any, passes: int
) -> dict[str, float]:
    """Passes of all take turns, so that a busy minute hits every one."""
    best = dict.fromkeys(works, float("inf"))
    for _ in range(passes):
        for name, work in works.items():
            best[name] = min(best[name], task_seconds(spark, work(frame)))
    return best


HEADINGS = ("decode", "2 of 4 columns", "Spark", "encode", "Spark encodes")


def table(figures: Mapping[str, Mapping[str, int]]) -> str:
    """Records a second per core, as docs/benchmarks.md has them."""
    heads = ("format", "decode", "decode 2 of 4", "Spark decodes", "encode", "Spark encodes")
    lines = [" | ".join(heads), " | ".join(("---", *["---:"] * len(HEADINGS)))]
    for format, found in figures.items():
        cells = (f"{found[name]:,}" if name in found else "" for name in HEADINGS)
        lines.append(" | ".join((f"`{format}`", *cells)))
    return "\n".join(f"| {line} |" for line in lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.formats", description=__doc__)
    parser.add_argument("--records", type=int, default=RECORDS)
    parser.add_argument("--passes", type=int, default=PASSES)
    parser.add_argument("--formats", nargs="+", choices=FORMATS, default=FORMATS)
    chosen = parser.parse_args(arguments)
    spark = spark_session(SETTINGS)
    try:
        figures = {
            format: rates(spark, format, chosen.records, chosen.passes) for format in chosen.formats
        }
        keep(
            ({"format": format, **found} for format, found in figures.items()),
            ("format",),
            RESULTS / "formats.json",
        )
        print(table(figures))
    finally:
        spark.stop()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
