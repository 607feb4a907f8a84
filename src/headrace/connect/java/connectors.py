"""Connectors that the Java worker keeps: requests about them are passed on, what it says is merged with what ours does.

Our own log knows their names and nothing else, so that every worker knows whom to ask and a new leader starts the
Java worker where there is something to run.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from headrace.connect.answers import Refusal, bad_request
from headrace.connect.herder import Herder, invalid_config
from headrace.connect.java.old_names import modern
from headrace.connect.java.plugins import CONVERTERS, JavaPlugins
from headrace.connect.java.process import Ask, JavaWorker
from headrace.connect.rest.bodies import Config
from headrace.connect.rest.forwarding import as_own
from headrace.connect.rest.messages import Request, Response
from headrace.connect.state import RunState, Status, java_entry
from headrace.connect.topics import Fenced
from headrace.connect.transforms.python import is_python
from headrace.errors import HeadraceError

logger = logging.getLogger("headrace.connect.java")

_CONFIG = "/connectors/{connector}/config"


class JavaConnectors:
    def __init__(self, plugins: JavaPlugins, worker: JavaWorker, herder: Herder) -> None:
        self.plugins = plugins
        self.worker = worker
        self.herder = herder
        self.state = herder.state
        # Names that are announced in the log before the Java worker has them.
        self.coming: set[str] = set()

    def start(self) -> None:
        """What a leader does when it begins."""
        if self.state.java:
            self.worker.begin(self._reconcile)

    def stop(self) -> None:
        self.worker.stop()

    def answer(self, method: str, path: str, request: Request) -> Response | None:
        """The Java worker's answer where the request is for it, None where it is for ours."""
        if path.startswith("/connector-plugins/"):
            return self._about_plugin(method, request)
        if (method, path) == ("POST", "/connectors"):
            return self._create(request)
        name = request.parameters.get("connector")
        if name is None:
            return None
        if (method, path) == ("PUT", _CONFIG):
            return self._put(name, request)
        if name not in self.state.java:
            return None
        if (method, path) == ("PATCH", _CONFIG):
            return self._patch(name, request)
        if (method, path) == ("DELETE", "/connectors/{connector}"):
            return self._deleted(name, request)
        return self._ask(request)

    def expanded(self, request: Request) -> Mapping[str, Any]:
        """Returns the Java connectors of GET /connectors?expand=…

        While the Java worker cannot start, each is FAILED with the reason. Their configurations are then unknown.
        """
        if not self.state.java:
            return {}
        try:
            found: Mapping[str, Any] = self._ask(request).body
        except HeadraceError as error:
            failed = Status(RunState.FAILED, self.herder.runner.worker_id, error.render()).to_json()
            parts = {"connector": failed, "tasks": [], "type": "unknown"}
            wanted = "status" in request.query["expand"]
            return {
                name: {"status": {"name": name, **parts}} if wanted else {}
                for name in self.state.java
            }
        return found

    def listed_plugins(self, request: Request) -> Sequence[Mapping[str, str]]:
        """Plugins beside ours: those it lists, or, before it runs, the connectors that are known without it."""
        found = (
            self.worker.ask(request).body
            if self.worker.runs()
            else [plugin.to_json() for plugin in self.plugins.connectors]
        )
        return [one for one in found if one["class"] not in self.herder.plugins.names]

    def set_level(self, request: Request) -> list[str]:
        """Loggers of the Java worker that have the level now; none where it does not run."""
        if not self.worker.runs():
            return []
        alone = replace(request, query={})
        return list(self.worker.ask(alone).body)

    def _create(self, request: Request) -> Response | None:
        asked = request.content().creation()
        if not self._is_java(asked.config):
            if asked.name in self.state.java:
                raise _exists(asked.name)
            return None
        if asked.name in self.state.configs:
            raise _exists(asked.name)
        body = {"name": asked.name, "config": self._prepared(asked.name, asked.config)}
        if asked.initial_state is not None:
            body["initial_state"] = asked.initial_state
        return self._announced(asked.name, _with_body(request, body))

    def _put(self, name: str, request: Request) -> Response | None:
        config = request.content().config()
        here, there = self._is_ours(config), self._is_java(config)
        if (name in self.state.java and here) or (name in self.state.configs and there):
            raise bad_request(
                f"Connector {name} cannot change to {config['connector.class']}, which another worker runs; "
                "delete it, and recreate it"
            )
        if name not in self.state.java and not there:
            return None
        return self._announced(name, _with_body(request, self._prepared(name, config)))

    def _patch(self, name: str, request: Request) -> Response:
        changes = request.content().config()
        if self._is_ours(changes):
            raise bad_request(f"Connector {name} cannot change to {changes['connector.class']}")
        current = self._ask(Request("GET", request.path)).body
        known = {**current, **changes}
        self._prepared(name, {key: text for key, text in known.items() if text is not None})
        return self._ask(request)

    def _deleted(self, name: str, request: Request) -> Response:
        response = self._ask(request)
        if response.status in (204, 404):
            self.herder.write([java_entry(name, there=False)])
        return response

    def _about_plugin(self, method: str, request: Request) -> Response | None:
        name = request.parameters["pluginName"]
        if name in self.herder.plugins.names:
            return None
        config = request.content().config() if method == "PUT" else {}
        if not (self.plugins.has(name) or self.worker.runs()):
            return None
        self._require_jars({"connector.class": name, **config})
        return self._ask(_with_body(request, self._prepared(name, config)) if config else request)

    def _announced(self, name: str, request: Request) -> Response:
        """The answer to a request that may create the connector. Its name is in the log before it is there, so that
        one that exists is never forgotten."""
        self.herder.require_leader()
        self.worker.begin(self._reconcile)
        new = name not in self.state.java
        self.coming.add(name)
        try:
            if new:
                self.herder.write([java_entry(name, there=True)])
            response = self._ask(request)
        except HeadraceError:
            # The Java worker cannot start, so it never got the request.
            if new:
                self.herder.write([java_entry(name, there=False)])
            raise
        finally:
            self.coming.discard(name)
        if new and response.status >= 400 and response.status != 409:
            self.herder.write([java_entry(name, there=False)])
        return response

    def _ask(self, request: Request) -> Response:
        self.herder.require_leader()
        self.worker.begin(self._reconcile)
        response = as_own(request, self.worker.ask(request))
        return replace(response, body=self._without_secrets(response.body))

    def _prepared(self, name: str, config: Config) -> Config:
        """The configuration as this Debezium takes it, or an error for what the Java worker cannot run."""
        here = [
            f"Invalid value {text} for configuration {name}: {what} are for connectors that run on this worker, "
            "not for those in Java"
            for name, text in config.items()
            if (what := _of_this_worker(name, text or "")) is not None
        ]
        if here:
            raise bad_request(invalid_config(here))
        self._require_jars(config)
        return modern(name, config)

    def _require_jars(self, config: Config) -> None:
        """Raises JARS_NOT_INSTALLED, with the command that downloads what the connector needs.

        The leader runs Java connectors, so other workers do not need the jars.
        """
        self.herder.require_leader()
        given = self._resolved(config)
        # A connector that names no converter gets the worker's.
        converters = {name: self.herder.runner.worker.get(name, "") for name in CONVERTERS}
        self.worker.require_jars(self.plugins.jar_sets({**converters, **given}))

    def _resolved(self, config: Config) -> dict[str, str]:
        """Returns the configuration with the values of its references, which are hidden in traces from now on.

        If a reference leads nowhere, it returns the configuration as it is: the Java worker reports it.
        """
        given = {key: text for key, text in config.items() if text}
        with suppress(HeadraceError):
            return self.herder.providers.resolve(given)
        return given

    def _without_secrets(self, body: Any) -> Any:
        """Traces and messages say what a connector was given; configurations have the references."""
        match body:
            case dict():
                return {
                    key: self.herder.providers.hide(item)
                    if key in ("trace", "message") and isinstance(item, str)
                    else item
                    if key in ("config", "configs")
                    else self._without_secrets(item)
                    for key, item in body.items()
                }
            case list():
                return [self._without_secrets(item) for item in body]
            case _:
                return body

    def _reconcile(self, ask: Ask) -> None:
        """Names in the log that are those of the Java worker, whatever happened when either of us ended."""
        found = ask(Request("GET", "/connectors", {"expand": ["info"]})).body
        for info in found.values():
            self._resolved(info["info"]["config"])
        known = set(self.state.java)
        changes = [java_entry(name, there=True) for name in found if name not in known]
        gone = known - set(found) - self.coming
        changes += [java_entry(name, there=False) for name in sorted(gone)]
        try:
            self.herder.write(changes)
        except (Fenced, Refusal):
            logger.warning("another worker leads; the names of Java connectors are for it to mend")

    def _is_java(self, config: Config) -> bool:
        return not self._is_ours(config) and self.plugins.has(config.get("connector.class") or "")

    def _is_ours(self, config: Config) -> bool:
        return (config.get("connector.class") or "") in self.herder.plugins.names


def _with_body(request: Request, body: Mapping[str, Any]) -> Request:
    return replace(
        request,
        body=json.dumps(body).encode(),
        headers={**request.headers, "content-type": "application/json"},
    )


def _exists(name: str) -> Refusal:
    return Refusal(409, f"Connector {name} already exists")


def _of_this_worker(option: str, text: str) -> str | None:
    """What a Java worker would take no notice of, or fail at."""
    if option.startswith("headrace."):
        return "options of Headrace"
    is_type = option.startswith("transforms.") and option.endswith(".type")
    return "transformations in Python" if is_type and is_python(text) else None
