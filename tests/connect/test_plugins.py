from __future__ import annotations

import pytest

from headrace.connect.configdef import ConfigDef
from headrace.connect.plugins import (
    Connector,
    Kind,
    Plugin,
    Plugins,
    UnknownPlugin,
    names,
)
from headrace.testing.connect_worker import MASK, PLUGINS, SINK, SOURCE, CountingSource, Mask


@pytest.mark.parametrize("name", [SOURCE, "CountingSourceConnector", "CountingSource"])
def test_a_connector_by_every_name(name):
    assert PLUGINS.connector(name) is CountingSource


def test_other_kinds_have_no_alias():
    assert names(Mask) == {MASK, "Mask$Value"}
    assert PLUGINS.find("Mask$Value") is Mask


def test_a_class_named_connector_alone_keeps_its_name():
    class Bare(Connector):
        class_name = "org.example.Connector"
        kind = Kind.SINK

    assert names(Bare) == {"org.example.Connector", "Connector"}


@pytest.mark.parametrize("name", ["org.Nothing", MASK, ""])
def test_what_is_no_connector_is_told_with_those_there_are(name):
    with pytest.raises(UnknownPlugin) as caught:
        PLUGINS.connector(name)
    assert f"which name matches {name}, " in str(caught.value)
    shown = str(caught.value).partition("available connectors are: ")[2].split("}, ")
    assert [one.partition(",")[0] for one in shown] == [
        f"PluginDesc{{klass=class {one}" for one in (SINK, SOURCE)
    ]


def test_without_any_it_says_none():
    with pytest.raises(UnknownPlugin, match="are: none"):
        Plugins().connector("x")


def test_sinks_come_first():
    assert [plugin.class_name for plugin in PLUGINS.of_kind(*Kind)] == [SINK, SOURCE, MASK]
    assert PLUGINS.of_kind(Kind.CONVERTER) == []


def test_a_plugin_needs_to_say_little():
    class Least(Plugin):
        class_name = "a.B"
        kind = Kind.PREDICATE

    assert list(Least.config()) == list(ConfigDef())
    assert Least.version is None


def test_what_a_connector_must_do_itself():
    class Idle(Connector):
        class_name = "a.IdleConnector"
        kind = Kind.SOURCE

    idle = Idle()
    assert Idle.validate({}) == {}
    assert idle.alter_offsets({}, []) is False
    idle.stop()
    with pytest.raises(NotImplementedError):
        idle.start({}, None)
    with pytest.raises(NotImplementedError):
        idle.run_task({}, None)
