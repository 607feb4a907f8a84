"""docs/transforms.md: the transforms, predicates and converters of Connect with every option that they declare."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from headrace.connect.configdef import REQUIRED, ConfigKey
from headrace.connect.converters.registry import CONVERTERS
from headrace.connect.data.config import shown
from headrace.connect.predicates.registry import PREDICATES
from headrace.connect.transforms.registry import TRANSFORMS
from tools.docs.markdown import code, fenced, notice, page, table

INTRO = """\
# Connect: transforms, predicates and converters

After reading this page you can look up the options of every transform, predicate and converter, use them from Python, and write and test a
transform of your own in Python.

Transforms, predicates and converters have the class names and options of Kafka Connect, and process whole batches inside Spark. `$Key` or
`$Value` after a class name selects the part of a record that it changes. A record that Connect would reject does not stop the batch: its
column `error` contains the class and the message of Connect's exception, and the other records continue."""

EXAMPLE = """
from headrace.connect.converters.batches import read_batch, write_batch
from headrace.connect.converters.registry import parse_converter
from headrace.connect.transforms.chain import parse_chain

key, value = (parse_converter(config, f"{part}.converter") for part in ("key", "value"))
# config: a connector's options as a dict. Raises InvalidConfig with Connect's message if one is wrong
chain = parse_chain(config)
# frame: a DataFrame with the columns of Spark's Kafka source (topic, key, value, headers, timestamp, …)
for records in read_batch(frame, key, value):
    for changed in chain.apply(records):
        # key and value as bytes; the column `error` describes a record that failed
        out = write_batch(changed, key, value)
"""

OWN = """\
Your own transform is a Python function. Name it in `transforms.NAME.type` as `module:function`. It is called once per batch with the
DataFrame and its options, and returns a DataFrame with the same columns. It may change the types of `key` and `value`, and their schemas
change with them. `headrace.testing.connect.Bench` runs transforms on records that a test defines."""

OWN_EXAMPLE = """
def upper(frame, options):
    name = options["field"]
    return frame.withColumn("value", frame["value"].withField(name, sf.upper(frame["value"][name])))
"""


def render() -> str:
    return page(
        notice("what it declares"),
        INTRO,
        fenced(EXAMPLE, "python"),
        OWN,
        fenced(OWN_EXAMPLE, "python"),
        "## Transforms",
        "Every transform also accepts `predicate` (the alias of a predicate) and `negate`.",
        *sections({plugin.name: plugin.keys for plugin, _ in TRANSFORMS.values()}),
        "## Predicates",
        *sections({name: plugin.keys for name, plugin in PREDICATES.items()}),
        "## Converters",
        *sections({name: CONVERTERS[name].keys for name in sorted(CONVERTERS)}),
    )


def sections(plugins: Mapping[str, Sequence[ConfigKey]]) -> Iterator[str]:
    for name, keys in plugins.items():
        yield f"### {name.rpartition('.')[2]}"
        yield code(name)
        yield _options(keys) if keys else "No options."


def _options(keys: Sequence[ConfigKey]) -> str:
    rows = ([code(key.name), default(key), key.documentation] for key in keys)
    return table(("option", "default", "meaning"), rows)


def default(key: ConfigKey) -> str:
    if key.default is REQUIRED:
        return "required"
    if isinstance(key.default, bool):
        return code(str(key.default).lower())
    return "" if key.default in (None, "", []) else code(shown(key.default))
