"""Our worker is asked what Kafka's own was asked, and answers as that did."""

from __future__ import annotations

import uuid

import pytest

from headrace.cli.connect import answer_on, listen
from headrace.connect.installed import installed
from headrace.connect.settings import load
from headrace.connect.worker import on_kafka
from headrace.testing.topics import eventually
from tools.conformance.answers import ask_all, differences, kept
from tools.conformance.scenario import SCENARIO

RECORDED = kept()


def test_the_recorded_requests_are_those_of_the_scenario():
    asked = [(f"{step.method} {step.target}", step.payload) for step in SCENARIO]
    assert asked == [(one["request"], one["payload"]) for one in RECORDED]


def test_every_step_reached_what_it_waited_for():
    for step, one in zip(SCENARIO, RECORDED, strict=True):
        if isinstance(step.until, list):
            seen = one["answer"]["body"]
            tasks = [task["state"] for task in seen["tasks"]]
            assert [seen["connector"]["state"], tasks] == step.until


@pytest.mark.services
def test_ours_answers_as_kafkas_own_worker_does(kafka_broker, tmp_path):
    group = f"conformance-{uuid.uuid4().hex[:6]}"
    settings = load(
        None,
        {
            "bootstrap.servers": kafka_broker.bootstrap_servers,
            "listeners": "http://127.0.0.1:0",
            "group.id": group,
            **{
                f"{store}.storage.topic": f"{group}-{store}"
                for store in ("config", "offset", "status")
            },
        },
    )
    servers = listen(settings)
    worker = on_kafka(settings, installed(), servers[0].port)
    answer_on(servers, worker, settings)
    worker.start()
    try:
        eventually(lambda: worker.herder.leads, bool)
        ours = ask_all(servers[0].url, None, tmp_path, SCENARIO)
    finally:
        worker.stop()
        for server in servers:
            server.stop()
    found = [
        line
        for (step, answer), one in zip(ours, RECORDED, strict=True)
        for line in differences(step, one["answer"], answer)
    ]
    assert found == [], "\n".join(found)
