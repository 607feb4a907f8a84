from headrace.connectors.registry import connector_named
from headrace.errors import Position
from headrace.plan.redefine import column_def, definition, key_defs, watermark_defs
from headrace.plan.tables import build_table
from headrace.sql.dialect import parse_statement

WHERE = Position(7, 3)
SQL = """\
CREATE TEMPORARY TABLE t (
  a INT COMMENT 'key',
  m TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  c AS a + 1,
  CONSTRAINT k PRIMARY KEY (a) NOT ENFORCED,
  WATERMARK FOR m AS m - INTERVAL '1' SECOND
) COMMENT 'it' WITH (
  'connector' = 'upsert-kafka', 'topic' = 'x', 'properties.bootstrap.servers' = 'b:9092',
  'key.format' = 'json', 'value.format' = 'json'
)"""


def made(env):
    env.execute_sql(SQL)
    return env.catalog.table(parse_statement("DESCRIBE t").name)


def test_a_table_made_of_its_definition_is_the_same(env):
    table = made(env)
    again = build_table(definition(table, WHERE), table.identifier, connector_named)
    assert again == table
    assert (again.key_name, again.comment, again.temporary) == ("k", "it", True)


def test_parts_are_where_they_are_asked_for(env):
    table = made(env)
    statement = definition(table, WHERE)
    assert {column.position for column in statement.columns} == {WHERE}
    assert {entry.key_position for entry in statement.options} == {WHERE}
    assert statement.name.parts == ("default_catalog", "default_database", "t")


def test_each_kind_of_column(env):
    table = made(env)
    key, metadata, computed = (column_def(column, WHERE) for column in table.columns)
    assert (key.name, key.type.sql(), key.comment) == ("a", "INT NOT NULL", "key")
    assert (metadata.key, metadata.virtual) == ("timestamp", True)
    assert computed.text == "a + 1"


def test_what_a_table_lacks_is_nothing(env):
    env.execute_sql("CREATE TABLE plain (a INT) WITH ('connector' = 'print')")
    table = env.catalog.table(parse_statement("DESCRIBE plain").name)
    assert (key_defs(table, WHERE), watermark_defs(table, WHERE)) == ((), ())
