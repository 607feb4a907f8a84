from __future__ import annotations

import pytest

from headrace.connect.topics import Store
from headrace.testing.connect_worker import SINK, SOURCE, CountingSource
from headrace.testing.topics import eventually

CONFIG = {"connector.class": SOURCE, "topic": "numbers"}


class TestRoot:
    def test_version_and_cluster(self, api):
        body = api.ok("GET", "/")
        assert list(body) == ["version", "commit", "kafka_cluster_id"]
        assert body["version"] == "4.1.1"
        assert body["kafka_cluster_id"] == "memory"

    def test_health(self, api):
        assert api.ok("GET", "/health") == {
            "status": "healthy",
            "message": "Worker has completed startup and is ready to handle requests.",
        }


class TestCreate:
    def test_post_answers_201_with_location_and_info(self, api):
        response = api("POST", "/connectors", {"name": "c 1", "config": CONFIG})
        assert response.status == 201
        assert response.headers["Location"] == "http://worker:8083/connectors/c%201"
        assert response.body == {
            "name": "c 1",
            "config": {**CONFIG, "name": "c 1"},
            "tasks": [],
            "type": "source",
        }
        assert list(response.body) == ["name", "config", "tasks", "type"]

    def test_numbers_and_booleans_become_text(self, api):
        config = {**CONFIG, "count": 5000, "tasks.max": 1, "tasks.max.enforce": True, "x": 0.50}
        body = api.ok("POST", "/connectors", {"name": "c", "config": config})
        chosen = ("count", "tasks.max", "tasks.max.enforce", "x")
        assert [body["config"][key] for key in chosen] == ["5000", "1", "true", "0.5"]

    def test_a_number_keeps_its_spelling(self, api):
        raw = b'{"connector.class": "CountingSource", "topic": "t", "x": 1.50}'
        api("PUT", "/connectors/c/config", raw)
        assert api.ok("GET", "/connectors/c/config")["x"] == "1.50"

    def test_twice_is_a_conflict(self, api):
        body = {"name": "c", "config": CONFIG}
        api.ok("POST", "/connectors", body)
        assert api.refused("POST", "/connectors", body) == (409, "Connector c already exists")

    def test_twice_with_a_wrong_config_is_first_of_all_wrong(self, api):
        api.ok("POST", "/connectors", {"name": "c", "config": CONFIG})
        wrong = {"name": "c", "config": {"connector.class": SOURCE}}
        assert api.refused("POST", "/connectors", wrong)[0] == 400

    def test_put_creates_then_updates(self, api):
        created = api("PUT", "/connectors/c/config", CONFIG)
        assert (created.status, "Location" in created.headers) == (201, True)
        updated = api("PUT", "/connectors/c/config", {**CONFIG, "count": 4})
        assert (updated.status, dict(updated.headers)) == (200, {})
        assert api.ok("GET", "/connectors/c/config")["count"] == "4"

    @pytest.mark.parametrize("state", ["PAUSED", "paused", "STOPPED", "RUNNING"])
    def test_initial_state(self, api, state):
        body = {"name": "c", "config": CONFIG, "initial_state": state}
        assert api("POST", "/connectors", body).status == 201
        api.settle()
        tasks = ["RUNNING"] if state == "RUNNING" else []
        assert api.states("c") == (state.upper(), tasks)

    def test_a_connector_created_paused_has_tasks_once_it_is_resumed(self, api):
        api.ok("POST", "/connectors", {"name": "c", "config": CONFIG, "initial_state": "PAUSED"})
        api.settle()
        assert api.ok("GET", "/connectors/c")["tasks"] == []
        assert api("PUT", "/connectors/c/resume").status == 202
        api.settle()
        assert api.ok("GET", "/connectors/c")["tasks"] == [{"connector": "c", "task": 0}]

    def test_invalid_config_lists_every_fault(self, api):
        config = {"connector.class": SOURCE, "count": -1}
        status, message = api.refused("PUT", "/connectors/c/config", config)
        assert status == 400
        assert message.splitlines() == [
            "Connector configuration is invalid and contains the following 2 error(s):",
            'Missing required configuration "topic" which has no default value.',
            "Invalid value -1 for configuration count: Value must be at least 0",
            "You can also find the above list of errors at the endpoint "
            "`/connector-plugins/{connectorType}/config/validate`",
        ]
        assert api.ok("GET", "/connectors") == []

    @pytest.mark.parametrize(
        ("config", "message"),
        [
            ({**CONFIG, "name": "other"}, "(other) doesn't match connector name in the URL (c)"),
            ({"topic": "t", "password": "hunter2"}, "contains no connector type"),
            ({"connector.class": "org.Nothing"}, "which name matches org.Nothing"),
            ({**CONFIG, "count": None}, "Value must be non-null"),
            ({**CONFIG, "tasks.max": None}, "Null value can not be supplied"),
        ],
    )
    def test_400(self, api, config, message):
        status, text = api.refused("PUT", "/connectors/c/config", config)
        assert status == 400
        assert message in text
        assert "hunter2" not in text

    @pytest.mark.parametrize(
        "body",
        [
            b"{",
            b"",
            [],
            CONFIG,
            {"name": "c", "config": CONFIG, "extra": 1},
            {"name": "c"},
            {"name": "c", "config": {"connector.class": {"deep": 1}}},
            {"name": "c", "config": CONFIG, "initial_state": "ASLEEP"},
        ],
    )
    def test_500_where_the_body_has_another_shape(self, api, body):
        assert api.refused("POST", "/connectors", body)[0] == 500

    def test_an_empty_name_is_refused(self, api):
        status, text = api.refused("POST", "/connectors", {"config": CONFIG})
        assert status == 400
        assert "String may not be empty" in text


class TestPatch:
    def test_null_removes_and_others_stay(self, api):
        api.source(count=4, password="p")
        body = api.ok("PATCH", "/connectors/counter/config", {"count": 9, "password": None})
        assert body["config"] == {**CONFIG, "name": "counter", "count": "9"}

    def test_an_unknown_connector_is_404(self, api):
        assert api.refused("PATCH", "/connectors/x/config", {})[0] == 404

    def test_the_result_must_be_valid(self, api):
        api.source()
        assert api.refused("PATCH", "/connectors/counter/config", {"topic": None})[0] == 400
        assert api.ok("GET", "/connectors/counter/config")["topic"] == "numbers"


class TestRead:
    def test_status(self, api):
        api.source(**{"tasks.max": 2})
        worker = "127.0.0.1:8083"
        running = {"state": "RUNNING", "worker_id": worker, "version": "1.2.3"}
        assert api.ok("GET", "/connectors/counter/status") == {
            "name": "counter",
            "connector": running,
            "tasks": [{"id": 0, **running}, {"id": 1, **running}],
            "type": "source",
        }
        assert api.ok("GET", "/connectors/counter/tasks/1/status") == {"id": 1, **running}

    def test_tasks(self, api):
        api.source()
        (task,) = api.ok("GET", "/connectors/counter/tasks")
        assert task["id"] == {"connector": "counter", "task": 0}
        assert task["config"]["part"] == "0"
        assert task["config"]["task.class"] == "headrace.testing.CountingSourceTask"
        assert api.ok("GET", "/connectors/counter/tasks-config") == {"counter-0": task["config"]}

    def test_names_and_expansions(self, api):
        api.source()
        api.sink()
        assert api.ok("GET", "/connectors") == ["counter", "collector"]
        expanded = api.ok("GET", "/connectors?expand=status&expand=info&expand=other")
        assert list(expanded) == ["counter", "collector"]
        assert list(expanded["counter"]) == ["status", "info"]
        assert expanded["collector"]["info"]["type"] == "sink"
        assert api.ok("GET", "/connectors?expand=other") == {"counter": {}, "collector": {}}

    def test_one_without_a_status_is_left_out(self, api):
        api.source()
        api.worker.state.statuses.clear()
        assert api.ok("GET", "/connectors?expand=status") == {}

    @pytest.mark.parametrize(
        ("path", "message"),
        [
            ("/connectors/x", "Connector x not found"),
            ("/connectors/x/config", "Connector x not found"),
            ("/connectors/x/status", "No status found for connector x"),
            ("/connectors/x/tasks", "Connector x not found"),
            ("/connectors/x/tasks-config", "Connector x not found"),
            ("/connectors/x/tasks/0/status", "No status found for task x-0"),
            ("/connectors/x/tasks/first/status", "HTTP 404 Not Found"),
            ("/connectors/x/offsets", "Connector x not found"),
            ("/connector-plugins/x/config", "Unknown plugin x."),
            ("/admin/loggers/no.such", "Logger no.such not found."),
        ],
    )
    def test_404(self, api, path, message):
        assert api.refused("GET", path) == (404, message)


class TestStates:
    def test_pause_and_resume(self, api):
        api.source()
        assert api("PUT", "/connectors/counter/pause").status == 202
        api.settle()
        assert api.states("counter") == ("PAUSED", ["PAUSED"])
        assert api("PUT", "/connectors/counter/pause").status == 202
        assert api("PUT", "/connectors/counter/resume").status == 202
        api.settle()
        assert api.states("counter") == ("RUNNING", ["RUNNING"])

    def test_stop_removes_tasks(self, api):
        api.source()
        response = api("PUT", "/connectors/counter/stop")
        assert (response.status, response.body) == (204, None)
        assert api.ok("GET", "/connectors/counter")["tasks"] == []
        api.settle()
        assert api.states("counter") == ("STOPPED", [])
        assert api.ok("PUT", "/connectors/counter/resume") is None
        api.settle()
        assert api.states("counter") == ("RUNNING", ["RUNNING"])

    @pytest.mark.parametrize("word", ["pause", "resume", "stop"])
    def test_of_an_unknown_connector(self, api, word):
        assert api.refused("PUT", f"/connectors/x/{word}") == (404, "Unknown connector x")

    def test_delete_keeps_offsets(self, api):
        api.source(count=3)
        offsets = [{"partition": {"part": "0"}, "offset": {"at": 3}}]
        eventually(lambda: api.ok("GET", "/connectors/counter/offsets")["offsets"], offsets.__eq__)
        assert api("DELETE", "/connectors/counter").status == 204
        api.settle()
        assert api.refused("GET", "/connectors/counter/status")[0] == 404
        assert api.ok("GET", "/connectors/counter/topics") == {"counter": {"topics": []}}
        api.source(count=0)
        assert api.ok("GET", "/connectors/counter/offsets")["offsets"] == offsets
        assert api.refused("DELETE", "/connectors/x") == (404, "Connector x not found")


class TestRestart:
    def test_plain_is_204_and_leaves_tasks_alone(self, api):
        api.source()
        before = api.worker.runner.running["counter"].tasks[0].thread
        count = len(CountingSource.started)
        assert api("POST", "/connectors/counter/restart").status == 204
        api.settle()
        assert len(CountingSource.started) == count + 1
        assert api.worker.runner.running["counter"].tasks[0].thread is before

    def test_with_tasks_is_202_and_shows_what_restarts(self, api):
        api.source(fail="task-0", **{"tasks.max": 2})
        api.until("counter", "RUNNING", ["FAILED", "RUNNING"])
        response = api("POST", "/connectors/counter/restart?includeTasks=true&onlyFailed=true")
        assert response.status == 202
        assert response.body["connector"]["state"] == "RUNNING"
        assert [task["state"] for task in response.body["tasks"]] == ["RESTARTING", "RUNNING"]
        response = api("POST", "/connectors/counter/restart?includeTasks=true")
        assert response.body["connector"]["state"] == "RESTARTING"
        assert [task["state"] for task in response.body["tasks"]] == ["RESTARTING"] * 2
        only = api("POST", "/connectors/counter/restart?onlyFailed=true")
        assert only.status == 202

    def test_a_task(self, api):
        api.source()
        before = api.worker.runner.running["counter"].tasks[0].thread
        assert api("POST", "/connectors/counter/tasks/0/restart").status == 204
        api.settle()
        assert api.worker.runner.running["counter"].tasks[0].thread is not before
        assert not before.is_alive()

    def test_404_and_409(self, api):
        api.source()
        assert api.refused("POST", "/connectors/x/restart") == (404, "Unknown connector: x")
        assert api.refused("POST", "/connectors/x/restart?includeTasks=true")[0] == 404
        assert api.refused("POST", "/connectors/x/tasks/0/restart")[0] == 404
        status = api.refused("POST", "/connectors/counter/tasks/7/restart")
        assert status == (404, "Unknown task: counter-7")
        api.ok("PUT", "/connectors/counter/stop")
        status, message = api.refused("POST", "/connectors/counter/tasks/0/restart")
        assert status == 409
        assert "rebalance" in message

    def test_without_a_status_there_is_nothing_to_show(self, api):
        api.source()
        api.worker.state.statuses.clear()
        asked = "/connectors/counter/restart?includeTasks=true"
        assert api.refused("POST", asked) == (404, "Status for connector counter not found")


class TestTopics:
    def test_what_was_used_and_forgotten(self, api):
        api.source()
        used = {"counter": {"topics": ["numbers"]}}
        eventually(lambda: api.ok("GET", "/connectors/counter/topics"), used.__eq__)
        assert api("PUT", "/connectors/counter/topics/reset").status == 202
        assert api.ok("GET", "/connectors/counter/topics") == {"counter": {"topics": []}}

    def test_an_unknown_connector_uses_none(self, api):
        assert api.ok("GET", "/connectors/x/topics") == {"x": {"topics": []}}
        assert api("PUT", "/connectors/x/topics/reset").status == 202

    def test_403_where_it_is_switched_off(self, make_api):
        off = make_api(topic_tracking_enable="false")
        assert off.refused("GET", "/connectors/c/topics") == (403, "Topic tracking is disabled.")
        assert off.refused("PUT", "/connectors/c/topics/reset")[0] == 403
        fixed = make_api(topic_tracking_allow_reset="false")
        assert fixed.ok("GET", "/connectors/c/topics")
        refused = (403, "Topic tracking reset is disabled.")
        assert fixed.refused("PUT", "/connectors/c/topics/reset") == refused


class TestPlugins:
    def test_connectors_and_all(self, api):
        connectors = [
            {"class": SINK, "type": "sink", "version": "2.0"},
            {"class": SOURCE, "type": "source", "version": "1.2.3"},
        ]
        assert api.ok("GET", "/connector-plugins")[:2] == connectors
        every = api.ok("GET", "/connector-plugins?connectorsOnly=false")
        assert every[:2] == connectors
        assert every[2]["type"] == "transformation"

    @pytest.mark.parametrize(
        "name", [SOURCE, "CountingSourceConnector", "CountingSource", "Mask$Value"]
    )
    def test_options_by_any_name(self, api, name):
        options = api.ok("GET", f"/connector-plugins/{name}/config")
        assert list(options[0]) == [
            "name",
            "type",
            "required",
            "default_value",
            "importance",
            "documentation",
            "group",
            "width",
            "display_name",
            "dependents",
            "order",
        ]

    def test_own_options_come_before_the_common_ones(self, api):
        names = [one["name"] for one in api.ok("GET", "/connector-plugins/CountingSource/config")]
        assert names[:4] == ["topic", "count", "password", "fail"]
        assert "exactly.once.support" in names
        assert "topics" not in names

    def test_validate_is_200_whatever_is_wrong(self, api):
        path = "/connector-plugins/CountingSource/config/validate"
        config = {
            "connector.class": SOURCE,
            "tasks.max": "many",
            "name": "c",
            "password": "hunter2",
        }
        body = api.ok("PUT", path, config)
        assert list(body) == ["name", "error_count", "groups", "configs"]
        assert body["name"] == SOURCE
        values = {one["value"]["name"]: one["value"] for one in body["configs"]}
        assert values["tasks.max"]["errors"] == [
            "Invalid value many for configuration tasks.max: Not a number of type INT",
            "Invalid value null for configuration tasks.max: Value must be non-null",
        ]
        assert values["topic"]["recommended_values"] == ["numbers", "letters"]
        assert values["password"]["value"] == "[hidden]"
        assert body["error_count"] == 3

    @pytest.mark.parametrize(
        ("plugin", "config", "status"),
        [
            ("CountingSource", {"connector.class": SINK}, 400),
            ("x", {"connector.class": "x"}, 500),
            ("CountingSource", {}, 500),
        ],
    )
    def test_validate_refuses(self, api, plugin, config, status):
        asked = f"/connector-plugins/{plugin}/config/validate"
        assert api.refused("PUT", asked, config)[0] == status


class TestLoggers:
    def test_set_and_read(self, api):
        affected = api.ok("PUT", "/admin/loggers/connect.test.a", {"level": "debug"})
        assert affected == ["connect.test.a"]
        shown = api.ok("GET", "/admin/loggers/connect.test.a")
        assert shown["level"] == "DEBUG"
        assert isinstance(shown["last_modified"], int)
        assert api.ok("GET", "/admin/loggers")["connect.test.a"] == shown

    def test_for_the_whole_cluster(self, api):
        asked = "/admin/loggers/connect.test.b?scope=cluster"
        response = api("PUT", asked, {"level": "TRACE"})
        assert (response.status, response.body) == (204, None)
        assert api.ok("GET", "/admin/loggers/connect.test.b")["level"] == "TRACE"
        (entry,) = [e for e in api.worker.log.entries if e.store is Store.CONFIG]
        assert (entry.key, entry.value) == ("logger-cluster-connect.test.b", {"level": "TRACE"})

    def test_what_is_no_level(self, api):
        assert api.refused("PUT", "/admin/loggers/a", {})[0] == 400
        refused = (404, "invalid log level 'loud'.")
        assert api.refused("PUT", "/admin/loggers/a", {"level": "loud"}) == refused

    def test_an_unknown_scope_is_this_worker(self, api):
        asked = "/admin/loggers/connect.test.c?scope=galaxy"
        assert api.ok("PUT", asked, {"level": "WARN"}) == ["connect.test.c"]

    def test_admin_can_be_switched_off(self, make_api):
        api = make_api(admin_listeners="")
        for path in ("/admin/loggers", "/admin/loggers/root"):
            assert api.refused("GET", path)[0] == 404


class TestOffsets:
    def test_alter_and_reset_a_stopped_source(self, api):
        api.source(count=3)
        api.ok("PUT", "/connectors/counter/stop")
        change = {"offsets": [{"partition": {"part": "0"}, "offset": {"at": 40}}]}
        body = api.ok("PATCH", "/connectors/counter/offsets", change)
        assert body["message"].startswith("The Connect framework-managed offsets")
        assert "altered successfully" in body["message"]
        assert api.ok("GET", "/connectors/counter/offsets") == change
        body = api.ok("DELETE", "/connectors/counter/offsets")
        assert "reset successfully" in body["message"]
        assert api.ok("GET", "/connectors/counter/offsets") == {"offsets": []}

    @pytest.mark.parametrize(
        ("body", "status"),
        [
            ({"offsets": []}, 400),
            ({}, 400),
            ([], 500),
            ({"offsets": [1]}, 500),
            ({"offsets": [{"partition": 1}]}, 500),
            ({"other": []}, 500),
        ],
    )
    def test_bodies_that_change_nothing(self, api, body, status):
        api.source()
        api.ok("PUT", "/connectors/counter/stop")
        assert api.refused("PATCH", "/connectors/counter/offsets", body)[0] == status
