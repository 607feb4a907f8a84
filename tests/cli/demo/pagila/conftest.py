"""The demo without services: rows, and records as connectors make them."""

from __future__ import annotations

import pytest

from headrace.cli.demo.pagila.database import milliseconds
from headrace.cli.demo.pagila.districts import TOPIC
from headrace.cli.demo.pagila.places import LOG, QUERY, WRITERS, Source
from headrace.cli.demo.pagila.topics import Message

BEFORE, AFTER = "2017-02-15T09:45:30.000000Z", "2026-01-02T03:04:05.123456Z"


def address(id, **changes):
    return {
        "address_id": id,
        "address": f"{id} Elm Way",
        "address2": "",
        "district": "East",
        "city_id": 1,
        "last_update": BEFORE,
        **changes,
    }


def joined(id, **changes):
    row = {**address(id), "city": "Ashby", "country": "Almora", **changes}
    del row["city_id"]
    return row


def event(op, before=None, after=None):
    return Message(
        {"address_id": (after or before)["address_id"]},
        {"op": op, "before": before, "after": after},
    )


def counts(*numbers):
    """Records of the query: the number of addresses in the East, each time it changed."""
    return [Message({"district": "East"}, {"district": "East", "addresses": n}) for n in numbers]


class World:
    """Addresses 100 to 104. Later 100 was changed twice, and 104 deleted, which only the log tells."""

    def __init__(self) -> None:
        ids = range(100, 105)
        country = {1: {"country_id": 1, "country": "Almora", "last_update": BEFORE}}
        city = {1: {"city_id": 1, "city": "Ashby", "country_id": 1, "last_update": BEFORE}}
        tables = {"country": country, "city": city, "address": {id: address(id) for id in ids}}
        self.before = Source(tables, {id: joined(id) for id in ids})
        changed = {"address2": "Flat 2", "last_update": AFTER}
        rows = {**tables["address"], 100: address(100, **changed)}
        kept = {**self.before.joined, 100: joined(100, **changed)}
        del rows[104], kept[104]
        self.after = Source({**tables, "address": rows}, kept)

    def loaded(self):
        messages = {
            t: [Message(k, r) for k, r in rows.items()] for t, rows in self.before.sent().items()
        }
        return {
            **messages,
            LOG: [event("r", after=row) for row in self.before.tables["address"].values()],
            TOPIC: counts(5),
        }

    def messages(self):
        """By topic, after the changes."""
        found = self.loaded()
        for topic, rows in self.after.sent().items():
            found[topic] += [
                Message(k, r) for k, r in rows.items() if r["last_update"] == milliseconds(AFTER)
            ]
        found[LOG] += [
            event("u", after=address(100, address2="Flat 1")),
            event("u", after=self.after.tables["address"][100]),
            event("d", before={"address_id": 104, "address": ""}),
            Message({"address_id": 104}, None),
        ]
        found[TOPIC] += counts(4)
        return found

    def objects(self):
        """Rows below the prefix of each topic."""
        rows = {
            topic: [m.value for m in self.messages()[topic]] for topic in WRITERS if topic != LOG
        }
        old, new = self.before.refined(), self.after.refined()
        rows[QUERY] = [*old.values(), new[100]]
        return rows


@pytest.fixture
def world() -> World:
    return World()
