from __future__ import annotations

import pytest
from confluent_kafka import KafkaError

from headrace.connect.librdkafka.refusals import last_reason, refusal

CLIENT = {"bootstrap.servers": "b:1", "sasl.password": "s3cret"}
PLACE = "sasl_ssl://b:1/bootstrap: "
DOWN = KafkaError(KafkaError._ALL_BROKERS_DOWN, "1/1 brokers are down")
AWAY = KafkaError(
    KafkaError._TRANSPORT,
    f"{PLACE}Connect to ipv4#127.0.0.1:1 failed: Connection refused (after 0ms in state CONNECT)",
)


@pytest.mark.parametrize(
    ("code", "text", "condition", "reason"),
    [
        (
            KafkaError._AUTHENTICATION,
            f"{PLACE}SASL authentication error: Authentication failed: Invalid username or password "
            "(after 5ms in state AUTH_REQ)",
            "AUTHENTICATION_FAILED",
            "SASL authentication error: Authentication failed: Invalid username or password",
        ),
        (
            KafkaError._SSL,
            f"{PLACE}SSL handshake failed: certificate verify failed: broker certificate could not be verified, verify "
            "that ssl.ca.location is correctly configured or root CA certificates are installed (install ca-certificates "
            "package) (after 3ms in state SSL_HANDSHAKE)",
            "TLS_FAILED",
            "SSL handshake failed: certificate verify failed: broker certificate could not be verified",
        ),
        (
            KafkaError._TRANSPORT,
            f"{PLACE}Receive failed: SSL routines::ssl/tls alert bad certificate: SSL alert number 42",
            "TLS_FAILED",
            "Receive failed: SSL routines::ssl/tls alert bad certificate: SSL alert number 42",
        ),
    ],
)
def test_what_nobody_needs_to_wait_for(code, text, condition, reason):
    fault = refusal(CLIENT, [DOWN, AWAY, KafkaError(code, text), DOWN])
    assert fault is not None
    assert (fault.condition, fault.where, fault.found) == (condition, "b:1", reason)
    assert len(fault.render().splitlines()) <= 5
    assert "s3cret" not in fault.render()


def test_brokers_that_are_away_may_come_back():
    assert refusal(CLIENT, [AWAY, DOWN]) is None
    assert refusal(CLIENT, []) is None


def test_what_was_said_last():
    assert last_reason([]) is None
    assert last_reason([DOWN]) is None
    assert last_reason([AWAY, DOWN]) == "Connect to ipv4#127.0.0.1:1 failed: Connection refused"
