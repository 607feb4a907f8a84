import pytest

from tools.docs.features import Feature, load, parse
from tools.docs.proofs import missing


def data(*rows, declared=None, folders=None):
    return {
        "folders": folders or {},
        "section": [{"title": "Some", "rows": list(rows)}],
        "declared": declared or {},
    }


def test_a_row_is_a_name_a_status_a_note_and_a_proof():
    (section,) = parse(data(["Joins", "partly", "inner only", "tests/x.py::test_y"])).sections
    assert section.features == (Feature("Joins", "partly", "inner only", "tests/x.py::test_y"),)
    assert (section.title, section.intro) == ("Some", "")


def test_short_names_of_files_are_written_out():
    row = ["Joins", "works", "", "joins::test_inner"]
    (section,) = parse(data(row, folders={"joins": "tests/test_joins.py"})).sections
    assert section.features[0].proof == "tests/test_joins.py::test_inner"


def test_what_does_not_work_needs_no_proof():
    (section,) = parse(data(["Joins", "no"])).sections
    assert section.features == (Feature("Joins", "no"),)


def test_what_is_not_there_at_all_is_listed_by_name():
    listed = data(["Joins", "no", "refused"]) | {
        "section": [{"title": "Some", "rows": [["Joins", "no", "refused"]], "unserved": ["Top-N"]}]
    }
    (section,) = parse(listed).sections
    assert section.features == (Feature("Joins", "no", "refused"), Feature("Top-N", "no"))


def test_a_section_may_have_nothing_else():
    listed = data() | {"section": [{"title": "Lake", "unserved": ["Iceberg", "Delta"]}]}
    (section,) = parse(listed).sections
    assert [feature.name for feature in section.features] == ["Iceberg", "Delta"]


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        (["Joins", "works"], "no test proves it"),
        (["Joins", "partly", "inner only"], "no test proves it"),
        (["Joins", "mostly", "", "tests/x.py::test_y"], "not one of works, partly, no"),
    ],
)
def test_a_promise_needs_a_status_and_a_proof(row, complaint):
    with pytest.raises(ValueError, match=complaint):
        parse(data(row))


def test_declared_names_are_judged_by_owner():
    features = parse(data(declared={"csv": {"escape": ["works", "", "tests/x.py::test_y"]}}))
    assert features.declared["csv"]["escape"].status == "works"
    assert features.proofs() == ["tests/x.py::test_y"]


def test_every_test_named_in_the_promise_exists():
    assert missing(load().proofs()) == []


def test_no_feature_is_promised_twice():
    for section in load().sections:
        names = [feature.name for feature in section.features]
        assert sorted(set(names)) == sorted(names)
