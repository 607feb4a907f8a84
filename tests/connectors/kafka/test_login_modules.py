from __future__ import annotations

import json

import pytest

from headrace.connectors.kafka import login_modules
from headrace.connectors.kafka.admin import KafkaAdmin
from headrace.connectors.kafka.login_modules import load_login_modules, login_sets
from headrace.errors import EnvironmentFault

IAM = {
    "security.protocol": "SASL_PLAINTEXT",
    "sasl.mechanism": "AWS_MSK_IAM",
    "sasl.jaas.config": "software.amazon.msk.auth.iam.IAMLoginModule required;",
    "sasl.client.callback.handler.class": "software.amazon.msk.auth.iam.IAMClientCallbackHandler",
}
KEYS = {"aws.accessKeyId": "AKIAFAKEFAKEFAKE", "aws.secretAccessKey": "not-a-secret-at-all"}
HOST = "b-1.cluster.kafka.eu-west-1.amazonaws.com"


@pytest.mark.parametrize("mechanism", ["PLAIN", "GSSAPI", None])
def test_other_mechanisms_fetch_nothing(monkeypatch, mechanism):
    monkeypatch.setattr(login_modules, "ensure", lambda name: pytest.fail(f"asked for {name}"))
    load_login_modules(None, {} if mechanism is None else {"sasl.mechanism": mechanism})


def test_sets_of_every_client_s_mechanism():
    given = {
        "sasl.mechanism": "PLAIN",
        "producer.sasl.mechanism": "AWS_MSK_IAM",
        "x": "AWS_MSK_IAM",
    }
    assert login_sets(given) == ["msk-iam"]
    assert login_sets({"sasl.mechanism": "PLAIN"}) == []


@pytest.fixture
def keys(spark):
    """Where the vendor's client finds them without asking anybody."""
    system = spark._jvm.java.lang.System
    for name, value in KEYS.items():
        system.setProperty(name, value)
    yield
    for name in KEYS:
        system.clearProperty(name)


@pytest.mark.spark
@pytest.mark.services
def test_a_request_to_amazon_is_signed_with_the_keys(spark, keys):
    """What a client sends first, made by the vendor's own class; nobody is asked over the network."""
    load_login_modules(spark, IAM)
    loader = spark._jvm.java.lang.Thread.currentThread().getContextClassLoader()
    before = len(loader.getURLs())
    load_login_modules(spark, IAM)
    assert len(loader.getURLs()) == before
    sent = json.loads(first_message(spark))
    assert sent["host"] == HOST
    assert sent["action"] == "kafka-cluster:Connect"
    assert sent["x-amz-credential"].startswith("AKIAFAKEFAKEFAKE/")
    assert "/eu-west-1/kafka-cluster/aws4_request" in sent["x-amz-credential"]
    assert len(sent["x-amz-signature"]) == 64
    assert KEYS["aws.secretAccessKey"] not in str(sent)


def first_message(spark):
    jvm = spark._jvm
    vendor = jvm.software.amazon.msk.auth.iam
    handler = vendor.IAMClientCallbackHandler()
    entry = jvm.javax.security.auth.login.AppConfigurationEntry
    required = entry.LoginModuleControlFlag.REQUIRED
    login = entry("software.amazon.msk.auth.iam.IAMLoginModule", required, jvm.java.util.HashMap())
    handler.configure(jvm.java.util.HashMap(), "AWS_MSK_IAM", [login])
    generator = vendor.internals.AWS4SignedPayloadGenerator()
    client = vendor.internals.IAMSaslClient("AWS_MSK_IAM", handler, HOST, generator)
    return bytes(client.evaluateChallenge(b"")).decode()


@pytest.mark.spark
@pytest.mark.services
def test_a_table_may_name_the_module_without_more(spark, secure_broker, keys):
    """Kafka's client finds the classes; a broker of ours does not know the mechanism."""
    servers = {"bootstrap.servers": secure_broker.addresses["SASL_PLAINTEXT"]}
    with pytest.raises(EnvironmentFault) as caught:
        KafkaAdmin(spark, IAM | servers).topics()
    assert caught.value.condition == "AUTHENTICATION_FAILED"
    assert "'AWS_MSK_IAM' not enabled in the server" in caught.value.found
