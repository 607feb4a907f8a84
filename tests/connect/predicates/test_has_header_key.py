"""HasHeaderKey."""

import pytest

from headrace.connect.configdef import InvalidConfig
from headrace.connect.data.config import parse
from headrace.connect.predicates.has_header_key import KEYS, build


def test_a_name_is_needed():
    with pytest.raises(
        InvalidConfig, match="Invalid value  for configuration name: String must be non-empty"
    ):
        parse(KEYS, {"name": ""})


@pytest.mark.spark
def test_records_with_the_header(connect):
    records = connect.records(
        ["1", "2", "3"], headers=[[("a", b""), ("b", b"")], [("b", None)], None]
    )
    rows = records.frame.select(build({"name": "a"})()).collect()
    assert [row[0] for row in rows] == [True, False, False]
