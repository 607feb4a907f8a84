"""What the routes' tests do not show: what is written, by whom, and in which order."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from headrace.connect.answers import NotLeader, Refusal
from headrace.connect.herder import invalid_config
from headrace.connect.state import TargetState
from headrace.connect.topics import Store
from headrace.errors import EnvironmentFault
from headrace.testing.connect_worker import MASK, SOURCE, SoleLeadership

CONFIG = {"name": "c", "connector.class": SOURCE, "topic": "numbers"}


@pytest.fixture
def herder(api):
    return api.worker.herder


@pytest.fixture
def written(api):
    return lambda: [e.key for e in api.worker.log.entries if e.store is Store.CONFIG]


def test_the_target_state_is_written_before_the_config(herder, written):
    """So that no worker starts a connector that shall begin paused."""
    herder.put("c", CONFIG, TargetState.PAUSED, replace=False)
    assert written()[:2] == ["target-state-c", "connector-c"]


def test_without_a_target_state_none_is_written(herder, written, api):
    herder.put("c", CONFIG, None, replace=False)
    api.settle()
    assert written() == ["connector-c", "task-c-0", "commit-c"]


def test_a_new_connector_has_a_status_before_it_is_started(herder, api, monkeypatch):
    monkeypatch.setattr(api.worker.runner, "sync", lambda name: None)
    herder.put("c", CONFIG, None, replace=False)
    shown = herder.status("c")
    assert (shown["connector"]["state"], shown["connector"]["version"]) == ("UNASSIGNED", "1.2.3")
    assert shown["tasks"] == []


@pytest.mark.parametrize(
    ("needs", "config"),
    [(("jdbc",), {}), ((), {"producer.override.sasl.mechanism": "AWS_MSK_IAM"})],
)
def test_a_connector_whose_jars_are_missing_is_rejected_with_the_cure(
    herder, written, monkeypatch, tmp_path, needs, config
):
    monkeypatch.setenv("HEADRACE_CACHE", str(tmp_path / "empty"))
    monkeypatch.setattr(herder.plugins.connector(SOURCE), "jar_sets", needs)
    with pytest.raises(EnvironmentFault) as caught:
        herder.put("c", CONFIG | config, None, replace=False)
    assert caught.value.cure == f"run: headrace dev fetch {' '.join(needs) or 'msk-iam'}"
    assert written() == []


def test_an_update_keeps_the_target_state(herder, api):
    herder.put("c", CONFIG, TargetState.STOPPED, replace=False)
    herder.put("c", {**CONFIG, "count": "1"}, None, replace=True)
    api.settle()
    assert api.states("c") == ("STOPPED", [])


def test_deleting_takes_the_target_state_along(herder, api):
    herder.put("c", CONFIG, TargetState.PAUSED, replace=False)
    herder.delete("c")
    herder.put("c", CONFIG, None, replace=False)
    api.settle()
    assert api.states("c")[0] == "RUNNING"


def test_asking_for_what_is_writes_nothing(herder, written, api):
    herder.put("c", CONFIG, None, replace=False)
    api.settle()
    before = written()
    herder.set_target("c", TargetState.STARTED)
    assert written() == before


def test_stopping_empties_the_tasks_at_once(herder, written, api):
    herder.put("c", CONFIG, None, replace=False)
    api.settle()
    herder.set_target("c", TargetState.STOPPED)
    assert herder.tasks("c") == []
    assert written()[-2:] == ["target-state-c", "commit-c"]


def test_an_updated_connector_shows_the_tasks_it_has(herder, api):
    herder.put("c", CONFIG, None, replace=False)
    api.settle()
    _, info = herder.put("c", {**CONFIG, "count": "1"}, None, replace=True)
    assert info["tasks"] == [{"connector": "c", "task": 0}]


def test_references_are_stored_and_their_values_checked(herder, monkeypatch, api):
    monkeypatch.setenv("CONNECT_TEST_COUNT", "many")
    config = {**CONFIG, "count": "${env:CONNECT_TEST_COUNT}"}
    with pytest.raises(Refusal) as refused:
        herder.put("c", config, None, replace=False)
    assert refused.value.status == 400
    monkeypatch.setenv("CONNECT_TEST_COUNT", "12345")
    herder.put("c", config, None, replace=False)
    api.settle()
    assert herder.config("c")["count"] == "${env:CONNECT_TEST_COUNT}"
    assert herder.tasks("c")[0]["config"]["count"] == "${env:CONNECT_TEST_COUNT}"


def test_a_patch_may_carry_another_name(herder):
    """As Connect, which looks at the name only where it is put."""
    herder.put("c", CONFIG, None, replace=False)
    assert herder.patch("c", {"name": "other"})["config"]["name"] == "other"


def test_a_class_that_went_away_is_of_unknown_type(herder, api, monkeypatch):
    herder.put("c", CONFIG, TargetState.STOPPED, replace=False)
    api.settle()
    monkeypatch.setattr(api.worker.plugins, "names", {})
    assert herder.info("c")["type"] == "unknown"
    assert herder.status("c")["type"] == "unknown"


def test_options_of_a_transformation_are_its_own(herder):
    assert [option["name"] for option in herder.options_of(MASK)] == ["fields"]


def test_of_two_that_create_it_at_once_one_is_first(herder):
    def create(_: int) -> int:
        try:
            herder.put("c", CONFIG, None, replace=False)
        except Refusal as refusal:
            return refusal.status
        return 201

    with ThreadPoolExecutor(4) as threads:
        assert sorted(threads.map(create, range(4))) == [201, 409, 409, 409]


def test_only_the_leader_writes(make_api):
    leadership = SoleLeadership("http://leader/", leads=False)
    herder = make_api(leadership=leadership).worker.herder
    with pytest.raises(NotLeader) as elsewhere:
        herder.put("c", CONFIG, None, replace=False)
    assert elsewhere.value.url == "http://leader/"


def test_a_message_for_every_fault():
    assert invalid_config(["one", "two"]).splitlines()[:3] == [
        "Connector configuration is invalid and contains the following 2 error(s):",
        "one",
        "two",
    ]


def test_options_of_a_connector_say_which_version_there_is(herder):
    options = {one["name"]: one for one in herder.options_of(SOURCE)}
    assert options["connector.plugin.version"]["default_value"] == "1.2.3"
    assert options["key.converter.plugin.version"]["default_value"] is None


def test_options_of_other_plugins_are_theirs_alone(herder):
    assert [one["name"] for one in herder.options_of(MASK)] == ["fields"]


def test_a_task_of_before_is_not_there_at_the_moment(herder, api):
    herder.put("c", {**CONFIG, "tasks.max": "2"}, None, replace=False)
    api.settle()
    herder.put("c", {**CONFIG, "tasks.max": "1"}, None, replace=True)
    api.settle()
    with pytest.raises(Refusal, match="no known leader URL") as refused:
        herder.restart_task("c", 1)
    assert refused.value.status == 409
    with pytest.raises(Refusal, match="Unknown task: c-5"):
        herder.restart_task("c", 5)
