"""The API described by itself: an OpenAPI document made from the routes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from headrace.connect.rest.routes import API_VERSION, Route

_ERROR = {
    "type": "object",
    "properties": {"error_code": {"type": "integer"}, "message": {"type": "string"}},
}


def document(routes: Iterable[Route]) -> dict[str, Any]:
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.0.3",
        "info": {"title": "Kafka Connect REST API", "version": API_VERSION},
        "paths": paths,
        "components": {"schemas": {"Error": _ERROR}},
    }


def _operation(route: Route) -> dict[str, Any]:
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    operation: dict[str, Any] = {
        "summary": route.summary,
        "operationId": re.sub(r"\W+", "_", f"{route.method.lower()}{route.path}").strip("_"),
        "parameters": [
            *(_parameter(name, "path") for name in re.findall(r"{(\w+)}", route.path)),
            *(_parameter(name, "query") for name in route.query),
        ],
        "responses": {
            "2XX": {"description": "Done"},
            "default": {"description": "Refused", "content": content},
        },
    }
    if route.path.endswith(("/config", "/validate", "/offsets", "/connectors", "{logger}")) and (
        route.method in ("POST", "PUT", "PATCH")
    ):
        body = {"application/json": {"schema": {"type": "object"}}}
        operation["requestBody"] = {"required": True, "content": body}
    return operation


def _parameter(name: str, place: str) -> dict[str, Any]:
    return {"name": name, "in": place, "required": place == "path", "schema": {"type": "string"}}
