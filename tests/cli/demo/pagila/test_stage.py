import threading

import pytest

from headrace.cli.demo.pagila.stage import _log_on_failure, side_by_side
from headrace.cli.demo.pagila.worker import WorkerService
from headrace.cli.output import TextOutput


def test_all_actions_have_ended_when_one_of_them_fails():
    failed, ended = threading.Event(), []

    def fail():
        failed.set()
        raise RuntimeError("no room")

    def late():
        failed.wait(30)
        ended.append(True)

    with pytest.raises(RuntimeError, match="no room"):
        side_by_side([fail, late])
    assert ended == [True]


@pytest.mark.parametrize("verbose", [True, False])
def test_the_log_of_a_worker_that_failed_is_shown_on_request(tmp_path, capsys, verbose):
    worker = WorkerService(tmp_path, "b:1", {})
    worker.log.write_text("ERROR no such bucket")
    with pytest.raises(RuntimeError), _log_on_failure(TextOutput(verbose), worker):
        raise RuntimeError
    assert ("no such bucket" in capsys.readouterr().err) is verbose
