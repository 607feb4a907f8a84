from headrace.catalog.namespaces import Namespace
from headrace.runtime.environment import TableEnvironment
from headrace.runtime.show_create import create_catalog_sql


def shown(env: TableEnvironment, what: str) -> str:
    ((text,),) = env.execute_sql(f"SHOW CREATE {what}").collect()
    return text


def test_names_and_values_are_quoted():
    env = TableEnvironment()
    env.execute_sql(
        "CREATE TEMPORARY TABLE `a.b``c` (`x y` INT) PARTITIONED BY (`x y`) "
        "WITH ('connector' = 'print', 'print-identifier' = 'it''s')"
    )
    assert shown(env, "TABLE `a.b``c`") == (
        "CREATE TEMPORARY TABLE `default_catalog`.`default_database`.`a.b``c` (\n"
        "  `x y` INT\n"
        ")\n"
        "PARTITIONED BY (`x y`)\n"
        "WITH (\n"
        "  'connector' = 'print',\n"
        "  'print-identifier' = 'it''s'\n"
        ")\n"
    )


def test_types_are_written_out():
    env = TableEnvironment()
    env.execute_sql(
        "CREATE TABLE t (m MAP<STRING, BYTES>, r ROW<`STRING` TIMESTAMP_LTZ(3)>, d DECIMAL(5, 2), "
        "v VARCHAR(5) COMMENT 'short') WITH ('connector' = 'print')"
    )
    assert shown(env, "TABLE t").splitlines()[1:5] == [
        "  `m` MAP<VARCHAR(2147483647), VARBINARY(2147483647)>,",
        "  `r` ROW<`STRING` TIMESTAMP(3) WITH LOCAL TIME ZONE>,",
        "  `d` DECIMAL(5, 2),",
        "  `v` VARCHAR(5) COMMENT 'short'",
    ]


def test_a_key_has_a_name():
    env = TableEnvironment()
    env.execute_sql(
        "CREATE TABLE t (a INT, b INT, PRIMARY KEY (a, b) NOT ENFORCED) WITH ('connector' = 'print')"
    )
    assert "  CONSTRAINT `PK_a_b` PRIMARY KEY (`a`, `b`) NOT ENFORCED\n" in shown(env, "TABLE t")
    env.execute_sql("ALTER TABLE t MODIFY CONSTRAINT k PRIMARY KEY (b) NOT ENFORCED")
    assert "  CONSTRAINT `k` PRIMARY KEY (`b`) NOT ENFORCED\n" in shown(env, "TABLE t")


def test_a_view_can_be_made_again_from_its_text():
    env = TableEnvironment()
    env.execute_sql("CREATE TEMPORARY VIEW v (who) COMMENT 'c' AS SELECT 'ann'")
    text = shown(env, "VIEW v")
    assert text == (
        "CREATE TEMPORARY VIEW `default_catalog`.`default_database`.`v` (\n"
        "  `who`\n"
        ")\n"
        "COMMENT 'c'\n"
        "AS SELECT 'ann'\n"
    )
    again = TableEnvironment()
    again.execute_sql(text)
    assert shown(again, "VIEW v") == text


def test_columns_of_a_view_without_a_list_are_its_querys():
    env = TableEnvironment()
    env.execute_sql("CREATE VIEW v AS SELECT 1 AS a, 2")
    assert shown(env, "VIEW v").splitlines()[1:3] == ["  `a`,", "  `EXPR$1`"]


def test_a_catalog_without_a_comment():
    space = Namespace("d", {"type": "generic_in_memory"})
    assert create_catalog_sql("c", space).splitlines() == [
        "CREATE CATALOG `c`",
        "WITH (",
        "  'type' = 'generic_in_memory'",
        ")",
    ]
