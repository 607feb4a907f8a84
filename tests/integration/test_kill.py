"""The process is killed at moments it cannot choose; after each restart it goes on, and the sink adds up to the answer.

Twice in every run, in the middle of a batch; `--kills` (make soak) adds more, also at random moments, which follow from a
seed that is printed and that `--kill-seed` repeats.
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from headrace.testing.jobs import kill, running_script
from headrace.testing.topics import (
    create_topic,
    eventually,
    json_table,
    produce,
    read_topic,
)

pytestmark = [pytest.mark.spark, pytest.mark.services, pytest.mark.slow]

KILLS = 2
SEED = 7
CUSTOMERS = [f"c{n}" for n in range(12)]
REGIONS = ("north", "east", "south", "west")
# Only in longer runs. Twice what a cold start takes: later kills fall between batches.
LATEST_SECONDS = 20.0
# A look at a folder takes a tenth of it; a batch commits in some 50 ms.
LOOK_SECONDS = 0.002

TABLE = """
CREATE TABLE {name} ({columns}) WITH ('connector' = 'upsert-kafka', 'topic' = '{topic}', {more}
  'properties.bootstrap.servers' = '{servers}', 'key.format' = 'json', 'value.format' = 'json');
"""
COLUMNS = {
    "orders": "id BIGINT, customer STRING, amount BIGINT, PRIMARY KEY (id) NOT ENFORCED",
    "customers": "customer STRING, region STRING, PRIMARY KEY (customer) NOT ENFORCED",
    "totals": "region STRING, n BIGINT, total BIGINT, PRIMARY KEY (region) NOT ENFORCED",
}


def table(name: str, topic: str, servers: str, more: str = "") -> str:
    return TABLE.format(name=name, columns=COLUMNS[name], topic=topic, servers=servers, more=more)


INSERT = """
INSERT INTO totals SELECT c.region, COUNT(*), SUM(o.amount)
FROM orders AS o JOIN customers AS c ON o.customer = c.customer GROUP BY c.region;
"""


class World:
    """Random changes of 200 orders and 12 customers, and the answer they add up to."""

    def __init__(self, servers: str, topics: dict[str, str], dice: random.Random) -> None:
        self.servers, self.topics, self.dice = servers, topics, dice
        self.orders: dict[int, tuple[str, int]] = {}
        self.regions: dict[str, str] = {}

    def change(self, count: int) -> None:
        produce(self.servers, self.topics["orders"], [self._order() for _ in range(count)])
        produce(self.servers, self.topics["customers"], [self._customer() for _ in range(3)])

    def _order(self) -> tuple[object, object]:
        number = self.dice.randrange(200)
        if self.dice.random() < 0.2:
            self.orders.pop(number, None)
            return {"id": number}, None
        self.orders[number] = customer, amount = (
            self.dice.choice(CUSTOMERS),
            self.dice.randrange(100),
        )
        return {"id": number}, {"id": number, "customer": customer, "amount": amount}

    def _customer(self) -> tuple[object, object]:
        name = self.dice.choice(CUSTOMERS)
        if self.dice.random() < 0.2:
            self.regions.pop(name, None)
            return {"customer": name}, None
        self.regions[name] = self.dice.choice(REGIONS)
        return {"customer": name}, {"customer": name, "region": self.regions[name]}

    def answer(self) -> dict[str, dict[str, object]]:
        counts: Counter[str] = Counter()
        totals: Counter[str] = Counter()
        for customer, amount in self.orders.values():
            if customer in self.regions:
                counts[self.regions[customer]] += 1
                totals[self.regions[customer]] += amount
        return {
            f'{{"region":"{region}"}}': {"region": region, "n": n, "total": totals[region]}
            for region, n in counts.items()
        }


class Run:
    """A job that is killed, and what it leaves on disk."""

    def __init__(self, process: subprocess.Popen[bytes], home: Path) -> None:
        self.process = process
        self.home = home

    def kill(self) -> None:
        kill(self.process)

    def numbers(self, log: str) -> set[int]:
        """Batches in one of Spark's two logs: `offsets` when they begin, `commits` when they are done."""
        files = self.home.glob(f"jobs/*/checkpoint/{log}/*")
        return {int(file.name) for file in files if file.name.isdigit()}

    def state_files(self) -> set[str]:
        return {str(file) for file in self.home.glob("jobs/*/checkpoint/state/*/*/**/*.changelog")}

    def in_batch(self) -> bool:
        return bool(self.numbers("offsets") - self.numbers("commits"))


@contextmanager
def running(script: Path, home: Path) -> Iterator[Run]:
    with running_script(script, home) as process:
        yield Run(process, home)


def any_time(run: Run, world: World) -> None:
    """While it starts, reads, works or waits."""
    until(run, lambda: False, world.dice.uniform(1, LATEST_SECONDS))


def batch_begins(run: Run, world: World) -> None:
    begun = run.numbers("offsets")
    world.change(100)
    until(run, lambda: bool(run.numbers("offsets") - begun))


def state_is_written(run: Run, world: World) -> None:
    """The first of several state stores has written its part of a batch that cannot end."""
    begun, written = run.numbers("offsets"), run.state_files()
    with held(run.home.parent):
        world.change(100)
        until(run, lambda: bool(run.numbers("offsets") - begun and run.state_files() - written))
        run.kill()


def sink_is_written(run: Run, world: World) -> None:
    """Records of a batch are in the sink, which is not yet done itself."""
    before = len(read_topic(world.servers, world.topics["totals"]))
    world.change(100)
    until(run, lambda: len(read_topic(world.servers, world.topics["totals"])) > before)


MOMENTS: tuple[Callable[[Run, World], None], ...] = (
    state_is_written,
    sink_is_written,
    any_time,
    batch_begins,
)


GATE = """
import os
import time

def first(keys, values, count):
    while os.path.exists({file!r}):
        time.sleep(0.01)
    return [0] * len(keys)
"""
GATED = "'sink.partitioner' = 'gate:first',"


def gate(folder: Path) -> None:
    """A partitioner beside the scripts of a folder, in which a batch waits while it is held."""
    (folder / "gate.py").write_text(GATE.format(file=str(folder / "closed")))


@contextmanager
def held(folder: Path) -> Iterator[None]:
    (folder / "closed").touch()
    yield
    (folder / "closed").unlink()


def until(run: Run, happened: Callable[[], bool], seconds: float = 120.0) -> None:
    """Looks as often as it can; a moment that never comes is as good as any other."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not happened():
        assert run.process.poll() is None, "the job ended by itself"
        time.sleep(LOOK_SECONDS)


def tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


@pytest.fixture
def dice(request) -> random.Random:
    given = request.config.getoption("--kill-seed")
    more = request.config.getoption("--kills") is not None
    seed = given if given is not None else random.randrange(10**6) if more else SEED
    tell(f"--kill-seed {seed}")
    return random.Random(seed)


def test_state_and_sink_agree_after_kills(servers, topic, tmp_path, dice, request):
    topics = {name: topic(name) for name in COLUMNS}
    for name in topics.values():
        create_topic(servers, name, partitions=2, cleanup_policy="compact")
    tables = (
        table(name, topics[name], servers, GATED if name == "totals" else "") for name in COLUMNS
    )
    gate(tmp_path)
    script, home = tmp_path / "totals.sql", tmp_path / "home"
    script.write_text("\n".join((*tables, INSERT)))
    world = World(servers, topics, dice)
    kills = request.config.getoption("--kills") or KILLS
    unfinished: Counter[str] = Counter()
    for number in range(kills):
        world.change(300)
        moment = MOMENTS[number % len(MOMENTS)]
        with running(script, home) as run:
            moment(run, world)
            run.kill()
            unfinished[moment.__name__] += run.in_batch()
            tell(f"kill {number + 1}: {moment.__name__}, within a batch: {run.in_batch()}")
    world.change(100)
    with running(script, home) as run:
        eventually(lambda: json_table(servers, topics["totals"]), lambda t: t == world.answer())
        run.process.send_signal(signal.SIGTERM)
        assert run.process.wait(60) == 0
    # What this is about: state and records that were written ahead of the end of their batch, at least once.
    assert unfinished["state_is_written"] + unfinished["sink_is_written"] > 0


SOURCE = """
CREATE TABLE orders (id BIGINT, customer STRING, amount BIGINT) WITH ('connector' = 'kafka', 'topic' = '{orders}',
  'properties.bootstrap.servers' = '{servers}', 'scan.startup.mode' = 'earliest-offset', 'format' = 'json',
  'headrace.errors.mode' = 'dead-letter', 'headrace.errors.dead-letter.topic' = '{dead}');
"""
GOOD_ROWS = 1_000


def letters_of(servers: str, topic: str) -> Counter[int]:
    """By the offset of the record that could not be read, how often it was sent."""
    headers = (dict(record.headers) for record in read_topic(servers, topic))
    return Counter(int(found["headrace.errors.offset"] or b"") for found in headers)


def test_no_dead_letter_is_lost_by_a_kill_before_its_batch_is_done(servers, topic, tmp_path):
    """A batch that is run again sends its letters again: at least once, and the offset tells copies apart."""
    orders, dead, totals = topic("orders"), topic("dead"), topic("totals")
    for name in (orders, dead, totals):
        create_topic(servers, name)
    gate(tmp_path)
    insert = (
        "INSERT INTO totals SELECT customer, COUNT(*), SUM(amount) FROM orders GROUP BY customer;"
    )
    script = tmp_path / "letters.sql"
    script.write_text(
        SOURCE.format(orders=orders, servers=servers, dead=dead)
        + table("totals", totals, servers, GATED)
        + insert
    )
    good = [(None, {"id": n, "customer": "ann", "amount": 1}) for n in range(GOOD_ROWS)]
    produce(servers, orders, [(None, "no JSON"), *good, (None, '{"id":')])
    with held(tmp_path), running(script, tmp_path / "home") as run:
        until(run, lambda: bool(letters_of(servers, dead)))
        run.kill()
        assert run.in_batch()
    with running(script, tmp_path / "home") as run:
        eventually(lambda: json_table(servers, totals), bool)
        eventually(run.in_batch, lambda under_way: not under_way)
    letters = letters_of(servers, dead)
    assert set(letters) == {0, GOOD_ROWS + 1}
    assert letters[0] > 1
    (row,) = json_table(servers, totals).values()
    assert row == {"region": "ann", "n": GOOD_ROWS, "total": GOOD_ROWS}
