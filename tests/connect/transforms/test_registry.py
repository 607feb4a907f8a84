"""The transforms by their classes."""

from headrace.connect.transforms.registry import TRANSFORMS

APACHE = "org.apache.kafka.connect.transforms."
SIDED = (
    "Cast",
    "ExtractField",
    "Flatten",
    "HeaderFrom",
    "HoistField",
    "InsertField",
    "MaskField",
    "ReplaceField",
    "SetSchemaMetadata",
    "TimestampConverter",
)
WHOLE = ("DropHeaders", "Filter", "InsertHeader", "RegexRouter", "TimestampRouter", "ValueToKey")


def test_every_transform_of_apache_kafka_and_debeziums():
    sided = {f"{APACHE}{name}${part}" for name in SIDED for part in ("Key", "Value")}
    whole = {APACHE + name for name in WHOLE}
    assert set(TRANSFORMS) == sided | whole | {"io.debezium.transforms.ExtractNewRecordState"}


def test_a_class_says_which_part_it_works_on():
    assert TRANSFORMS[f"{APACHE}Cast$Key"][1] == "key"
    assert TRANSFORMS[f"{APACHE}Cast$Value"][1] == "value"


def test_options_are_declared_once_and_described():
    for plugin, _ in TRANSFORMS.values():
        names = [key.name for key in plugin.keys]
        assert len(set(names)) == len(names)
        assert all(key.documentation.endswith(".") for key in plugin.keys)
