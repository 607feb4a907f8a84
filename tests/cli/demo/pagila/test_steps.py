import pytest

from headrace.cli.demo.pagila.flow import Flow
from headrace.cli.demo.pagila.steps import Steps
from headrace.cli.output import TextOutput
from headrace.errors import EnvironmentFault


def test_a_step_that_does_not_end_names_what_is_missing():
    with pytest.raises(EnvironmentFault) as raised:
        Steps(TextOutput(), 5.0, patience=0).until("all there", lambda: "one of two", Flow)
    assert raised.value.condition == "DEMO_STALLED"
    assert (raised.value.found, raised.value.expected) == ("one of two", "all there")
