"""The jars of a worker. It downloads them when it starts, so that no REST request waits for a download."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from headrace.connect.java.process import BUNDLED_PLUGINS
from headrace.connectors.kafka.login_modules import login_sets
from headrace.toolchain.coordinates import CONNECT_SET, JDBC_SET, SPARK_SET
from headrace.toolchain.download import DownloadFailed
from headrace.toolchain.jars import fetch, fetch_command
from headrace.toolchain.operators import operator_jar
from headrace.toolchain.progress import Reporter, silent

logger = logging.getLogger("headrace.connect")

# Headrace's own connectors run with these.
OWN_SETS = (SPARK_SET.name, JDBC_SET.name)
# Connectors written in Java run with these.
JAVA_SETS = (CONNECT_SET.name, *BUNDLED_PLUGINS)


def fetch_worker_jars(settings: Mapping[str, str], progress: Reporter = silent) -> None:
    """Downloads and compiles what the worker's connectors need.

    A worker whose machine has only the jars of Headrace's own connectors starts without network. It then rejects
    Java connectors with the command that downloads theirs.
    """
    own = (*OWN_SETS, *login_sets(settings))
    try:
        fetch((*own, *JAVA_SETS), progress)
    except DownloadFailed as error:
        fetch(own, progress)
        logger.warning(
            "connectors written in Java are not available; run '%s'. %s",
            fetch_command(JAVA_SETS),
            error.render(),
        )
    operator_jar(progress)
