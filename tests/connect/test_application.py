from __future__ import annotations

import threading

import pytest

from headrace.connect import application
from headrace.connect.application import STATE_FOLDER, state_folder
from headrace.connect.settings import WORKER


class TestStateFolder:
    def test_it_is_made_below_the_settings_folder(self, tmp_path):
        folder = state_folder({STATE_FOLDER: str(tmp_path), "group.id": "g"}, "orders")
        assert folder == tmp_path / "g" / "orders"
        assert folder.is_dir()

    def test_without_a_setting_it_lies_in_the_home(self, tmp_path, monkeypatch):
        monkeypatch.setenv("HEADRACE_HOME", str(tmp_path))
        assert state_folder({}, "orders").parent.parent.parent == state_folder({}, "x").parents[2]
        assert tmp_path in state_folder({}, "orders").parents

    @pytest.mark.parametrize("name", ["a/b", "a b", "..", "../../etc", "ä", "a" * 300])
    def test_no_name_leads_out_of_it_or_into_another(self, tmp_path, name):
        worker = {STATE_FOLDER: str(tmp_path), "group.id": "g"}
        folder = state_folder(worker, name)
        assert folder.resolve().parent == tmp_path / "g"
        assert folder != state_folder(worker, name + "_")
        assert folder != state_folder(worker, "a_b")

    def test_clusters_have_folders_of_their_own(self, tmp_path):
        first, second = (
            state_folder({STATE_FOLDER: str(tmp_path), "group.id": group}, "orders")
            for group in ("one", "two")
        )
        assert first != second

    def test_the_setting_is_one_of_the_worker(self):
        assert WORKER.keys[STATE_FOLDER].default is None


@pytest.mark.spark
class TestSession:
    def test_every_thread_has_a_session_of_its_own_in_one_application(self, spark):
        found = []

        def task(pool):
            own = application.session({}, pool)
            own.conf.set("spark.sql.shuffle.partitions", pool)
            # Python knows one active session per process, Java one per thread.
            active = own._jvm.org.apache.spark.sql.classic.SparkSession.getActiveSession().get()
            chosen = own.sparkContext.getLocalProperty("spark.scheduler.pool")
            found.append((own, active.conf().get("spark.sql.shuffle.partitions"), chosen))

        threads = [threading.Thread(target=task, args=(pool,)) for pool in ("3", "5")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(shown[1:] for shown in found) == [("3", "3"), ("5", "5")]
        assert {own.sparkContext.applicationId for own, *_ in found} == {
            spark.sparkContext.applicationId
        }

    def test_times_are_in_utc_whatever_others_chose(self, spark):
        own = application.session({})
        assert own.conf.get("spark.sql.session.timeZone") == "UTC"

    def test_an_application_of_somebody_else_is_left_running(self, spark):
        application.session({})
        application.stop()
        assert spark.range(3).count() == 3
