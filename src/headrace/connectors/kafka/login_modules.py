"""Login modules of vendors: jars that are fetched, and shown to Kafka's client, when a table first needs them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from headrace.toolchain.coordinates import MSK_IAM_SET
from headrace.toolchain.jars import ensure

# By mechanism, the jars whose classes 'sasl.jaas.config' and 'sasl.client.callback.handler.class' name.
JAR_SETS: Mapping[str, str] = {"AWS_MSK_IAM": MSK_IAM_SET.name}


def login_sets(properties: Mapping[str, str]) -> list[str]:
    """Returns the jar sets that the mechanisms in these properties need, whichever client they are for."""
    named = [text for name, text in properties.items() if name.endswith("sasl.mechanism")]
    return sorted({JAR_SETS[mechanism] for mechanism in named if mechanism in JAR_SETS})


def load_login_modules(
    session: Any,
    properties: Mapping[str, str],
    files_of: Callable[[str], list[Path]] = ensure,
) -> None:
    """Shows the JVM the jars that `files_of` returns for each set that the properties need.

    Kafka looks for such classes with the thread's class loader: Spark's, which takes jars while it runs."""
    jars = [jar for name in login_sets(properties) for jar in files_of(name)]
    if not jars:
        return
    jvm = session._jvm
    loader = jvm.java.lang.Thread.currentThread().getContextClassLoader()
    known = {url.toString() for url in loader.getURLs()}
    for jar in jars:
        address = jar.as_uri()
        # Java spells a file's address with one slash.
        if address.replace("file:///", "file:/") not in known:
            loader.addURL(jvm.java.net.URI.create(address).toURL())
            session.sparkContext._jsc.addJar(str(jar))
