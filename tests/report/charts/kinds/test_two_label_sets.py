from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import pytest
from tests.report.charts.drawn import facts_of, marks_of, told_by, words_of

from toprung.analyses.relabel.tables import Relabelled, RelabelledRun
from toprung.report.charts.kinds.two_label_sets import FIRST, OTHER, draw
from toprung.report.charts.scatter import HEIGHT, WIDTH
from toprung.report.charts.svg.marks import PointMark, RuleMark, TextMark
from toprung.report.charts.tokens import RULE_2
from toprung.stats.intervals.bootstrap import Effect


def effect(estimate: float) -> Effect:
    return Effect(estimate=estimate, low=estimate - 0.02, high=estimate + 0.02, confidence=0.95, n=500)


def relabelled(*rows: tuple[str, float, int, float, int], tau: float = 0.65, tau_top: float = math.nan) -> Relabelled:
    """Rows of run, score and place before, score and place after."""
    return Relabelled(
        measure="RR@10",
        rows=tuple(
            RelabelledRun(
                run=run,
                before=effect(before),
                after=effect(after),
                over_perfect=effect(after - 0.332),
                place_before=place_before,
                place_after=place_after,
            )
            for run, before, place_before, after, place_after in rows
        ),
        perfect_before=1.0,
        perfect_after=0.332,
        tau=tau,
        tau_top=tau_top,
        top=10,
        n_queries=500,
        n_without_new=0,
        n_only_new=0,
        sample=None,
        higher_is_better=True,
        seed=0,
        digests={},
    )


# As at the top of figure 6 of the source: C rises from the third place to the first, A falls to the third.
THREE = relabelled(("C", 0.40, 3, 0.36, 1), ("B", 0.41, 2, 0.35, 2), ("A", 0.42, 1, 0.34, 3))


BEFORE, AFTER = "RR@10 under the original labels, 500 queries", "RR@10 under the new labels"


def test_every_run_is_a_mark_with_its_score_before_and_after() -> None:
    marks = {row["run"]: (row[BEFORE], row[AFTER], row["kind"]) for row in facts_of(draw(THREE))}
    assert marks == {
        "A": ("0.4200", "0.3400", FIRST),
        "B": ("0.4100", "0.3500", OTHER),
        "C": ("0.4000", "0.3600", FIRST),
    }


def test_marks_and_intervals_stand_at_their_scores() -> None:
    """By hand: before from .40 to .42, after from .32 (the end of an interval) to .38, 7% of that at each end."""
    figure = draw(THREE)
    marks = {mark.facts["run"]: (mark.x, mark.y) for mark in told_by(figure, PointMark)}
    assert marks["B"] == pytest.approx((WIDTH / 2, HEIGHT / 2))
    hairs = [
        rule
        for rule in marks_of(figure, RuleMark)
        if rule.look.stroke == RULE_2 and rule.x == rule.x2 and rule.y2 < HEIGHT
    ]
    a_hundredth = HEIGHT / 1.14 / 6
    assert sorted((hair.x, hair.y, hair.y2) for hair in hairs) == [
        pytest.approx((marks[run][0], marks[run][1] + 2 * a_hundredth, marks[run][1] - 2 * a_hundredth))
        for run in "CBA"
    ]


def test_names_tell_how_far_runs_move() -> None:
    assert {"C +2", "B", "A −2"} <= set(words_of(draw(THREE)))


def test_tau_is_said_in_the_figure_and_that_of_the_first_beside_it() -> None:
    assert {"Kendall's τ = 0.65", "perfect by the original labels: 0.3320"} <= set(words_of(draw(THREE)))
    with_top = words_of(draw(relabelled(("a", 0.4, 1, 0.3, 1), tau_top=0.2)))
    assert "Kendall's τ = 0.65, 0.20 among the first 10 before" in with_top


def test_the_line_of_the_perfect_ranking_lies_inside_the_plot() -> None:
    far = relabelled(("a", 0.4, 1, 0.1, 1), ("b", 0.3, 2, 0.09, 2))
    (dashed,) = (rule for rule in marks_of(draw(far), RuleMark) if rule.look.dash)
    assert 0 < dashed.y < HEIGHT


def test_of_many_runs_those_first_and_those_that_move_most_are_named() -> None:
    rows = [(f"run {place}", 1 - place / 200, place, 0.5 - place / 400, place) for place in range(1, 101)]
    rows[49], rows[89] = ("up", 0.55, 90, 0.375, 50), ("down", 0.75, 50, 0.275, 90)
    figure = draw(relabelled(*rows))
    names = {mark.text for mark in marks_of(figure, TextMark) if mark.size == 12 and "τ" not in mark.text}
    names = {name for name in names if not name.startswith("perfect")}
    assert {"run 1", "up +40", "down −40"} <= names
    assert len(names) <= 9, "those that have room"
    assert "Hairlines" not in figure.caption


def test_one_run_has_no_order_to_compare() -> None:
    figure = draw(relabelled(("alone", 0.4, 1, 0.3, 1), tau=math.nan))
    assert "τ" not in figure.to_inline_svg()
    assert figure.finding == "alone has RR@10 0.3000 under the new labels, 0.4000 before."


@pytest.mark.parametrize("perfect", [0.28, 0.30, 0.332, 0.34, 0.36, 0.372, 0.38, 0.39, 0.40, 0.45, 0.65])
def test_no_two_texts_lie_on_each_other_wherever_the_perfect_ranking_lands(perfect: float) -> None:
    found = replace(THREE, perfect_after=perfect, tau_top=0.33)
    boxes = [mark.box for mark in marks_of(draw(found), TextMark) if mark.size == 12]
    assert len(boxes) == 5  # τ, the dashed line and three runs
    assert not [pair for pair in combinations(boxes, 2) if pair[0].overlaps(pair[1])]
