"""InsertHeader."""

import pytest


@pytest.mark.spark
def test_one_more_header(connect):
    options = {"header": "h", "value.literal": "007"}
    result = connect.apply("InsertHeader", options, ["1", "2"], headers=[[("h", b"x")], None])
    # The literal is a number, whose text has no leading zeros.
    assert result.headers == [[("h", b"x"), ("h", b"7")], [("h", b"7")]]
    fraction = connect.apply(
        "InsertHeader", {"header": "h", "value.literal": "3.14159265358979"}, ["1"]
    )
    assert fraction.headers == [[("h", b"3.1415927")]]
    for literal in (
        "03:04:05.678Z",
        "2024-01-02",
        "2024-01-02T03:04:05.678Z",
        "9" * 20,
        "true",
        "x y",
    ):
        made = connect.apply("InsertHeader", {"header": "h", "value.literal": literal}, ["1"])
        assert made.headers == [[("h", literal.encode())]]
    nothing = connect.apply("InsertHeader", {"header": "h", "value.literal": "null"}, ["1"])
    assert nothing.headers == [[("h", None)]]
