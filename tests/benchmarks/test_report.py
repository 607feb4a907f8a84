from __future__ import annotations

from benchmarks.report import Figure, comparison, with_steady_rates


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
