"""The driver is killed at a moment it cannot choose; after a restart the sink still adds up to the answer."""

import os
import random
import signal
import subprocess
import sys
from collections import Counter

import pytest

from headrace.testing.topics import create_topic, eventually, json_table, produce

pytestmark = [pytest.mark.spark, pytest.mark.services, pytest.mark.slow]

SCRIPT = """
SET 'table.local-time-zone' = 'UTC';
CREATE TABLE orders (id BIGINT, customer STRING, amount BIGINT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = '{orders}', 'properties.bootstrap.servers' = '{servers}',
  'key.format' = 'json', 'value.format' = 'json');
CREATE TABLE totals (customer STRING, n BIGINT, total BIGINT, PRIMARY KEY (customer) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = '{totals}', 'properties.bootstrap.servers' = '{servers}',
  'key.format' = 'json', 'value.format' = 'json');
INSERT INTO totals SELECT customer, COUNT(*), SUM(amount) FROM orders GROUP BY customer;
"""


class Orders:
    """Random changes of 200 orders, and the answer they add up to."""

    def __init__(self, servers, topic, seed):
        self.servers, self.topic = servers, topic
        self.dice = random.Random(seed)
        self.present = {}

    def change(self, count):
        produce(self.servers, self.topic, [self._one() for _ in range(count)])

    def _one(self):
        number = self.dice.randrange(200)
        if self.dice.random() < 0.2:
            self.present.pop(number, None)
            return ({"id": number}, None)
        row = {
            "id": number,
            "customer": f"c{self.dice.randrange(9)}",
            "amount": self.dice.randrange(100),
        }
        self.present[number] = row
        return ({"id": number}, row)

    def answer(self):
        counts, totals = Counter(), Counter()
        for row in self.present.values():
            counts[row["customer"]] += 1
            totals[row["customer"]] += row["amount"]
        return {
            f'{{"customer":"{c}"}}': {"customer": c, "n": n, "total": totals[c]}
            for c, n in counts.items()
        }


def start(script, home):
    environment = {**os.environ, "HEADRACE_HOME": str(home)}
    command = [sys.executable, "-m", "headrace.cli.main", "run", str(script), "--output", "json"]
    return subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def test_state_and_sink_agree_after_kills(servers, topic, tmp_path):
    names = {"orders": topic("orders"), "totals": topic("totals"), "servers": servers}
    for name in ("orders", "totals"):
        create_topic(servers, names[name], partitions=2, cleanup_policy="compact")
    script = tmp_path / "totals.sql"
    script.write_text(SCRIPT.format(**names))
    orders = Orders(servers, names["orders"], seed=7)
    orders.change(500)
    process = start(script, tmp_path / "home")
    try:
        eventually(lambda: json_table(servers, names["totals"]), bool)
        orders.change(500)  # the kill falls somewhere into the batches these make
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        orders.change(500)
        process = start(script, tmp_path / "home")
        eventually(
            lambda: json_table(servers, names["totals"]), lambda table: table == orders.answer()
        )
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
