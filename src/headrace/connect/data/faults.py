"""What a registry of schemas did not do, as converters report it."""

from __future__ import annotations

from headrace.errors import EnvironmentFault, HeadraceError, TransientFault
from headrace.formats.errors import registry_fault_from

_UNREACHABLE = "REGISTRY_UNREACHABLE"
_CURE = "check the converter's url of the registry; errors.retry.timeout waits for one that is away"


class RegistryAway(EnvironmentFault, TransientFault):
    """It does not answer, which it may the next time: `errors.retry.timeout` says for how long it is asked."""

    condition = _UNREACHABLE


def registry_fault(message: str) -> HeadraceError | None:
    """What a message of the JVM reports of a registry, None where it reports nothing of the kind."""
    fault = registry_fault_from(message)
    if fault is None or fault.condition != _UNREACHABLE:
        return fault
    return RegistryAway(fault.summary, found=fault.found, cure=_CURE)
