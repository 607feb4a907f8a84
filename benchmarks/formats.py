"""How fast records are decoded on one core, beside Spark's own `from_json`.

    python -m benchmarks.formats

The rate is of the CPU time that Spark counts for the tasks, which neighbours on the machine disturb little; each
contender runs some times over the same records in memory, and its best pass counts.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from headrace import types as t
from headrace.catalog.options import parse_options
from headrace.formats import FormatUse, format_named
from headrace.formats.codec import decode
from headrace.runtime.session import spark_session

RECORDS = 2_000_000

# The first passes compile the code; from the third on, passes differ by noise alone.
PASSES = 5

ORDER = {
    "order_id": t.BIGINT,
    "customer_id": t.BIGINT,
    "amount": t.BIGINT,
    "status": t.STRING,
}

# A number and the text at the record's end: the fields between are passed over.
FEW = ("order_id", "status")

SETTINGS = {"spark.master": "local[1]", "spark.driver.memory": "2g"}

_RECORD = """
    format_string(
        '{"order_id":%d,"customer_id":%d,"amount":%d,"status":"%s"}',
        id, id * 7919 % 100000, id % 100, element_at(array('CREATED', 'PAID', 'SHIPPED'), int(id % 3) + 1)
    )
"""

Decoding = Callable[[Any], Any]


def records(spark: Any, count: int) -> Any:
    """Records as Kafka's source gives them, their values kept in memory."""
    values = spark.range(count).selectExpr(f"cast({_RECORD} AS binary) AS value").cache()
    values.count()
    return values.selectExpr(
        "cast(null AS binary) AS key",
        "value",
        "'orders' AS topic",
        "0 AS partition",
        "0L AS offset",
    )


def contenders() -> Mapping[str, Decoding]:
    """What runs over the records, by its name in the table."""
    every = tuple(ORDER)
    return {
        "no decoding": lambda frame: frame.select("value"),
        "json, 4 columns": lambda frame: with_headrace(frame, every),
        "json, 2 of 4 columns": lambda frame: with_headrace(frame, FEW),
        "from_json, 4 columns": lambda frame: with_spark(frame, every),
        "from_json, 2 of 4 columns": lambda frame: with_spark(frame, FEW),
    }


def with_headrace(frame: Any, needed: Sequence[str]) -> Any:
    format = format_named("json")
    options = parse_options(format.declared, {}, owner="format 'json'")
    use = FormatUse(format, options, tuple((name, name, type) for name, type in ORDER.items()))
    return decode(frame, key=None, value=use, upsert=False, keep=(), needed=needed)


def with_spark(frame: Any, needed: Sequence[str]) -> Any:
    schema = ", ".join(f"{name} {ORDER[name].spark()}" for name in needed)
    parsed = frame.selectExpr(f"from_json(cast(value AS string), '{schema}') AS fields")
    return parsed.select("fields.*")


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


def rates(spark: Any, count: int, passes: int) -> dict[str, int]:
    """Records a second on one core, by contender. Passes of all take turns, so that a busy minute hits every one."""
    frame = records(spark, count)
    decodings = contenders()
    best = dict.fromkeys(decodings, float("inf"))
    for _ in range(passes):
        for name, decoding in decodings.items():
            best[name] = min(best[name], task_seconds(spark, decoding(frame)))
    return {name: round(count / seconds) for name, seconds in best.items()}


def table(figures: Mapping[str, int]) -> str:
    rows = [f"| {name:25} | {rate:>18,} |" for name, rate in figures.items()]
    return "\n".join(
        (f"| {'decoding':25} | {'records/s per core':>18} |", f"|{'-' * 27}|{'-' * 19}:|", *rows)
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.formats", description=__doc__)
    parser.add_argument("--records", type=int, default=RECORDS)
    parser.add_argument("--passes", type=int, default=PASSES)
    chosen = parser.parse_args(arguments)
    spark = spark_session(SETTINGS)
    try:
        print(table(rates(spark, chosen.records, chosen.passes)))
    finally:
        spark.stop()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
