from __future__ import annotations

import os
import signal
import threading

import pytest

from headrace.runtime.interrupts import SIGNALS, Interrupts


def send(name: signal.Signals) -> None:
    """To this very process; Python runs the handler before the next instruction."""
    os.kill(os.getpid(), name)


@pytest.mark.parametrize("name", SIGNALS)
def test_a_watched_signal_becomes_a_request(name):
    with Interrupts() as interrupts:
        interrupts.watch(True)
        assert not interrupts.requested()
        send(name)
        assert interrupts.requested()


@pytest.mark.parametrize("name", SIGNALS)
def test_an_unwatched_signal_raises_at_once(name):
    with Interrupts(), pytest.raises(KeyboardInterrupt):
        send(name)


def test_a_command_under_nohup_outlives_its_terminal():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Interrupts() as interrupts:
            interrupts.watch(True)
            send(signal.SIGHUP)
            assert not interrupts.requested()
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_second_signal_does_not_wait_for_the_clean_stop():
    with Interrupts() as interrupts:
        interrupts.watch(True)
        send(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            send(signal.SIGINT)


def test_watching_again_forgets_the_request_before():
    with Interrupts() as interrupts:
        interrupts.watch(True)
        send(signal.SIGINT)
        interrupts.watch(False)
        interrupts.watch(True)
        assert not interrupts.requested()


def test_a_request_survives_a_nested_watch():
    with Interrupts() as interrupts:
        interrupts.watch(True)
        send(signal.SIGINT)
        interrupts.watch(True)
        assert interrupts.requested()


def test_looking_takes_the_signals_back_from_whoever_took_them():
    with Interrupts() as interrupts:
        interrupts.watch(True)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        assert not interrupts.requested()
        send(signal.SIGINT)
        assert interrupts.requested()


def test_the_handlers_of_before_return():
    before = {name: signal.getsignal(name) for name in (signal.SIGINT, signal.SIGTERM)}
    with Interrupts():
        assert signal.getsignal(signal.SIGTERM) != before[signal.SIGTERM]
    assert {name: signal.getsignal(name) for name in before} == before
    interrupts = Interrupts()
    interrupts.watch(True)
    assert not interrupts.requested()
    assert {name: signal.getsignal(name) for name in before} == before


def test_a_termination_is_remembered_and_an_interrupt_is_not_one():
    with Interrupts() as interrupts:
        interrupts.watch(True)
        send(signal.SIGINT)
        assert not interrupts.terminated
        interrupts.watch(False)
        with pytest.raises(KeyboardInterrupt):
            send(signal.SIGTERM)
        assert interrupts.terminated


def test_outside_of_the_main_thread_signals_are_left_alone():
    before = signal.getsignal(signal.SIGTERM)
    seen: list[bool] = []

    def elsewhere() -> None:
        with Interrupts() as interrupts:
            interrupts.watch(True)
            seen.append(interrupts.requested())

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert seen == [False]
    assert signal.getsignal(signal.SIGTERM) == before
