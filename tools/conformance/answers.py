"""A worker's answers to the scenario, with all that differs between two runs taken out."""

from __future__ import annotations

import http.client
import json
import re
import time
from collections.abc import Iterable
from email.message import Message
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tools.conformance.steps import Step

FILE = Path(__file__).parents[2] / "tests" / "fixtures" / "connect_answers.json"

# A start of tasks on a busy machine; a wait ends as soon as its condition holds.
_PATIENCE_SECONDS = 90.0

_MOVING = re.compile("conflicting operation|a rebalance is expected")

_CHANGING = {"worker_id", "version", "commit", "kafka_cluster_id", "last_modified", "trace"}

# Prose of our own, and lists of whatever plugins are installed.
_OURS = {"documentation", "recommended_values"}

Answer = dict[str, Any]


Recorded = dict[str, Any]


def keep(recorded: list[Recorded], file: Path = FILE) -> None:
    """Most of what `validate` answers are the same options again and again: each is written once, and named by its number."""
    table: dict[str, int] = {}

    def numbered(one: Recorded) -> Recorded:
        body = one["answer"]["body"]
        if not isinstance(body, dict) or "configs" not in body:
            return one
        texts = [json.dumps(option, ensure_ascii=False) for option in body["configs"]]
        numbers = [table.setdefault(text, len(table)) for text in texts]
        return {**one, "answer": {**one["answer"], "body": {**body, "configs": numbers}}}

    answers = [json.dumps(numbered(one), ensure_ascii=False) for one in recorded]
    options, lines = ",\n".join(table), ",\n".join(answers)
    text = f'{{"options": [\n{options}\n],\n"answers": [\n{lines}\n]}}\n'
    file.write_text(text, encoding="utf-8")


def kept(file: Path = FILE) -> list[Recorded]:
    """What `keep` wrote."""
    found = json.loads(file.read_text(encoding="utf-8"))
    for one in found["answers"]:
        body = one["answer"]["body"]
        if isinstance(body, dict) and "configs" in body:
            body["configs"] = [found["options"][number] for number in body["configs"]]
    answers: list[Recorded] = found["answers"]
    return answers


def ask_all(
    url: str, login: str | None, folder: Path, steps: Iterable[Step]
) -> list[tuple[Step, Answer]]:
    (folder / "in.txt").write_text("one\ntwo\nthree\n", encoding="utf-8")
    return [(step, _settled(url, login, folder, step)) for step in steps]


def _settled(url: str, login: str | None, folder: Path, step: Step) -> Answer:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while True:
        answer = _ask(url, login, folder, step)
        # What Connect answers while tasks move; clients are to try again.
        moving = answer["status"] in (409, 500) and _MOVING.search(str(answer["body"]))
        if (step.until is None or _holds(answer["body"], step.until)) and not moving:
            return answer
        if time.monotonic() > deadline:
            return answer
        time.sleep(0.2)


def _holds(body: Any, until: Any) -> bool:
    if not isinstance(body, dict):
        return False
    if isinstance(until, dict):
        return bool(body == until)
    if isinstance(until, int):
        return len(body.get("offsets", [])) == until
    if "connector" not in body:
        return False
    seen = [body["connector"]["state"], [task["state"] for task in body["tasks"]]]
    return bool(seen == until)


def _ask(url: str, login: str | None, folder: Path, step: Step) -> Answer:
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=_PATIENCE_SECONDS)
    headers = {**step.headers, **({"Authorization": login} if login else {})}
    payload = None if step.payload is None else step.payload.replace("{folder}", str(folder))
    try:
        connection.request(step.method, step.target, payload, headers)
        response = connection.getresponse()
        text = response.read().decode()
    finally:
        connection.close()
    stable = re.sub("location='file:[^']*'", "location='{changes}'", text)
    stable = stable.replace(str(folder), "{folder}")
    if "{folder}" in (step.payload or ""):
        # Its name is as long as it happens to be.
        stable = re.sub(r"column: \d+", "column: {changes}", stable)
    return {
        "status": response.status,
        "headers": _headers(response.headers, url),
        "body": _without_changes(_parsed(stable)),
    }


def _headers(headers: Message, url: str) -> dict[str, str]:
    kept = {}
    if headers.get("Content-Type"):
        kept["Content-Type"] = headers["Content-Type"].partition(";")[0]
    if headers.get("Location"):
        kept["Location"] = headers["Location"].replace(url, "{url}")
    if headers.get("Allow"):
        kept["Allow"] = ",".join(sorted(re.split(r"\s*,\s*", headers["Allow"])))
    return kept


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _without_changes(body: Any) -> Any:
    match body:
        case dict():
            return {
                key: "{changes}"
                if key in _CHANGING and item is not None
                else _without_changes(item)
                for key, item in body.items()
                if key not in _OURS
            }
        case list():
            return [_without_changes(item) for item in body]
        case _:
            return body


def differences(step: Step, theirs: Answer, ours: Answer) -> list[str]:
    """Where our answer is another one, each as a line. Headers that only ours has tell more, and nothing else."""
    headers = {name: ours["headers"].get(name) for name in theirs["headers"]}
    found = [
        f"{part}: {one} there, {other} here"
        for part, one, other in (
            ("status", theirs["status"], ours["status"]),
            ("headers", theirs["headers"], headers),
        )
        if one != other
    ]
    if step.words:
        found += _unlike("body", _comparable(theirs["body"]), _comparable(ours["body"]))
    return [f"{step.method} {step.target} {step.payload or ''}: {one}" for one in found]


# Faults that only ours finds, since its FileStream connectors do less; the compatibility page says so.
_OWN_LIMITS = re.compile(r"a worker has no standard input to read")


def _comparable(body: Any) -> Any:
    if isinstance(body, list):
        return [_definition(one) if isinstance(one, dict) else one for one in body]
    if not isinstance(body, dict):
        return body
    if isinstance(body.get("message"), str):
        return {**body, "message": _without_limits(body["message"])}
    if "configs" not in body:
        return body
    configs = [_option(one) for one in body["configs"]]
    count = sum(len(one["value"]["errors"]) for one in configs)
    return {**body, "configs": configs, "error_count": count}


def _without_limits(message: str) -> str:
    kept = [line for line in message.split("\n") if not _OWN_LIMITS.fullmatch(line)]
    # The line that counts them, and the hint below.
    return re.sub(r"following \d+ error", f"following {len(kept) - 2} error", "\n".join(kept))


def _definition(shown: dict[str, Any]) -> dict[str, Any]:
    """Versions are each worker's own; whether there is one counts."""
    if not str(shown.get("name")).endswith("plugin.version"):
        return shown
    return {**shown, "default_value": shown["default_value"] is not None}


def _option(shown: dict[str, Any]) -> dict[str, Any]:
    definition, value = _definition(shown["definition"] or {}), dict(shown["value"])
    value["errors"] = [error for error in value["errors"] if not _OWN_LIMITS.fullmatch(error)]
    if value["name"].endswith("plugin.version"):
        value["value"] = value["value"] is not None
    return {"definition": definition, "value": value}


def _unlike(place: str, theirs: Any, ours: Any) -> list[str]:
    if isinstance(theirs, dict) and isinstance(ours, dict):
        keys = list(dict.fromkeys([*theirs, *ours]))
        absent = "(absent)"
        pairs = [(f"{place}.{key}", theirs.get(key, absent), ours.get(key, absent)) for key in keys]
    elif isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        pairs = [
            (f"{place}[{at}]", one, other)
            for at, (one, other) in enumerate(zip(theirs, ours, strict=True))
        ]
    else:
        return [] if theirs == ours else [f"{place}: {theirs!r} there, {ours!r} here"]
    return [line for pair in pairs for line in _unlike(*pair)]
