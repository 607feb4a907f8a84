"""The one Spark application of a worker: started when the first connector needs it, shared by all, stopped with the worker.

A task asks for `session(context.worker)` in its own thread and keeps what must outlast it, such as a checkpoint, below
`state_folder(context.worker, context.name)`. Settings of the worker that begin with `spark.` are Spark's.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headrace.runtime.session import spark_session
from headrace.toolchain.paths import home_folder

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

STATE_FOLDER = "headrace.state.dir"

DEFAULTS: Mapping[str, str] = {
    "spark.app.name": "headrace-connect",
    # Connectors work side by side: a long snapshot of one must not keep the small batches of the others waiting.
    "spark.scheduler.mode": "FAIR",
    # Connect's times are in UTC, whatever the machine's are.
    "spark.sql.session.timeZone": "UTC",
}

_lock = threading.Lock()
_started: list[SparkSession] = []


def session(worker: Mapping[str, str], pool: str = "default") -> SparkSession:
    """A session with settings of its own, active in the calling thread; `pool`, say a connector's name, has its fair share
    of the cores."""
    own = _application(worker).newSession()
    jvm: Any = own._jvm
    jvm.org.apache.spark.sql.classic.SparkSession.setActiveSession(own._jsparkSession)
    own.conf.set("spark.sql.session.timeZone", DEFAULTS["spark.sql.session.timeZone"])
    own.sparkContext.setLocalProperty("spark.scheduler.pool", pool)
    return own


def _application(worker: Mapping[str, str]) -> SparkSession:
    from pyspark.sql import SparkSession

    with _lock:
        if _started and _started[0].sparkContext._jsc is not None:
            return _started[0]
        running = SparkSession._instantiatedSession
        if running is not None and running.sparkContext._jsc is not None:
            return running
        given = {name: text for name, text in worker.items() if name.startswith("spark.")}
        _started[:] = [spark_session({**DEFAULTS, **given})]
        return _started[0]


def stop() -> None:
    """Ends the application, unless somebody else started it."""
    with _lock:
        if _started:
            _started.pop().stop()


def state_folder(worker: Mapping[str, str], connector: str) -> Path:
    """A folder of the connector's own, made here; two names never share one."""
    root = worker.get(STATE_FOLDER)
    group = _readable(worker.get("group.id", "connect-cluster"))
    folder = (Path(root) if root else home_folder("connect")) / group / _readable(connector)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _readable(name: str) -> str:
    """As a name of a file; where characters had to go, a digest tells apart what would now be the same."""
    plain = re.sub(r"[^A-Za-z0-9_-]+", "_", name)[:60]
    digest = hashlib.sha256(name.encode()).hexdigest()[:12]
    return plain if plain == name else f"{plain}-{digest}"
