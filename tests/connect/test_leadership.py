from __future__ import annotations

import threading
import uuid
from types import SimpleNamespace

import pytest
from confluent_kafka import KafkaError, KafkaException

from headrace.connect.leadership import GroupLeadership, _has_topics
from headrace.testing.topics import create_topic, eventually


class Member:
    """A worker's membership, and what it was told."""

    def __init__(self, servers: str, group: str, number: int) -> None:
        self.url = f"http://127.0.0.1:{number}/"
        self.told: list[str] = []
        self.changed = threading.Event()
        client = {"bootstrap.servers": servers}
        self.membership = GroupLeadership(client, group, f"{group}-configs", self.url)
        self.membership.join(lambda: self.tell("gained"), lambda: self.tell("lost"), lambda: True)

    def tell(self, word: str) -> None:
        self.told.append(word)
        self.changed.set()


@pytest.mark.services
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


class Asked:
    """An admin client whose answer about a group is known."""

    def __init__(self, outcome) -> None:
        self.outcome = outcome

    def list_groups(self, group, timeout):
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return [SimpleNamespace(members=self.outcome)]


def member(url: str, *partitions: int) -> SimpleNamespace:
    given = b"\0\1" + len(partitions).to_bytes(4, "big")
    return SimpleNamespace(client_id=url, assignment=given)


class TestLeader:
    @pytest.fixture
    def leader(self, monkeypatch):
        def find(outcome):
            monkeypatch.setattr(
                "headrace.connect.leadership.admin_client", lambda client: Asked(outcome)
            )
            return GroupLeadership({}, "group", "configs", "http://me/").leader_url()

        return find

    def test_it_is_the_member_with_the_partition(self, leader):
        assert leader([member("http://a/"), member("http://b/", 0)]) == "http://b/"

    def test_there_may_be_none(self, leader):
        assert leader([]) is None
        joining = SimpleNamespace(client_id="http://a/", assignment=None)
        assert leader([joining, member("http://b/")]) is None

    def test_a_coordinator_that_starts_cannot_say(self, leader):
        error = KafkaException(KafkaError(KafkaError.COORDINATOR_LOAD_IN_PROGRESS))
        assert leader(error) is None

    def test_who_leads_need_not_ask(self):
        membership = GroupLeadership({}, "group", "configs", "http://me/")
        membership.leads = True
        assert membership.leader_url() == "http://me/"


class TestOffice:
    """What a member does when the coordinator gives and takes the partition."""

    class Consumer:
        def __init__(self) -> None:
            self.calls: list[str] = []

        def __getattr__(self, name):
            return lambda *given: self.calls.append(name)

    @pytest.fixture
    def told(self):
        return []

    @pytest.fixture
    def membership(self, told):
        made = GroupLeadership({}, "group", "configs", "http://me/")
        made.gained, made.lost = lambda: told.append("gained"), lambda: told.append("lost")
        return made

    def test_it_is_held_from_one_to_the_other(self, membership, told):
        consumer = self.Consumer()
        membership._assigned(consumer, ["partition"])
        assert membership.leader_url() == "http://me/"
        membership._revoked(consumer, ["partition"])
        assert told == ["gained", "lost"]
        assert not membership.leads
        assert consumer.calls == ["assign", "pause", "unassign"]

    def test_without_the_partition_there_is_none(self, membership, told):
        membership._assigned(self.Consumer(), [])
        membership._revoked(self.Consumer(), [])
        assert told == []


class TestIdle:
    @pytest.fixture
    def membership(self):
        made = GroupLeadership({}, "group", "configs", "http://me/")
        made.leads, made.works = True, lambda: False
        return made

    def test_an_office_that_is_not_filled_is_taken_again_after_a_session(self, membership):
        assert not membership._is_idle(100.0)
        assert not membership._is_idle(109.0)
        assert membership._is_idle(110.5)
        # And again a session later.
        assert not membership._is_idle(111.0)
        assert membership._is_idle(122.0)

    def test_who_works_is_left_alone(self, membership):
        assert not membership._is_idle(100.0)
        membership.works = lambda: True
        assert not membership._is_idle(111.0)
        membership.works = lambda: False
        assert not membership._is_idle(112.0)

    def test_so_is_a_follower(self, membership):
        membership.leads = False
        assert not membership._is_idle(100.0)
        assert not membership._is_idle(200.0)

    def test_it_is_lost_and_gained(self, membership, monkeypatch):
        monkeypatch.setattr("headrace.connect.leadership.SESSION_SECONDS", 0.0)
        told = []

        class Silent:
            def poll(self, seconds):
                return None

            def close(self):
                told.append("closed")

        def gained():
            told.append("gained")
            membership.leaving.set()

        membership.consumer, membership.gained = Silent(), gained
        membership.lost = lambda: told.append("lost")
        membership._follow()
        assert told == ["lost", "gained", "closed"]


def test_an_assignment_without_topics_is_none():
    assert _has_topics(b"\0\1\0\0\0\1\0\1t\0\0\0\1\0\0\0\0\0\0\0\0")
    assert not _has_topics(b"\0\1\0\0\0\0\0\0\0\0")
    assert not _has_topics(b"")
    assert not _has_topics(None)
