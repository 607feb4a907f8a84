"""Changes of databases through whole pipelines: messages in, a view of the table out; and changes out as messages."""

import pytest

from headrace.testing.topics import create_topic, eventually, json_table, produce, read_topic

pytestmark = [pytest.mark.spark, pytest.mark.services]

PRODUCTS = "id BIGINT, kind STRING, weight BIGINT"
KEY = "PRIMARY KEY (id) NOT ENFORCED"


@pytest.fixture
def table(env, servers, topic):
    """Makes a bounded table of a topic of its own, and gives the topic."""

    def make(name, columns, **options):
        mine = topic(name.replace("_", "-"))
        common = {
            "topic": mine,
            "properties.bootstrap.servers": servers,
            "scan.bounded.mode": "latest-offset",
        }
        given = common | {key.replace("__", "."): value for key, value in options.items()}
        if options["connector"] == "kafka":
            given["scan.startup.mode"] = "earliest-offset"
        shown = ", ".join(f"'{key}' = '{value}'" for key, value in given.items())
        env.execute_sql(f"CREATE TABLE {name} ({columns}) WITH ({shown})")
        return mine

    return make


@pytest.fixture
def changes(table, servers):
    """A table of changes, filled with (key, message) or messages."""

    def make(format, messages, columns=PRODUCTS, **options):
        topic = table("changes", columns, connector="kafka", format=format, **options)
        create_topic(servers, topic)
        produce(servers, topic, [m if isinstance(m, tuple) else (None, m) for m in messages])
        return topic

    return make


@pytest.fixture
def view(env, table, servers):
    """What a query adds up to in an upsert topic, by the query's first column."""

    def run(columns, query):
        first = columns.split()[0]
        keyed = f"{columns}, PRIMARY KEY ({first}) NOT ENFORCED"
        upsert = {"key__format": "json", "value__format": "json"}
        topic = table("view", keyed, connector="upsert-kafka", **upsert)
        env.execute_sql(f"INSERT INTO view {query}").wait()
        rows = json_table(servers, topic).values()
        return {row[first]: tuple(row.values())[1:] for row in rows}

    return run


def debezium(op, before=None, after=None, table="products", at=0):
    source = {"db": "shop", "table": table, "ts_ms": at}
    return {"before": before, "after": after, "op": op, "source": source, "ts_ms": at + 1}


def row(number, kind, weight):
    return {"id": number, "kind": kind, "weight": weight}


TOTALS = "kind STRING, n BIGINT, total BIGINT"
SUM = "SELECT kind, COUNT(*), SUM(weight) FROM changes GROUP BY kind"

# In each format: three products come, one changes its kind, one its weight, and one goes.
CANAL = [
    {"type": "CREATE", "data": None, "database": "shop", "table": "products"},
    {"type": "INSERT", "database": "shop", "table": "orders", "data": [{"id": "no number"}]},
    {
        "type": "INSERT",
        "database": "shop",
        "table": "products",
        "data": [
            {"id": "1", "kind": "a", "weight": "5"},
            {"id": "2", "kind": "a", "weight": "7"},
            {"id": "3", "kind": "b", "weight": "9"},
        ],
    },
    {
        "type": "UPDATE",
        "database": "shop",
        "table": "products",
        "data": [
            {"id": "2", "kind": "b", "weight": "7"},
            {"id": "1", "kind": "a", "weight": "6"},
        ],
        "old": [{"kind": "a"}, {"weight": "5"}],
    },
    {
        "type": "DELETE",
        "database": "shop",
        "table": "products",
        "data": [{"id": "3", "kind": "b", "weight": "9"}],
    },
]
MAXWELL = [
    *({"type": "insert", "data": row(*r)} for r in ((1, "a", 5), (2, "a", 7), (3, "b", 9))),
    {"type": "update", "data": row(2, "b", 7), "old": {"kind": "a"}},
    {"type": "update", "data": row(1, "a", 6), "old": {"weight": 5}},
    {"type": "delete", "data": row(3, "b", 9)},
]
OGG = [
    *({"op_type": "I", "after": row(*r)} for r in ((1, "a", 5), (2, "a", 7), (3, "b", 9))),
    {"op_type": "U", "before": row(2, "a", 7), "after": row(2, "b", 7)},
    {"op_type": "U", "before": row(1, "a", 5), "after": row(1, "a", 6)},
    {"op_type": "D", "before": row(3, "b", 9)},
]


@pytest.mark.parametrize(
    ("format", "messages", "options"),
    [
        ("canal-json", CANAL, {"canal-json__table__include": "prod.*"}),
        ("maxwell-json", MAXWELL, {}),
        ("ogg-json", OGG, {}),
    ],
)
def test_changes_reach_the_aggregate(changes, view, format, messages, options):
    changes(format, messages, **options)
    assert view(TOTALS, SUM) == {"a": (1, 6), "b": (1, 7)}


def test_two_tables_of_postgresql_without_old_rows_in_one_topic(changes, view):
    """By key: old rows come from state, a delete from the record's key, and each table has its own row 1."""
    columns = f"""
        changed TIMESTAMP_LTZ(3) METADATA FROM 'value.source.timestamp' VIRTUAL, {PRODUCTS},
        origin STRING METADATA FROM 'value.source.table' VIRTUAL, {KEY}"""
    messages = [
        debezium("r", after=row(1, "a", 5), at=1000),
        debezium("c", after=row(2, "a", 7), at=2000),
        debezium("c", after=row(1, "other", 100), table="orders", at=9000),
        debezium("c", after=row(3, "b", 9), at=2500),
        debezium("u", after=row(2, "b", 7), at=3000),
        debezium("u", after=row(1, "a", 6), at=4000),
        debezium("d", at=5000),
        debezium("d", before=row(3, "", 0), at=6000),
    ]
    keys = [1, 2, 1, 3, 2, 1, 2, 3]
    changes(
        "debezium-json",
        [({"id": key}, message) for key, message in zip(keys, messages, strict=True)],
        columns,
        key__format="json",
        key__fields="id",
    )
    assert view(
        f"{TOTALS}, newest STRING",
        "SELECT kind, COUNT(*), SUM(weight), CAST(MAX(changed) AS STRING) FROM changes "
        "WHERE origin = 'products' GROUP BY kind",
    ) == {"a": (1, 6, "1970-01-01 00:00:04.000")}


def test_events_that_come_twice_count_once(env, changes, view):
    changes("maxwell-json", [*MAXWELL[:4], *MAXWELL[2:4], *MAXWELL[4:]], f"{PRODUCTS}, {KEY}")
    env.execute_sql("SET 'table.exec.source.cdc-events-duplicate' = 'true'")
    assert view(TOTALS, SUM) == {"a": (1, 6), "b": (1, 7)}


def test_old_rows_that_are_missing_without_a_key_are_an_error(env, changes):
    changes("debezium-json", [debezium("u", after=row(1, "a", 5))])
    with pytest.raises(Exception, match="lacks the row before it") as caught:
        list(env.execute_sql("SELECT * FROM changes").collect())
    assert "REPLICA IDENTITY FULL" in str(caught.value)


def test_updates_are_written_as_what_goes_and_what_comes(env, table, servers):
    """One job into a sink of each format; a second batch takes back what the first has written."""
    source = table("orders", "kind STRING", connector="kafka", format="json")
    env.execute_sql("ALTER TABLE orders RESET ('scan.bounded.mode')")
    create_topic(servers, source)
    formats = ("debezium-json", "canal-json", "maxwell-json", "ogg-json")
    sinks = {
        name: table(name.split("-")[0], "kind STRING, n BIGINT", connector="kafka", format=name)
        for name in formats
    }
    inserts = "".join(
        f"INSERT INTO {name.split('-')[0]} SELECT kind, COUNT(*) FROM orders GROUP BY kind;"
        for name in formats
    )
    produce(servers, source, [(None, {"kind": "a"})])
    job = env.execute_sql(f"EXECUTE STATEMENT SET BEGIN {inserts} END").get_job_client()
    job.query.processAllAvailable()
    produce(servers, source, [(None, {"kind": "a"})])
    job.query.processAllAvailable()
    job.stop()
    one, two = '{"kind":"a","n":1}', '{"kind":"a","n":2}'
    assert {
        name: [r.value.decode() for r in read_topic(servers, t)] for name, t in sinks.items()
    } == {
        "debezium-json": [
            f'{{"before":null,"after":{one},"op":"c"}}',
            f'{{"before":{one},"after":null,"op":"d"}}',
            f'{{"before":null,"after":{two},"op":"c"}}',
        ],
        "canal-json": [
            f'{{"data":[{one}],"type":"INSERT"}}',
            f'{{"data":[{one}],"type":"DELETE"}}',
            f'{{"data":[{two}],"type":"INSERT"}}',
        ],
        "maxwell-json": [
            f'{{"data":{one},"type":"insert"}}',
            f'{{"data":{one},"type":"delete"}}',
            f'{{"data":{two},"type":"insert"}}',
        ],
        "ogg-json": [
            f'{{"before":null,"after":{one},"op_type":"I"}}',
            f'{{"before":{one},"after":null,"op_type":"D"}}',
            f'{{"before":null,"after":{two},"op_type":"I"}}',
        ],
    }


def test_a_table_of_a_topic_is_copied_without_state(env, servers, changes, table):
    """Every change is passed on as it comes; a delete is the tombstone of its key."""
    columns = f"{PRODUCTS}, origin STRING METADATA FROM 'value.source.table' VIRTUAL, {KEY}"
    messages = [
        debezium("c", after=row(1, "a", 5)),
        debezium("c", after=row(1, "other", 100), table="orders"),
        debezium("u", after=row(1, "b", 5)),
        debezium("d", before=row(1, "", 0)),
    ]
    changes("debezium-json", messages, columns)
    upsert = {"key__format": "json", "value__format": "json"}
    copy = table("copy", f"id BIGINT, kind STRING, {KEY}", connector="upsert-kafka", **upsert)
    env.execute_sql(
        "INSERT INTO copy SELECT id, kind FROM changes WHERE origin = 'products'"
    ).wait()
    values = [record.json_value() for record in read_topic(servers, copy)]
    assert values == [{"id": 1, "kind": "a"}, {"id": 1, "kind": "b"}, None]


def test_changes_of_one_format_become_those_of_another_in_real_time(env, servers, changes, table):
    changes("canal-json", CANAL[2:])
    env.execute_sql("ALTER TABLE changes RESET ('scan.bounded.mode')")
    log = table("log", "id BIGINT, weight BIGINT", connector="kafka", format="maxwell-json")
    env.execute_sql("SET 'headrace.execution.mode' = 'real-time'")
    (job,) = env.execute_sql("INSERT INTO log SELECT id, weight FROM changes WHERE id < 3").jobs
    records = eventually(lambda: read_topic(servers, log), lambda found: len(found) >= 6)
    job.stop()
    told = [(r.json_value()["type"], *r.json_value()["data"].values()) for r in records]
    assert told == [
        ("insert", 1, 5),
        ("insert", 2, 7),
        ("delete", 2, 7),
        ("insert", 2, 7),
        ("delete", 1, 5),
        ("insert", 1, 6),
    ]
