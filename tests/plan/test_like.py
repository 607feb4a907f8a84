import pytest

from headrace.errors import InvalidSchema
from headrace.plan.like import merge_like
from headrace.sql.dialect import parse_statement

SOURCE = """
CREATE TABLE source (
  id BIGINT COMMENT 'the key',
  name STRING,
  day DATE,
  at TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  up AS UPPER(name),
  WATERMARK FOR at AS at - INTERVAL '1' SECOND
) PARTITIONED BY (day) WITH (
  'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'b:9092', 'format' = 'json'
)"""


@pytest.fixture
def merged(env, table):
    """A CREATE TABLE … LIKE with the source merged in."""
    env.execute_sql(SOURCE)

    def merge(sql: str):
        statement = parse_statement(sql)
        assert statement.like is not None
        return merge_like(statement, table(statement.like.source.name))

    return merge


def names(statement) -> list[str]:
    return [column.name for column in statement.columns]


def options(statement) -> dict[str, str]:
    return {entry.key: entry.value for entry in statement.options}


def test_everything_is_taken_over_by_default(merged):
    made = merged("CREATE TABLE t LIKE source")
    assert made.like is None
    assert names(made) == ["id", "name", "day", "at", "up"]
    assert made.columns[0].comment == "the key"
    assert (made.columns[3].key, made.columns[3].virtual) == ("timestamp", True)
    assert made.columns[4].text == "UPPER(name)"
    assert made.watermarks[0].text == "at - INTERVAL '1' SECOND"
    assert made.partitioned_by == ("day",)
    assert options(made)["topic"] == "t"


def test_own_columns_come_after(merged):
    assert names(merged("CREATE TABLE t (extra INT) LIKE source"))[-2:] == ["up", "extra"]


def test_own_options_win_by_default(merged):
    made = merged("CREATE TABLE t WITH ('topic' = 'other') LIKE source")
    assert options(made)["topic"] == "other"
    assert options(made)["format"] == "json"


@pytest.mark.parametrize(
    ("rule", "check"),
    [
        ("EXCLUDING OPTIONS", lambda made: options(made) == {}),
        ("EXCLUDING GENERATED", lambda made: names(made) == ["id", "name", "day", "at"]),
        ("EXCLUDING METADATA", lambda made: names(made) == ["id", "name", "day", "up"]),
        ("EXCLUDING WATERMARKS", lambda made: made.watermarks == ()),
        ("EXCLUDING PARTITIONS", lambda made: made.partitioned_by == ()),
        (
            "EXCLUDING ALL",
            lambda made: (
                names(made) == ["id", "name", "day"]
                and not (made.options or made.watermarks or made.partitioned_by)
            ),
        ),
        (
            "EXCLUDING ALL INCLUDING WATERMARKS",
            lambda made: bool(made.watermarks) and not made.options,
        ),
    ],
)
def test_what_is_excluded(merged, rule, check):
    assert check(merged(f"CREATE TABLE t LIKE source ({rule})"))


def test_a_key_is_taken_over_unless_excluded(merged):
    assert merged("CREATE TABLE t LIKE users").primary_keys[0].columns == ("user_id",)
    made = merged("CREATE TABLE t LIKE users (EXCLUDING CONSTRAINTS)")
    assert made.primary_keys == ()
    own = "CREATE TABLE t (PRIMARY KEY (name) NOT ENFORCED) LIKE users (EXCLUDING CONSTRAINTS)"
    assert merged(own).primary_keys[0].columns == ("name",)


def test_overwriting_replaces_what_both_have(merged):
    made = merged("CREATE TABLE t (up AS LOWER(name)) LIKE source (OVERWRITING GENERATED)")
    assert [c.text for c in made.columns if c.name == "up"] == ["LOWER(name)"]
    made = merged("CREATE TABLE t (WATERMARK FOR at AS at) LIKE source (OVERWRITING WATERMARKS)")
    assert [mark.text for mark in made.watermarks] == ["at"]


@pytest.mark.parametrize(
    ("sql", "summary", "cure"),
    [
        (
            "CREATE TABLE t (name INT) LIKE source",
            "column 'name' exists in the table named by LIKE",
            "give it another name",
        ),
        (
            "CREATE TABLE t (up AS LOWER(name)) LIKE source",
            "column 'up' exists in the table named by LIKE",
            "give it another name, or write EXCLUDING or OVERWRITING GENERATED in the LIKE clause",
        ),
        (
            "CREATE TABLE t (at BIGINT METADATA FROM 'offset') LIKE source",
            "column 'at' exists in the table named by LIKE",
            "give it another name, or write EXCLUDING or OVERWRITING METADATA in the LIKE clause",
        ),
        (
            "CREATE TABLE t (WATERMARK FOR at AS at) LIKE source",
            "WATERMARK exists in the table named by LIKE",
            "leave it out, or write EXCLUDING or OVERWRITING WATERMARKS in the LIKE clause",
        ),
        (
            "CREATE TABLE t (PRIMARY KEY (name) NOT ENFORCED) LIKE users",
            "PRIMARY KEY exists in the table named by LIKE",
            "leave it out, or write EXCLUDING CONSTRAINTS in the LIKE clause",
        ),
        (
            "CREATE TABLE t PARTITIONED BY (name) LIKE source",
            "PARTITIONED BY exists in the table named by LIKE",
            "leave it out, or write EXCLUDING PARTITIONS in the LIKE clause",
        ),
        (
            "CREATE TABLE t WITH ('topic' = 'x') LIKE source (INCLUDING OPTIONS)",
            "option 'topic' exists in the table named by LIKE",
            "leave it out, or write EXCLUDING or OVERWRITING OPTIONS in the LIKE clause",
        ),
    ],
)
def test_what_both_have_is_refused(merged, sql, summary, cure):
    with pytest.raises(InvalidSchema) as caught:
        merged(sql)
    assert (caught.value.summary, caught.value.cure) == (summary, cure)
    assert caught.value.where is not None


@pytest.mark.parametrize("feature", ["CONSTRAINTS", "PARTITIONS"])
def test_what_cannot_be_overwritten(merged, feature):
    with pytest.raises(InvalidSchema, match=f"LIKE cannot use OVERWRITING with {feature}"):
        merged(f"CREATE TABLE t LIKE source (OVERWRITING {feature})")
