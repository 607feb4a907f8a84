from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.report import ALWAYS, Figure, comparison, table, with_steady_rates, write

RUN = Figure(
    "q3", "headrace", "default", 1.0, 2_000_000, 14.71234567, 135_942, 26.04, 2_345, True,
    records_out=50_000, wall_s=15.5, others_share=0.034, details={"batches": 1},
)  # fmt: skip
REFUSED = Figure("q4", "headrace", "default", 1.0, 1_100_000, note="not supported: JOIN")


def at(scale: float, rows: int, seconds: float | None, *, engine: str = "headrace") -> Figure:
    return Figure("q3", engine, "default", scale, rows, seconds)


def rates(*figures: Figure) -> list[int | None]:
    return [figure.steady_rows_per_s for figure in with_steady_rates(figures)]


def test_the_steady_rate_is_the_marginal_one_of_the_largest_scale():
    assert rates(at(1, 2_000_000, 20.0), at(3, 6_000_000, 40.0)) == [None, 200_000]


def test_one_scale_gives_no_steady_rate():
    assert rates(at(1, 2_000_000, 20.0)) == [None]


def test_scales_may_come_in_any_order_and_those_between_do_not_count():
    assert rates(at(3, 6_000_000, 40.0), at(2, 4_000_000, 39.0), at(1, 2_000_000, 20.0)) == [
        200_000,
        None,
        None,
    ]


def test_contenders_are_not_mixed():
    figures = (at(1, 10, 1.0), at(1, 10, 2.0, engine="flink"), at(3, 30, 3.0, engine="flink"))
    assert rates(*figures) == [None, None, 20]


def test_a_run_that_failed_does_not_count():
    assert rates(at(1, 10, 1.0), at(3, 30, None)) == [None, None]


def test_noise_that_makes_the_larger_scale_faster_gives_no_rate():
    assert rates(at(1, 10, 2.0), at(3, 30, 1.0)) == [None, None]


def test_adding_a_scale_replaces_the_rate_of_the_one_before():
    two = with_steady_rates([at(1, 10, 1.0), at(2, 20, 2.0)])
    assert rates(*two, at(3, 40, 3.0)) == [None, None, 15]


@pytest.fixture
def written(tmp_path: Path) -> list[dict[str, object]]:
    file = tmp_path / "results" / "latest.json"
    write([RUN, REFUSED], file)
    entries: list[dict[str, object]] = json.loads(file.read_text())
    return entries


def test_every_entry_of_the_file_has_the_agreed_fields(written: list[dict[str, object]]):
    for entry in written:
        assert list(entry)[: len(ALWAYS)] == list(ALWAYS)


def test_the_file_holds_the_figures(written: list[dict[str, object]]):
    run = written[0]
    assert run["seconds"] == 14.712
    assert run["rows_per_s"] == 135_942
    assert run["exact"] is True
    assert run["details"] == {"batches": 1}
    assert "note" not in run


def test_what_did_not_run_has_no_figures_and_a_reason(written: list[dict[str, object]]):
    refused = written[1]
    assert refused["seconds"] is None
    assert refused["exact"] is None
    assert refused["note"] == "not supported: JOIN"


def test_the_table_is_aligned_markdown():
    lines = table([RUN, REFUSED]).splitlines()
    assert len(lines) == 4
    assert len({len(line) for line in lines}) == 1
    assert set(lines[1]) == {"|", "-", " "}
    assert all(line.count("|") == lines[0].count("|") for line in lines)


def cells(figure: Figure) -> dict[str, str]:
    header, _, row = (
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in table([figure]).splitlines()
    )
    return dict(zip(header, row, strict=True))


def test_numbers_are_shown_as_people_read_them():
    shown = cells(RUN)
    assert shown["rows"] == "2,000,000"
    assert shown["seconds"] == "14.7"
    assert shown["rows/s"] == "135,942"
    assert shown["steady rows/s"] == "–"
    assert shown["CPU s"] == "26"
    assert shown["others"] == "3%"
    assert shown["answer"] == "exact"


def test_the_table_says_what_is_not_supported_wrong_or_failed():
    assert cells(REFUSED)["answer"] == "not supported: JOIN"
    assert cells(REFUSED)["seconds"] == "–"
    wrong = Figure("q3", "flink", "mini", 1, 10, 1.0, exact=False, note="1 missing")
    assert cells(wrong)["answer"] == "WRONG: 1 missing"
    failed = Figure("q3", "flink", "mini", 1, 10, exact=False, note="OutOfMemoryError")
    assert cells(failed)["answer"] == "FAILED: OutOfMemoryError"


def test_a_later_run_replaces_the_file(tmp_path: Path):
    file = tmp_path / "latest.json"
    write([RUN, REFUSED], file)
    write([REFUSED], file)
    assert [entry["query"] for entry in json.loads(file.read_text())] == ["q4"]


def test_the_steady_rate_is_on_file(tmp_path: Path):
    file = tmp_path / "latest.json"
    write(with_steady_rates([at(1, 2_000_000, 20.0), at(3, 6_000_000, 40.0)]), file)
    small, large = json.loads(file.read_text())
    assert "steady_rows_per_s" not in small
    assert large["steady_rows_per_s"] == 200_000


def test_engines_are_compared_query_by_query():
    figures = [
        Figure("q1", "headrace", "default", 1.0, 10, 5.0, exact=True),
        Figure("q1", "flink", "plain", 1.0, 10, 20.0, exact=True),
        Figure("q1", "flink", "mini", 1.0, 10, 10.0, exact=True),
        Figure("q1", "flink", "rocks", 1.0, 10, 30.0, exact=True),
        Figure("q2", "headrace", "default", 1.0, 10, 5.0, exact=True),
        Figure("q2", "flink", "plain", 1.0, 10, 4.0, exact=False),
    ]
    lines = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in comparison(figures).splitlines()
    ]
    assert lines[0][2:] == [
        "Headrace", "Flink plain", "Flink mini", "Flink rocks", "best heap ÷ ours", "rocks ÷ ours",
    ]  # fmt: skip
    assert lines[2] == ["q1", "1", "5.0", "20.0", "10.0", "30.0", "2.00×", "6.00×"]
    assert lines[3] == ["q2", "1", "5.0", "–", "–", "–", "–", "–"]
