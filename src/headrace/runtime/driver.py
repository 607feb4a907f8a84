"""The driver's JVM, started without Spark's launcher, which would start another JVM first to work out a command line.

Spark starts in it while Python is still reading PySpark. Where a set-up leaves something to the launcher (a cluster, jars
to fetch, files of Spark's or Hadoop's configuration), PySpark starts the JVM in its own way.
"""

from __future__ import annotations

import os
import shlex
import shutil
import struct
import subprocess
import tempfile
import time
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headrace.errors import InvalidOption
from headrace.runtime.config import is_cluster
from headrace.toolchain.java import find_java, utf8_locale
from headrace.toolchain.properties import render
from headrace.toolchain.spark_home import spark_jars_folder

if TYPE_CHECKING:
    from pyspark import SparkContext

MAIN_CLASS = "headrace.driver.Driver"

# Settings and variables that only Spark's launcher acts on.
_LAUNCHER_SETTINGS = (
    "spark.archives",
    "spark.driver.defaultJavaOptions",
    "spark.driver.extraLibraryPath",
    "spark.files",
    "spark.jars",
    "spark.kerberos",
    "spark.submit",
)
_LAUNCHER_VARIABLES = (
    "HADOOP_CONF_DIR",
    "PYSPARK_GATEWAY_PORT",
    "PYSPARK_SUBMIT_ARGS",
    "SPARK_CONF_DIR",
    "SPARK_HOME",
    "YARN_CONF_DIR",
)

# What Spark and Arrow reach into with reflection, as Spark's launcher opens it.
_OPENED = (
    "java.base/java.lang",
    "java.base/java.lang.invoke",
    "java.base/java.lang.reflect",
    "java.base/java.io",
    "java.base/java.net",
    "java.base/java.nio",
    "java.base/java.util",
    "java.base/java.util.concurrent",
    "java.base/java.util.concurrent.atomic",
    "java.base/jdk.internal.ref",
    "java.base/sun.nio.ch",
    "java.base/sun.nio.cs",
    "java.base/sun.security.action",
    "java.base/sun.util.calendar",
    "java.security.jgss/sun.security.krb5",
)
MODULE_OPTIONS = (
    "-XX:+IgnoreUnrecognizedVMOptions",
    *(f"--add-opens={package}=ALL-UNNAMED" for package in _OPENED),
    "-Djdk.reflect.useDirectMethodHandle=false",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dio.netty.allocator.type=pooled",
    "-Dio.netty.handler.ssl.defaultEndpointVerificationAlgorithm=NONE",
    "--enable-native-access=ALL-UNNAMED",
)

# Users set these variables to choose another address.
_ADDRESS_VARIABLES = ("SPARK_LOCAL_IP", "SPARK_LOCAL_HOSTNAME")

# A check for a file costs nothing beside a JVM's start, to which a pause adds at most this much.
_POLL_SECONDS = 0.02


def is_plain(settings: Mapping[str, str], environment: Mapping[str, str]) -> bool:
    """Whether the launcher has nothing to add to a command line."""
    return not (
        is_cluster(settings)
        or any(name.startswith(_LAUNCHER_SETTINGS) for name in settings)
        or any(environment.get(name) for name in _LAUNCHER_VARIABLES)
        or (spark_jars_folder().parent / "conf").exists()
    )


def own_address(settings: Mapping[str, str], environment: Mapping[str, str]) -> dict[str, str]:
    """Returns the variable that gives Spark its address: the loopback address if it runs on this machine alone.

    Without it Spark looks up the machine's name and does not start if the name cannot be resolved. Spark's web page
    would use the address as well, so it is left out if a user turns the page on.
    """
    has_page = settings.get("spark.ui.enabled", "").lower() == "true"
    if has_page or any(environment.get(name) for name in _ADDRESS_VARIABLES):
        return {}
    return {"SPARK_LOCAL_IP": "127.0.0.1"}


@dataclass(frozen=True, slots=True, weakref_slot=True)
class DriverProcess:
    """A JVM on its way. It ends when its standard input does, at the latest with this process."""

    process: subprocess.Popen[bytes]
    folder: Path

    def context(self) -> SparkContext:
        """Spark's context in that JVM, once both are there."""
        port, secret = self._address()
        os.environ["PYSPARK_GATEWAY_PORT"], os.environ["PYSPARK_GATEWAY_SECRET"] = port, secret
        try:
            return self._connected()
        finally:
            del os.environ["PYSPARK_GATEWAY_PORT"], os.environ["PYSPARK_GATEWAY_SECRET"]

    def _address(self) -> tuple[str, str]:
        """Port and secret, as the JVM writes them when it listens."""
        file = self.folder / _ADDRESS
        try:
            while not file.is_file():
                if self.process.poll() is not None:
                    raise RuntimeError(f"Java ended with exit code {self.process.returncode}")
                time.sleep(_POLL_SECONDS)
            content = file.read_bytes()
        finally:
            shutil.rmtree(self.folder)
        port, length = struct.unpack("!ii", content[:8])
        return str(port), content[8 : 8 + length].decode()

    def _connected(self) -> SparkContext:
        from pyspark import SparkConf, SparkContext, java_gateway

        gateway: Any = java_gateway.launch_gateway()  # type: ignore[no-untyped-call]
        # Kept where PySpark keeps a JVM of its own: it would end with the last reference to its standard input.
        gateway.proc = self.process
        context = gateway.jvm.headrace.driver.Driver.context()
        conf = SparkConf(_jvm=gateway.jvm, _jconf=context.sc().conf())
        return SparkContext(conf=conf, gateway=gateway, jsc=context)


_ADDRESS = "address"

# Ctrl-C is for Python, which ends its jobs and then the JVM. A shell that becomes the JVM sets this, since a function
# between fork and exec (preexec_fn) can deadlock in a process with threads.
_IGNORING_INTERRUPTS = ("/bin/sh", "-c", "trap '' INT; exec \"$@\"", "sh")


def start(settings: Mapping[str, str]) -> DriverProcess:
    folder = Path(tempfile.mkdtemp(prefix="headrace-driver-"))
    try:
        file = folder / "settings"
        file.write_text(render(settings), encoding="utf-8")
        process = subprocess.Popen(
            [*_IGNORING_INTERRUPTS, *command(settings, file)],
            env=os.environ | utf8_locale() | own_address(settings, os.environ) | _variables(folder),
            stdin=subprocess.PIPE,
        )
    except BaseException:
        # The settings may contain secrets.
        shutil.rmtree(folder)
        raise
    driver = DriverProcess(process, folder)
    # A command may end before it needs Spark.
    weakref.finalize(driver, shutil.rmtree, folder, ignore_errors=True)
    return driver


def command(settings: Mapping[str, str], file: Path) -> list[str]:
    classes = [
        settings.get("spark.driver.extraClassPath", ""),
        str(spark_jars_folder() / "*"),
    ]
    return [
        str(find_java().executable),
        f"-Xmx{settings['spark.driver.memory']}",
        *MODULE_OPTIONS,
        *_java_options(settings),
        "-cp",
        os.pathsep.join(filter(None, classes)),
        MAIN_CLASS,
        str(file),
    ]


def _java_options(settings: Mapping[str, str]) -> list[str]:
    """Splits the options as Spark's launcher does."""
    name = "spark.driver.extraJavaOptions"
    try:
        return shlex.split(settings.get(name, ""))
    except ValueError as error:
        raise InvalidOption(
            f"'{name}' cannot be split into options",
            found=str(error),
            cure="close the quote, or write a backslash before it",
        ) from None


def _variables(folder: Path) -> dict[str, str]:
    return {
        "SPARK_HOME": str(spark_jars_folder().parent),
        "_PYSPARK_DRIVER_CONN_INFO_PATH": str(folder / _ADDRESS),
    }
