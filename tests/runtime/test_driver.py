import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from headrace.errors import InvalidOption
from headrace.runtime import driver
from headrace.runtime.driver import (
    MODULE_OPTIONS,
    DriverProcess,
    command,
    is_plain,
    own_address,
    start,
)
from headrace.services.processes import identity_of
from headrace.testing.topics import eventually
from headrace.toolchain.properties import render
from headrace.toolchain.spark_home import spark_jars_folder

SETTINGS = {"spark.master": "local[2]", "spark.driver.memory": "2g"}


@pytest.mark.parametrize(
    "settings",
    [
        {"spark.master": "spark://host:7077"},
        {"spark.master": "local-cluster[1,1,512]"},
        {"spark.jars": "more.jar"},
        {"spark.jars.packages": "group:name:1"},
        {"spark.files": "table.csv"},
        {"spark.driver.extraLibraryPath": "/opt/native"},
    ],
)
def test_what_spark_applies_itself_is_left_to_its_launcher(settings):
    assert is_plain(SETTINGS, {})
    assert not is_plain(SETTINGS | settings, {})


@pytest.mark.parametrize(
    "variable", ["SPARK_CONF_DIR", "HADOOP_CONF_DIR", "PYSPARK_SUBMIT_ARGS", "PYSPARK_GATEWAY_PORT"]
)
def test_a_set_up_of_the_users_own_is_left_to_the_launcher(variable):
    assert not is_plain(SETTINGS, {variable: "given"})
    assert is_plain(SETTINGS, {variable: ""})


def test_defaults_beside_spark_are_left_to_the_launcher(monkeypatch, tmp_path):
    monkeypatch.setattr(driver, "spark_jars_folder", lambda: tmp_path / "jars")
    assert is_plain(SETTINGS, {})
    (tmp_path / "conf").mkdir()
    assert not is_plain(SETTINGS, {})


def test_spark_on_one_machine_does_not_look_up_its_name():
    assert own_address(SETTINGS, {}) == {"SPARK_LOCAL_IP": "127.0.0.1"}
    assert own_address(SETTINGS | {"spark.ui.enabled": "true"}, {}) == {}
    for name in ("SPARK_LOCAL_IP", "SPARK_LOCAL_HOSTNAME"):
        assert own_address(SETTINGS, {name: "10.0.0.1"}) == {}


def test_the_command_has_memory_options_and_classes_in_spark_s_order():
    given = SETTINGS | {
        "spark.driver.extraClassPath": "ours.jar",
        "spark.driver.extraJavaOptions": "-Da=1 -XX:+UseParallelGC",
    }
    words = command(given, Path("settings"))
    assert words[1] == "-Xmx2g"
    assert words[-4:] == [
        "-cp",
        f"ours.jar:{spark_jars_folder()}/*",
        "headrace.driver.Driver",
        "settings",
    ]
    assert words.index("-Da=1") > words.index(MODULE_OPTIONS[-1]), "a user's option comes last"


def test_settings_and_their_secrets_are_not_on_the_command_line():
    words = command(SETTINGS | {"spark.hadoop.fs.s3a.secret.key": "hidden"}, Path("settings"))
    assert not any("hidden" in word for word in words)


def test_options_with_an_open_quote_are_an_error_that_names_the_setting(tmp_path):
    given = {**SETTINGS, "spark.driver.extraJavaOptions": "-Da='b"}
    with pytest.raises(InvalidOption) as caught:
        command(given, tmp_path)
    assert "spark.driver.extraJavaOptions" in caught.value.summary
    assert caught.value.found == "No closing quotation"


def ended(tmp_path: Path) -> DriverProcess:
    process = subprocess.Popen([sys.executable, "-c", "raise SystemExit(3)"])
    folder = tmp_path / "driver"
    folder.mkdir()
    return DriverProcess(process, folder)


def test_a_java_that_ends_is_not_waited_for(tmp_path):
    with pytest.raises(RuntimeError, match="Java ended with exit code 3"):
        ended(tmp_path).context()
    assert not (tmp_path / "driver").exists()


def test_the_address_is_read_and_its_folder_removed(tmp_path):
    process = ended(tmp_path)
    (process.folder / "address").write_bytes(b"\x00\x00\x1f\x90\x00\x00\x00\x03abc")
    assert process._address() == ("8080", "abc")
    assert not process.folder.exists()
    process.process.wait()


def test_interrupts_are_left_to_python(monkeypatch, tmp_path):
    """What is started is told where to write its address, and does not end with Ctrl-C."""
    program = (
        "import os, signal, sys; from pathlib import Path;"
        "Path(os.environ['_PYSPARK_DRIVER_CONN_INFO_PATH'] + '.seen').write_text("
        "str(signal.getsignal(signal.SIGINT) == signal.SIG_IGN))"
    )
    monkeypatch.setattr(driver, "command", lambda *_: [sys.executable, "-c", program])
    started = start(SETTINGS)
    started.process.communicate()
    folder = started.folder
    assert (folder / "address.seen").read_text() == "True"
    assert (folder / "settings").read_text() == render(SETTINGS)
    # A command that ends without Spark leaves no folder behind.
    del started
    assert not folder.exists()


def test_settings_of_a_start_that_fails_are_deleted(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(InvalidOption):
        start({**SETTINGS, "spark.driver.extraJavaOptions": '"-Dx=1', "spark.secret": "s3cret"})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.spark
@pytest.mark.slow
def test_java_ends_with_a_command_that_ends_before_it_needs_spark(tmp_path):
    program = (
        "from pathlib import Path\n"
        "from headrace.runtime.session import begin_session\n"
        "session = begin_session({'spark.driver.memory': '1g'})\n"
        # Java reads them before it writes its address.
        f"while list(Path({str(tmp_path)!r}).glob('headrace-driver-*/settings')): pass\n"
    )
    # Java inherits standard output, so this waits for both.
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        timeout=120,
        check=True,
    )
    assert done.stdout == b""
    assert list(tmp_path.glob("headrace-driver-*")) == []


@pytest.mark.spark
@pytest.mark.slow
def test_java_ends_when_python_is_killed(tmp_path):
    program = (
        "from headrace.runtime.session import spark_session\n"
        "session = spark_session({'spark.driver.memory': '1g'})\n"
        "session.readStream.format('rate').load().writeStream.format('noop')"
        f".option('checkpointLocation', '{tmp_path / 'checkpoint'}').start()\n"
        "print(session.sparkContext._gateway.proc.pid, flush=True)\n"
        "while True: input()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        env=os.environ | {"HEADRACE_HOME": str(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as python:
        assert python.stdout is not None
        java = identity_of(int(python.stdout.readline()))
        assert java.is_running()
        python.kill()
    eventually(java.is_running, lambda running: not running)


@pytest.mark.spark
def test_packages_are_opened_as_by_spark_s_own_launcher(spark):
    """All of the launcher's, but for the module of vectors, which only machine learning uses."""
    launcher = spark._jvm.org.apache.spark.launcher.JavaModuleOptions.defaultModuleOptions().split()
    assert set(launcher) - set(MODULE_OPTIONS) == {"--add-modules=jdk.incubator.vector"}
    assert set(MODULE_OPTIONS) <= set(launcher)


@pytest.mark.spark
def test_the_session_is_the_one_that_java_started(spark):
    assert spark._jvm.headrace.driver.Driver.context().sc().applicationId() == (
        spark.sparkContext.applicationId
    )


@pytest.mark.spark
def test_jars_can_be_added_while_it_runs(spark):
    """In the thread of a call from Python, as under Spark's launcher."""
    loader = spark._jvm.java.lang.Thread.currentThread().getContextClassLoader()
    # ADD JAR puts another one of the kind in its place.
    assert loader.getClass().getSimpleName().endswith("MutableURLClassLoader")
