from datetime import timedelta

import pytest

from headrace.errors import InvalidOption, Position
from headrace.runtime.config import DISTINCT_BUCKETS, NO_EFFECT, SETTINGS, Config, is_cluster


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("pipeline.name", "nightly", "nightly"),
        ("parallelism.default", "4", 4),
        ("table.exec.state.ttl", "1 h", timedelta(hours=1)),
        ("table.local-time-zone", "Europe/Berlin", "Europe/Berlin"),
        ("execution.runtime-mode", "STREAMING", "streaming"),
        ("execution.runtime-mode", "Batch", "batch"),
        ("table.dml-sync", "true", True),
        ("execution.checkpointing.dir", "file:///jobs", "file:///jobs"),
        ("spark.master", "local[2]", "local[2]"),
    ],
)
def test_settings_are_read_by_type(key, text, value):
    config = Config()
    config.set(key, text)
    assert config.get(key) == value
    assert config.values == {key: text}


def test_defaults():
    config = Config()
    assert config.get("table.exec.state.ttl") == timedelta(0)
    assert config.get("pipeline.name") is None
    assert config.get("table.dml-sync") is False
    assert config.plan_settings().state_ttl == timedelta(0)


def test_the_planner_gets_the_time_to_live():
    config = Config()
    config.set("table.exec.state.ttl", "90 s")
    assert config.plan_settings().state_ttl == timedelta(seconds=90)


def test_distinct_values_are_split_on_a_cluster_or_where_it_is_asked_for():
    config = Config()
    assert config.plan_settings().distinct_buckets == 0
    config.set("spark.master", "spark://somewhere:7077")
    assert config.plan_settings().distinct_buckets == DISTINCT_BUCKETS
    config.set("table.optimizer.distinct-agg.split.bucket-num", "7")
    assert config.plan_settings().distinct_buckets == 7
    config.set("table.optimizer.distinct-agg.split.enabled", "FALSE")
    assert config.plan_settings().distinct_buckets == 0
    config.set("spark.master", "local[4]")
    config.set("table.optimizer.distinct-agg.split.enabled", "true")
    assert config.plan_settings().distinct_buckets == 7


@pytest.mark.parametrize(
    ("master", "elsewhere"),
    [
        ("local", False),
        ("local[*]", False),
        ("local[2,3]", False),
        ("local-cluster[2,1,1024]", True),
        ("spark://host:7077", True),
        ("yarn", True),
        ("k8s://https://host", True),
    ],
)
def test_where_tasks_run_follows_from_the_master(master, elsewhere):
    assert is_cluster({"spark.master": master}) is elsewhere
    assert is_cluster({}) is False


@pytest.mark.parametrize(
    ("key", "value", "summary"),
    [
        ("table.exec.state.tll", "1 h", "unknown setting 'table.exec.state.tll'"),
        ("table.exec.state.ttl", "soon", "invalid value for option 'table.exec.state.ttl'"),
        ("table.local-time-zone", "Mars/Base", "unknown time zone 'Mars/Base'"),
        ("table.local-time-zone", "Europe", "unknown time zone 'Europe'"),
        ("table.local-time-zone", "../etc", "unknown time zone '../etc'"),
        ("parallelism.default", "0", "'parallelism.default' must be at least 1"),
        (
            "table.optimizer.distinct-agg.split.bucket-num",
            "0",
            "'table.optimizer.distinct-agg.split.bucket-num' must be at least 1",
        ),
        ("parallelism.default", "two", "invalid value for option 'parallelism.default'"),
        (
            "execution.checkpointing.dir",
            "s3://bucket/jobs",
            "'execution.checkpointing.dir' must be a folder of this machine",
        ),
        (
            "table.exec.sink.upsert-materialize",
            "always",
            "invalid value for option 'table.exec.sink.upsert-materialize'",
        ),
        ("execution.runtime-mode", "bulk", "invalid value for option 'execution.runtime-mode'"),
    ],
)
def test_what_is_refused_is_pointed_at_and_changes_nothing(key, value, summary):
    config = Config()
    with pytest.raises(InvalidOption) as caught:
        config.set(key, value, Position(2, 5))
    assert caught.value.summary == summary
    assert str(caught.value.where) == "<sql>:2:5"
    assert config.values == {}


def test_an_unknown_setting_offers_the_nearest():
    with pytest.raises(InvalidOption) as caught:
        Config().set("parallelism.defualt", "2")
    assert caught.value.condition == "UNKNOWN_SETTING"
    assert caught.value.cure == "did you mean 'parallelism.default'?"


def test_a_setting_without_effect_is_accepted_with_its_reason():
    told = []
    config = Config(notify=told.append)
    config.set("table.exec.mini-batch.enabled", "true")
    assert told == [
        "'table.exec.mini-batch.enabled' has no effect: every job already works in micro-batches"
    ]
    assert config.shown() == {"table.exec.mini-batch.enabled": "true"}


def test_reset_one_or_all():
    config = Config()
    config.set("pipeline.name", "a")
    config.set("parallelism.default", "2")
    config.reset("pipeline.name")
    assert config.values == {"parallelism.default": "2"}
    config.reset("table.exec.mini-batch.size")
    config.reset()
    assert config.values == {}
    with pytest.raises(InvalidOption, match=r"unknown setting 'pipeline\.nam'"):
        config.reset("pipeline.nam")


def test_what_is_shown_is_sorted_and_keeps_secrets():
    config = Config()
    config.set("spark.hadoop.fs.s3a.secret.key", "hunter2")
    config.set("pipeline.name", "a")
    assert list(config.shown().items()) == [
        ("pipeline.name", "a"),
        ("spark.hadoop.fs.s3a.secret.key", "******"),
    ]


def test_sparks_own_settings():
    config = Config()
    config.set("spark.master", "local[2]")
    config.set("pipeline.name", "a")
    assert config.spark_settings() == {"spark.master": "local[2]"}


@pytest.mark.parametrize("option", SETTINGS, ids=lambda option: option.name)
def test_every_setting_is_documented_and_its_default_is_valid(option):
    assert option.doc.endswith((".", ")."))
    if option.default is not None:
        option.parse(option.default)


def test_no_setting_is_both_used_and_without_effect():
    assert [key for key in NO_EFFECT if any(option.matches(key) for option in SETTINGS)] == []


def test_the_planner_gets_what_a_sink_keeps():
    config = Config()
    assert config.plan_settings().upsert_materialize == "AUTO"
    assert config.plan_settings().require_on_conflict is False
    config.set("table.exec.sink.upsert-materialize", "force")
    config.set("table.exec.sink.require-on-conflict", "true")
    assert config.plan_settings().upsert_materialize == "FORCE"
    assert config.plan_settings().require_on_conflict is True


def test_the_planner_gets_whether_events_repeat():
    config = Config()
    assert config.plan_settings().events_duplicate is False
    config.set("table.exec.source.cdc-events-duplicate", "true")
    assert config.plan_settings().events_duplicate is True


def test_enforcers_reach_the_plan():
    config = Config()
    made = config.plan_settings()
    assert (made.not_null_enforcer, made.length_enforcer, made.nested_enforcer) == (
        "ERROR",
        "IGNORE",
        "IGNORE",
    )
    config.set("table.exec.sink.not-null-enforcer", "drop")
    config.set("table.exec.sink.type-length-enforcer", "trim_pad")
    config.set("table.exec.sink.nested-constraint-enforcer", "rows")
    made = config.plan_settings()
    assert (made.not_null_enforcer, made.length_enforcer, made.nested_enforcer) == (
        "DROP",
        "TRIM_PAD",
        "ROWS",
    )
