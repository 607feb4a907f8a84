"""A sink's configuration: checked as a whole, then read once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from headrace.connect.configdef import ConfigDef
from headrace.connect.lake.options import FORMATS, KEEP_FIELD, PARTITIONER_KINDS

Faults = dict[str, list[str]]

DAY_MS, HOUR_MS = 86_400_000, 3_600_000

_MISSING_CODECS = ("brotli", "lzo")


def faults(definition: ConfigDef, config: Mapping[str, str]) -> Faults:
    """What is wrong with options together; each alone is checked by its declaration."""
    found: Faults = {}

    def say(name: str, fault: str) -> None:
        found.setdefault(name, []).append(fault)

    codec = config.get("parquet.codec", "").strip()
    if codec in _MISSING_CODECS:
        say("parquet.codec", f"{codec} needs libraries that are not part of Spark")
    checked = definition.validate(config)
    if any(value.errors for value in checked.values()):
        return found
    settings = Settings({name: value.value for name, value in checked.items()})
    for name, fault in settings.faults():
        say(name, fault)
    return found


@dataclass(frozen=True, slots=True)
class Settings:
    """Parsed values by option, and what they come to."""

    values: Mapping[str, Any]

    @classmethod
    def of(cls, definition: ConfigDef, config: Mapping[str, str]) -> Settings:
        return cls(definition.defaults(config))

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    @property
    def partitioner(self) -> str:
        return PARTITIONER_KINDS[self["partitioner.class"]]

    @property
    def is_timed(self) -> bool:
        return self.partitioner in ("TimeBased", "Daily", "Hourly")

    @property
    def by_wall_clock(self) -> bool:
        return self.is_timed and self["timestamp.extractor"] == "Wallclock"

    @property
    def schedule_ms(self) -> int:
        return int(self["rotate.schedule.interval.ms"])

    @property
    def interval_ms(self) -> int:
        """Without a time of records there is no span of it, and the option is passed over, as Connect does."""
        return int(self["rotate.interval.ms"]) if self.is_timed else -1

    @property
    def path_format(self) -> str:
        delimiter = self["directory.delim"]
        parts = ["'year'=YYYY", "'month'=MM", "'day'=dd", "'hour'=HH"]
        usual = {"Daily": parts[:3], "Hourly": parts}
        if self.partitioner in usual:
            return str(delimiter.join(usual[self.partitioner]))
        return str(self["path.format"])

    @property
    def duration_ms(self) -> int:
        fixed = {"Daily": DAY_MS, "Hourly": HOUR_MS}
        return fixed.get(self.partitioner, int(self["partition.duration.ms"]))

    @property
    def partition_fields(self) -> list[str]:
        return list(self["partition.field.name"]) if self.partitioner == "Field" else []

    @property
    def dropped_fields(self) -> list[str]:
        """Fields that are left out of files since their folder says them."""
        return [] if self[KEEP_FIELD] else self.partition_fields

    def format(self, part: str) -> str:
        prefix = "" if part == "value" else f"{part}s."
        return FORMATS[self[f"{prefix}format.class"]]

    @property
    def compatibility(self) -> str:
        return str(self["schema.compatibility"])

    @property
    def null_values(self) -> str:
        return str(self["behavior.on.null.values"]).lower()

    def faults(self) -> Sequence[tuple[str, str]]:
        return [*self._time_faults(), *self._other_faults()]

    def _acceleration_faults(self) -> list[tuple[str, str]]:
        """Amazon accelerates buckets by hosts of their own, and no other service has it."""
        if not self.values.get("s3.wan.mode"):
            return []
        if self["store.url"]:
            return [("s3.wan.mode", "s3.wan.mode is Amazon's, and store.url names another service")]
        if self["s3.path.style.access.enabled"]:
            return [("s3.wan.mode", "s3.wan.mode needs s3.path.style.access.enabled = false")]
        return []

    def _time_faults(self) -> list[tuple[str, str]]:
        found = []
        if self.schedule_ms > 0 and not self["timezone"]:
            found.append(("timezone", "timezone must be set for rotate.schedule.interval.ms"))
        if self.is_timed:
            needed = ("locale", "timezone")
            found += [
                (name, f"{name} must be set for this partitioner")
                for name in needed
                if not self[name]
            ]
            if not self.path_format:
                found.append(("path.format", "path.format must be set for this partitioner"))
            if self.duration_ms <= 0:
                found.append(("partition.duration.ms", "partition.duration.ms must be positive"))
        return found

    def _other_faults(self) -> list[tuple[str, str]]:
        found = []
        if self.partitioner == "Field" and not self["partition.field.name"]:
            found.append(
                ("partition.field.name", "partition.field.name must be set for FieldPartitioner")
            )
        if any("." in name for name in self.dropped_fields):
            found.append((KEEP_FIELD, "only fields of the record itself can be left out, not a.b"))
        if self.null_values == "write" and not self["store.kafka.keys"]:
            found.append(
                (
                    "behavior.on.null.values",
                    "write needs store.kafka.keys, since keys are all there is",
                )
            )
        found += self._acceleration_faults()
        gzip = self["s3.compression.type"] == "gzip"
        if gzip and self.format("value") not in ("json", "bytes"):
            found.append(("s3.compression.type", "gzip is for JsonFormat and ByteArrayFormat"))
        return found
