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
    nothing = connect.apply("InsertHeader", {"header": "h", "value.literal": "null"}, ["1"])
    assert nothing.headers == [[("h", None)]]
