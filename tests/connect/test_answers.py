from __future__ import annotations

from headrace.connect.answers import NotLeader, Refusal, bad_request, not_found


def test_refusals_carry_status_and_message():
    assert (not_found("x").status, not_found("x").message) == (404, "x")
    assert (bad_request("y").status, str(bad_request("y"))) == (400, "y")
    assert Refusal(409, "z").status == 409


def test_another_worker_may_not_be_known():
    assert NotLeader(None).url is None
    assert NotLeader("http://a/").url == "http://a/"
