from tools.docs.markdown import code, fenced, notice, page, table


def test_a_table_has_a_header_and_escapes_its_separator():
    assert table(("a", "b"), [("1", "x | y")]) == "| a | b |\n| --- | --- |\n| 1 | x \\| y |"


def test_a_table_without_rows_is_its_header():
    assert table(("a",), []).splitlines() == ["| a |", "| --- |"]


def test_nothing_is_no_code():
    assert (code("x"), code("")) == ("`x`", "")


def test_a_fence_holds_the_text_without_blank_lines_around_it():
    assert fenced("\nSELECT 1\n", "sql") == "```sql\nSELECT 1\n```"


def test_a_page_is_its_blocks_apart_and_ends_in_one_line_feed():
    assert page("# A\n", "", "b") == "# A\n\nb\n"


def test_the_notice_names_what_to_edit_instead():
    assert "the code and a.toml and b.toml;" in notice("a.toml", "b.toml")
    assert notice("a.toml").startswith("<!--")


def test_a_page_leaves_blank_lines_inside_a_block():
    assert page("a\n\nb", "c") == "a\n\nb\n\nc\n"


def test_a_fence_without_a_language_is_plain_text():
    assert fenced("x").startswith("```text\n")
