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
from headrace.toolchain.coordinates import SETS, SPARK_SET, jar_set
from headrace.toolchain.jars import fetch as fetch_jars
from headrace.toolchain.lock_file import locked_files
from headrace.toolchain.operators import operator_jar, sets_to_compile

COLUMNS = ("name", "state", "address", "pid", "started")


@click.group()
def command() -> None:
    """Start and stop Kafka, PostgreSQL, S3, a schema registry and MariaDB on this machine.

    The services are for development and tests. They listen on 127.0.0.1, store their data under HEADRACE_HOME,
    and run until `headrace dev down`. A service uses its well-known port (kafka 9092, postgres 5432, s3 9000,
    registry 8081, mariadb 3306). If that one is in use, it uses the port of its last start, or any free port.

    \b
    Example:
      headrace dev up kafka postgres
    """


@command.command()
@click.argument("names", metavar="[kafka] [postgres] [s3] [registry] [mariadb]", nargs=-1)
@click.option(
    "--secure",
    is_flag=True,
    help="Start a broker with TLS, SASL (PLAIN, SCRAM, OAUTHBEARER, Kerberos) and ACLs instead of kafka.",
)
@pass_output
def up(output: Output, names: Sequence[str], secure: bool) -> None:
    """Start the named services; without a name, all except mariadb.

    The command returns when the services accept clients. Services that already run are not restarted. With
    --secure the command prints the table options for every login mechanism. Passwords and keys are stored in files that
    only you can read.

    \b
    Examples:
      headrace dev up kafka
      headrace dev up kafka --secure
    """
    wanted = services(with_secure_kafka(names) if secure else names)
    for service in wanted:
        service.require_packages()
    with output.progress() as progress:
        fetch_jars((name for service in wanted for name in service.jar_sets), progress)
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
        why = f"port {usual} was taken when it started"
    else:
        why = f"port {usual} is taken by {holder_of(usual)}"
    output.note(f"{service.name} listens on {status.address}: {why}")


def tell_ways(output: Output, service: SecureKafkaService) -> None:
    """For people, beside the result: what to paste, and where the secrets are."""
    output.note(f"\nexport HEADRACE_CREDENTIALS={shlex.quote(str(service.credentials))}")
    output.note(f"export KRB5_CONFIG={shlex.quote(str(service.kdc.configuration))}")
    for way in service.ways:
        output.note(f"  {way.as_options()}")


@command.command()
@click.argument("names", metavar="[kafka] [postgres] [s3] [registry] [mariadb]", nargs=-1)
@pass_output
def down(output: Output, names: Sequence[str]) -> None:
    """Stop the named services; without a name, all of them.

    Kafka, PostgreSQL and MariaDB keep their data. S3 and the registry keep theirs in memory and lose it.

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
    """Show which services run, their addresses, and when they started.

    \b
    Example:
      headrace dev status --output json
    """
    show(output, [service.status() for service in present_services()])


@command.command()
@click.argument("names", metavar="[SET]...", nargs=-1)
@click.option(
    "--all", "everything", is_flag=True, help="Download every set, for use without a network."
)
@pass_output
def fetch(output: Output, names: Sequence[str], everything: bool) -> None:
    """Download jars before their first use. In a clone, the set `spark` also compiles the operators.

    Without a name, the command downloads the sets that every installation needs. `headrace doctor --jars` lists all
    sets. Files come from Maven Central, or from the repository in HEADRACE_MAVEN_REPOSITORY, and are verified
    against jars.lock. The command downloads only files that are missing or damaged. If nothing is missing,
    it needs no network.

    \b
    Examples:
      headrace dev fetch
      headrace dev fetch connect debezium
      headrace dev fetch --all
    """
    if names and everything:
        raise click.UsageError("give names or --all, not both")
    usual = [name for name, wanted in SETS.items() if not wanted.on_demand]
    chosen = list(SETS) if everything else list(names) or usual
    wanted = [jar_set(name) for name in chosen]
    compiles = SPARK_SET.name in chosen
    with output.progress() as progress:
        needed = [*chosen, *(sets_to_compile() if compiles else [])]
        downloaded = fetch_jars(needed, progress, verify=True)
        if compiles:
            operator_jar(progress, verify=True)
    rows = [
        {
            "set": one.name,
            "files": len(files),
            "size": f"{sum(file.size for file in files) / 10**6:.0f} MB",
            "downloaded": len([file for file in files if file in downloaded]),
            "purpose": one.purpose,
        }
        for one in wanted
        for files in (locked_files(one),)
    ]
    output.table("sets", rows, ("set", "files", "size", "downloaded", "purpose"))


@command.command()
@click.argument("names", metavar="[kafka] [postgres] [s3] [registry] [mariadb]", nargs=-1)
@pass_output
def env(output: Output, names: Sequence[str]) -> None:
    """Print addresses of running services as `export` lines.

    A shell reads them with `eval`, and the other commands with --var-file.

    \b
    kafka         KAFKA_BOOTSTRAP_SERVERS
    postgres      POSTGRES_URL, POSTGRES_JDBC_URL, POSTGRES_HOST, POSTGRES_PORT
    s3            S3_ENDPOINT, S3_BUCKET, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY
    registry      SCHEMA_REGISTRY_URL
    mariadb       MARIADB_JDBC_URL
    kafka-secure  KAFKA_SECURE_BOOTSTRAP_SERVERS, HEADRACE_CREDENTIALS, KRB5_CONFIG

    With names, the command prints only these services, and fails if one of them is not running. In a shell where
    you use AWS, name the services without s3: its AWS_… variables would replace your own.

    \b
    Examples:
      eval "$(headrace dev env)"
      headrace run pipeline.sql --var-file <(headrace dev env)
    """
    found = present_services(names)
    running = [service for service in found if service.status().state == "running"]
    stopped = [service.name for service in found if service not in running]
    if stopped and (names or not running):
        raise EnvironmentFault(
            f"{stopped[0]} is not running" if names else "no development service is running",
            condition="SERVICE_NOT_RUNNING",
            cure=f"headrace dev up {stopped[0]}",
        )
    variables = {name: value for service in running for name, value in service.variables().items()}
    lines = [f"export {name}={shlex.quote(value)}" for name, value in variables.items()]
    output.document({"variables": variables}, "\n".join(lines))


@command.command()
@pass_output
def warm(output: Output) -> None:
    """Make jobs start faster.

    The command runs a small job once and stores an archive of the Java classes it loaded in HEADRACE_CACHE
    (about 150 MB). Later jobs load this archive. Run the command again after a change of Java or of a jar.

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
