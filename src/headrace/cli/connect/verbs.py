"""Verbs that talk to a Connect worker over its REST API, Headrace's or Kafka's own."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import click

from headrace.catalog.options import is_secret
from headrace.cli.output import Output, pass_output

if TYPE_CHECKING:
    from headrace.connect.client import Client

P = ParamSpec("P")
T = TypeVar("T")

FILES = click.Path(path_type=Path, dir_okay=False)

# A group of workers elects its first leader within a few seconds.
PATIENCE_SECONDS = 10.0


def pass_client(
    verb: Callable[Concatenate[Output, Client, P], T],
) -> Callable[..., T]:
    """Give the verb a client of the worker that --url names."""

    @click.option(
        "--url",
        default="http://127.0.0.1:8083",
        show_default=True,
        envvar="HEADRACE_CONNECT_URL",
        help="URL of the worker, which you can also set in the environment variable HEADRACE_CONNECT_URL.",
    )
    @click.option(
        "--login",
        metavar="USER:PASSWORD",
        envvar="HEADRACE_CONNECT_LOGIN",
        help="Login for the worker. Other users of the machine can see a command line: set HEADRACE_CONNECT_LOGIN instead.",
    )
    @functools.wraps(verb)
    def wrapped(output: Output, *arguments: Any, **options: Any) -> T:
        from headrace.connect.client import Client

        client = Client(options.pop("url"), options.pop("login"), patience=PATIENCE_SECONDS)
        return verb(output, client, *arguments, **options)

    return wrapped


@click.command()
@pass_output
@pass_client
def ls(output: Output, client: Client) -> None:
    """List the connectors of a worker with their states.

    \b
    Example:
      headrace connect ls
    """
    found = client.get("/connectors", expand=["status", "info"])
    rows = [_row(name, found[name]) for name in sorted(found)]
    output.table("connectors", rows, ("name", "type", "state", "tasks", "class"))


def _row(name: str, expanded: Mapping[str, Any]) -> dict[str, Any]:
    status = expanded["status"]
    # The worker does not know the configuration of a Java connector while the Java worker cannot start.
    info = expanded.get("info", {"type": status["type"], "config": {}})
    states = [task["state"] for task in status["tasks"]]
    running, failed = states.count("RUNNING"), states.count("FAILED")
    return {
        "name": name,
        "type": info["type"],
        "state": status["connector"]["state"],
        "tasks": f"{running}/{len(states)}" + (f", {failed} failed" if failed else ""),
        "class": info["config"].get("connector.class"),
    }


@click.command()
@click.argument("name")
@pass_output
@pass_client
def status(output: Output, client: Client, name: str) -> None:
    """Show a connector, its tasks and their errors.

    \b
    Example:
      headrace connect status orders-source
    """
    from headrace.connect.client import path

    found = client.get(path(name, "status"))
    parts = [{"part": "connector", **found["connector"]}]
    parts += [{"part": f"task {task['id']}", **task} for task in found["tasks"]]
    if output.is_json:
        output.document(found, "")
        return
    output.table("parts", parts, ("part", "state", "worker_id"))
    for part in parts:
        if part.get("trace"):
            output.document({}, f"\n{part['part']}: {_cause(part['trace'])}")


def _cause(trace: str) -> str:
    """What a trace says before its stack, of which a fault of ours has none."""
    lines = [line for line in trace.splitlines() if line.strip()]
    return "\n".join(takewhile(lambda line: not line.startswith("\t"), lines))


@click.command()
@click.argument("files", type=FILES, nargs=-1, required=True, metavar="FILE...")
@pass_output
@pass_client
def apply(output: Output, client: Client, files: Sequence[Path]) -> None:
    """Create or update connectors from JSON files.

    A file contains {"name": …, "config": {…}}, or only the configuration. If it contains no name, the connector
    is named after the file, without its extension.

    \b
    Example:
      headrace connect apply connectors/*.json
    """
    rows = [_applied(client, file) for file in files]
    output.table("connectors", rows, ("name", "result"))


def _applied(client: Client, file: Path) -> dict[str, str]:
    from headrace.connect.client import path, read_config

    name, wanted = read_config(file)
    running = _running(client, name)
    if running is not None and not _differences(running, wanted):
        return {"name": name, "result": "unchanged"}
    client.call("PUT", path(name, "config"), wanted)
    return {"name": name, "result": "created" if running is None else "updated"}


@click.command()
@click.argument("files", type=FILES, nargs=-1, required=True, metavar="FILE...")
@pass_output
@pass_client
def diff(output: Output, client: Client, files: Sequence[Path]) -> None:
    """Compare JSON files with the running connectors. The exit code is 1 if they differ.

    \b
    Example:
      headrace connect diff connectors/*.json
    """
    from headrace.connect.client import read_config

    rows = []
    for file in files:
        name, wanted = read_config(file)
        rows += [{"name": name, **row} for row in _differences(_running(client, name), wanted)]
    output.table("differences", rows, ("name", "option", "running", "file"))
    if rows:
        raise click.exceptions.Exit(1)
    output.note("no difference")


def _running(client: Client, name: str) -> dict[str, str] | None:
    found: dict[str, str] | None = None
    if name in client.get("/connectors"):
        from headrace.connect.client import path

        found = client.get(path(name, "config"))
    return found


def _differences(
    running: Mapping[str, str] | None, wanted: Mapping[str, Any]
) -> list[dict[str, str | None]]:
    before = running or {}
    texts = {option: _text(value) for option, value in wanted.items()}
    return [
        {
            "option": option,
            "running": _shown(option, before.get(option)),
            "file": _shown(option, texts.get(option)),
        }
        for option in sorted(before.keys() | texts.keys())
        if before.get(option) != texts.get(option)
    ]


def _text(value: Any) -> str | None:
    """As the worker stores it: JSON's numbers and booleans are text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return None if value is None else str(value)


def _shown(option: str, value: str | None) -> str | None:
    # A reference only tells where the value is. Connect also has keys in plain text, under names that end so.
    secret = is_secret(option) or option.lower().endswith(".key")
    return "[hidden]" if value is not None and secret and "${" not in value else value


@click.command()
@click.argument("files", type=FILES, nargs=-1, required=True, metavar="FILE...")
@pass_output
@pass_client
def validate(output: Output, client: Client, files: Sequence[Path]) -> None:
    """Check configurations on the worker without creating connectors. The exit code is 1 if one is wrong.

    \b
    Example:
      headrace connect validate connectors/*.json
    """
    from urllib.parse import quote

    from headrace.connect.client import read_config

    rows = []
    for file in files:
        name, config = read_config(file)
        plugin = quote(str(config.get("connector.class", "none")), safe="")
        verdict = client.call("PUT", f"/connector-plugins/{plugin}/config/validate", config)
        for item in verdict["configs"]:
            value = item["value"]
            rows += [
                {"name": name, "option": value["name"], "error": error} for error in value["errors"]
            ]
    output.table("errors", rows, ("name", "option", "error"))
    if rows:
        raise click.exceptions.Exit(1)
    output.note("no errors")


def _target(word: str, text: str) -> click.Command:
    """A verb that tells connectors to be something."""

    @click.command(word, help=f"{text}\n\n\b\nExample:\n  headrace connect {word} orders-source")
    @click.argument("names", nargs=-1, required=True, metavar="NAME...")
    @pass_output
    @pass_client
    def verb(output: Output, client: Client, names: Sequence[str]) -> None:
        from headrace.connect.client import path

        for name in names:
            client.call("PUT", path(name, word))
        rows = [{"name": name, "requested": word} for name in names]
        output.table("connectors", rows, ("name", "requested"))

    return verb


pause = _target("pause", "Pause connectors. Their tasks stay assigned but move no data.")
resume = _target("resume", "Resume paused or stopped connectors.")
stop = _target("stop", "Stop connectors and their tasks. You can then change their offsets.")


@click.command()
@click.argument("name")
@click.option("--tasks", is_flag=True, help="Restart its tasks as well.")
@click.option("--only-failed", is_flag=True, help="Restart only what has the state FAILED.")
@pass_output
@pass_client
def restart(output: Output, client: Client, name: str, tasks: bool, only_failed: bool) -> None:
    """Restart a connector, and with --tasks its tasks.

    \b
    Example:
      headrace connect restart orders-source --tasks --only-failed
    """
    from headrace.connect.client import path

    query = {"includeTasks": _text(tasks) or "", "onlyFailed": _text(only_failed) or ""}
    found = client.call("POST", path(name, "restart"), query=query)
    parts = [] if found is None else [found["connector"], *found["tasks"]]
    count = sum(part["state"] == "RESTARTING" for part in parts) if parts else 1
    output.table("connectors", [{"name": name, "restarting": count}], ("name", "restarting"))


@click.command()
@click.argument("name")
@click.option("--reset", is_flag=True, help="Delete the offsets. The connector must be stopped.")
@click.option(
    "--alter",
    type=FILES,
    metavar="FILE",
    help="Set the offsets from this JSON file. The connector must be stopped.",
)
@pass_output
@pass_client
def offsets(output: Output, client: Client, name: str, reset: bool, alter: Path | None) -> None:
    """Show, reset or alter the offsets of a connector.

    The file for --alter has the format that this command prints with --output json.

    \b
    Examples:
      headrace connect offsets orders-source
      headrace connect offsets orders-source --reset
    """
    import json

    from headrace.connect.client import path, read_json

    where = path(name, "offsets")
    if reset:
        output.note(client.call("DELETE", where)["message"])
    if alter is not None:
        output.note(client.call("PATCH", where, read_json(alter))["message"])
    found = client.get(where)["offsets"]
    if output.is_json:
        output.document({"offsets": found}, "")
        return
    rows = [{part: json.dumps(one[part]) for part in ("partition", "offset")} for one in found]
    output.table("offsets", rows, ("partition", "offset"))


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@pass_output
@pass_client
def rm(output: Output, client: Client, names: Sequence[str]) -> None:
    """Delete connectors.

    Their offsets are kept: a new connector with the same name continues from them.

    \b
    Example:
      headrace connect rm orders-source
    """
    from headrace.connect.client import path

    for name in names:
        client.call("DELETE", path(name))
    output.table(
        "connectors", [{"name": name, "result": "deleted"} for name in names], ("name", "result")
    )


ALL = (ls, status, apply, diff, validate, pause, resume, stop, restart, offsets, rm)
