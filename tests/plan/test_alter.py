"""Decisions and results are Flink's, which was asked for each of them."""

import pytest

from headrace.errors import HeadraceError


@pytest.fixture
def base(env):
    env.execute_sql(
        "CREATE TABLE g (a INT, b STRING, ts TIMESTAMP(3), f AS a + 1) WITH ('connector' = 'datagen')"
    )
    return env


def columns(env) -> list[tuple]:
    return [tuple(row[:4]) for row in env.execute_sql("DESCRIBE g").collect()]


def names(env) -> list[str]:
    return [row[0] for row in columns(env)]


def refusal(env, change: str) -> str:
    before = columns(env)
    with pytest.raises(HeadraceError) as caught:
        env.execute_sql(f"ALTER TABLE g {change}")
    assert columns(env) == before
    return caught.value.render().splitlines()[0]


class TestAdd:
    def test_last_first_or_after(self, base):
        base.execute_sql("ALTER TABLE g ADD z INT")
        base.execute_sql("ALTER TABLE g ADD (c INT FIRST, d INT AFTER c, e AS a * 2 AFTER a)")
        assert names(base) == ["c", "d", "a", "e", "b", "ts", "f", "z"]

    def test_what_is_there_or_what_it_should_follow_is_not(self, base):
        assert refusal(base, "ADD b INT") == "[INVALID_SCHEMA] 'g' has a column 'b' already"
        assert refusal(base, "ADD z INT AFTER y") == (
            "[UNKNOWN_COLUMN] column 'y' does not exist (after AFTER)"
        )

    def test_a_key(self, base):
        base.execute_sql("ALTER TABLE g ADD CONSTRAINT k PRIMARY KEY (a) NOT ENFORCED")
        assert columns(base)[0] == ("a", "INT", False, "PRI(a)")
        assert refusal(base, "ADD PRIMARY KEY (b) NOT ENFORCED") == (
            "[INVALID_SCHEMA] 'g' has a PRIMARY KEY already"
        )

    def test_a_watermark(self, base):
        base.execute_sql("ALTER TABLE g ADD WATERMARK FOR ts AS ts - INTERVAL '1' SECOND")
        assert columns(base)[2][1] == "TIMESTAMP(3) *ROWTIME*"
        assert refusal(base, "ADD WATERMARK FOR ts AS ts") == (
            "[INVALID_SCHEMA] 'g' has a WATERMARK already"
        )

    def test_a_column_with_a_key_of_its_own(self, base):
        base.execute_sql(
            "ALTER TABLE g ADD (x INT PRIMARY KEY NOT ENFORCED, WATERMARK FOR ts AS ts)"
        )
        assert columns(base)[-1] == ("x", "INT", False, "PRI(x)")


class TestModify:
    def test_types_places_and_comments(self, base):
        base.execute_sql("ALTER TABLE g ADD c INT COMMENT 'kept'")
        base.execute_sql("ALTER TABLE g MODIFY (c BIGINT NOT NULL AFTER a, b INT FIRST)")
        assert columns(base)[:3] == [
            ("b", "INT", True, None),
            ("a", "INT", True, None),
            ("c", "BIGINT", False, None),
        ]
        described = base.execute_sql("DESCRIBE g")
        assert [row[-1] for row in described.collect()][:3] == [None, None, "kept"]

    def test_a_key_keeps_its_columns_from_null(self, base):
        base.execute_sql("ALTER TABLE g ADD PRIMARY KEY (a, b) NOT ENFORCED")
        base.execute_sql("ALTER TABLE g MODIFY b BIGINT")
        assert columns(base)[1] == ("b", "BIGINT", False, "PRI(a, b)")

    def test_keys_and_watermarks(self, base):
        assert refusal(base, "MODIFY PRIMARY KEY (a) NOT ENFORCED") == (
            "[INVALID_SCHEMA] 'g' has no PRIMARY KEY"
        )
        assert refusal(base, "MODIFY WATERMARK FOR ts AS ts") == (
            "[INVALID_SCHEMA] 'g' has no WATERMARK"
        )
        base.execute_sql("ALTER TABLE g ADD PRIMARY KEY (a) NOT ENFORCED")
        base.execute_sql("ALTER TABLE g MODIFY PRIMARY KEY (b) NOT ENFORCED")
        assert columns(base)[:2] == [("a", "INT", False, None), ("b", "STRING", False, "PRI(b)")]

    def test_what_does_not_fit(self, base):
        assert refusal(base, "MODIFY nope INT") == "[UNKNOWN_COLUMN] column 'nope' does not exist"
        assert refusal(base, "MODIFY a STRING").startswith("[TYPE_MISMATCH]")
        base.execute_sql("ALTER TABLE g ADD WATERMARK FOR ts AS ts")
        assert refusal(base, "MODIFY ts STRING").startswith("[INVALID_SCHEMA] column 'ts' cannot")


class TestDrop:
    def test_columns(self, base):
        base.execute_sql("ALTER TABLE g DROP b")
        assert names(base) == ["a", "ts", "f"]
        base.execute_sql("ALTER TABLE g DROP (a, f)")
        assert names(base) == ["ts"]

    def test_a_key_by_its_name_or_without(self, base):
        assert refusal(base, "DROP PRIMARY KEY") == "[INVALID_SCHEMA] 'g' has no PRIMARY KEY"
        base.execute_sql("ALTER TABLE g ADD CONSTRAINT k PRIMARY KEY (a) NOT ENFORCED")
        assert refusal(base, "DROP CONSTRAINT other") == (
            "[UNKNOWN_CONSTRAINT] constraint 'other' does not exist"
        )
        base.execute_sql("ALTER TABLE g DROP CONSTRAINT k")
        base.execute_sql("ALTER TABLE g ADD PRIMARY KEY (a, b) NOT ENFORCED")
        base.execute_sql("ALTER TABLE g DROP CONSTRAINT PK_a_b")
        assert columns(base)[0] == ("a", "INT", False, None)

    def test_a_watermark(self, base):
        base.execute_sql("ALTER TABLE g ADD WATERMARK FOR ts AS ts")
        base.execute_sql("ALTER TABLE g DROP WATERMARK")
        assert refusal(base, "DROP WATERMARK") == "[INVALID_SCHEMA] 'g' has no WATERMARK"

    def test_what_is_used_stays(self, base):
        base.execute_sql("ALTER TABLE g ADD (PRIMARY KEY (b) NOT ENFORCED, WATERMARK FOR ts AS ts)")
        assert refusal(base, "DROP a") == (
            "[INVALID_SCHEMA] column 'a' is used by the computed column 'f'"
        )
        assert refusal(base, "DROP b") == "[INVALID_SCHEMA] column 'b' is used by the PRIMARY KEY"
        assert refusal(base, "DROP ts") == "[INVALID_SCHEMA] column 'ts' is used by the WATERMARK"
        assert refusal(base, "DROP (f, f)") == (
            "[INVALID_SCHEMA] a column stands twice in the DROP list"
        )
        assert refusal(base, "DROP nope").startswith("[UNKNOWN_COLUMN]")


class TestRename:
    def test_a_column_and_its_place_in_the_key(self, base):
        base.execute_sql("ALTER TABLE g ADD PRIMARY KEY (b) NOT ENFORCED")
        base.execute_sql("ALTER TABLE g RENAME b TO `b b`")
        assert columns(base)[1] == ("b b", "STRING", False, "PRI(b b)")

    def test_what_cannot(self, base):
        assert refusal(base, "RENAME a TO x").endswith("is used by the computed column 'f'")
        assert refusal(base, "RENAME b TO a") == "[INVALID_SCHEMA] 'g' has a column 'a' already"
        assert refusal(base, "RENAME x TO y").startswith("[UNKNOWN_COLUMN]")

    def test_partitions_keep_their_columns(self, env):
        env.execute_sql("CREATE TABLE g (a INT) PARTITIONED BY (a) WITH ('connector' = 'print')")
        assert refusal(env, "RENAME a TO b").endswith("is used by PARTITIONED BY")


def test_the_connector_has_its_say(env):
    env.execute_sql(
        "CREATE TABLE g (a INT, PRIMARY KEY (a) NOT ENFORCED) WITH ('connector' = 'upsert-kafka', "
        "'topic' = 'x', 'properties.bootstrap.servers' = 'b:9092', 'key.format' = 'json', "
        "'value.format' = 'json')"
    )
    assert refusal(env, "DROP PRIMARY KEY").startswith("[INVALID_SCHEMA] an 'upsert-kafka' table")
    env.execute_sql("ALTER TABLE g ADD (o BIGINT METADATA FROM 'offset' VIRTUAL FIRST)")
    assert names(env) == ["o", "a"]


def test_no_table_no_change(env):
    env.execute_sql("ALTER TABLE IF EXISTS nope ADD a INT")
    with pytest.raises(HeadraceError, match="table 'nope' does not exist"):
        env.execute_sql("ALTER TABLE nope ADD a INT")
