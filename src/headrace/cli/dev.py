"""`headrace dev`: the services of this machine, for development."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

import click

from headrace.cli.output import Output, pass_output
from headrace.errors import EnvironmentFault
from headrace.runtime.warm import record_classes
from headrace.services.ports import holder_of, is_free
from headrace.services.registry import present_services, services, with_secure_kafka
from headrace.services.secure_kafka import SecureKafkaService
from headrace.services.supervisor import Service, ServiceStatus

COLUMNS = ("name", "state", "address", "pid", "started")


@click.group()
def command() -> None:
    """Run Kafka, PostgreSQL, an S3 endpoint, a schema registry and MariaDB on this machine.

    They listen on 127.0.0.1, keep their data below HEADRACE_HOME, and run until `headrace dev down`. The first start
    of a service takes the port on which clients look for it (kafka 9092, postgres 5432, s3 9000, registry 8081,
    mariadb 3306), or any free port if that one is taken. Later starts use the same port again while it is free.

    \b
    Example:
      headrace dev up kafka postgres
    """


@command.command()
@click.argument("names", metavar="[kafka] [postgres] [s3] [registry] [mariadb]", nargs=-1)
@click.option(
    "--secure",
    is_flag=True,
    help="In place of kafka, a broker with TLS, SASL (PLAIN, SCRAM, OAUTHBEARER, Kerberos) and access rules.",
)
@pass_output
def up(output: Output, names: Sequence[str], secure: bool) -> None:
    """Start the named services, all of them but mariadb when none is named.

    A service that runs already is left as it is. The command returns when clients can use them. With --secure it says
    what to put into WITH (…) for every mechanism; passwords and keys are in files that only you can read.

    \b
    Example:
      headrace dev up kafka
      headrace dev up kafka --secure
    """
    wanted = services(with_secure_kafka(names) if secure else names)
    with output.progress() as progress:
        statuses = [service.start(progress) for service in wanted]
    show(output, statuses)
    for service, status in zip(wanted, statuses, strict=True):
        tell_other_port(output, service, status)
    for service in wanted:
        if isinstance(service, SecureKafkaService):
            tell_ways(output, service)


def tell_other_port(output: Output, service: Service, status: ServiceStatus) -> None:
    """Explains to people why a service is not where they expect it."""
    usual = service.preferred_port
    if usual is None or status.pid is None or str(status.address).endswith(f":{usual}"):
        return
    if is_free(usual):
        why = f"an earlier start chose its port; delete {service.folder / 'state.json'} after `headrace dev down` for {usual}"
    else:
        why = f"port {usual} is taken by {holder_of(usual) or 'a process of another user'}"
    output.note(f"{service.name} listens on {status.address}: {why}")


def tell_ways(output: Output, service: SecureKafkaService) -> None:
    """For people, beside the result: what to paste, and where the secrets are."""
    output.note(f"\nexport HEADRACE_CREDENTIALS={service.credentials}")
    output.note(f"export KRB5_CONFIG={service.kdc.configuration}")
    for way in service.ways:
        output.note(f"  {way.as_options()}")


@command.command()
@click.argument("names", metavar="[kafka] [postgres] [s3] [registry] [mariadb]", nargs=-1)
@pass_output
def down(output: Output, names: Sequence[str]) -> None:
    """Stop the named services, all of them when none is named; their data stays, but for s3's.

    \b
    Example:
      headrace dev down
    """
    wanted = present_services(names)
    with output.progress() as progress:
        statuses = [service.stop(progress) for service in reversed(wanted)]
    show(output, statuses[::-1])


@command.command()
@pass_output
def status(output: Output) -> None:
    """Show which services run, where, and since when.

    \b
    Example:
      headrace dev status --output json
    """
    show(output, [service.status() for service in present_services()])


@command.command()
@click.argument("names", metavar="[kafka] [postgres] [s3] [registry] [mariadb]", nargs=-1)
@pass_output
def env(output: Output, names: Sequence[str]) -> None:
    """Print how to reach the services that run, as lines that a shell and --var-file read.

    \b
    kafka     KAFKA_BOOTSTRAP_SERVERS
    postgres  POSTGRES_URL, POSTGRES_JDBC_URL, POSTGRES_HOST, POSTGRES_PORT
    s3        S3_ENDPOINT, S3_BUCKET, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY
    registry  SCHEMA_REGISTRY_URL
    mariadb   MARIADB_JDBC_URL

    With names, only these services, and an error if one of them does not run.

    \b
    Examples:
      eval "$(headrace dev env)"
      headrace run pipeline.sql --var-file <(headrace dev env)
    """
    found = present_services(names)
    running = [service for service in found if service.status().state == "running"]
    missing = [service.name for service in found if service not in running]
    if missing and (names or not running):
        raise EnvironmentFault(
            f"{missing[0]} is not running" if names else "no development service is running",
            condition="SERVICE_NOT_RUNNING",
            cure=f"headrace dev up {missing[0]}",
        )
    variables = {name: value for service in running for name, value in service.variables().items()}
    lines = [f"export {name}={shlex.quote(value)}" for name, value in variables.items()]
    output.document({"variables": variables}, "\n".join(lines))


@command.command()
@pass_output
def warm(output: Output) -> None:
    """Let jobs start faster: record once which classes they load.

    Runs a small job on a broker of its own and keeps Java's archive of the classes in HEADRACE_CACHE (about 150 MB).
    Every later start maps it, until Java or a jar changes.

    \b
    Example:
      headrace dev warm
    """
    with output.progress() as progress:
        archive = record_classes(progress)
    size = f"{archive.stat().st_size / 2**20:.0f} MB"
    output.table("classes", [{"archive": str(archive), "size": size}], ("archive", "size"))


def show(output: Output, statuses: Sequence[ServiceStatus]) -> None:
    output.table("services", [status.to_dict() for status in statuses], COLUMNS)
