from __future__ import annotations

import threading
import uuid

import pytest

from headrace.connect.leadership import GroupLeadership
from headrace.testing.topics import create_topic, eventually

pytestmark = pytest.mark.services


class Member:
    """A worker's membership, and what it was told."""

    def __init__(self, servers: str, group: str, number: int) -> None:
        self.url = f"http://127.0.0.1:{number}/"
        self.told: list[str] = []
        self.changed = threading.Event()
        client = {"bootstrap.servers": servers}
        self.membership = GroupLeadership(client, group, f"{group}-configs", self.url)
        self.membership.join(lambda: self.tell("gained"), lambda: self.tell("lost"))

    def tell(self, word: str) -> None:
        self.told.append(word)
        self.changed.set()


def test_one_leads_and_the_other_follows_when_it_leaves(kafka_broker):
    servers = kafka_broker.bootstrap_servers
    group = f"group-{uuid.uuid4().hex[:8]}"
    create_topic(servers, f"{group}-configs")
    first = Member(servers, group, 1)
    assert first.changed.wait(60)
    second = Member(servers, group, 2)
    members = {first.url: first, second.url: second}
    try:
        urls = eventually(
            lambda: {member.membership.leader_url() for member in members.values()},
            lambda found: len(found) == 1 and None not in found,
        )
        leader = members[urls.pop()]
        (follower,) = (member for member in members.values() if member is not leader)
        follower.changed.clear()
        leader.membership.leave()
        assert follower.changed.wait(60)
        assert follower.told[-1] == "gained"
        assert leader.told[-1] == "lost"
        assert follower.membership.leader_url() == follower.url
    finally:
        second.membership.leave()
        first.membership.leave()
