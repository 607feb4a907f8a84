"""Which changes of a query leave the meaning of its state alone, and how the others are named."""

import json

import pytest

from headrace.plan.state_signature import difference, state_signature
from headrace.runtime.environment import TableEnvironment
from headrace.sql.dialect import parse_statement

UPSERT = (
    "'connector' = 'upsert-kafka', 'topic' = '{topic}', 'properties.bootstrap.servers' = 'b:9092', "
    "'properties.sasl.jaas.config' = 'secret', 'key.format' = 'json', 'value.format' = 'json'"
)
ORDERS = "id BIGINT, region STRING, amount BIGINT, note STRING, PRIMARY KEY (id) NOT ENFORCED"
REGIONS = "region STRING, country STRING, PRIMARY KEY (region) NOT ENFORCED"
BASE = "SELECT region, COUNT(*) AS n FROM orders GROUP BY region"


@pytest.fixture
def env():
    environment = TableEnvironment()
    for name, columns in (("orders", ORDERS), ("regions", REGIONS)):
        options = UPSERT.format(topic=name)
        environment.execute_sql(f"CREATE TABLE {name} ({columns}) WITH ({options})")
    environment.execute_sql("CREATE TABLE numbers (n INT) WITH ('connector' = 'datagen')")
    return environment


@pytest.fixture
def signature(env):
    def of(*queries, **identities):
        plans = [plan for sql in queries for plan in env.plans(parse_statement(sql))]
        return state_signature(plans, identities or {"orders": "1", "regions": "2"})

    return of


@pytest.fixture
def changed(signature):
    def between(old, new):
        held = json.loads(json.dumps(signature(old)))  # as it comes back from a job's folder
        return difference(held, signature(new))

    return between


@pytest.mark.parametrize(
    "query",
    [
        BASE,
        "SELECT UPPER(region), n + 1 FROM (SELECT region, COUNT(*) AS n FROM orders GROUP BY region)",
        "SELECT region, COUNT(*) AS m FROM orders GROUP BY region HAVING COUNT(*) > 3",
        "SELECT COUNT(*) AS n, region FROM orders GROUP BY region",
    ],
)
def test_what_stands_above_the_state_may_change(changed, query):
    assert changed(BASE, query) is None


@pytest.mark.parametrize(
    ("query", "words"),
    [
        (
            "SELECT region, COUNT(*), SUM(amount) FROM orders GROUP BY region",
            "Aggregate on (region): new call SUM(amount) BIGINT",
        ),
        (
            "SELECT note, COUNT(*) FROM orders GROUP BY note",
            "Aggregate on (note), where there was Aggregate on (region)",
        ),
        (
            "SELECT region, COUNT(*) FROM orders WHERE amount > 1 GROUP BY region",
            "Aggregate on (region): new input ",
        ),
        ("SELECT DISTINCT region FROM orders", "Aggregate on (region): no call COUNT(*) BIGINT"),
        (
            f"SELECT r.country, o.n FROM regions AS r JOIN ({BASE}) AS o ON r.region = o.region",
            "Join on (region",
        ),
        ("SELECT id, region FROM orders", "Normalize on (id)"),
        ("SELECT n FROM numbers", "source numbers, where there was Aggregate on (region)"),
    ],
)
def test_what_the_state_depends_on_may_not(changed, query, words):
    found = changed(BASE, query)
    assert found is not None
    assert found.startswith(words)


def test_a_condition_below_is_told_with_the_one_before(changed):
    query = "SELECT region, COUNT(*) FROM orders WHERE amount > {} GROUP BY region"
    found = changed(query.format(1), query.format(2))
    assert "amount > 2" in found
    assert "was " in found.split("amount > 2")[1]
    assert "amount > 1" in found


def test_the_order_of_calls_is_the_layout_of_the_state(changed):
    query = "SELECT region, {} FROM orders GROUP BY region"
    found = changed(
        query.format("SUM(amount), MAX(amount)"), query.format("MAX(amount), SUM(amount)")
    )
    assert found == "Aggregate on (region): the order of its calls"


def test_constants_are_looked_at_one_by_one(changed):
    query = "SELECT a, COUNT(*) FROM (SELECT n AS a FROM numbers UNION ALL VALUES ({})) GROUP BY a"
    assert changed(query.format(1), query.format(1)) is None
    assert "2" in changed(query.format(1), query.format(2))


def test_a_join_tells_its_kind_and_columns(changed):
    query = "SELECT o.id{} FROM orders AS o {} JOIN regions AS r ON o.region = r.region"
    inner = query.format(", r.country", "")
    assert changed(inner, query.format(", r.country", "LEFT")).startswith(
        "Join on (region): new definition Join(LEFT"
    )
    assert "new column" in changed(inner, query.format(", r.country, o.amount", ""))


def test_expiry_changes_the_form_of_state_but_not_its_length(env, signature):
    forever = signature(BASE)
    env.execute_sql("SET 'table.exec.state.ttl' = '1 d'")
    day = signature(BASE)
    env.execute_sql("SET 'table.exec.state.ttl' = '2 d'")
    assert difference(day, signature(BASE)) is None
    assert difference(forever, day) == "Aggregate on (region): new expiry of state"


class TestSources:
    def test_a_topic_made_anew_is_another_source(self, signature):
        held, made = signature(BASE, orders="1"), signature(BASE, orders="9")
        assert difference(held, made) == "source orders: new topic orders (9), was orders (1)"

    def test_options_of_a_table_whose_topic_is_known_may_change(self, env, signature):
        held = signature(BASE)
        env.execute_sql("ALTER TABLE orders SET ('scan.bounded.mode' = 'latest-offset')")
        assert difference(held, signature(BASE)) is None

    def test_a_source_without_identity_is_its_options(self, env, signature):
        held = signature("SELECT n FROM numbers")
        env.execute_sql("ALTER TABLE numbers SET ('rows-per-second' = '5')")
        assert difference(held, signature("SELECT n FROM numbers")) == (
            "source numbers: new option 'rows-per-second' = '5'"
        )

    def test_no_secret_is_kept(self, signature):
        assert "secret" not in json.dumps(signature(BASE, other="1"))


def test_insertions_into_several_sinks_are_one_list(signature):
    both = signature(BASE, "SELECT n FROM numbers")
    assert [item["title"] for item in both][-1] == "source numbers"
    assert difference(signature(BASE), both) == "new: source numbers"
    assert difference(both, signature(BASE)) == "gone: source numbers"
