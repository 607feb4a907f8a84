from __future__ import annotations

import json

import pytest

from headrace.connect.answers import Refusal
from headrace.connect.java.old_names import modern
from headrace.connect.rest.messages import Response, error_response
from headrace.connect.state import java_entry
from headrace.errors import EnvironmentFault
from headrace.testing.connect_worker import SOURCE, MemoryJava, MemoryLog, SoleLeadership

DEBEZIUM = "io.debezium.connector.postgresql.PostgresConnector"
CONFIG = {"connector.class": DEBEZIUM, "topic.prefix": "pagila"}
AVRO_CONVERTER = "io.apicurio.registry.utils.converter.AvroConverter"


@pytest.fixture
def java():
    return MemoryJava()


@pytest.fixture
def api(make_api, java):
    return make_api(java=java)


class TestCreate:
    def test_put_goes_to_the_java_worker(self, api, java):
        assert api("PUT", "/connectors/pg/config", CONFIG).status == 201
        assert java.configs == {"pg": CONFIG}
        assert api("PUT", "/connectors/pg/config", CONFIG).status == 200
        assert api.ok("GET", "/connectors/pg/config") == CONFIG
        assert "pg" not in api.worker.state.configs

    def test_post_answers_with_a_place_that_callers_reach(self, api, java):
        answer = api("POST", "/connectors", {"name": "pg", "config": CONFIG})
        assert answer.status == 201
        assert answer.headers == {"Location": "http://worker:8083/connectors/pg"}
        assert java.configs == {"pg": CONFIG}

    def test_the_initial_state_goes_along(self, api, java):
        api("POST", "/connectors", {"name": "pg", "config": CONFIG, "initial_state": "stopped"})
        assert json.loads(java.asked[-1].body)["initial_state"] == "STOPPED"

    def test_it_starts_with_the_first_connector(self, api, java):
        api.source()
        assert not java.begun
        api("PUT", "/connectors/pg/config", CONFIG)
        assert java.begun

    def test_a_refused_one_leaves_no_name(self, api, java):
        java.answers["PUT", "/connectors/pg/config"] = error_response(400, "invalid")
        assert api.refused("PUT", "/connectors/pg/config", CONFIG) == (400, "invalid")
        assert api.ok("GET", "/connectors") == []

    def test_one_leaves_no_name_while_the_java_worker_cannot_start(self, api, java):
        java.failure = EnvironmentFault("no usable Java", cure="install it")
        status, message = api.refused("PUT", "/connectors/pg/config", CONFIG)
        assert status == 500
        assert "install it" in message
        assert api.ok("GET", "/connectors") == []

    def test_one_whose_jars_are_missing_is_rejected_with_the_cure(self, api, java):
        java.missing.add("debezium")
        for method, target, body in [
            ("PUT", "/connectors/pg/config", CONFIG),
            ("POST", "/connectors", {"name": "pg", "config": CONFIG}),
            ("PUT", f"/connector-plugins/{DEBEZIUM}/config/validate", CONFIG),
        ]:
            status, message = api.refused(method, target, body)
            assert status == 500
            assert "run: headrace dev fetch" in message
        assert not java.begun

    @pytest.mark.parametrize(
        ("missing", "config"),
        [
            ("avro-converter", {"value.converter": AVRO_CONVERTER}),
            ("msk-iam", {"producer.override.sasl.mechanism": "AWS_MSK_IAM"}),
        ],
    )
    def test_jars_of_its_converters_and_logins_are_required_as_well(
        self, api, java, missing, config
    ):
        java.missing.add(missing)
        assert api("PUT", "/connectors/pg/config", CONFIG).status == 201
        status, message = api.refused("PUT", "/connectors/pg/config", {**CONFIG, **config})
        assert status == 500
        assert "run: headrace dev fetch" in message

    def test_jars_of_the_converters_of_the_worker_are_required(self, api, java):
        java.missing.add("avro-converter")
        api.worker.runner.worker = {"value.converter": AVRO_CONVERTER}
        assert api.refused("PUT", "/connectors/pg/config", CONFIG)[0] == 500
        own = {**CONFIG, "value.converter": "org.apache.kafka.connect.json.JsonConverter"}
        assert api("PUT", "/connectors/pg/config", own).status == 201

    def test_its_options_are_not_shown_without_its_jars(self, api, java):
        java.missing.add("debezium")
        plugin = f"/connector-plugins/{DEBEZIUM}/config"
        for method, target, body in [("GET", plugin, None), ("PUT", f"{plugin}/validate", {})]:
            status, message = api.refused(method, target, body)
            assert status == 500
            assert "run: headrace dev fetch" in message
        assert not java.begun

    def test_a_worker_that_does_not_lead_needs_no_jars(self, api, java):
        java.missing.add("debezium")
        api.worker.herder.leads = False
        assert api.refused("PUT", "/connectors/pg/config", CONFIG)[0] == 409

    def test_old_options_are_taken_as_the_new_ones(self, api, java):
        old = {"connector.class": DEBEZIUM, "database.server.name": "pagila"}
        api("PUT", "/connectors/pg/config", old)
        assert java.configs["pg"] == modern("pg", old)
        assert java.configs["pg"]["topic.prefix"] == "pagila"

    @pytest.mark.parametrize(
        ("option", "text"),
        [("transforms.mine.type", "python:my.module:f"), ("headrace.restart.attempts", "3")],
    )
    def test_what_only_this_worker_does_is_refused(self, api, java, option, text):
        config = {**CONFIG, option: text}
        for method, target, body in [
            ("PUT", "/connectors/pg/config", config),
            ("POST", "/connectors", {"name": "pg", "config": config}),
            ("PUT", f"/connector-plugins/{DEBEZIUM}/config/validate", config),
        ]:
            status, message = api.refused(method, target, body)
            assert status == 400
            assert option in message
            assert "for connectors that run on this worker, not for those in Java" in message
        assert not java.asked


class TestNames:
    def test_one_name_is_one_connector(self, api):
        api.source("ours")
        api("PUT", "/connectors/theirs/config", CONFIG)
        counting = {"connector.class": SOURCE, "topic": "t"}
        exists = "already exists"
        for name, config in (("ours", CONFIG), ("theirs", counting)):
            status, message = api.refused("POST", "/connectors", {"name": name, "config": config})
            assert (status, message) == (409, f"Connector {name} {exists}")
            status, message = api.refused("PUT", f"/connectors/{name}/config", config)
            assert status == 400
            assert "delete it, and recreate it" in message

    def test_a_patch_does_not_change_the_kind(self, api):
        api("PUT", "/connectors/pg/config", CONFIG)
        status, message = api.refused("PATCH", "/connectors/pg/config", {"connector.class": SOURCE})
        assert status == 400
        assert SOURCE in message

    def test_a_patch_is_checked_as_a_whole(self, api, java):
        api("PUT", "/connectors/pg/config", {**CONFIG, "transforms": "t"})
        change = {"transforms.t.type": "python:a:b", "topic.prefix": None}
        assert api.refused("PATCH", "/connectors/pg/config", change)[0] == 400
        assert api("PATCH", "/connectors/pg/config", {"topic.prefix": "x"}).status == 200
        assert java.asked[-1].method == "PATCH"

    def test_lists_have_both(self, api):
        api.source("ours")
        api("PUT", "/connectors/theirs/config", CONFIG)
        assert api.ok("GET", "/connectors") == ["ours", "theirs"]
        expanded = api.ok("GET", "/connectors?expand=info")
        assert expanded["theirs"] == {"info": {"config": CONFIG}}
        assert expanded["ours"]["info"]["config"]["connector.class"] == SOURCE

    def test_theirs_have_failed_while_the_java_worker_cannot_start(self, api, java):
        api.source("ours")
        api("PUT", "/connectors/theirs/config", CONFIG)
        java.failure = EnvironmentFault("no usable Java")
        listed = api.ok("GET", "/connectors?expand=status&expand=info")
        assert list(listed) == ["ours", "theirs"]
        assert listed["ours"]["status"]["connector"]["state"] == "RUNNING"
        assert list(listed["theirs"]) == ["status"]
        connector = listed["theirs"]["status"]["connector"]
        assert connector["state"] == "FAILED"
        assert "no usable Java" in connector["trace"]
        assert api.ok("GET", "/connectors?expand=info")["theirs"] == {}

    def test_ours_are_not_asked_about(self, api, java):
        api.source("ours")
        api.ok("GET", "/connectors/ours/status")
        assert api.refused("GET", "/connectors/none/status")[0] == 404
        assert not java.asked


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", ""),
        ("GET", "/config"),
        ("GET", "/status"),
        ("GET", "/tasks"),
        ("GET", "/tasks/0/status"),
        ("POST", "/tasks/0/restart"),
        ("POST", "/restart?includeTasks=true&onlyFailed=true"),
        ("PUT", "/pause"),
        ("PUT", "/stop"),
        ("PUT", "/resume"),
        ("GET", "/topics"),
        ("PUT", "/topics/reset"),
        ("GET", "/offsets"),
        ("PATCH", "/offsets"),
        ("DELETE", "/offsets"),
    ],
)
def test_every_request_about_one_is_passed_on(api, java, method, path):
    api("PUT", "/connectors/pg/config", CONFIG)
    body = {"offsets": []} if method == "PATCH" else None
    assert api(method, f"/connectors/pg{path}", body).body == CONFIG
    passed = java.asked[-1]
    assert (passed.method, passed.path) == (method, f"/connectors/pg{path.partition('?')[0]}")
    assert bool(passed.query) == ("?" in path)


class TestDelete:
    def test_its_name_goes_too(self, api, java):
        api("PUT", "/connectors/pg/config", CONFIG)
        assert api("DELETE", "/connectors/pg").status == 204
        assert api.ok("GET", "/connectors") == []
        assert api.refused("DELETE", "/connectors/pg")[0] == 404
        assert java.configs == {}

    def test_also_where_the_java_worker_knows_it_no_more(self, api, java):
        api("PUT", "/connectors/pg/config", CONFIG)
        java.configs.clear()
        assert api.refused("DELETE", "/connectors/pg")[0] == 404
        assert api.ok("GET", "/connectors") == []

    def test_not_where_it_cannot_now(self, api, java):
        api("PUT", "/connectors/pg/config", CONFIG)
        java.answers["DELETE", "/connectors/pg"] = error_response(409, "rebalance")
        assert api.refused("DELETE", "/connectors/pg") == (409, "rebalance")
        assert api.ok("GET", "/connectors") == ["pg"]


class TestStart:
    def test_a_leader_with_java_connectors_starts_the_java_worker(self, make_api, java):
        java.configs["pg"] = CONFIG
        log = MemoryLog([java_entry("pg", there=True)])
        api = make_api(java=java, log=log)
        assert java.begun
        assert api.ok("GET", "/connectors/pg/config") == CONFIG

    def test_names_are_mended(self, make_api, java):
        java.configs["kept"] = java.configs["unannounced"] = CONFIG
        log = MemoryLog([java_entry("gone", there=True), java_entry("kept", there=True)])
        api = make_api(java=java, log=log)
        assert sorted(api.ok("GET", "/connectors")) == ["kept", "unannounced"]

    def test_it_ends_with_the_worker(self, api, java):
        api("PUT", "/connectors/pg/config", CONFIG)
        api.worker.stop()
        assert not java.begun

    def test_others_send_the_request_to_the_leader(self, make_api, java):
        sent = []

        def send(url, request):
            sent.append((url, request.method, request.path))
            return Response(200, {})

        log = MemoryLog([java_entry("pg", there=True)])
        api = make_api(
            send=send, java=java, log=log, leadership=SoleLeadership("http://lead/", leads=False)
        )
        api("GET", "/connectors/pg/status")
        api("PUT", "/connectors/new/config", CONFIG)
        api("GET", "/connectors?expand=status")
        assert [one[1:] for one in sent] == [
            ("GET", "/connectors/pg/status"),
            ("PUT", "/connectors/new/config"),
            ("GET", "/connectors"),
        ]
        assert api.ok("GET", "/connectors") == ["pg"]
        assert not java.begun


class TestPlugins:
    def test_debezium_is_listed_before_it_runs(self, api, java):
        found = {one["class"]: one for one in api.ok("GET", "/connector-plugins")}
        assert found[DEBEZIUM] == {"class": DEBEZIUM, "type": "source", "version": "3.5.0.Final"}
        assert SOURCE in found
        assert not java.asked

    def test_then_all_that_it_has_and_ours_has_not(self, api, java):
        api("PUT", "/connectors/pg/config", CONFIG)
        theirs = [
            {"class": "org.x.Y", "type": "sink", "version": "1"},
            {"class": SOURCE, "type": "source", "version": "0"},
        ]
        java.answers["GET", "/connector-plugins"] = Response(200, theirs)
        found = api.ok("GET", "/connector-plugins")
        assert found[-1] == theirs[0]
        assert [one["version"] for one in found if one["class"] == SOURCE] == ["1.2.3"]

    def test_its_options_and_checks_are_its_own(self, api, java):
        options = f"/connector-plugins/{DEBEZIUM}/config"
        java.answers["GET", options] = Response(200, [{"name": "plugin.name"}])
        verdict = {"error_count": 0, "configs": [{"value": {"errors": []}}]}
        java.answers["PUT", f"{options}/validate"] = Response(200, verdict)
        assert api.ok("GET", options) == [{"name": "plugin.name"}]
        assert api.ok("PUT", f"{options}/validate", CONFIG) == verdict
        assert json.loads(java.asked[-1].body) == CONFIG

    def test_unknown_ones_are_unknown(self, api, java):
        assert api.refused("GET", "/connector-plugins/org.nowhere.X/config")[0] == 404
        assert not java.asked


class TestLoggers:
    PATH = "/admin/loggers/io.debezium"

    def test_levels_are_set_on_both(self, api, java):
        api("PUT", "/connectors/pg/config", CONFIG)
        java.answers["PUT", self.PATH] = Response(200, ["io.debezium", "io.debezium.relational"])
        affected = api.ok("PUT", self.PATH, {"level": "DEBUG"})
        assert affected == ["io.debezium", "io.debezium.relational"]
        assert json.loads(java.asked[-1].body) == {"level": "DEBUG"}
        assert api.ok("GET", self.PATH)["level"] == "DEBUG"

    def test_for_the_whole_cluster_the_java_worker_is_told_alone(self, api, java):
        api("PUT", "/connectors/pg/config", CONFIG)
        java.answers["PUT", self.PATH] = Response(200, ["io.debezium"])
        assert api("PUT", f"{self.PATH}?scope=cluster", {"level": "WARN"}).status == 204
        assert java.asked[-1].query == {}

    def test_one_that_does_not_run_is_not_asked(self, api, java):
        assert api.ok("PUT", self.PATH, {"level": "INFO"}) == ["io.debezium"]
        assert not java.asked

    def test_a_level_that_does_not_exist_reaches_nobody(self, api, java):
        api("PUT", "/connectors/pg/config", CONFIG)
        before = len(java.asked)
        assert api.refused("PUT", self.PATH, {"level": "loud"})[0] == 404
        assert len(java.asked) == before


class TestSecrets:
    def test_traces_do_not_show_what_references_stand_for(self, api, java, monkeypatch):
        monkeypatch.setenv("DB_SECRET", "swordfish")
        api("PUT", "/connectors/pg/config", {**CONFIG, "database.password": "${env:DB_SECRET}"})
        trace = {"state": "FAILED", "trace": "no login with swordfish"}
        status = {"name": "pg", "connector": trace, "tasks": [{"id": 0, **trace}]}
        java.answers["GET", "/connectors/pg/status"] = Response(200, status)
        shown = api.ok("GET", "/connectors/pg/status")
        assert shown["connector"]["trace"] == "no login with [hidden]"
        assert shown["tasks"] == [{"id": 0, "state": "FAILED", "trace": "no login with [hidden]"}]

    def test_they_are_learnt_again_at_the_next_start(self, make_api, java, monkeypatch):
        monkeypatch.setenv("DB_SECRET", "swordfish")
        java.configs["pg"] = {**CONFIG, "database.password": "${env:DB_SECRET}"}
        java.answers["PUT", "/connectors/pg/pause"] = error_response(500, "swordfish!")
        api = make_api(java=java, log=MemoryLog([java_entry("pg", there=True)]))
        assert api.refused("PUT", "/connectors/pg/pause") == (500, "[hidden]!")

    def test_configurations_are_shown_as_they_are_stored(self, api, monkeypatch):
        monkeypatch.setenv("DB_SECRET", "pagila")
        config = {**CONFIG, "database.password": "${env:DB_SECRET}"}
        api("PUT", "/connectors/pg/config", config)
        assert api.ok("GET", "/connectors?expand=info")["pg"]["info"]["config"] == config

    def test_a_reference_that_leads_nowhere_is_for_the_java_worker_to_tell(self, api, java):
        config = {**CONFIG, "database.password": "${env:NOT_SET_ANYWHERE}"}
        assert api("PUT", "/connectors/pg/config", config).status == 201


def test_a_worker_that_does_not_answer_is_an_error_of_the_request(api, java, monkeypatch):
    api("PUT", "/connectors/pg/config", CONFIG)

    def silent(request):
        raise Refusal(500, "it does not answer")

    monkeypatch.setattr(java, "ask", silent)
    assert api.refused("GET", "/connectors/pg/status") == (500, "it does not answer")
