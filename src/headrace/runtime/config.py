"""Session settings: what SET and RESET know. A key either works, or is refused, or is accepted with its reason."""

from __future__ import annotations

import re
import zoneinfo
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from headrace.catalog.options import Option, OptionType, is_secret
from headrace.errors import InvalidOption, Position, nearest
from headrace.plan.plan import PlanSettings

# Divides evenly among 2 to 64 state partitions; more would cost a message per part, group and batch for nothing.
DISTINCT_BUCKETS = 64

SETTINGS: tuple[Option, ...] = (
    Option(
        "pipeline.name",
        OptionType.STRING,
        "Name of the next jobs. With the same name and sinks a changed query is the same job: it goes on with the old "
        "state where that still fits, and is refused where it does not. A renamed job starts afresh.",
    ),
    Option(
        "parallelism.default",
        OptionType.INT,
        "Number of state partitions of a new job (the cores when unset). It is fixed at a job's first start: "
        "Spark cannot re-partition state later.",
    ),
    Option(
        "table.exec.state.ttl",
        OptionType.DURATION,
        "How long state that does not change is kept; 0 keeps it for ever.",
        default="0 ms",
    ),
    Option(
        "table.local-time-zone",
        OptionType.STRING,
        "The session's time zone, by which TIMESTAMP_LTZ is shown and read; 'default' is the machine's.",
        default="default",
    ),
    Option(
        "execution.runtime-mode",
        OptionType.ENUM,
        "With 'batch' only tables that have an end and no updates may be read. The job is the same: one over such tables "
        "ends with the batch answer in either mode.",
        default="streaming",
        choices=("streaming", "batch"),
    ),
    Option(
        "headrace.execution.mode",
        OptionType.ENUM,
        "Whether jobs work in micro-batches, or write each row as soon as it is read; the latter is for jobs without state "
        "from Kafka to Kafka and keeps a core for each partition.",
        default="micro-batch",
        choices=("micro-batch", "real-time"),
    ),
    Option(
        "execution.checkpointing.dir",
        OptionType.STRING,
        "Where checkpoints of jobs are kept (default: HEADRACE_HOME/jobs).",
    ),
    Option(
        "execution.checkpointing.interval",
        OptionType.DURATION,
        "Least time between two micro-batches; 0 starts the next one as soon as there is input. In real-time mode how often "
        "progress is kept, by default once a minute.",
        default="0 ms",
    ),
    Option(
        "table.exec.source.cdc-events-duplicate",
        OptionType.BOOLEAN,
        "Whether tables with a CDC format may hold a change several times; they are then read by their primary key, which "
        "keeps the last row of each.",
        default="false",
    ),
    Option(
        "table.exec.sink.not-null-enforcer",
        OptionType.ENUM,
        "What a NULL bound for a NOT NULL column of a sink does: fails the job, or drops its row.",
        default="ERROR",
        choices=("ERROR", "DROP"),
    ),
    Option(
        "table.exec.sink.upsert-materialize",
        OptionType.ENUM,
        "When rows are kept per key of an upsert sink: AUTO where the query's key is another than the sink's, NONE never, "
        "FORCE always.",
        default="AUTO",
        choices=("AUTO", "NONE", "FORCE"),
    ),
    Option(
        "table.exec.sink.require-on-conflict",
        OptionType.BOOLEAN,
        "Whether an INSERT must say ON CONFLICT where the query's key is another than the sink's; Flink 2.3 asks for it.",
        default="false",
    ),
    Option(
        "table.optimizer.distinct-agg.split.enabled",
        OptionType.ENUM,
        "Whether values under DISTINCT are counted by parts of their hash before the groups, so that a large group is "
        "not one task's alone. 'auto' splits where 'spark.master' is a cluster: on one machine the further shuffle "
        "and its state cost more than they spread.",
        default="auto",
        choices=("auto", "true", "false"),
    ),
    Option(
        "table.optimizer.distinct-agg.split.bucket-num",
        OptionType.INT,
        "How many such parts there are; at least as many as state partitions, or some of those stay idle. A job with "
        "another number is another job.",
        default=str(DISTINCT_BUCKETS),
    ),
    Option(
        "table.exec.sink.type-length-enforcer",
        OptionType.ENUM,
        "What text or bytes of another length than a sink's CHAR, VARCHAR, BINARY or VARBINARY do: pass, are cut "
        "and padded, or fail the job.",
        default="IGNORE",
        choices=("IGNORE", "TRIM_PAD", "ERROR"),
    ),
    Option(
        "table.exec.sink.nested-constraint-enforcer",
        OptionType.ENUM,
        "Whether the two enforcers look into rows and collections too.",
        default="IGNORE",
        choices=("IGNORE", "ROWS", "ROWS_AND_COLLECTIONS"),
    ),
    Option(
        "table.dml-sync",
        OptionType.BOOLEAN,
        "Whether a script waits for each INSERT's job to end before it goes on, unbounded ones too.",
        default="false",
    ),
    Option(
        "security.kerberos.login.principal",
        OptionType.STRING,
        "Who logs in to Kafka where a table says GSSAPI and neither 'properties.sasl.jaas.config' nor 'krb_auth_name'. Taken "
        "when the first job starts Spark, as are the settings beside it.",
    ),
    Option(
        "security.kerberos.login.keytab",
        OptionType.STRING,
        "File with the key of that principal, on every machine that runs tasks.",
    ),
    Option(
        "security.kerberos.login.contexts",
        OptionType.STRING,
        "Names of the logins that are made of both, separated by commas; Kafka's client looks for 'KafkaClient'.",
        default="KafkaClient",
    ),
    Option(
        "security.kerberos.login.conf",
        OptionType.STRING,
        "File that tells where Kerberos is (default: that of KRB5_CONFIG, else /etc/krb5.conf).",
    ),
    Option(
        "security.kerberos.krb5-conf.path",
        OptionType.STRING,
        "The same by Flink's name; counts where both are set.",
    ),
    Option(
        "spark.*",
        OptionType.STRING,
        "Spark's own settings, read when the first job starts Spark (e.g. spark.master).",
    ),
)

# Keys of Flink that scripts carry and that mean nothing here, with the reason told to the user.
NO_EFFECT: dict[str, str] = {
    "table.exec.mini-batch.enabled": "every job already works in micro-batches",
    "table.exec.mini-batch.allow-latency": "every job already works in micro-batches",
    "table.exec.mini-batch.size": "every job already works in micro-batches",
    "sql-client.execution.result-mode": "bounded results are shown as a table, unbounded ones as a changelog",
    "table.exec.sink.upsert-materialize-strategy.type": "rows per key of a sink are always kept in one way",
    "table.exec.sink.upsert-materialize-strategy.adaptive.threshold.low": "rows per key of a sink are always kept in one way",
    "table.exec.sink.upsert-materialize-strategy.adaptive.threshold.high": "rows per key of a sink are always kept in one way",
    "table.exec.source.idle-timeout": "no query that can be run reads event time",
    "state.backend.type": "state is always kept in Spark's RocksDB state store",
    "execution.checkpointing.incremental": "state checkpoints are always incremental",
    "fs.hdfs.hadoop.security.authentication": "nothing is kept in HDFS",
    "execution.checkpointing.mode": "state is always exactly-once; sinks have 'sink.delivery-guarantee'",
}


@dataclass(slots=True)
class Config:
    """Values as text, by key; `notices` collects what the user should be told about accepted keys."""

    values: dict[str, str] = field(default_factory=dict)
    notify: Callable[[str], None] = lambda _: None

    def set(self, key: str, value: str, where: Position | None = None) -> None:
        if key in NO_EFFECT:
            self.notify(f"'{key}' has no effect: {NO_EFFECT[key]}")
            self.values[key] = value
            return
        try:
            option = _declared(key)
            option.parse(value, key)
            if key in CHECKS:
                CHECKS[key](value)
        except InvalidOption as error:
            raise (error.at(where) if where else error) from None
        self.values[key] = value

    def reset(self, key: str | None = None) -> None:
        if key is None:
            self.values.clear()
        else:
            if key not in NO_EFFECT:
                _declared(key)
            self.values.pop(key, None)

    def get(self, key: str) -> Any:
        option = _declared(key)
        text = self.values.get(key, option.default)
        return None if text is None else option.parse(text, key)

    def shown(self) -> dict[str, str]:
        return {k: "******" if is_secret(k) else v for k, v in sorted(self.values.items())}

    def spark_settings(self) -> Mapping[str, str]:
        return {key: value for key, value in self.values.items() if key.startswith("spark.")}

    def plan_settings(self) -> PlanSettings:
        ttl: timedelta = self.get("table.exec.state.ttl")
        return PlanSettings(
            ttl,
            self.get("table.exec.sink.not-null-enforcer"),
            self.get("table.exec.sink.upsert-materialize"),
            self.get("table.exec.sink.require-on-conflict"),
            self._distinct_buckets(),
            length_enforcer=self.get("table.exec.sink.type-length-enforcer"),
            nested_enforcer=self.get("table.exec.sink.nested-constraint-enforcer"),
            events_duplicate=self.get("table.exec.source.cdc-events-duplicate"),
            batch=self.get("execution.runtime-mode") == "batch",
        )

    def _distinct_buckets(self) -> int:
        chosen: str = self.get("table.optimizer.distinct-agg.split.enabled")
        splits = is_cluster(self.values) if chosen == "auto" else chosen == "true"
        buckets: int = self.get("table.optimizer.distinct-agg.split.bucket-num")
        return buckets if splits else 0


# `local-cluster[…]` starts processes for the tasks, as other masters do.
_ONE_PROCESS = re.compile(r"local($|\[)")


def is_cluster(settings: Mapping[str, str]) -> bool:
    """Whether tasks run elsewhere than in this process."""
    return not _ONE_PROCESS.match(settings.get("spark.master", "local"))


def _declared(key: str) -> Option:
    for option in SETTINGS:
        if option.matches(key):
            return option
    names = [option.name for option in SETTINGS] + list(NO_EFFECT)
    close = nearest(key, names)
    raise InvalidOption(
        f"unknown setting '{key}'",
        condition="UNKNOWN_SETTING",
        expected=", ".join(([close] if close else []) + [n for n in names if n != close][:5])
        + ", …",
        cure=f"did you mean '{close}'?" if close else "SET; lists what is set",
    )


def _check_zone(value: str) -> None:
    if value == "default":
        return
    try:
        zoneinfo.ZoneInfo(value)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        raise InvalidOption(
            f"unknown time zone '{value}'",
            expected="a zone such as 'UTC' or 'Europe/Berlin'",
            cure="SET 'table.local-time-zone' = 'UTC'",
        ) from None


def _at_least_one(key: str) -> Callable[[str], None]:
    def check(value: str) -> None:
        if int(value) < 1:
            raise InvalidOption(f"'{key}' must be at least 1", found=value)

    return check


def _check_folder(value: str) -> None:
    if "://" in value.removeprefix("file://"):
        raise InvalidOption(
            "'execution.checkpointing.dir' must be a folder of this machine",
            found=value,
            expected="a path, or file:///path",
        )


CHECKS: dict[str, Callable[[str], None]] = {
    "table.local-time-zone": _check_zone,
    "parallelism.default": _at_least_one("parallelism.default"),
    "table.optimizer.distinct-agg.split.bucket-num": _at_least_one(
        "table.optimizer.distinct-agg.split.bucket-num"
    ),
    "execution.checkpointing.dir": _check_folder,
}
