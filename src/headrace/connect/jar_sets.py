"""The jars of a worker. It downloads them when it starts, so that no REST request waits for a download."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from headrace.connect.java.process import BUNDLED_PLUGINS
from headrace.connectors.kafka.login_modules import login_sets
from headrace.errors import EnvironmentFault
from headrace.toolchain.coordinates import CONNECT_SET, JDBC_SET, SPARK_SET, jar_set
from headrace.toolchain.jars import fetch, fetch_command, missing
from headrace.toolchain.operators import operator_jar, sets_to_compile
from headrace.toolchain.progress import Reporter, silent

logger = logging.getLogger("headrace.connect")

# The jars of all connectors that come with Headrace; those in Java run on Kafka's own worker.
WORKER_SETS = (SPARK_SET.name, JDBC_SET.name, CONNECT_SET.name, *BUNDLED_PLUGINS)


def fetch_worker_jars(settings: Mapping[str, str], progress: Reporter = silent) -> None:
    """Downloads and compiles what the worker and its connectors need.

    A worker starts as soon as it has the jars that it needs itself, even without a network. It then rejects each
    connector whose jars are missing with the command that downloads them.
    """
    needed = (SPARK_SET.name, *login_sets(settings), *sets_to_compile())
    try:
        fetch((*needed, *WORKER_SETS), progress)
    except EnvironmentFault as error:
        # One file that cannot be downloaded ends the download of all.
        try:
            fetch(needed, progress)
        except EnvironmentFault:
            # The first error names the command that downloads everything.
            raise error from None
        absent = [name for name in WORKER_SETS if missing(jar_set(name))]
        logger.warning(
            "connectors that need the jars of %s are not available; run '%s'. %s",
            ", ".join(absent),
            fetch_command(absent),
            error.render(),
        )
    operator_jar(progress)
