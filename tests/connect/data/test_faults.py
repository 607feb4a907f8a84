from __future__ import annotations

from headrace.connect.data.faults import RegistryAway, registry_fault
from headrace.errors import EnvironmentFault, TransientFault
from headrace.formats.errors import registry_fault_from


def told(status: int) -> str:
    """As the JVM's client reports it."""
    return (
        f'Job aborted: registry=http://r:1 status={status} subject="t-value" failed: no\\n\\tat x'
    )


def test_a_registry_that_is_away_may_come_back():
    fault = registry_fault(told(0))
    assert isinstance(fault, RegistryAway)
    assert isinstance(fault, TransientFault)
    assert isinstance(fault, EnvironmentFault)
    assert fault.condition == "REGISTRY_UNREACHABLE"
    assert "errors.retry.timeout" in fault.cure


def test_one_that_refuses_will_again():
    fault = registry_fault(told(401))
    assert not isinstance(fault, TransientFault)
    assert fault.condition == registry_fault_from(told(401)).condition


def test_other_messages_tell_nothing_of_a_registry():
    assert registry_fault("java.lang.IllegalStateException: no") is None
