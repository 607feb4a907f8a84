"""Jobs on a broker that lets in only whom it knows: every mechanism, users with no more rights than they need, refusals."""

from __future__ import annotations

import contextlib
import socketserver
import ssl
import threading
import time
from datetime import timedelta

import pytest
from click.testing import CliRunner
from confluent_kafka import ConsumerGroupTopicPartitions, Producer
from confluent_kafka.admin import AdminClient, NewTopic

from headrace.cli.main import cli
from headrace.connectors.kafka.admin import KafkaAdmin
from headrace.connectors.kafka.refusals import ALLOWED_URLS
from headrace.errors import EnvironmentFault
from headrace.runtime.config import Config
from headrace.runtime.kerberos import KEYTAB, PRINCIPAL, with_login
from headrace.runtime.session import log_file
from headrace.services.access import Rule
from headrace.services.certificates import new_authority
from headrace.services.secure_kafka import EXPIRED
from headrace.services.ways import (
    bearer_login,
    password_login,
    pem_key,
    pem_trust,
    store_files,
)
from headrace.testing.topics import read_topic

pytestmark = [pytest.mark.spark, pytest.mark.services]

PASSWORD = "correct-horse-battery"
# Far below the minutes that a client left to itself would go on trying; a busy machine needs some of them.
SOON_SECONDS = 30.0


@pytest.fixture(scope="module")
def broker(secure_broker, spark):
    """The broker, with what a JVM is told by options when it starts."""
    system = spark._jvm.java.lang.System
    system.setProperty("java.security.krb5.conf", str(secure_broker.kdc.configuration))
    patch = pytest.MonkeyPatch()
    patch.setenv("HEADRACE_CREDENTIALS", str(secure_broker.credentials))
    yield secure_broker
    patch.undo()
    system.clearProperty("java.security.krb5.conf")


@pytest.fixture(scope="module")
def trust(broker):
    return pem_trust(broker.certificates)


@pytest.fixture
def user(broker, topic):
    """Makes a user of SCRAM who may do nothing but what `rules` say; gives the table options of one who is it."""

    def make(name, *rules):
        name = topic(name)
        broker.set_passwords({name: PASSWORD})
        if rules:
            broker.allow(name, rules)
        login = password_login("SCRAM-SHA-256", name, PASSWORD) | pem_trust(broker.certificates)
        properties = login | {"bootstrap.servers": broker.addresses["SASL_SSL"]}
        return {f"properties.{key}": value for key, value in properties.items()}

    return make


def create(broker, *topics):
    admin = AdminClient(broker.admin_client())
    for answer in admin.create_topics([NewTopic(name, 1, 1) for name in topics]).values():
        answer.result(20)


def produce(broker, topic, *values, key=None):
    producer = Producer(broker.admin_client())
    for value in values:
        producer.produce(topic, value, key)
    assert producer.flush(20) == 0


def values_of(broker, topic, **settings):
    client = {key.replace(".", "_"): value for key, value in broker.admin_client().items()}
    client.pop("bootstrap_servers")
    return [r.value and r.value.decode() for r in read_topic(broker.address, topic, **client)]


def committed(broker, group):
    """By topic; all have one partition."""
    admin = AdminClient(broker.admin_client())
    asked = admin.list_consumer_group_offsets([ConsumerGroupTopicPartitions(group)])
    return {place.topic: place.offset for place in asked[group].result(20).topic_partitions}


def definition(name, topic, options, columns="n BIGINT"):
    given = {"connector": "kafka", "topic": topic, "format": "json"} | options
    listed = ", ".join(f"'{key}' = '{value}'" for key, value in given.items() if value is not None)
    return f"CREATE TABLE {name} ({columns}) WITH ({listed})"


def table(env, *facts):
    env.execute_sql(definition(*facts))


WHOLE = {"scan.startup.mode": "earliest-offset", "scan.bounded.mode": "latest-offset"}
KEYED = {
    "connector": "upsert-kafka",
    "format": None,
    "key.format": "json",
    "value.format": "json",
}


def test_every_mechanism_reads_and_writes_and_commits(env, broker, topic):
    ways = broker.ways
    create(broker, *(topic(f"in-{way.name}") for way in ways))
    inserts = []
    for number, way in enumerate(ways):
        produce(broker, topic(f"in-{way.name}"), f'{{"n":{number}}}')
        options = {"properties.bootstrap.servers": way.servers, f"{way.kind}_auth_name": way.name}
        group = {"properties.group.id": topic(f"g-{way.name}")}
        table(env, f"in{number}", topic(f"in-{way.name}"), options | WHOLE | group)
        table(env, f"out{number}", topic(f"out-{way.name}"), options)
        inserts.append(f"INSERT INTO out{number} SELECT n FROM in{number};")
    env.execute_sql("EXECUTE STATEMENT SET BEGIN " + "\n".join(inserts) + " END").wait()
    for number, way in enumerate(ways):
        assert values_of(broker, topic(f"out-{way.name}")) == [f'{{"n":{number}}}'], way.name
        group, source = topic(f"g-{way.name}"), topic(f"in-{way.name}")
        assert committed(broker, group) == {source: 1}, way.name
    assert {way.name for way in ways} == {
        *("pem", "stores", "plain", "scram-256", "scram-512"),
        *("oauth", "scram-unencrypted", "kerberos"),
    }


@pytest.fixture
def session_login(spark, broker):
    """What the settings of Kerberos tell a JVM when it starts."""
    settings = {PRINCIPAL: broker.kdc.principal("app"), KEYTAB: str(broker.kdc.keytab("app"))}
    (option,) = with_login(Config(settings))["spark.driver.extraJavaOptions"].split()
    name, value = option.removeprefix("-D").split("=", 1)
    system, logins = spark._jvm.java.lang.System, spark._jvm.javax.security.auth.login.Configuration
    system.setProperty(name, value)
    logins.setConfiguration(None)  # what was read before is read anew
    yield
    system.clearProperty(name)
    logins.setConfiguration(None)


def test_a_login_of_the_session_serves_tables_that_name_none(env, broker, topic, session_login):
    login = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "GSSAPI"}
    login |= {"sasl.kerberos.service.name": "kafka"}
    there = login | {"bootstrap.servers": broker.addresses["SASL_PLAINTEXT"]}
    table(env, "sink", topic("out"), {f"properties.{key}": v for key, v in there.items()})
    env.execute_sql("INSERT INTO sink VALUES (1)").wait()
    assert values_of(broker, topic("out")) == ['{"n":1}']


def test_kerberos_without_any_login_is_told_where_one_may_stand(spark, broker):
    there = {"bootstrap.servers": broker.addresses["SASL_PLAINTEXT"], "sasl.mechanism": "GSSAPI"}
    login = {"security.protocol": "SASL_PLAINTEXT", "sasl.kerberos.service.name": "kafka"}
    error = refused(asked(spark, there | login))
    assert error.condition == "INVALID_CLIENT"
    assert PRINCIPAL in error.cure


def test_logins_that_are_quoted_for_java_or_name_flinks_classes(env, broker, topic):
    """As they stand in documents and in scripts that ran on Flink's client."""
    stores = store_files(broker.certificates, "app", broker.passwords["stores"])
    for number, mechanism in enumerate(("SCRAM-SHA-256", "PLAIN")):
        login = stores | password_login(mechanism, "app", broker.passwords["app"])
        written = login["sasl.jaas.config"].replace('"', r"\"")
        login["sasl.jaas.config"] = f"org.apache.flink.kafka.shaded.{written}"
        there = login | {"bootstrap.servers": broker.addresses["SASL_SSL"]}
        options = {f"properties.{key}": value for key, value in there.items()}
        table(env, f"sink{number}", topic("out"), options)
        env.execute_sql(f"INSERT INTO sink{number} VALUES ({number})").wait()
    assert values_of(broker, topic("out")) == ['{"n":0}', '{"n":1}']


def test_users_with_the_documented_rights_and_no_more_do_all_that_jobs_do(env, broker, topic, user):
    """Dead letters, commits to a group, reconciliation of a sink that has rows, transactions."""
    rows, dead, out = topic("rows"), topic("dead"), topic("out")
    group, prefix = topic("group"), topic("transactions")
    create(broker, rows, out)
    produce(broker, rows, '{"n":1}', "no json", '{"n":2}')
    produce(broker, out, '{"n":9}', key='{"n":9}')
    reader = user(
        "reader",
        Rule("topic", rows, ("DESCRIBE", "READ")),
        Rule("group", group, ("READ",)),
        Rule("topic", dead, ("DESCRIBE", "WRITE", "CREATE")),
    )
    writer = user(
        "writer",
        Rule("topic", out, ("DESCRIBE", "READ", "WRITE")),
        Rule("transactional-id", prefix, ("DESCRIBE", "WRITE"), prefixed=True),
    )
    letters = {"headrace.errors.mode": "dead-letter", "headrace.errors.dead-letter.topic": dead}
    table(env, "reading", rows, reader | WHOLE | letters | {"properties.group.id": group})
    once = {
        "sink.delivery-guarantee": "exactly-once",
        "sink.transactional-id-prefix": prefix,
    }
    columns = "n BIGINT, PRIMARY KEY (n) NOT ENFORCED"
    table(env, "writing", out, writer | KEYED | once, columns)
    env.execute_sql("INSERT INTO writing SELECT n FROM reading").wait()
    assert sorted(values_of(broker, out), key=str) == sorted(
        ['{"n":9}', '{"n":1}', '{"n":2}', None], key=str
    )
    assert values_of(broker, dead) == ["no json"]
    assert committed(broker, group) == {rows: 3}


def refused(act):
    began = time.monotonic()
    with pytest.raises(EnvironmentFault) as caught:
        act()
    assert time.monotonic() - began < SOON_SECONDS
    error = caught.value
    assert len(error.render().splitlines()) <= 5
    assert PASSWORD not in error.render()
    return error


def test_every_missing_right_is_named_with_its_cure(env, broker, topic, user):
    rows, out, absent = topic("rows"), topic("out"), topic("absent")
    create(broker, rows, out)
    produce(broker, rows, '{"n":1}')
    sees_rows, sees_out = (Rule("topic", name, ("DESCRIBE",)) for name in (rows, out))
    reads = Rule("topic", rows, ("DESCRIBE", "READ"))
    writes = Rule("topic", out, ("DESCRIBE", "WRITE"))
    once = {"sink.delivery-guarantee": "exactly-once", "sink.transactional-id-prefix": "x"}
    by_group = {"scan.startup.mode": "group-offsets", "properties.group.id": topic("group")}
    table(env, "console", None, {"connector": "print", "format": None})
    table(env, "unseen", rows, user("nobody") | WHOLE)
    table(env, "unread", rows, user("looker", sees_rows) | WHOLE)
    table(env, "ungrouped", rows, user("reader", reads) | WHOLE | by_group)
    table(env, "unwritten", out, user("watcher", sees_out))
    table(env, "uncommitted", out, user("writer", writes) | once)
    table(env, "unmade", absent, user("maker", Rule("topic", absent, ("DESCRIBE",))))
    cases = {
        "INSERT INTO console SELECT n FROM unseen": ("DESCRIBE", f"topic '{rows}'"),
        "INSERT INTO console SELECT n FROM unread": ("READ", f"topic '{rows}'"),
        "INSERT INTO console SELECT n FROM ungrouped": ("READ", f"group '{topic('group')}'"),
        "INSERT INTO unwritten VALUES (1)": ("WRITE", f"topic '{out}'"),
        "INSERT INTO uncommitted VALUES (1)": ("WRITE and DESCRIBE", "transactional ids"),
        "INSERT INTO unmade VALUES (1)": ("CREATE", f"topic '{absent}'"),
    }
    for statement, (right, subject) in cases.items():
        error = refused(lambda sql=statement: env.execute_sql(sql).wait())
        assert error.condition == "ACCESS_DENIED", statement
        assert f"right to {right} " in error.expected, statement
        assert subject in error.summary, statement
        assert "kafka-acls --add" in error.cure
    assert values_of(broker, out) == []


def test_progress_that_may_not_be_committed_does_not_stop_a_job(env, broker, topic, user):
    rows, out, group = topic("rows"), topic("out"), topic("group")
    create(broker, rows)
    produce(broker, rows, '{"n":1}')
    reads = Rule("topic", rows, ("DESCRIBE", "READ"))
    writes = Rule("topic", out, ("DESCRIBE", "WRITE", "CREATE"))
    options = user("copier", reads, writes)
    table(env, "source", rows, options | WHOLE | {"properties.group.id": group})
    table(env, "sink", out, options)
    env.execute_sql("INSERT INTO sink SELECT n FROM source").wait()
    assert values_of(broker, out) == ['{"n":1}']
    assert f"offsets are not committed to group {group}: " in log_file().read_text()


@pytest.fixture(scope="module")
def strangers(tmp_path_factory):
    """Certificates of another authority."""
    authority = new_authority(tmp_path_factory.mktemp("strangers"), PASSWORD)
    authority.issue("app", PASSWORD)
    return authority.folder


def asked(spark, properties):
    return lambda: KafkaAdmin(spark, properties).partitions(["t"])


def test_wrong_passwords_and_logins_are_told_at_once(spark, broker, trust):
    there = trust | {"bootstrap.servers": broker.addresses["SASL_SSL"]}
    for mechanism in ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"):
        error = refused(asked(spark, there | password_login(mechanism, "app", PASSWORD)))
        assert error.condition == "AUTHENTICATION_FAILED"
        assert broker.addresses["SASL_SSL"] in error.summary
        assert "user 'app'" in error.expected
    error = refused(asked(spark, there | bearer_login("app", PASSWORD, broker.tokens.url)))
    assert error.condition == "AUTHENTICATION_FAILED"
    assert "401" in error.found
    other = password_login("PLAIN", "app", PASSWORD) | {"sasl.mechanism": "DIGEST-MD5"}
    error = refused(asked(spark, there | other))
    assert "enabled mechanisms are" in error.found


@pytest.fixture
def no_other_endpoint(spark, broker):
    system = spark._jvm.java.lang.System
    system.setProperty(ALLOWED_URLS, broker.tokens.url)
    yield
    system.clearProperty(ALLOWED_URLS)


def test_a_token_endpoint_that_java_may_not_ask(spark, broker, trust, no_other_endpoint):
    there = trust | {"bootstrap.servers": broker.addresses["SASL_SSL"]}
    login = bearer_login("app", PASSWORD, "http://127.0.0.1:1/token")
    error = refused(asked(spark, there | login))
    assert error.condition == "INVALID_CLIENT"
    assert "http://127.0.0.1:1/token is not allowed" in error.found
    assert ALLOWED_URLS in error.cure


def test_a_login_that_is_malformed_is_not_repeated(spark, broker, trust):
    there = trust | {"bootstrap.servers": broker.addresses["SASL_SSL"]}
    login = password_login("PLAIN", "app", PASSWORD) | {"sasl.jaas.config": f"x {PASSWORD} y"}
    assert refused(asked(spark, there | login)).condition == "INVALID_CLIENT"


def test_kerberos_without_a_key_or_for_another_service(spark, broker):
    servers = {"bootstrap.servers": broker.addresses["SASL_PLAINTEXT"]}
    common = servers | {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "GSSAPI"}
    cases = {"nobody": ("kafka", "keytab is missing"), "app": ("other", "Server not found")}
    for name, (service, told) in cases.items():
        login = {"sasl.kerberos.service.name": service, "sasl.jaas.config": broker.kdc.login(name)}
        error = refused(asked(spark, common | login))
        assert error.condition == "AUTHENTICATION_FAILED"
        assert told in error.found


def test_certificates_that_do_not_fit_are_told_apart(spark, broker, trust, strangers):
    there = {"bootstrap.servers": broker.address, "security.protocol": "SSL"}
    own = pem_key(broker.certificates, "app")
    old = pem_key(broker.certificates, EXPIRED)
    cases = {
        "is not trusted": there | pem_trust(strangers) | own,
        "refused the certificate": there | trust | pem_key(strangers, "app"),
        "refused the certificate of this client": there | trust | old,
        "refused the certificate of": there | trust,
    }
    for summary, properties in cases.items():
        error = refused(asked(spark, properties))
        assert error.condition == "TLS_FAILED", summary
        assert summary in error.summary
        assert broker.address in error.summary
    stores = store_files(broker.certificates, "app", "not-the-password")
    error = refused(asked(spark, there | stores))
    assert error.condition == "INVALID_CLIENT"
    assert "password was incorrect" in error.found


@pytest.fixture
def expired_server(strangers):
    """Listens, and greets with a certificate that has expired."""
    authority = new_authority(strangers / "expired", PASSWORD)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority.issue("old", PASSWORD, valid=timedelta(days=-1)))
    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Greeting)
    server.context = context
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"127.0.0.1:{server.server_address[1]}", authority.folder
    server.shutdown()
    thread.join()
    server.server_close()


class Greeting(socketserver.BaseRequestHandler):
    def handle(self):
        with contextlib.suppress(ssl.SSLError, OSError):
            self.server.context.wrap_socket(self.request, server_side=True).close()


def test_a_broker_whose_certificate_has_expired(spark, expired_server):
    address, folder = expired_server
    there = {"bootstrap.servers": address, "security.protocol": "SSL"} | pem_trust(folder)
    error = refused(asked(spark, there))
    assert error.condition == "TLS_FAILED"
    assert error.summary == f"the certificate of Kafka at {address} is not valid at this time"
    assert "NotAfter" in error.found


@pytest.mark.slow
def test_another_protocol_than_the_listeners_is_unreachable_within_seconds(spark, broker):
    error = refused(asked(spark, {"bootstrap.servers": broker.address}))
    assert error.condition == "BROKER_UNREACHABLE"
    assert "speaks PLAINTEXT" in error.expected
    assert "properties.security.protocol" in error.cure


@pytest.fixture
def talkative(spark):
    """Spark logs all it does."""
    spark.sparkContext.setLogLevel("INFO")
    yield
    spark.sparkContext.setLogLevel("WARN")


def script(*statements):
    return CliRunner().invoke(
        cli, ["run", "-", "--verbose", "--output", "json"], input=";\n".join(statements)
    )


def test_no_secret_is_shown_or_kept(broker, topic, user, headrace_home, talkative):
    """In what commands print, in errors with their stack traces, in Spark's log, in the folders of jobs."""
    stores, password = broker.passwords["stores"], broker.passwords["app"]
    rows, out = topic("rows"), topic("out")
    create(broker, rows)
    produce(broker, rows, '{"n":1}')
    login = store_files(broker.certificates, "app", stores)
    login |= password_login("SCRAM-SHA-512", "app", password)
    there = {"bootstrap.servers": broker.addresses["SASL_SSL"]}
    given = {f"properties.{key}": value for key, value in (login | there).items()}
    jaas = given["properties.sasl.jaas.config"].replace(password, PASSWORD)
    tables = (
        definition("rows_in", rows, given | WHOLE),
        definition("rows_out", out, given | KEYED, "n BIGINT, PRIMARY KEY (n) NOT ENFORCED"),
        definition("wrong", out, given | {"properties.sasl.jaas.config": jaas}),
        definition("unread", rows, user("looker", Rule("topic", rows, ("DESCRIBE",))) | WHOLE),
    )
    insert = "INSERT INTO rows_out SELECT n FROM rows_in"
    results = [
        script(*tables, "SHOW CREATE TABLE rows_in", f"EXPLAIN {insert}", insert),
        script(*tables, "INSERT INTO wrong VALUES (1)"),
        script(*tables, "INSERT INTO rows_out SELECT n FROM unread"),
    ]
    assert [result.exit_code for result in results] == [0, 3, 3]
    assert "Traceback" in results[1].stderr
    assert "ACCESS_DENIED" in results[2].output
    assert values_of(broker, out) == ['{"n":1}']
    kept = [file for file in headrace_home.rglob("*") if file.is_file()]
    # Where clients list their settings.
    assert "sasl.jaas.config = [hidden]" in log_file().read_text()
    texts = [file.read_bytes().decode(errors="replace") for file in kept]
    texts += [result.output for result in results]
    secrets = {PASSWORD, *broker.passwords.values()}
    assert [secret for secret in secrets for text in texts if secret in text] == []
