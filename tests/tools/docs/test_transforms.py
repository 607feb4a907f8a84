from headrace.connect.configdef import ConfigKey
from headrace.connect.converters.registry import CONVERTERS
from headrace.connect.data.config import ConfigType
from headrace.connect.predicates.registry import PREDICATES
from headrace.connect.transforms.registry import TRANSFORMS
from tools.docs import transforms


def test_every_plugin_and_every_option_is_on_the_page():
    text = transforms.render()
    plugins = [
        *(plugin for plugin, _ in TRANSFORMS.values()),
        *PREDICATES.values(),
        *CONVERTERS.values(),
    ]
    for plugin in plugins:
        assert text.count(f"\n`{plugin.name}`\n") == 1
        assert all(f"| `{key.name}` |" in text for key in plugin.keys)


def test_what_has_no_options_says_so():
    shown = list(transforms.sections({"org.X": ()}))
    assert shown == ["### X", "`org.X`", "No options."]


def test_defaults():
    def default(**facts):
        return transforms.default(ConfigKey("k", ConfigType.STRING, documentation="", **facts))

    assert default() == "required"
    assert default(default=True) == "`true`"
    assert default(default=None) == ""
    assert default(default=[]) == ""
    assert default(default="yyyyMMdd") == "`yyyyMMdd`"
    assert default(default=1000) == "`1000`"


def test_the_examples_use_what_there_is():
    from headrace.connect.converters.batches import read_batch, write_batch
    from headrace.connect.converters.registry import parse_converter
    from headrace.connect.transforms.chain import parse_chain

    for used in (read_batch, write_batch, parse_converter, parse_chain):
        assert used.__name__ in transforms.EXAMPLE
    compile(transforms.EXAMPLE, "example", "exec")
    compile(transforms.OWN_EXAMPLE, "example", "exec")
