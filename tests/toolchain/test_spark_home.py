from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest

from headrace.errors import EnvironmentFault
from headrace.toolchain import spark_home


def test_the_jars_of_the_installed_pyspark_are_listed_in_order():
    jars = spark_home.spark_jars()
    assert jars == sorted(jars)
    assert {"ivy", "spark-sql_2.13"} <= {jar.name.rpartition("-")[0] for jar in jars}


def test_the_version_matches_the_jars():
    assert any(
        jar.name == f"spark-sql_2.13-{spark_home.spark_version()}.jar"
        for jar in spark_home.spark_jars()
    )


def test_pyspark_is_not_imported():
    program = "import sys; from headrace.toolchain.spark_home import spark_jars; spark_jars(); print('pyspark' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"


def test_without_pyspark_the_cure_is_the_pip_line(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(EnvironmentFault, match=r"pip install 'headrace\[spark\]'"):
        spark_home.spark_jars_folder()


def test_without_pyspark_there_is_no_version(monkeypatch):
    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    with pytest.raises(EnvironmentFault) as caught:
        spark_home.spark_version()
    assert caught.value.condition == "SPARK_NOT_INSTALLED"
