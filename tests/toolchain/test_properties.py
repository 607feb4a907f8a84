from __future__ import annotations

import pytest

from headrace.connect.providers import properties
from headrace.toolchain.properties import render


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        r"C:\jars",
        "a=b:c d",
        "two\nlines\tand\rmore",
        " spaced ",
        "# no comment",
        "Gelände 水 \N{GRINNING FACE}",
        'required username="u" password="p#!";',
    ],
)
def test_rendered_text_is_read_back(text):
    written = render({"na me": text})
    assert written.isascii()
    read = properties(written)
    assert {k: v.encode("utf-16", "surrogatepass").decode("utf-16") for k, v in read.items()} == {
        "na me": text
    }
