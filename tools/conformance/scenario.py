"""The requests, in their order: later ones find what earlier ones left."""

from __future__ import annotations

from tools.conformance.bad_input import JSON_TEXTS, PATHS, TYPES
from tools.conformance.options import OPTIONS
from tools.conformance.steps import (
    COPY,
    LINES,
    SINK,
    SOURCE,
    STEPS,
    VALUE_TO_KEY,
    Step,
    states,
    validate,
    wrapped,
)

_MISC = (
    Step("GET", "/"),
    Step("GET", "/health"),
    Step("HEAD", "/connectors"),
    Step("GET", "/connectors/"),
    Step("GET", "/nowhere"),
    Step("GET", "/connectors/none/nowhere"),
    Step("DELETE", "/connectors"),
    Step("POST", "/connectors/none/pause"),
    Step("PUT", "/"),
    Step("OPTIONS", "/connectors/none/status"),
    Step("OPTIONS", "/connectors"),
    Step("GET", "/connectors"),
    Step("GET", "/connectors?expand=nothing"),
)

_UNKNOWN = tuple(
    Step(method, f"/connectors/none{path}", body)
    for method, path, body in (
        ("GET", "", None),
        ("DELETE", "", None),
        ("GET", "/config", None),
        ("PATCH", "/config", {"tasks.max": "2"}),
        ("GET", "/status", None),
        ("GET", "/tasks", None),
        ("GET", "/tasks/0/status", None),
        ("GET", "/tasks/x/status", None),
        ("POST", "/tasks/0/restart", None),
        ("POST", "/restart", None),
        ("POST", "/restart?includeTasks=true", None),
        ("PUT", "/pause", None),
        ("PUT", "/resume", None),
        ("PUT", "/stop", None),
        ("GET", "/topics", None),
        ("PUT", "/topics/reset", None),
        ("GET", "/offsets", None),
        ("PATCH", "/offsets", {"offsets": [{"partition": {"a": 1}, "offset": {"b": 2}}]}),
        ("DELETE", "/offsets", None),
    )
)

_BODIES = (
    Step("POST", "/connectors", "{"),
    Step("POST", "/connectors", ""),
    Step("POST", "/connectors", "[]"),
    Step("POST", "/connectors", LINES),
    Step("POST", "/connectors", {"name": "a", "config": LINES, "extra": 1}),
    Step("POST", "/connectors", {"name": "a", "config": LINES, "initial_state": "odd"}),
    Step("POST", "/connectors", {"name": "a", "config": {**LINES, "deep": {}}}),
    Step("POST", "/connectors", wrapped("a", LINES), headers={"Content-Type": "text/plain"}),
    Step("POST", "/connectors", {"name": "a"}),
    Step("POST", "/connectors", {"config": {**LINES, "topic": ""}}),
    Step("PUT", "/connectors/a/config", "{"),
    Step("PUT", "/connectors/a/config", "[]"),
    Step("PUT", "/connectors/a/config", {}),
)

_INVALID = (
    Step("POST", "/connectors", wrapped("a", {"connector.class": "org.none.Such"}), words=False),
    Step("POST", "/connectors", wrapped("a", {**LINES, "name": "b"})),
    Step("PUT", "/connectors/a/config", {**LINES, "name": "b"}),
    Step("POST", "/connectors", wrapped("a", {**LINES, "tasks.max": "0"})),
    Step("POST", "/connectors", wrapped("a", {**LINES, "tasks.max": "many"})),
    Step("POST", "/connectors", wrapped("a", {k: v for k, v in LINES.items() if k != "topic"})),
    Step("POST", "/connectors", {"name": "null", "config": {**LINES, "topic": None}}),
    Step("DELETE", "/connectors/null"),
    Step(
        "POST", "/connectors", {"name": "a", "config": {**LINES, "tasks.max": None, "other": None}}
    ),
    Step("POST", "/connectors", wrapped("a", {**LINES, "batch.size": "x"})),
    Step("POST", "/connectors", wrapped("a", {**COPY, "topics.regex": "a.*"})),
    Step("POST", "/connectors", wrapped("a", {k: v for k, v in COPY.items() if k != "topics"})),
    Step("POST", "/connectors", wrapped("a", {**LINES, "errors.tolerance": "some"})),
    Step("POST", "/connectors", wrapped("a", {**LINES, "transforms": "x"})),
    Step("POST", "/connectors", wrapped("a", {**LINES, "predicates": "p", "transforms": ""})),
)

_PLUGINS = (
    Step("GET", "/connector-plugins/FileStreamSource/config"),
    Step("GET", f"/connector-plugins/{SINK}/config"),
    Step("GET", f"/connector-plugins/{VALUE_TO_KEY}/config"),
    Step("GET", "/connector-plugins/org.none.Such/config"),
    validate("FileStreamSource", {"name": "a", **LINES}),
    validate("FileStreamSourceConnector", {"name": "a", **STEPS}),
    validate(SINK, {"name": "a", **COPY}),
    validate(SINK, {**COPY, "errors.deadletterqueue.topic.name": "lines"}),
    validate("FileStreamSource", {"connector.class": SOURCE}),
    validate("FileStreamSource", {**LINES, "tasks.max": "x", "batch.size": "y", "unknown": "z"}),
    validate(
        "FileStreamSource", {**STEPS, "transforms.key.fields": "", "transforms.hoist.type": "No"}
    ),
    validate("FileStreamSource", {**STEPS, "transforms.key.predicate": "other"}),
    validate("FileStreamSource", {**LINES, "transforms": "a,a"}),
    validate("FileStreamSource", COPY),
    validate("FileStreamSource", {k: v for k, v in LINES.items() if "converter" not in k}),
    validate(
        "FileStreamSource", {**LINES, "value.converter": "org.none.Such", "header.converter": ""}
    ),
    validate(
        "FileStreamSource", {**LINES, "errors.tolerance": "odd", "tasks.max.enforce": "maybe"}
    ),
    validate("FileStreamSource", {**LINES, "topic.creation.groups": "g"}),
)

_LIFE = (
    Step("POST", "/connectors", wrapped("lines", LINES)),
    states("lines", "RUNNING", "RUNNING"),
    Step("POST", "/connectors", wrapped("lines", LINES)),
    Step("POST", "/connectors", wrapped("lines", {**LINES, "tasks.max": "0"})),
    Step("GET", "/connectors"),
    Step("GET", "/connectors/lines"),
    Step("GET", "/connectors/lines/"),
    Step("GET", "/connectors/lines/config"),
    Step("GET", "/connectors/lines/tasks"),
    Step("GET", "/connectors/lines/tasks/0/status"),
    Step("GET", "/connectors/lines/tasks/7/status"),
    Step("GET", "/connectors?expand=status&expand=info"),
    Step("GET", "/connectors?expand=status"),
    Step("GET", "/connectors/lines/offsets", until=1),
    Step("GET", "/connectors/lines/topics"),
    Step("PUT", "/connectors/lines/config", {**LINES, "tasks.max": 2, "unknown": True}),
    states("lines", "RUNNING", "RUNNING"),
    Step("GET", "/connectors/lines/config"),
    Step("PATCH", "/connectors/lines/config", {"unknown": None, "batch.size": "10"}),
    Step("PATCH", "/connectors/lines/config", {"tasks.max": "x"}),
    Step("PATCH", "/connectors/lines/config", "[]"),
    states("lines", "RUNNING", "RUNNING"),
    Step("POST", "/connectors/lines/restart"),
    states("lines", "RUNNING", "RUNNING"),
    Step("POST", "/connectors/lines/restart?includeTasks=true"),
    states("lines", "RUNNING", "RUNNING"),
    Step("POST", "/connectors/lines/restart?onlyFailed=true"),
    Step("POST", "/connectors/lines/restart?includeTasks=true&onlyFailed=true"),
    Step("POST", "/connectors/lines/tasks/0/restart"),
    Step("POST", "/connectors/lines/tasks/9/restart"),
    states("lines", "RUNNING", "RUNNING"),
    Step("DELETE", "/connectors/lines/offsets"),
    Step("PATCH", "/connectors/lines/offsets", {"offsets": []}),
    Step("PUT", "/connectors/lines/pause"),
    states("lines", "PAUSED", "PAUSED"),
    Step("PUT", "/connectors/lines/pause"),
    Step("DELETE", "/connectors/lines/offsets"),
    Step("PUT", "/connectors/lines/resume"),
    states("lines", "RUNNING", "RUNNING"),
    Step("PUT", "/connectors/lines/stop"),
    states("lines", "STOPPED"),
    Step("GET", "/connectors/lines"),
    Step("GET", "/connectors/lines/tasks"),
    Step("POST", "/connectors/lines/tasks/0/restart"),
)

_FILE = {"filename": "{folder}/in.txt"}
_OFFSETS = (
    Step("GET", "/connectors/lines/offsets"),
    Step("PATCH", "/connectors/lines/offsets", "{"),
    Step("PATCH", "/connectors/lines/offsets", {"other": []}),
    Step("PATCH", "/connectors/lines/offsets", {"offsets": []}),
    Step("PATCH", "/connectors/lines/offsets", {"offsets": [{"partition": _FILE, "offset": {"position": 3}}]}),
    Step("GET", "/connectors/lines/offsets", until=1),
    Step("PATCH", "/connectors/lines/offsets", {"offsets": [{"partition": {"x": 1}, "offset": {"position": 3}}]}),
    Step("PATCH", "/connectors/lines/offsets", {"offsets": [{"partition": _FILE, "offset": {"position": "a"}}]}),
    Step("PATCH", "/connectors/lines/offsets", {"offsets": [{"partition": _FILE, "offset": {"position": -1}}]}),
    Step("PATCH", "/connectors/lines/offsets", {"offsets": [{"offset": {"position": 0}}]}),
    Step("PATCH", "/connectors/lines/offsets", {"offsets": [{"partition": _FILE, "offset": None}]}),
    Step("GET", "/connectors/lines/offsets", until=0),
    Step("DELETE", "/connectors/lines/offsets"),
    Step("PUT", "/connectors/copy/config", COPY),
    states("copy", "RUNNING", "RUNNING"),
    Step("GET", "/connectors/copy/tasks"),
    Step("PUT", "/connectors/copy/stop"),
    states("copy", "STOPPED"),
    *(
        Step("PATCH", "/connectors/copy/offsets", {"offsets": [change]})
        for change in (
            {"partition": {"kafka_topic": "lines", "kafka_partition": 0}, "offset": {"kafka_offset": 1}},
            {"partition": {"kafka_topic": "lines"}, "offset": {"kafka_offset": 1}},
            {"partition": {"kafka_topic": None, "kafka_partition": 0}, "offset": None},
            {"partition": {"kafka_topic": "lines", "kafka_partition": "x"}, "offset": None},
            {"partition": {"kafka_topic": "lines", "kafka_partition": 0}, "offset": {"kafka_offset": "x"}},
            {"partition": {"kafka_topic": "lines", "kafka_partition": 0}, "offset": {"other": 1}},
            {"partition": None, "offset": None},
            {"partition": {"kafka_topic": "lines", "kafka_partition": 0}, "offset": {"kafka_offset": -1}},
            {"partition": {"kafka_topic": "lines", "kafka_partition": 0}, "offset": {"kafka_offset": None}},
            {"partition": {"kafka_topic": "lines", "kafka_partition": -1}, "offset": {"kafka_offset": 1}},
            {"partition": {"kafka_topic": "lines", "kafka_partition": 7}, "offset": {"kafka_offset": 1}},
            {"partition": {"kafka_topic": "none-such", "kafka_partition": 0}, "offset": {"kafka_offset": 1}},
            {"partition": {"kafka_topic": "lines", "kafka_partition": 99999999999}, "offset": None},
            {"partition": {"kafka_topic": "lines", "kafka_partition": 0}, "offset": {"kafka_offset": 1.5}},
        )
    ),
    Step("GET", "/connectors/copy/offsets", until=1),
    Step("DELETE", "/connectors/copy/offsets"),
    Step("GET", "/connectors/copy/offsets", until=0),
)  # fmt: skip

_ENDS = (
    Step("PUT", "/connectors/lines/topics/reset"),
    Step("GET", "/connectors/lines/topics", until={"lines": {"topics": []}}),
    Step("DELETE", "/connectors/lines"),
    Step("DELETE", "/connectors/lines"),
    Step("DELETE", "/connectors/copy"),
    Step("POST", "/connectors", wrapped("still", LINES, initial_state="stopped")),
    states("still", "STOPPED"),
    Step("GET", "/connectors/still"),
    Step("DELETE", "/connectors/still"),
    Step("POST", "/connectors", wrapped("paused", LINES, initial_state="PAUSED")),
    states("paused", "PAUSED"),
    Step("GET", "/connectors/paused/tasks"),
    Step("DELETE", "/connectors/paused"),
    Step("PUT", "/connectors/a%20b.c/config", LINES),
    Step("GET", "/connectors/a%20b.c/config"),
    Step("DELETE", "/connectors/a%20b.c"),
)

_LOGGERS = (
    Step("GET", "/admin/loggers/none.such.logger"),
    Step("PUT", "/admin/loggers/conformance.logger", {"level": "DEBUG"}),
    Step("GET", "/admin/loggers/conformance.logger"),
    Step("PUT", "/admin/loggers/conformance.logger", {"level": "loud"}),
    Step("PUT", "/admin/loggers/conformance.logger", {}),
    Step("PUT", "/admin/loggers/conformance.logger?scope=cluster", {"level": "INFO"}),
    Step("PUT", "/admin/loggers/conformance.logger?scope=odd", {"level": "WARN"}),
)

# A topic of offsets that a source has to itself.
_OWN_OFFSETS = (
    Step("PUT", "/connectors/own/config", {**LINES, "offsets.storage.topic": "own-offsets"}),
    states("own", "RUNNING", "RUNNING"),
    Step("GET", "/connectors/own/offsets", until=1),
    Step("GET", "/connectors/own/config"),
    Step("PUT", "/connectors/own/stop"),
    states("own", "STOPPED"),
    Step("PATCH", "/connectors/own/offsets", {"offsets": [{"partition": _FILE, "offset": {"position": 3}}]}),
    Step("GET", "/connectors/own/offsets", until=1),
    Step("DELETE", "/connectors/own/offsets"),
    Step("GET", "/connectors/own/offsets", until=0),
    Step("PUT", "/connectors/own/config", {**LINES, "offsets.storage.topic": "lines"}),
    Step("GET", "/connectors/own/offsets"),
    Step("DELETE", "/connectors/own"),
)  # fmt: skip

SCENARIO: tuple[Step, ...] = (
    *_MISC, *TYPES, *PATHS, *_UNKNOWN, *_BODIES, *JSON_TEXTS, *_INVALID, *_PLUGINS, *OPTIONS,
    *_LIFE, *_OFFSETS, *_OWN_OFFSETS, *_ENDS, *_LOGGERS,
)  # fmt: skip
