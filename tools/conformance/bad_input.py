"""Requests that say nothing sensible: other media types, other methods, text that is no JSON."""

from __future__ import annotations

from tools.conformance.steps import LINES, Step, wrapped

_NONE = "/connectors/none"
_TEXT = {"Content-Type": "text/plain"}

TYPES = (
    Step("GET", "/connectors", headers=_TEXT),
    Step("DELETE", _NONE, headers=_TEXT),
    Step("PUT", f"{_NONE}/pause", headers=_TEXT),
    Step("PUT", f"{_NONE}/config", "", headers=_TEXT),
    Step("POST", "/connectors", wrapped("a", LINES), headers={}),
    Step("PATCH", f"{_NONE}/config", "{}", headers={}),
    Step("PATCH", f"{_NONE}/offsets", "{}", headers={}),
    Step("PUT", f"{_NONE}/config", "", headers={}),
    Step("PUT", f"{_NONE}/pause", "x", headers={}),
    Step("PUT", "/admin/loggers/a.b", {"level": "INFO"}, headers={}),
    Step("PUT", f"{_NONE}/config", "{}", headers={"Content-Type": "APPLICATION/JSON; charset=utf-8"}),
    *(
        Step(method, target, headers={"Accept": kinds})
        for method, target, kinds in (
            ("GET", "/connectors", "text/plain"),
            ("GET", "/", "text/html"),
            ("GET", "/connectors", "application/*"),
            ("GET", "/connectors", "text/html,*/*;q=0.1"),
            ("GET", _NONE, "application/xml, application/json"),
            ("GET", _NONE, "garbage"),
            ("DELETE", _NONE, "text/plain"),
            ("GET", "/nowhere", "text/plain"),
        )
    ),
)  # fmt: skip

PATHS = (
    Step("HEAD", "/"),
    Step("HEAD", _NONE),
    Step("HEAD", "/nowhere"),
    Step("GET", "/Connectors"),
    *(Step("OPTIONS", target) for target in ("/", "/nowhere", _NONE, f"{_NONE}/offsets", f"{_NONE}/tasks", f"{_NONE}/config", f"{_NONE}/pause")),
    Step("FOO", "/connectors"),
    *(Step(method, _NONE) for method in ("POST", "PUT", "PATCH")),
    Step("POST", f"{_NONE}/config", {}),
    Step("DELETE", f"{_NONE}/config"),
    Step("PUT", f"{_NONE}/tasks", []),
    Step("POST", f"{_NONE}/tasks", []),
    Step("PUT", f"{_NONE}/fence"),
    Step("GET", f"{_NONE}/tasks/0"),
    Step("GET", f"{_NONE}/restart"),
    Step("PUT", f"{_NONE}/offsets"),
    Step("GET", "/connector-plugins/FileStreamSource"),
    Step("PUT", "/connector-plugins/FileStreamSource/config", LINES),
    *(Step("GET", f"{_NONE}/tasks/{task}/status") for task in ("-1", "99999999999", "1.5", "+1", "%20")),
    Step("POST", f"{_NONE}/restart?includeTasks=maybe&onlyFailed=1"),
    Step("POST", f"{_NONE}/restart?includeTasks"),
    Step("DELETE", f"{_NONE}?forward=false"),
    Step("GET", "/connectors?expand="),
    Step("GET", "/connectors?expand=Status"),
)  # fmt: skip

JSON_TEXTS = (
    *(
        Step("POST", "/connectors", text)
        for text in (
            "null", '"x"', "5", "1.5", "true", "[]", "[1]", "x", "nul", '"abc', "{", ' {"a"', '{"a', '{"a":', '{"a":1',
            '{"a" 1}', '{"a":[1', '{"a":[1 2]}', '{"name":"a",}', "{'a':1}", '{"name":"a" "b"}', '{"name":tru}',
            '{"name":01}', '{"name":-}', '\n\n  {"name":}', "{}", '{"name":"a"}', '{"name":null,"config":null}',
            '{"name":["a"],"config":{}}', '{"name":{"a":1},"config":{}}', '{"name":1,"config":{}}',
            '{"name":"a","config":{}}', '{"name":"a","config":[]}', '{"name":"a","config":"x"}',
            '{"name":"a","config":5}', '{"name":"a","config":true}', '{"name":"a","config":{"x":[]}}',
            '{"name":"a","config":{"x":{"y":1}}}', '{"name":"a","config":{},"extra":1}', '{"extra":{"a":1}}',
            '{"name":"a","config":{},"initial_state":"odd"}', '{"name":"a","config":{},"initial_state":5}',
            '{"name":"a","config":{"name":"b"}}',
        )
    ),
    *(
        Step("PUT", f"{_NONE}/config", text)
        for text in ("null", '"x"', "5", "[]", "{}", '{"a":1} x', '{"a":\n\n{}}', '{"offsets":1}', '{"connector.class":null}')
    ),
    *(Step("PATCH", f"{_NONE}/config", text) for text in ("null", "", "[]")),
    *(
        Step("PATCH", f"{_NONE}/offsets", text)
        for text in (
            "null", "", "5", "[]", '{"x":[]}', '{"offsets":1}', '{"offsets":{}}', '{"offsets":[1]}', '{"offsets":["x"]}',
            '{"offsets":[[]]}', '{"offsets":[{"x":1}]}', '{"offsets":[{"partition":1}]}', '{"offsets":null}',
            '{"offsets":[{"partition":{"a":1},"offset":[]}]}', '{"offsets":[null]}',
        )
    ),
    *(Step("PUT", "/admin/loggers/a.b", text) for text in ("null", "[]", '{"level":{}}', '{"level":1}', '{"level":null}')),
    *(
        Step("PUT", "/connector-plugins/FileStreamSource/config/validate", text)
        for text in ("null", "", "[]", "{}", '{"connector.class":null}')
    ),
)  # fmt: skip
