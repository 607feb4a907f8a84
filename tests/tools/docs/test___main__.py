from tools.docs import __main__ as docs


def test_the_pages_are_those_that_the_code_gives():
    assert docs.outdated() == [], "run make docs"
