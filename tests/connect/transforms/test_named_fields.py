"""Fields that a record's header names."""

import pytest
from pyspark.sql import functions as sf

from headrace.connect.data import schema as cs
from headrace.connect.data.schema import Schema, Type
from headrace.connect.transforms.named_fields import Mention, NamedFields, keeping

KEY = cs.struct({"id": Schema(Type.INT32), "part": cs.string(optional=True)}, "Key")
ROW = cs.struct(
    {
        "id": Schema(Type.INT32),
        "part": cs.string(optional=True),
        "size": Schema(Type.INT32, optional=True, default="7"),
    },
    "Row",
)
BOTH = (1, "a", None)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (None, []),
        ("[]", []),
        ('["a", "b"]', ["a", "b"]),
        ("[1]", ["1"]),
        ("a,b", None),
        ('{"a": 1}', None),
        ('"a"', None),
    ],
)
def test_what_a_header_says(text, names):
    assert Mention(text, ()).names() == names


@pytest.mark.spark
class TestRunning:
    def left_out(self, connect, named, texts, kept=()):
        headers = [None if text is None else [("h", text), ("h", b'["id"]')] for text in texts]
        records = connect.records(
            [BOTH] * len(texts), ROW, keys=[(1, "a")] * len(texts), key_schema=KEY, headers=headers
        )
        names = sf.array(*map(sf.lit, kept)).cast("array<string>")
        parts = named.left_out(keeping(records, names))
        return [
            (row.key and row.key.asDict(), row.value.asDict(), row.error and row.error["class"])
            for part in parts
            for row in part.frame.collect()
        ]

    def test_only_optional_ones_go_and_defaults_take_the_place_of_nulls(self, connect):
        """The first header of the name counts, as in Debezium."""
        named = NamedFields("h", from_key=False, compatible=True)
        found = self.left_out(connect, named, [b'["id", "part"]', b"[]", None, b'["none"]'])
        whole = ({"id": 1, "part": "a"}, {"id": 1, "part": "a", "size": None}, None)
        assert found == [whole] * 3 + [({"id": 1, "part": "a"}, {"id": 1, "size": 7}, None)]

    def test_all_of_them_also_of_the_key(self, connect):
        named = NamedFields("h", from_key=True, compatible=False)
        found = self.left_out(connect, named, [b'["id"]'])
        assert found == [({"part": "a"}, {"part": "a", "size": 7}, None)]

    def test_of_records_with_other_headers_the_batches_differ(self, connect):
        named = NamedFields("h", from_key=False, compatible=True)
        found = self.left_out(connect, named, [b'["size"]', b'["part"]', b'["part","x"]'])
        values = sorted((value for _, value, _ in found), key=str)
        assert values == [{"id": 1, "part": "a"}, {"id": 1, "size": 7}, {"id": 1, "size": 7}]

    def test_what_is_kept_stays_whatever_the_header_says(self, connect):
        named = NamedFields("h", from_key=True, compatible=True)
        found = self.left_out(connect, named, [b'["part", "size"]'], kept=["part"])
        assert found == [({"id": 1}, {"id": 1, "part": "a"}, None)]

    def test_a_header_that_is_no_list_fails_its_record_alone(self, connect):
        named = NamedFields("h", from_key=False, compatible=True)
        found = self.left_out(connect, named, [b"part", b"[]"])
        assert [kind for *_, kind in found] == [None, "java.lang.ClassCastException"]

    def test_records_whose_header_does_not_count(self, connect):
        records = connect.records([BOTH], ROW, headers=[[("h", b'["part"]')]])
        named = NamedFields("h", from_key=True, compatible=True)
        (part,) = named.left_out(keeping(records, sf.lit(None).cast("array<string>")))
        assert [row.value.asDict() for row in part.frame.collect()] == [
            {"id": 1, "part": "a", "size": None}
        ]
