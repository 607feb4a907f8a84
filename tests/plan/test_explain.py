import json
from datetime import timedelta

import pytest

from headrace.plan.explain import advise, explain_dict, explain_text
from headrace.plan.nodes import Collect
from headrace.plan.plan import PlanSettings, annotate

COUNTED = "SELECT country, COUNT(*) AS n FROM users GROUP BY country"


def test_text_is_a_tree_with_what_was_inferred(plan):
    assert explain_text(plan("SELECT item FROM orders UNION ALL SELECT word FROM numbers")) == (
        "== Plan ==\n"
        "Collect(item)\n"
        "|    changelog=[I]; native Spark\n"
        "+- Union(branches=2)\n"
        "   |    changelog=[I]; native Spark\n"
        "   +- Project(item)\n"
        "   |  |    changelog=[I]; native Spark\n"
        "   |  +- Scan(default_catalog.default_database.orders, columns=[item])\n"
        "   |          changelog=[I]; native Spark\n"
        "   +- Project(word AS item)\n"
        "      |    changelog=[I]; native Spark\n"
        "      +- Scan(default_catalog.default_database.numbers, columns=[word])\n"
        "              changelog=[I]; native Spark"
    )


def test_advice_comes_after_the_plan(plan):
    text = explain_text(plan("SELECT user_id FROM users"))
    tree, _, advice = text.partition("\n\n== Advice ==\n")
    assert tree.startswith("== Plan ==\nCollect(user_id)\n")
    assert advice == (
        "- Normalize keeps its state for ever (last row per key (key only)): if old keys stop changing, "
        "SET 'table.exec.state.ttl' = '1 d' lets them go"
    )


@pytest.mark.parametrize(
    ("ttl", "text"),
    [
        (timedelta(days=2), "for 2 d"),
        (timedelta(hours=36), "for 36 h"),
        (timedelta(minutes=90), "for 90 min"),
        (timedelta(seconds=1), "for 1 s"),
        (timedelta(milliseconds=1500), "for 1500 ms"),
        (timedelta(0), "for ever"),
    ],
)
def test_how_long_state_is_kept(query, ttl, text):
    made = annotate(Collect(query(COUNTED)), PlanSettings(state_ttl=ttl))
    assert f"state: 1 accumulator per group, {text}; Java operator" in explain_text(made)
    assert bool(advise(made)) is (not ttl)


def test_a_bounded_job_needs_no_advice(plan):
    made = plan("SELECT word, COUNT(*) FROM numbers GROUP BY word")
    assert advise(made) == []
    assert "state: 1 accumulator per group, until the job ends;" in explain_text(made)


def test_equal_advice_is_given_once(plan):
    made = plan(
        "SELECT n, COUNT(*) FROM (SELECT item, COUNT(*) AS n FROM orders GROUP BY item) GROUP BY n"
    )
    assert len(advise(made)) == 1


def test_the_same_as_data(plan):
    told = explain_dict(plan(COUNTED))
    assert told["bounded"] is False
    assert len(told["advice"]) == 2
    root = told["plan"]
    assert root["operator"] == "Collect"
    assert root["columns"] == [
        {"name": "country", "type": "STRING"},
        {"name": "n", "type": "BIGINT NOT NULL"},
    ]
    assert root["changelog"] == ["D", "I", "UA", "UB"]
    assert root["key"] == ["country"]
    (project,) = root["inputs"]
    (aggregate,) = project["inputs"]
    assert aggregate["label"] == "Aggregate(groupBy=[country], COUNT(*) AS agg0)"
    assert aggregate["state"] == "1 accumulator per group"
    assert aggregate["state_ttl_ms"] is None
    assert aggregate["engine"] == "java"
    assert json.loads(json.dumps(told)) == told


def test_the_time_to_live_as_data(query):
    made = annotate(Collect(query(COUNTED)), PlanSettings(state_ttl=timedelta(seconds=90)))
    (project,) = explain_dict(made)["plan"]["inputs"]
    assert project["inputs"][0]["state_ttl_ms"] == 90_000


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        (
            "INSERT INTO users_copy SELECT COUNT(*), country FROM users GROUP BY country",
            "because the query has the key (name) and the sink (user_id)",
        ),
        (
            "INSERT INTO users_copy SELECT CAST(age AS BIGINT), name FROM users",
            "because the query has no key and the sink (user_id)",
        ),
        (
            "INSERT INTO users_copy SELECT user_id, item FROM orders",
            "several rows of the query may have one key of the sink (user_id)",
        ),
        ("SELECT 1 FROM orders, users", "Join has no equality between its sides"),
    ],
)
def test_advice_on_keys(plan, sql, words):
    assert any(words in line for line in advise(plan(sql)))


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO users_copy SELECT user_id, item FROM orders ON CONFLICT DO DEDUPLICATE",
        "INSERT INTO users_copy SELECT user_id, name FROM users",
        "INSERT INTO lines SELECT order_id, item FROM orders",
    ],
)
def test_no_advice_where_all_is_well(plan, sql):
    assert advise(plan(sql)) == []


def test_a_value_beside_every_row_is_no_cross_join(plan):
    advice = advise(plan("SELECT item, (SELECT MAX(age) FROM users) FROM orders"))
    assert not any("no equality" in line for line in advice)
