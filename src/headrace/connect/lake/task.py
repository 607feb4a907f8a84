"""The work of a sink's task: rounds of reading, writing files out of sight, and making them appear."""

from __future__ import annotations

import json
import logging
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from headrace.connect import application
from headrace.connect.clients import converters, kafka_options
from headrace.connect.converters.headers import parse_header_converter
from headrace.connect.converters.registry import parse_converter
from headrace.connect.data.config import invalid
from headrace.connect.dead_letters import DeadLetters
from headrace.connect.errors import ErrorPolicy, Reporter
from headrace.connect.lake.arrivals import Arrivals
from headrace.connect.lake.batch import Batch, BatchReader, Place, bad_records
from headrace.connect.lake.columns import next_schedule, pattern_fault
from headrace.connect.lake.intent import Intent
from headrace.connect.lake.positions import SinkTopics
from headrace.connect.lake.refusals import StoreFault, translated
from headrace.connect.lake.rounds import Rounds
from headrace.connect.lake.routes import Routes
from headrace.connect.lake.settings import Settings
from headrace.connect.plugins import TaskContext
from headrace.connect.transforms.chain import parse_chain
from headrace.connectors.kafka.login_modules import load_login_modules
from headrace.errors import DataError, HeadraceError
from headrace.toolchain.jars import installed

logger = logging.getLogger("headrace.connect")

# Between two looks at where topics end.
_POLL_SECONDS = 0.25

Ranges = dict[Place, tuple[int, int]]


class SchemasMixed(DataError):
    """Records with a schema and without in the same file."""

    condition = "SCHEMAS_MIXED"

    def __init__(self, topic: str, partition: int, offset: int) -> None:
        super().__init__(
            "records with a schema and records without one cannot share a file",
            where=f"topic {topic}, partition {partition}, offset {offset}",
            expected="either kind alone, since schema.compatibility is not NONE",
            cure="set schema.compatibility = NONE, which closes files where the schema changes",
        )


class SinkTask:
    """`store` gives the JVM's word for the store, anew for every round, since credentials expire."""

    def __init__(
        self,
        config: Mapping[str, str],
        context: TaskContext,
        settings: Settings,
        store: Callable[[Settings], dict[str, Any]],
    ) -> None:
        self.context = context
        self.settings = settings
        self.store = store
        self.policy = ErrorPolicy.of(config)
        self.session = application.session(context.worker, context.name)
        load_login_modules(
            self.session, kafka_options(context.worker, config, "consumer"), installed
        )
        fault = pattern_fault(self.session, settings.path_format) if settings.is_timed else None
        if fault is not None:
            raise invalid("path.format", settings.path_format, fault)
        self.folder = application.state_folder(context.worker, context.name)
        self.routes = Routes(self.folder, settings["topics.dir"])
        self.topics = SinkTopics(context.worker, config, context.name)
        self.reporter = self._reporter(config)
        self.arrivals = Arrivals(settings.interval_ms)
        self.reader = self._reader(config)
        self.rounds = Rounds(settings["flush.size"])
        self.reported: dict[Place, int] = {}
        self.schedule_ms = self._next_schedule()

    def _reporter(self, config: Mapping[str, str]) -> Reporter:
        context = self.context
        letters = None
        if self.policy.dead_letters:
            letters = DeadLetters(self.policy, context.name, context.number, context.worker, config)
        whole = {**converters(context.worker, config), **config}
        return Reporter.of(whole, context.name, context.number, letters)

    def _reader(self, config: Mapping[str, str]) -> BatchReader:
        chosen = converters(self.context.worker, config)
        letters = self.policy.tolerates and self.policy.dead_letters is not None
        return BatchReader(
            self.session,
            self.topics.consumer,
            parse_converter(chosen, "key.converter"),
            parse_converter(chosen, "value.converter"),
            parse_header_converter(chosen),
            parse_chain(config),
            self.settings,
            bool(self.settings["report.null.values.to.dlq"] and letters),
            self.arrivals,
        )

    def run(self) -> None:
        group = f"{self.context.name}-{uuid.uuid4()}"
        self.session.sparkContext.setJobGroup(group, f"sink {self.context.name}", True)
        threading.Thread(target=self._cancel, args=(group,), daemon=True).start()
        try:
            self._retrying(self._recover)
            while not self.context.stopping.is_set():
                if not self._retrying(self.round):
                    self.context.stopping.wait(_POLL_SECONDS)
        finally:
            self.topics.close()

    def _cancel(self, group: str) -> None:
        """A task that is told to stop does not end the round it is in: nothing of it shows yet."""
        self.context.stopping.wait()
        self.session.sparkContext.cancelJobGroup(group)

    def _retrying(self, work: Callable[[], Any]) -> Any:
        """A store that is away for a time is waited for, as Connect does, every `retry.backoff.ms`."""
        while True:
            try:
                return work()
            except StoreFault as fault:
                logger.warning("%s: %s", self.context.name, fault.render())
                if self.context.stopping.wait(self.settings["retry.backoff.ms"] / 1000):
                    return None

    def _recover(self) -> None:
        """End what a task before this one had begun."""
        intent = Intent.kept(self.folder)
        if intent is not None:
            self._complete(intent.files)
            left = intent.left(self.topics.committed(list(intent.after)))
            if left:
                self.topics.commit(left)
            Intent.done(self.folder)

    def round(self) -> bool:
        """One look at the topics; whether there was anything to do."""
        places = self.topics.places()
        fresh = [place for place in places if place not in self.rounds.positions]
        if fresh:
            self.rounds.positions.update(self.topics.starts(fresh))
        began = _now()
        scheduled = 0 < self.schedule_ms <= began
        due = scheduled or self.arrivals.overdue(began)
        ranges = self.rounds.ranges(self.topics.ends(places), began, scheduled=due)
        if ranges:
            if self.settings.by_wall_clock:
                self.arrivals.note(ranges, began)
            after = self._write(ranges, at_end=scheduled)
            self.rounds.done(ranges, after, began, _now())
            self.arrivals.moved(self.rounds.positions)
        if scheduled and not self._is_behind(ranges):
            self.schedule_ms = self._next_schedule()
        return bool(ranges)

    def _is_behind(self, ranges: Ranges) -> bool:
        """Whether a scheduled moment has more to write than fitted into the round."""
        return any(self.rounds.positions[place] < until for place, (_, until) in ranges.items())

    def _next_schedule(self) -> int:
        interval = self.settings.schedule_ms
        if interval <= 0:
            return -1
        return next_schedule(self.session, _now(), interval, self.settings["timezone"])

    def _write(self, ranges: Ranges, *, at_end: bool) -> dict[Place, int]:
        batch = self.policy.retrying(lambda: self.reader.read(ranges), self.context.stopping)
        self.context.used_topics({topic for topic, _ in ranges})
        spec = json.dumps(self._spec(batch, at_end))
        reports = [json.loads(text) for text in self._in_jvm("write", batch.frame()._jdf, spec)]
        if any(report["newSchema"] for report in reports):
            uploaded = [file for report in reports for file in report["files"]]
            self._in_jvm("abort", self._store_spec(), json.dumps(uploaded))
            self.reader.forget()
            return self._write(ranges, at_end=at_end)
        after = positions_after(ranges, reports)
        self._tell_failures(batch, ranges, reports)
        files = [file for report in reports for file in report["files"]]
        self._claim_names(reports, files)
        if self.context.stopping.is_set():
            # Another task may be at these offsets already.
            self._in_jvm("abort", self._store_spec(), json.dumps(files))
            return {place: start for place, (start, _) in ranges.items()}
        moved = {place: at for place, at in after.items() if at > ranges[place][0]}
        if files:
            before = {place: ranges[place][0] for place in moved}
            Intent(before, moved, files).keep(self.folder)
            self._complete(files)
        if moved:
            self.topics.commit(moved)
        Intent.done(self.folder)
        self._fail_on(ranges, reports)
        return after

    def _claim_names(self, reports: list[Any], files: list[Any]) -> None:
        try:
            self.routes.claim(reports)
        except HeadraceError:
            self._in_jvm("abort", self._store_spec(), json.dumps(files))
            raise

    def _spec(self, batch: Batch, at_end: bool) -> dict[str, Any]:
        settings = self.settings
        return {
            "flushSize": settings["flush.size"],
            "mostOpen": settings["max.open.files.per.partition"],
            "intervalMillis": settings.interval_ms,
            "onPathChange": settings["rotate.file.on.partition.change"],
            "atEnd": at_end,
            "nowMillis": _now() if settings.by_wall_clock else None,
            "tolerates": self.policy.tolerates,
            "topicsDir": settings["topics.dir"],
            "directoryDelimiter": settings["directory.delim"],
            "fileDelimiter": settings["file.delim"],
            "padding": settings["filename.offset.zero.pad.width"],
            **batch.spec(),
            "store": self.store(settings),
        }

    def _complete(self, files: list[Any]) -> None:
        self._in_jvm("complete", self._store_spec(), json.dumps(files))

    def _store_spec(self) -> str:
        return json.dumps(self.store(self.settings))

    def _in_jvm(self, method: str, *arguments: Any) -> Any:
        from py4j.protocol import Py4JJavaError

        try:
            jvm: Any = self.session._jvm
            return getattr(jvm.headrace.lake.LakeSink, method)(*arguments)
        except Py4JJavaError as failure:
            raise translated(failure) from None

    def _tell_failures(self, batch: Batch, ranges: Ranges, reports: list[Any]) -> None:
        """Log and send away records that failed, each once."""
        if not self.policy.tolerates or not any(report["failures"] for report in reports):
            return
        for failure in bad_records(batch, self.reporter, self.reported):
            self.reporter.report(failure)
        self.reporter.flush()
        self.reported.update({place: until for place, (_, until) in ranges.items()})

    def _fail_on(self, ranges: Ranges, reports: list[Any]) -> None:
        """Where nothing is tolerated, the first record that failed ends the task, with all before it that filled files
        written."""
        for report in reports:
            if report["clash"] is not None:
                place = (report["topic"], report["partition"])
                raise SchemasMixed(*place, report["clash"]["offset"])
        if self.policy.tolerates:
            return
        for report in reports:
            if report["failure"] is not None:
                place, at = (report["topic"], report["partition"]), report["failure"]["offset"]
                batch = self.reader.read({place: (at, at + 1)})
                for failure in bad_records(batch, self.reporter, {}):
                    self.reporter.report(failure)


def positions_after(
    ranges: Mapping[Place, tuple[int, int]], reports: list[Any]
) -> dict[Place, int]:
    """Where each partition goes on: at its first record that is in no file yet. A partition that nobody reports on had
    no records to read."""
    after = {place: until for place, (_, until) in ranges.items()}
    for report in reports:
        place = (report["topic"], report["partition"])
        start, until = ranges[place]
        stops = [
            report[name]["offset"] for name in ("failure", "clash") if report[name] is not None
        ]
        failed = any(report["last"] < offset for offset in stops)
        if report["held"] >= 0:
            after[place] = report["held"]
        elif failed:
            after[place] = max(start, report["next"])
        else:
            after[place] = until
    return after


def _now() -> int:
    return int(time.time() * 1000)
