"""The one Spark session of this process: started when the first job needs it, with every setting's reason beside it."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import shlex
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headrace.errors import EnvironmentFault
from headrace.runtime.config import is_cluster
from headrace.runtime.driver import DriverProcess, is_plain, start
from headrace.runtime.java_names import remember_names
from headrace.toolchain.class_archive import archive_file, reading
from headrace.toolchain.jars import ensure
from headrace.toolchain.java import find_java, utf8_locale
from headrace.toolchain.operators import operator_jar
from headrace.toolchain.paths import home_folder
from headrace.toolchain.progress import Reporter, silent
from headrace.toolchain.spark_home import spark_jars

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

STATE_STORE = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"

BASE_SETTINGS: dict[str, str] = {
    "spark.master": "local[*]",
    "spark.app.name": "headrace",
    # A first batch reads all there is; one gigabyte, Spark's default, spills at about a million rows.
    "spark.driver.memory": "2g",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    # Spark's functions name what they cannot do instead of giving NULL, as Flink's do. Where Flink computes otherwise
    # (whole numbers wrap around, …) expressions call the functions that `spark_session` adds.
    "spark.sql.ansi.enabled": "true",
    # Of equal keys of a map the last one counts, as in Flink, and is no error.
    "spark.sql.mapKeyDedupPolicy": "LAST_WIN",
    # Names in Flink SQL differ by case.
    "spark.sql.caseSensitive": "true",
    # Rows in the Java operators carry java.time values, which compare and hash by value.
    "spark.sql.datetime.java8API.enabled": "true",
    # PySpark would tell the JVM the line of Python behind every column, five calls for each that makes one.
    "spark.python.sql.dataFrameDebugging.enabled": "false",
    # TIME columns; Spark 4.1 still asks for consent.
    "spark.sql.timeType.enabled": "true",
    "spark.sql.streaming.stateStore.providerClass": STATE_STORE,
    # Uploads the changes of a batch instead of whole state files.
    "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true",
    # Counting rows costs a look-up for every write.
    "spark.sql.streaming.stateStore.rocksdb.trackTotalNumberOfRows": "false",
    # A process for every file of a checkpoint, as Hadoop has it without its native library, is most of a small batch.
    "spark.hadoop.fs.AbstractFileSystem.file.impl": "headrace.files.LocalFiles",
    # Nothing here emits on the passing of time alone, so an empty batch is only a delay.
    "spark.sql.streaming.noDataMicroBatches.enabled": "false",
}


def spark_session(settings: Mapping[str, str], progress: Reporter = silent) -> SparkSession:
    """The running session, or a new one with `settings` over the defaults; it knows Flink's arithmetic and casts."""
    return begin_session(settings, progress)()


def begin_session(
    settings: Mapping[str, str], progress: Reporter = silent
) -> Callable[[], SparkSession]:
    """Starts Java where none runs yet, and gives the way to the session: PySpark can be read in the meantime."""
    active = _active()
    if active is not None:
        return lambda: _with_functions(active)
    jars = _jars(progress)
    given = _all_settings(settings, jars, reading(_archive_of(jars)))
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ["JAVA_HOME"] = str(find_java().home)
    if _has_java() or not is_plain(given, os.environ):
        # PySpark's launcher gives its JVM the environment of this process.
        os.environ.update(utf8_locale())
        return lambda: _session(given, None)
    printed = log_file().with_suffix(".err")
    # An earlier process with the same id, or a start that failed, may have left one.
    printed.unlink(missing_ok=True)
    with _jvm_errors_to(printed):
        driver = start(given)
    return lambda: _session(given, driver)


def _active() -> SparkSession | None:
    if "pyspark" not in sys.modules:
        return None
    from pyspark.sql import SparkSession

    active = SparkSession.getActiveSession()
    return active if active is not None and active.sparkContext._jsc is not None else None


def _has_java() -> bool:
    pyspark: Any = sys.modules.get("pyspark")
    return pyspark is not None and pyspark.SparkContext._gateway is not None


def _session(settings: Mapping[str, str], driver: DriverProcess | None) -> SparkSession:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder
    for key, value in settings.items():
        builder = builder.config(key, value)
    # PySpark prints every error of the JVM with its whole plan to standard error; ours are told once, and shorter.
    logging.getLogger("SQLQueryContextLogger").disabled = True
    with _jvm_errors_to(log_file().with_suffix(".err")):
        return _with_functions(_started(builder, driver))


def _all_settings(
    settings: Mapping[str, str], jars: Sequence[Path], archive: Sequence[str]
) -> dict[str, str]:
    """Those that are given count; jars and options of Java are added to ours."""
    given = BASE_SETTINGS | dict(settings)
    return given | _class_path(settings, jars) | _java_options(settings, archive)


def _with_functions(session: SparkSession) -> SparkSession:
    jvm: Any = session._jvm
    remember_names(jvm)
    jvm.headrace.functions.FlinkFunctions.register(session._jsparkSession)
    return session


def _started(builder: SparkSession.Builder, driver: DriverProcess | None) -> SparkSession:
    try:
        if driver is not None:
            driver.context()
        session = builder.getOrCreate()
        # A query over constants runs as a batch, whose operators look for what streaming starts only when it is asked for.
        session._jsparkSession.streams()
        return session
    except Exception as error:
        printed = log_file().with_suffix(".err")
        ended = driver is not None and driver.process.poll() is not None
        what, found = _shown(error), _last_thrown(printed) if ended else None
        # Java asks for the address of the machine's own name.
        host = re.escape(socket.gethostname())
        unresolved = re.search(rf"UnknownHostException: {host}(?![\w.-])", f"{what} {found}")
        raise EnvironmentFault(
            f"Spark did not start: {what}",
            condition="SPARK_NOT_STARTED",
            found=found,
            cure=f"add this machine's name to /etc/hosts: 127.0.0.1 {socket.gethostname()}"
            if unresolved
            else f"read {printed}, then run: headrace doctor",
        ) from error


def _shown(error: Exception) -> str:
    """Returns the first line of the error; py4j's own text does not name what Java threw."""
    thrown = getattr(error, "java_exception", None)
    text = str(error) if thrown is None else str(thrown.toString())
    return text.splitlines()[0] if text else type(error).__name__


def _last_thrown(printed: Path) -> str | None:
    """Returns the exception with which a JVM ended."""
    lines = printed.read_text(encoding="utf-8", errors="replace").splitlines()
    found = [line for line in lines if line.startswith(("Caused by: ", "Exception in thread "))]
    return found[-1] if found else None


def _jars(progress: Reporter) -> list[Path]:
    """Those that Spark is given beside its own."""
    return [operator_jar(progress), *ensure("spark", progress)]


def _class_path(settings: Mapping[str, str], jars: Sequence[Path]) -> dict[str, str]:
    """Ours beside the user's. The driver has them from its start; executors, wherever they are, fetch them from the driver."""
    own = [str(jar) for jar in jars]
    driver = filter(None, (*own, settings.get("spark.driver.extraClassPath")))
    paths = {"spark.driver.extraClassPath": os.pathsep.join(driver)}
    if is_cluster(settings):
        paths["spark.jars"] = ",".join(filter(None, (*own, settings.get("spark.jars"))))
    return paths


def class_archive(progress: Reporter = silent) -> Path:
    """Where the archive of the classes that Spark loads is, or would be, for the present jars."""
    return _archive_of(_jars(progress))


def _archive_of(jars: Sequence[Path]) -> Path:
    return archive_file(find_java(), [*jars, *spark_jars()])


def _java_options(settings: Mapping[str, str], archive: Sequence[str]) -> dict[str, str]:
    config = Path(__file__).with_name("log4j2.properties").as_uri()
    given = settings.get("spark.driver.extraJavaOptions", "")
    options = [f"-Dlog4j2.configurationFile={config}", f"-Dheadrace.log={log_file()}"]
    if not _COLLECTOR.search(given):
        # A batch lives from throughput, not from short pauses: this collector took half the CPU time of Java's default.
        options.append("-XX:+UseParallelGC")
    if "Archive" not in given:
        options += archive
    # Java does not read the variable that all other programs take Kerberos' configuration from.
    kerberos = os.environ.get("KRB5_CONFIG")
    if kerberos and _KERBEROS not in given:
        options.append(f"-D{_KERBEROS}={kerberos}")
    # Quoted as Spark's launcher reads options, since folders may have blanks in their names.
    return {"spark.driver.extraJavaOptions": f"{shlex.join(options)} {given}".strip()}


_KERBEROS = "java.security.krb5.conf"
_COLLECTOR = re.compile(r"-XX:\+Use\w+GC\b")


def log_file() -> Path:
    """Spark's log of this process; the folder is made here, and logs of dead processes older than a week go."""
    folder = home_folder("logs")
    folder.mkdir(parents=True, exist_ok=True)
    week_ago = time.time() - 7 * 24 * 3600
    for old in folder.glob("spark-*"):
        with contextlib.suppress(OSError):
            if old.stat().st_mtime < week_ago:
                old.unlink()
    return folder / f"spark-{os.getpid()}.log"


@contextlib.contextmanager
def _jvm_errors_to(file: Path) -> Iterator[None]:
    """The JVM inherits standard error when it starts; what its launcher prints there is for the log."""
    sys.stderr.flush()
    saved = os.dup(2)
    try:
        with file.open("ab") as target:
            os.dup2(target.fileno(), 2)
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)


def apply_job_settings(spark: SparkSession, *, parallelism: int | None, time_zone: str) -> None:
    """Settings a query captures when it starts."""
    partitions = parallelism or spark.sparkContext.defaultParallelism
    spark.conf.set("spark.sql.shuffle.partitions", str(partitions))
    if time_zone != "default":
        spark.conf.set("spark.sql.session.timeZone", time_zone)
    else:
        spark.conf.unset("spark.sql.session.timeZone")
