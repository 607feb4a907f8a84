import os
import shlex
import socket
from pathlib import Path
from types import SimpleNamespace

import pytest

from headrace.errors import EnvironmentFault
from headrace.runtime.session import (
    BASE_SETTINGS,
    _all_settings,
    _java_options,
    _started,
    apply_job_settings,
    log_file,
)


class Builder:
    """Gives a session that notes what is asked of it, or fails."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.failure = failure
        self.asked: list[str] = []

    def getOrCreate(self) -> SimpleNamespace:
        if self.failure is not None:
            raise self.failure
        java = SimpleNamespace(streams=lambda: self.asked.append("streams"))
        return SimpleNamespace(_jsparkSession=java)


class Ended:
    """A JVM that ended while it started."""

    process = SimpleNamespace(poll=lambda: 1)

    def context(self) -> None:
        raise RuntimeError("Java ended with exit code 1")


def test_streaming_is_there_for_batches_too():
    """Without it the first query of a session, if it groups constants, finds no state store."""
    builder = Builder()
    _started(builder, None)
    assert builder.asked == ["streams"]


def test_what_keeps_spark_from_starting_is_told(headrace_home):
    with pytest.raises(EnvironmentFault) as caught:
        _started(Builder(RuntimeError("no memory\nat java.lang")), None)
    assert caught.value.condition == "SPARK_NOT_STARTED"
    assert caught.value.summary == "Spark did not start: no memory"
    assert caught.value.found is None


def test_the_error_that_java_printed_is_reported(headrace_home):
    printed = log_file().with_suffix(".err")
    printed.write_text(
        "Exception in thread main\n\tat a.B\nCaused by: no.Such: Exception\n\tat c.D\n"
    )
    with pytest.raises(EnvironmentFault) as caught:
        _started(Builder(), Ended())
    assert caught.value.summary == "Spark did not start: Java ended with exit code 1"
    assert caught.value.found == "Caused by: no.Such: Exception"
    assert str(printed) in caught.value.cure


def test_a_machine_whose_name_cannot_be_resolved_gets_the_line_for_its_hosts_file(headrace_home):
    def cure_of(host: str) -> str:
        error = RuntimeError("An error occurred while calling z:driver")
        text = f"java.net.UnknownHostException: {host}: not known"
        error.java_exception = SimpleNamespace(toString=lambda: text)
        with pytest.raises(EnvironmentFault) as caught:
            _started(Builder(error), None)
        assert caught.value.summary == f"Spark did not start: {text}"
        return caught.value.cure

    own = socket.gethostname()
    assert cure_of(own).endswith(f"/etc/hosts: 127.0.0.1 {own}")
    assert "headrace doctor" in cure_of("namenode.example")
    assert "headrace doctor" in cure_of(f"{own}-2.example")


def test_expired_state_starts_no_batches_of_its_own():
    """State with a time to live makes Spark ask for a batch after every batch."""
    assert BASE_SETTINGS["spark.sql.streaming.noDataMicroBatches.enabled"] == "false"


@pytest.mark.spark
def test_files_of_checkpoints_are_made_and_renamed_without_a_process(spark, tmp_path):
    """Their permissions are those asked for, and a link is still told from a file."""
    hadoop = spark._jvm.org.apache.hadoop.fs
    context = hadoop.FileContext.getFileContext(
        spark._jvm.java.net.URI(tmp_path.as_uri()), spark._jsc.hadoopConfiguration()
    )
    assert context.getDefaultFileSystem().getClass().getName() == "headrace.files.LocalFiles"
    path = hadoop.Path(str(tmp_path / "made"))
    context.mkdir(path, hadoop.permission.FsPermission("750"), False)
    assert (tmp_path / "made").stat().st_mode & 0o777 == 0o750
    (tmp_path / "link").symlink_to(tmp_path / "made")
    statuses = [
        context.getFileLinkStatus(hadoop.Path(str(tmp_path / name))) for name in ("made", "link")
    ]
    assert [status.isSymlink() for status in statuses] == [False, True]


@pytest.mark.parametrize(
    ("parallelism", "zone", "settings"),
    [
        (3, "UTC", {"spark.sql.shuffle.partitions": "3", "spark.sql.session.timeZone": "UTC"}),
        (None, "default", {"spark.sql.shuffle.partitions": "8"}),
    ],
)
def test_settings_of_a_job(parallelism, zone, settings):
    held = {"spark.sql.session.timeZone": "Europe/Berlin"}
    conf = SimpleNamespace(set=held.__setitem__, unset=held.pop)
    spark = SimpleNamespace(conf=conf, sparkContext=SimpleNamespace(defaultParallelism=8))
    apply_job_settings(spark, parallelism=parallelism, time_zone=zone)
    assert held == settings


@pytest.mark.parametrize(
    ("given", "collectors"),
    [
        ("", ["-XX:+UseParallelGC"]),
        ("-Xss2m", ["-XX:+UseParallelGC"]),
        ("-XX:+UseZGC", ["-XX:+UseZGC"]),
    ],
)
def test_a_collector_for_throughput_unless_the_user_names_one(headrace_home, given, collectors):
    options = _java_options({"spark.driver.extraJavaOptions": given}, [])
    words = options["spark.driver.extraJavaOptions"].split()
    assert [word for word in words if word.endswith("GC")] == collectors
    assert set(given.split()) <= set(words)


@pytest.mark.parametrize(
    ("given", "mapped"), [("", True), ("-XX:ArchiveClassesAtExit=a.jsa", False)]
)
def test_recorded_classes_are_used_unless_the_user_has_an_archive(headrace_home, given, mapped):
    archive = "-XX:SharedArchiveFile=b.jsa"
    options = _java_options({"spark.driver.extraJavaOptions": given}, [archive])
    assert (archive in options["spark.driver.extraJavaOptions"].split()) == mapped


@pytest.mark.parametrize(
    ("variable", "given", "told"),
    [
        ("/etc/own.conf", "", ["-Djava.security.krb5.conf=/etc/own.conf"]),
        ("/etc/own.conf", "-Djava.security.krb5.conf=/x", ["-Djava.security.krb5.conf=/x"]),
        ("", "", []),
    ],
)
def test_java_is_told_where_the_configuration_of_kerberos_is(monkeypatch, variable, given, told):
    monkeypatch.setenv("KRB5_CONFIG", variable)
    options = _java_options({"spark.driver.extraJavaOptions": given}, [])
    words = options["spark.driver.extraJavaOptions"].split()
    assert [word for word in words if "krb5" in word] == told


def test_a_home_with_a_blank_in_its_name_stays_one_option(monkeypatch, tmp_path):
    monkeypatch.setenv("HEADRACE_HOME", str(tmp_path / "my home"))
    options = _java_options({}, ["-XX:SharedArchiveFile=/my cache/b.jsa"])
    words = shlex.split(options["spark.driver.extraJavaOptions"])
    assert f"-Dheadrace.log={log_file()}" in words
    assert "-XX:SharedArchiveFile=/my cache/b.jsa" in words


def test_options_of_java_that_are_given_do_not_take_ours_away():
    given = {"spark.driver.extraJavaOptions": "-Down=1", "spark.driver.memory": "3g"}
    settings = _all_settings(given, [], [])
    words = settings["spark.driver.extraJavaOptions"].split()
    assert words[-1] == "-Down=1"
    assert any(word.startswith("-Dheadrace.log=") for word in words)
    assert settings["spark.driver.memory"] == "3g"
    assert settings["spark.app.name"] == BASE_SETTINGS["spark.app.name"]


JARS = [Path("/ours/a.jar"), Path("/ours/b.jar")]
OURS = list(map(str, JARS))


@pytest.mark.parametrize("master", ["local-cluster[2,1,1024]", "spark://host:7077", "yarn"])
@pytest.mark.parametrize("given", [[], ["/own/c.jar", "/own/d.jar"]])
def test_executors_elsewhere_are_given_our_jars_and_the_users(headrace_home, master, given):
    settings = {"spark.master": master} | ({"spark.jars": ",".join(given)} if given else {})
    assert _all_settings(settings, JARS, "")["spark.jars"].split(",") == [*OURS, *given]


@pytest.mark.parametrize("given", [{}, {"spark.jars": "/own/c.jar"}])
def test_tasks_in_this_process_have_our_jars_from_its_start(headrace_home, given):
    settings = _all_settings(given, JARS, "")
    assert settings.get("spark.jars") == given.get("spark.jars")
    assert settings["spark.driver.extraClassPath"].split(os.pathsep) == OURS


def test_a_class_path_that_is_given_comes_after_ours(headrace_home):
    given = {"spark.driver.extraClassPath": "/own/classes"}
    paths = _all_settings(given, JARS, "")["spark.driver.extraClassPath"].split(os.pathsep)
    assert paths == [*OURS, "/own/classes"]
