from __future__ import annotations

import pytest

from headrace.connectors.kafka.refusals import (
    ALLOWED_URLS,
    LONGEST_REASON,
    Request,
    refusal,
    refusal_from,
    set_up_fault,
)
from headrace.runtime.faults import translate

LOGIN = 'x.PlainLoginModule required username="app" password="hunter2";'
REQUEST = Request(
    "b:9093", {"sasl.mechanism": "PLAIN", "sasl.jaas.config": LOGIN, "ssl.key.password": "k3y"}
)
TLS = ("SslAuthenticationException", "SSL handshake failed")


def handshake(text):
    return [("ExecutionException", "x"), TLS, ("SSLHandshakeException", text)]


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("PKIX path building failed: unable to find valid certification path", "is not trusted"),
        ("PKIX path validation failed: signature check failed", "is not trusted"),
        ("PKIX path validation failed: NotAfter: Sat Nov 14 2026", "is not valid at this time"),
        ("No subject alternative names matching IP address 10.0.0.1 found", "is for another host"),
        ("No name matching kafka found", "is for another host"),
        ("Received fatal alert: certificate_unknown", "refused the certificate of this client"),
        ("Received fatal alert: bad_certificate", "refused the certificate of this client"),
        ("Received fatal alert: certificate_expired", "refused the certificate of this client"),
    ],
)
def test_failures_of_tls_are_told_apart(text, summary):
    error = refusal(handshake(text), REQUEST)
    assert error.condition == "TLS_FAILED"
    assert summary in error.summary
    assert "Kafka at b:9093" in error.summary
    assert error.found == text
    assert error.expected
    assert error.cure


def test_the_most_precise_words_are_shown():
    causes = [
        *handshake("PKIX path validation failed"),
        ("CertificateExpiredException", "NotAfter: x"),
    ]
    assert refusal(causes, REQUEST).found == "NotAfter: x"


def test_a_listener_without_tls():
    error = refusal([TLS, ("SSLException", "Unsupported or unrecognized SSL message")], REQUEST)
    assert error.found == "Unsupported or unrecognized SSL message"
    assert "properties.security.protocol" in error.cure


@pytest.mark.parametrize(
    ("kind", "text", "found"),
    [
        ("SaslAuthenticationException", "Invalid username or password", "Invalid username or pass"),
        ("UnsupportedSaslMechanismException", "mechanism 'X' not enabled", "mechanism 'X' not"),
        ("LoginException", "Could not login: the client is being asked for a password", "keytab"),
        ("LoginException", "a.b.KafkaException: c.IOException: response code 401", "response code"),
    ],
)
def test_logins_that_fail(kind, text, found):
    error = refusal([("ExecutionException", "x"), (kind, text)], REQUEST)
    assert error.condition == "AUTHENTICATION_FAILED"
    assert found in error.found
    assert error.expected == "PLAIN of user 'app' that the broker accepts"
    assert "properties.sasl.jaas.config" in error.cure


def test_kerberos_speaks_for_itself():
    causes = [("SaslAuthenticationException", "An error: (…) occurred"), ("GSSException", "no key")]
    assert refusal(causes, REQUEST).found == "no key"


@pytest.mark.parametrize(
    ("kind", "text", "summary", "right", "flag"),
    [
        (
            "TopicAuthorizationException",
            "Not authorized to access topics: [orders]",
            "topic 'orders'",
            "CREATE it",
            "--operation CREATE --topic 'orders'",
        ),
        (
            "TopicAuthorizationException",
            "Topic authorization failed.",
            "topic 'asked'",
            "CREATE it",
            "--operation CREATE --topic 'asked'",
        ),
        (
            "GroupAuthorizationException",
            "Not authorized to access group: g-1",
            "group 'g-1'",
            "READ it",
            "--operation READ --group 'g-1'",
        ),
        (
            "TransactionalIdAuthorizationException",
            "Transactional Id authorization failed.",
            "transactional ids of the sink",
            "WRITE and DESCRIBE",
            "--operation WRITE --operation DESCRIBE --transactional-id '…'",
        ),
        (
            "ClusterAuthorizationException",
            "Cluster authorization failed.",
            "the cluster",
            "CREATE",
            "--operation CREATE --cluster",
        ),
    ],
)
def test_missing_rights_are_named_with_the_command(kind, text, summary, right, flag):
    error = refusal([(kind, text)], Request("b:9093", {}, "CREATE", "asked"))
    assert error.condition == "ACCESS_DENIED"
    assert summary in error.summary
    assert f"the right to {right}" in error.expected
    assert flag in error.cure
    assert len(error.render().splitlines()) <= 5


NOT_MADE = ("KafkaException", "Failed to create new KafkaAdminClient")


def test_a_client_that_cannot_be_made():
    causes = [
        NOT_MADE,
        ("KafkaException", "Failed to load SSL keystore /k.p12"),
        ("IOException", "no"),
    ]
    error = set_up_fault(causes, REQUEST)
    assert error.condition == "INVALID_CLIENT"
    assert error.found == "Failed to load SSL keystore /k.p12: no"


def test_kerberos_without_a_login_is_told_where_one_may_stand():
    text = "Could not find a 'KafkaClient' entry in the JAAS configuration. System property 'java.security.auth.login.config' is not set"
    error = set_up_fault([NOT_MADE, ("IllegalArgumentException", text)], REQUEST)
    assert error.found == text
    for place in ("sasl.jaas.config", "krb_auth_name", "security.kerberos.login.principal"):
        assert place in error.cure


def test_an_address_that_is_not_allowed_is_told_with_the_setting():
    text = f"http://t is not allowed. Update system property '{ALLOWED_URLS}' to allow http://t"
    address = {"sasl.oauthbearer.token.endpoint.url": "http://t"}
    causes = [
        NOT_MADE,
        ("KafkaException", f"java.lang.IllegalArgumentException: {text}"),
        ("X", text),
    ]
    error = set_up_fault(causes, Request("b:9093", address))
    assert error.found == text
    assert f"-D{ALLOWED_URLS}=" in error.cure


@pytest.mark.parametrize(
    "causes",
    [
        [NOT_MADE, ("ConfigException", "No resolvable bootstrap urls given in bootstrap.servers")],
        [("ExecutionException", "x"), ("TimeoutException", "Timed out waiting for a node")],
        [("InvalidConfigurationException", "cleanup.policy")],
    ],
)
def test_other_faults_are_left_to_others(causes):
    assert refusal(causes, REQUEST) is None
    assert set_up_fault(causes, REQUEST) is None


@pytest.mark.parametrize(
    "text",
    [
        f"cannot parse {LOGIN}",
        "unknown word hunter2",
        "Invalid login module control flag 'hunter2' in JAAS config",
        "key k3y is wrong",
    ],
)
def test_secrets_are_masked(text):
    shown = set_up_fault([NOT_MADE, ("IllegalArgumentException", text)], REQUEST).render()
    assert "hunter2" not in shown
    assert "k3y" not in shown
    assert "******" in shown


def test_a_reason_is_one_line_of_bearable_length():
    error = refusal([("SaslAuthenticationException", "a" * 1000 + "\n\tat x")], REQUEST)
    assert error.found == "a" * LONGEST_REASON


WRITTEN = """[STREAM_FAILED] Query terminated with exception: Job aborted
Caused by: headrace.kafka.KafkaWriteException: topic=out servers=b:9093 unwritten: Not authorized
Caused by: org.apache.kafka.common.errors.TopicAuthorizationException: Not authorized to access topics: [out]
"""
READ = "org.apache.kafka.common.errors.TopicAuthorizationException: Not authorized to access topics: [in]"


def test_the_text_of_a_failed_job_tells_what_it_was_doing():
    error = refusal_from(WRITTEN)
    assert error.summary == "Kafka at b:9093 does not let this user work with topic 'out'"
    assert error.expected == "the right to WRITE it"
    assert refusal_from(READ).expected == "the right to READ it"
    assert refusal_from("java.lang.IllegalStateException: other") is None


def test_a_producer_that_may_write_nothing_lacks_the_right_on_its_topic():
    refused = WRITTEN.replace("TopicAuthorization", "ClusterAuthorization")
    refused = refused.replace(
        "Not authorized to access topics: [out]", "Cluster authorization failed."
    )
    error = refusal_from(refused)
    assert "topic 'out'" in error.summary
    assert error.expected == "the right to WRITE it"


def test_it_comes_before_the_general_words_about_writes():
    assert translate(WRITTEN).condition == "ACCESS_DENIED"
    failed = WRITTEN.replace("TopicAuthorizationException", "RecordTooLargeException")
    assert translate(failed).condition == "WRITE_FAILED"
