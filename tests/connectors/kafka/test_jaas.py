import pytest

from headrace.connectors.kafka.jaas import as_kafka_reads, keytab_login, login_options

PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule required"


@pytest.mark.parametrize(
    ("given", "read"),
    [
        (rf"{PLAIN} username=\"anna\" password=\"p w\";", f'{PLAIN} username="anna" password="p w";'),
        (f'{PLAIN} username="c#anna" password="p";', f'{PLAIN} username="c#anna" password="p";'),
        (rf'{PLAIN} username="a" password="say \"hi\"";', rf'{PLAIN} username="a" password="say \"hi\"";'),
        (f'org.apache.flink.kafka.shaded.{PLAIN} username="a";', f'{PLAIN} username="a";'),
    ],
    ids=["quoted for Java", "as it is", "quotes inside of a word", "packed by Flink"],
)  # fmt: skip
def test_a_login_becomes_one_that_kafka_reads(given, read):
    assert as_kafka_reads({"sasl.jaas.config": given}) == {"sasl.jaas.config": read}


def test_other_properties_name_kafkas_classes_too_and_keep_their_text():
    handler = "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler"
    key = "sasl.login.callback.handler.class"
    given = {key: f"org.apache.flink.kafka.shaded.{handler}", "client.id": r"=\"a\""}
    assert as_kafka_reads(given) == {key: handler, "client.id": r"=\"a\""}


def test_a_keytab_is_a_login():
    login = keytab_login("hadoop/10.0.0.1@SHOP", "/etc/a.keytab")
    assert login.startswith("com.sun.security.auth.module.Krb5LoginModule required ")
    assert login.endswith('keyTab="/etc/a.keytab" principal="hadoop/10.0.0.1@SHOP";')


@pytest.mark.parametrize(
    ("login", "options"),
    [
        (f'{PLAIN} username="a" password="b c;";', {"username": "a", "password": "b c;"}),
        (rf'{PLAIN} password="say \"hi\" \\ ";', {"password": 'say "hi" \\ '}),
        (f"{PLAIN} useKeyTab=true  x.y = z;", {"useKeyTab": "true", "x.y": "z"}),
        (f'{PLAIN} empty="";', {"empty": ""}),
        (f"{PLAIN};", {}),
        ("", {}),
    ],
)
def test_what_a_login_says(login, options):
    assert login_options(login) == options
