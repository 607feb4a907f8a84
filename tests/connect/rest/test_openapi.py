from __future__ import annotations

from openapi_spec_validator import validate

from headrace.connect.rest.openapi import document
from headrace.connect.rest.routes import ROUTES


def test_the_document_is_valid():
    validate(document(ROUTES))


def test_it_is_served(api):
    assert api.ok("GET", "/openapi.json") == document(ROUTES)


def test_every_route_is_there():
    paths = document(ROUTES)["paths"]
    described = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    assert described == {(route.method, route.path) for route in ROUTES}


def test_parameters_are_named():
    operation = document(ROUTES)["paths"]["/connectors/{connector}/restart"]["post"]
    assert [(one["name"], one["in"], one["required"]) for one in operation["parameters"]] == [
        ("connector", "path", True),
        ("includeTasks", "query", False),
        ("onlyFailed", "query", False),
    ]


def test_what_takes_a_body_says_so():
    paths = document(ROUTES)["paths"]
    assert "requestBody" in paths["/connectors"]["post"]
    assert "requestBody" in paths["/connectors/{connector}/offsets"]["patch"]
    assert "requestBody" not in paths["/connectors/{connector}/pause"]["put"]
    assert "requestBody" not in paths["/connectors/{connector}/offsets"]["delete"]


def test_operations_have_names_of_their_own():
    paths = document(ROUTES)["paths"]
    names = [one["operationId"] for methods in paths.values() for one in methods.values()]
    assert len(names) == len(set(names)) == len(ROUTES)
