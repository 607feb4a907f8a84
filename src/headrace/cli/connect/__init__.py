"""`headrace connect`: a worker with Kafka Connect's REST API, and verbs that talk to one."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from headrace.cli.connect import verbs
from headrace.cli.output import Output, pass_output
from headrace.cli.scripts import settings as parsed_settings
from headrace.services.extras import require_packages
from headrace.services.ports import HOST, choose_port, holder_of

if TYPE_CHECKING:
    from headrace.connect.rest.server import Server
    from headrace.connect.settings import Settings
    from headrace.connect.worker import Worker


REST_PORT = 8083


@click.group(invoke_without_command=True)
@click.option(
    "--port",
    type=int,
    help="Port of the REST API. Default: 8083, or a free port if that is in use and neither --host nor --config is given.",
)
@click.option("--host", help="Address of the REST API. Default: 127.0.0.1.")
@click.option(
    "--bootstrap-servers",
    metavar="HOST:PORT,…",
    help="Addresses of the Kafka brokers. A new worker needs them here, with -D or in --config.",
)
@click.option("--group-id", help="Group of workers to join. Default: connect-cluster.")
@click.option(
    "--config",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Properties file of a Connect worker, such as connect-distributed.properties.",
)
@click.option(
    "-D",
    "defined",
    multiple=True,
    metavar="KEY=VALUE",
    callback=parsed_settings,
    help="Set a property of the worker. You can repeat it.",
)
@pass_output
@click.pass_context
def command(
    context: click.Context,
    output: Output,
    port: int | None,
    host: str | None,
    bootstrap_servers: str | None,
    group_id: str | None,
    file: Path | None,
    defined: Mapping[str, str],
) -> None:
    """Run a worker with Kafka Connect's REST API, or control one with the commands below.

    Without a command, this starts a worker that runs until you press Ctrl-C. It stores connectors, offsets and
    statuses in the topics connect-configs, connect-offsets and connect-status. The workers of one group share
    these topics: one of them runs the connectors, and another takes over if it fails.

    \b
    Examples:
      headrace connect --bootstrap-servers localhost:9092
      headrace connect apply connectors/*.json
      headrace connect ls
    """
    if context.invoked_subcommand is not None:
        _require_no_option(context, context.invoked_subcommand)
        return
    from headrace.connect.settings import load

    given = dict(defined)
    if bootstrap_servers:
        given["bootstrap.servers"] = bootstrap_servers
    if group_id:
        given["group.id"] = group_id
    if port is not None or host:
        given["listeners"] = f"http://{host or HOST}:{REST_PORT if port is None else port}"
    settings = load(file, given)
    logging.basicConfig(
        level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
    # It tells of every thread that ends, which says nothing to whoever reads the log.
    logging.getLogger("py4j").setLevel(logging.WARNING)
    download(output, settings)
    # Last, since the downloads may take minutes. A worker that was configured has the port of its configuration.
    if file is None and "listeners" not in given:
        given["listeners"] = f"http://{HOST}:{development_port(output)}"
        settings = load(None, given)
    serve(output, settings)


def _require_no_option(context: click.Context, verb: str) -> None:
    """The group's own options start a worker, and would have no effect on a command."""
    for option in context.command.params:
        if context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE:
            raise click.UsageError(
                f"{option.opts[0]} before '{verb}' is for starting a worker. Options of a command follow its name, "
                f"and --url names the worker: headrace connect {verb} --url http://HOST:PORT"
            )


def development_port(output: Output) -> int:
    """Returns Connect's own port, or a free one if that is in use. Workers with a configuration need the right one."""
    chosen = choose_port(None, preferred=REST_PORT)
    if chosen != REST_PORT:
        output.note(
            f"port {REST_PORT} is in use by {holder_of(REST_PORT)}. To reach this worker from another terminal:\n"
            f"export HEADRACE_CONNECT_URL=http://{HOST}:{chosen}"
        )
    return chosen


def download(output: Output, settings: Settings) -> None:
    """Downloads jars before the port is open, so that every client that connects gets an answer."""
    require_packages("headrace connect", "confluent_kafka", extra="connect")
    from headrace.connect.jar_sets import fetch_worker_jars

    with output.progress() as progress:
        fetch_worker_jars(settings.raw, progress)


def serve(output: Output, settings: Settings, until: threading.Event | None = None) -> None:
    """Run a worker until it is interrupted, or `until` is set."""
    from headrace.connect.installed import installed
    from headrace.connect.worker import on_kafka
    from headrace.runtime.interrupts import Interrupts

    ended = until or threading.Event()
    servers = listen(settings)
    try:
        worker = on_kafka(settings, installed(), servers[0].port)
        answer_on(servers, worker, settings)
        with Interrupts() as interrupts:
            interrupts.watch(True)
            worker.start()
            urls = [server.url for server in servers]
            output.document({"urls": urls}, f"Connect API on {', '.join(urls)}")
            # Short enough that Ctrl-C seems immediate.
            while not interrupts.requested() and not ended.wait(0.2):
                pass
        worker.stop()
    finally:
        for server in servers:
            server.stop()


def listen(settings: Settings) -> list[Server]:
    """The listeners, bound, and after them those of /admin: a taken port is told before a broker is asked."""
    from headrace.connect.rest.security import server_context
    from headrace.connect.rest.server import Server

    return [
        Server(listener, server_context(settings) if listener.scheme == "https" else None)
        for listener in [*settings.listeners, *settings.admin_listeners]
    ]


def answer_on(servers: list[Server], worker: Worker, settings: Settings) -> None:
    from headrace.connect.rest.dispatch import Dispatcher
    from headrace.connect.rest.forwarding import send_to
    from headrace.connect.rest.routes import ROUTES
    from headrace.connect.rest.security import client_context, login

    secure = any(server.scheme == "https" for server in servers)
    send, asked = send_to(client_context(settings) if secure else None), login(settings)
    count = len(settings.listeners)
    admin = [route for route in ROUTES if route.path.startswith("/admin")]
    others = [route for route in ROUTES if servers[count:] == [] or route not in admin]
    for server in servers[:count]:
        server.start(Dispatcher(worker, send, others), asked)
    for server in servers[count:]:
        server.start(Dispatcher(worker, send, admin), asked)


for verb in verbs.ALL:
    command.add_command(verb)
