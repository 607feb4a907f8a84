import pytest

from headrace.changelog import ChangelogMode
from headrace.errors import PlanError
from headrace.plan.nodes import Collect, Scan, Union
from headrace.plan.rules.count_events_once import count_events_once

OPTIONS = "'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'b:9092', 'format' = 'canal-json'"


@pytest.fixture
def keyed(env, scan) -> Scan:
    env.execute_sql(
        f"CREATE TABLE keyed (id BIGINT, n STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ({OPTIONS})"
    )
    return scan("keyed")


@pytest.fixture
def keyless(env, scan) -> Scan:
    env.execute_sql(f"CREATE TABLE keyless (id BIGINT) WITH ({OPTIONS})")
    return scan("keyless")


def modes(root) -> list[ChangelogMode]:
    scans = [node for node in root.walk() if isinstance(node, Scan)]
    return [node.table.connector.scan_mode(node.table) for node in scans]


def test_changes_are_read_by_key_where_they_may_come_twice(keyed):
    root = Collect(keyed)
    assert modes(root) == [ChangelogMode.retract()]
    made = count_events_once(root, True)
    assert modes(made) == [ChangelogMode.upsert()]
    assert made.input.columns == keyed.columns


def test_nothing_changes_where_they_come_once(keyed, keyless):
    root = Union((keyed, keyless))
    assert count_events_once(root, False) is root


def test_other_sources_stay(scan):
    root = Union((scan("orders", "order_id"), scan("users", "user_id")))
    assert count_events_once(root, True) == root


def test_without_a_key_events_cannot_be_told_apart(keyed, keyless):
    with pytest.raises(PlanError) as caught:
        count_events_once(Union((keyed, keyless)), True)
    assert caught.value.condition == "NO_PRIMARY_KEY"
    assert caught.value.found == "table 'keyless' without one"
    assert "PRIMARY KEY" in caught.value.cure
