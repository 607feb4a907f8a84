"""Records the classes that a job loads, so that later ones start faster."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from headrace.errors import EnvironmentFault
from headrace.runtime.session import class_archive
from headrace.services.guard import own
from headrace.services.kafka import KafkaService
from headrace.services.supervisor import telling_line
from headrace.toolchain.class_archive import recording
from headrace.toolchain.coordinates import BROKER_SET, SPARK_SET
from headrace.toolchain.jars import fetch
from headrace.toolchain.java import find_java
from headrace.toolchain.locking import exclusive
from headrace.toolchain.operators import sets_to_compile
from headrace.toolchain.progress import ProgressEvent, Reporter, silent

# Touches what jobs touch: Kafka both ways, decoding and encoding, a join, an aggregate with DISTINCT, state.
_SCRIPT = """
SET 'spark.driver.extraJavaOptions' = '{options}';
CREATE TABLE made (k BIGINT, v STRING) WITH ('connector' = 'datagen', 'number-of-rows' = '1000',
  'fields.k.min' = '1', 'fields.k.max' = '100', 'fields.v.length' = '3');
CREATE TABLE rows_of (k BIGINT, v STRING) WITH ('connector' = 'kafka', 'topic' = 'rows',
  'properties.bootstrap.servers' = '{servers}', 'format' = 'json',
  'scan.startup.mode' = 'earliest-offset', 'scan.bounded.mode' = 'latest-offset');
CREATE TABLE totals (k BIGINT, n BIGINT, d BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'totals', 'properties.bootstrap.servers' = '{servers}',
  'key.format' = 'json', 'value.format' = 'json', 'scan.bounded.mode' = 'latest-offset');
CREATE TABLE joined (k BIGINT, n BIGINT, m BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'joined', 'properties.bootstrap.servers' = '{servers}',
  'key.format' = 'json', 'value.format' = 'json');
INSERT INTO rows_of SELECT k, v FROM made;
INSERT INTO totals SELECT k, COUNT(*), COUNT(DISTINCT v) FROM rows_of GROUP BY k;
INSERT INTO joined SELECT a.k, a.n, b.n FROM totals a JOIN totals b ON a.k = b.k WHERE a.n > 0;
"""


def record_classes(progress: Reporter = silent) -> Path:
    """Returns the archive for the present jars. If it is missing, a job on a broker of its own records it."""
    fetch((SPARK_SET.name, BROKER_SET.name, *sets_to_compile()), progress)
    archive = class_archive(progress)
    java = find_java()
    if not (archive.is_file() or java.base_archive.is_file()):
        raise EnvironmentFault(
            "this Java runtime cannot record classes: it has no archive of its own classes",
            condition="CLASSES_NOT_RECORDED",
            where=str(java.home),
            cure=f"as the owner of that folder, run: {java.executable} -Xshare:dump; without it jobs start slower",
        )
    # A cache that has the archive may be read-only.
    if not archive.is_file():
        with exclusive(archive.parent / "lock"):
            if not archive.is_file():
                _record(archive, progress)
    return archive


def _record(archive: Path, progress: Reporter) -> None:
    draft = archive.with_suffix(".draft")
    draft.unlink(missing_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="headrace-warm-") as folder,
        KafkaService(Path(folder) / "kafka") as broker,
    ):
        progress(ProgressEvent("classes", "running a job to see which it loads", 0, 1))
        code, output = _run(Path(folder), broker.bootstrap_servers, draft)
    # A job that failed early loaded few classes, and its archive would be kept until the jars change.
    if code != 0 or not draft.is_file():
        raise EnvironmentFault(
            "the classes of a job could not be recorded",
            condition="CLASSES_NOT_RECORDED",
            found=telling_line(output).removeprefix("found: "),
            cure="run: headrace doctor; jobs work without the archive, they start slower",
        )
    # Java maps an archive as it is: one that a power cut truncated would end every JVM.
    with draft.open("rb") as written:
        os.fsync(written.fileno())
    draft.replace(archive)
    _forget_old(archive.parent)
    progress(ProgressEvent("classes", str(archive), 1, 1))


def _forget_old(folder: Path) -> None:
    """An archive outlives the jars it was made for; the newest few may belong to clones that are still in use."""
    archives = sorted(folder.glob("*.jsa"), key=lambda file: file.stat().st_mtime_ns, reverse=True)
    for old in archives[KEPT:]:
        old.unlink()


# At about 170 MB each.
KEPT = 3


def _run(folder: Path, servers: str, draft: Path) -> tuple[int, str]:
    """Runs the job, and returns its exit code and output."""
    script = folder / "warm.sql"
    options = shlex.join(recording(draft)).replace("'", "''")
    script.write_text(_SCRIPT.format(options=options, servers=servers), encoding="utf-8")
    environment = {**os.environ, "HEADRACE_HOME": str(folder / "home")}
    # -P: modules in the folder that the user happens to be in are not Python's own.
    command = [sys.executable, "-P", "-m", "headrace.cli.main", "run", str(script)]
    # The JVM writes the archive after Python has ended; it holds the pipe until then.
    with subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        own(process)
        output = process.communicate()[0]
        return process.returncode, output
