import pytest

from headrace.connectors.kafka.settings import is_upsert, key_names, settings_of
from headrace.errors import InvalidOption, UnknownName
from headrace.types import BIGINT, STRING

COLUMNS = {"k_id": BIGINT, "name": STRING, "k_site": STRING}


def uses(use):
    return [(column, inner) for column, inner, _ in use.columns]


def test_topics_properties_and_group(kafka_table):
    settings = settings_of(
        kafka_table({"topic": "a; b", "properties.group.id": "g", "properties.x.y": "1"})
    )
    assert settings.topics == ("a", "b")
    assert settings.pattern is None
    assert settings.servers == "broker:9092"
    assert settings.group == "g"
    assert settings.properties["x.y"] == "1"


def test_properties_of_flinks_source_reach_no_client(kafka_table):
    given = {
        "properties.client.id.prefix": "reports",
        "properties.commit.offsets.on.checkpoint": "true",
        "properties.partition.discovery.interval.ms": "1",
        "properties.register.consumer.metrics": "false",
    }
    settings = settings_of(kafka_table(given))
    assert settings.properties == {"bootstrap.servers": "broker:9092"}
    assert settings.client_prefix == "reports"


AUTO, ON_CHECKPOINT = "properties.enable.auto.commit", "properties.commit.offsets.on.checkpoint"


@pytest.mark.parametrize(
    ("given", "committed"),
    [
        ({}, True),
        ({ON_CHECKPOINT: "true"}, True),
        ({ON_CHECKPOINT: "false"}, False),
        ({ON_CHECKPOINT: "false", AUTO: "false"}, False),
        ({ON_CHECKPOINT: "False", AUTO: "True"}, True),
        ({AUTO: "false"}, True),
    ],
)
def test_a_group_is_told_what_was_read_unless_the_table_says_not_to(kafka_table, given, committed):
    group = {"properties.group.id": "g"}
    assert settings_of(kafka_table(group | given)).commit_group == ("g" if committed else None)


def test_without_a_group_nobody_is_told(kafka_table):
    assert settings_of(kafka_table()).commit_group is None


def test_named_credentials_give_way_to_the_tables_properties(kafka_table, monkeypatch, tmp_path):
    file = tmp_path / "credentials.toml"
    file.write_text('[ssl.shop]\n"ssl.truststore.password" = "hunter2"\n"ssl.protocol" = "a"\n')
    file.chmod(0o600)
    monkeypatch.setenv("HEADRACE_CREDENTIALS", str(file))
    settings = settings_of(kafka_table({"ssl_auth_name": "shop", "properties.ssl.protocol": "b"}))
    assert settings.properties == {
        "bootstrap.servers": "broker:9092",
        "security.protocol": "SSL",
        "ssl.truststore.password": "hunter2",
        "ssl.protocol": "b",
    }
    assert settings.servers == "broker:9092"
    assert "hunter2" not in repr(settings)


def test_every_client_gets_logins_as_kafka_reads_them(kafka_table):
    login = r"org.apache.flink.kafka.shaded.org.apache.kafka.X required username=\"a\";"
    settings = settings_of(kafka_table({"properties.sasl.jaas.config": login}))
    assert settings.properties["sasl.jaas.config"] == 'org.apache.kafka.X required username="a";'


def test_an_unknown_name_of_credentials_is_pointed_at(kafka_table, monkeypatch, tmp_path):
    file = tmp_path / "credentials.toml"
    file.write_text("[krb.shop]\n")
    file.chmod(0o600)
    monkeypatch.setenv("HEADRACE_CREDENTIALS", str(file))
    made = kafka_table({"krb_auth_name": "shp"})
    with pytest.raises(UnknownName, match="did you mean 'shop'") as caught:
        _ = settings_of(made).properties
    assert caught.value.where == made.positions["krb_auth_name"]


def test_value_alone_carries_every_physical_column(kafka_table):
    settings = settings_of(kafka_table())
    assert settings.key is None
    assert uses(settings.value) == [("id", "id"), ("name", "name")]


def test_key_fields_keep_their_own_order(kafka_table):
    options = {"key.format": "json", "key.fields": "name;id"}
    settings = settings_of(kafka_table(options))
    assert uses(settings.key) == [("name", "name"), ("id", "id")]
    assert uses(settings.value) == [("id", "id"), ("name", "name")]


def test_prefix_is_removed_inside_the_key_and_except_key_leaves_it_out_of_the_value(kafka_table):
    options = {
        "key.format": "json",
        "key.fields": "k_site;k_id",
        "key.fields-prefix": "k_",
        "value.fields-include": "except_key",
    }
    settings = settings_of(kafka_table(options, COLUMNS))
    assert uses(settings.key) == [("k_site", "site"), ("k_id", "id")]
    assert uses(settings.value) == [("name", "name")]


def test_upsert_key_is_the_primary_key(upsert_table):
    made = upsert_table({}, COLUMNS, primary_key=["k_site", "k_id"])
    settings = settings_of(made)
    assert is_upsert(made)
    assert settings.upsert
    assert key_names(made, settings.options, True) == ("k_site", "k_id")
    assert uses(settings.key) == [("k_site", "k_site"), ("k_id", "k_id")]
    assert [type for _, _, type in settings.key.columns] == [STRING, BIGINT]


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ({"json.ignore-parse-errors": "true"}, "value"),
        (
            {"format": None, "value.format": "json", "value.json.ignore-parse-errors": "true"},
            "value",
        ),
        (
            {"key.format": "json", "key.fields": "id", "key.json.ignore-parse-errors": "true"},
            "key",
        ),
    ],
)
def test_format_options_reach_their_part_only(kafka_table, options, part):
    settings = settings_of(kafka_table(options))
    for name, use in (("key", settings.key), ("value", settings.value)):
        if use is not None:
            assert use.options["ignore-parse-errors"] is (name == part)


def test_missing_format(kafka_table):
    with pytest.raises(InvalidOption, match="needs a format of the value") as caught:
        settings_of(kafka_table({"format": None}))
    assert caught.value.condition == "MISSING_OPTION"


def test_missing_servers(kafka_table):
    with pytest.raises(InvalidOption, match=r"properties\.bootstrap\.servers") as caught:
        settings_of(kafka_table({"properties.bootstrap.servers": None}))
    assert caught.value.condition == "MISSING_OPTION"


def test_unknown_option_names_the_nearest_and_its_place(kafka_table):
    with pytest.raises(InvalidOption, match=r"did you mean 'scan\.startup\.mode'") as caught:
        settings_of(kafka_table({"scan.startup.mod": "earliest-offset"}))
    assert caught.value.condition == "UNKNOWN_OPTION"
    assert caught.value.where.line == 10


def test_malformed_enum_names_the_choices(kafka_table):
    with pytest.raises(InvalidOption, match="one of earliest-offset") as caught:
        settings_of(kafka_table({"scan.startup.mode": "earliest"}))
    assert caught.value.cure == "'scan.startup.mode' = 'earliest-offset'"


@pytest.mark.parametrize(
    "option",
    ["format", "key.fields", "sink.semantic"],
)
def test_upsert_refuses_options_of_kafka(upsert_table, option):
    with pytest.raises(InvalidOption, match=f"does not support the option '{option}'"):
        settings_of(upsert_table({option: "json"}))


REGISTRY = {
    "format": None,
    "value.format": "avro-confluent",
    "value.avro-confluent.url": "http://r",
    "key.format": "avro-confluent",
    "key.fields": "id",
    "key.avro-confluent.schema-registry.url": "http://old",
}


def subjects(settings):
    return [use.options.get("subject") for use in (settings.key, settings.value)]


def test_schemas_are_registered_under_the_topic_and_the_part(kafka_table):
    assert subjects(settings_of(kafka_table(REGISTRY | {"topic": "t"}))) == ["t-key", "t-value"]


def test_a_subject_of_ones_own_is_kept(kafka_table):
    own = REGISTRY | {"topic": "t", "value.avro-confluent.subject": "s"}
    assert subjects(settings_of(kafka_table(own))) == ["t-key", "s"]


def test_several_topics_have_no_subject(kafka_table):
    assert subjects(settings_of(kafka_table(REGISTRY | {"topic": "a;b"}))) == [None, None]


def test_older_names_of_format_options_are_read_in_every_part(kafka_table):
    assert settings_of(kafka_table(REGISTRY)).key.options["url"] == "http://old"


def test_the_old_name_of_the_guarantee_wins(kafka_table, upsert_table):
    exactly = {"sink.delivery-guarantee": "exactly-once"}
    assert settings_of(kafka_table()).guarantee == "at-least-once"
    assert settings_of(upsert_table(exactly)).is_exactly_once
    assert settings_of(kafka_table(exactly | {"sink.semantic": "none"})).guarantee == "none"
    assert settings_of(kafka_table({"sink.semantic": "EXACTLY-ONCE"})).is_exactly_once


@pytest.mark.parametrize(
    ("topics", "several"),
    [
        ({"topic": "a"}, False),
        ({"topic": "a;b"}, True),
        ({"topic": None, "topic-pattern": "a"}, True),
    ],
)
def test_rows_name_topics_where_there_is_a_choice(kafka_table, topics, several):
    assert settings_of(kafka_table(topics)).rows_name_topics is several
