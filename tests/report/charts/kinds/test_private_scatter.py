from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.report.charts.drawn import facts_of, marks_of, told_by

import toprung as tr
from toprung.analyses.holdout.find import Holdout
from toprung.report.charts.figure import Figure
from toprung.report.charts.kinds.private_scatter import FIRST, FLAGGED, OTHER, draw
from toprung.report.charts.svg.marks import LineMark, PointMark, RuleMark, TextMark
from toprung.report.charts.tokens import ALERT
from toprung.stats.models.divergence import LEVEL


def table(values: NDArray[np.float64], prefix: str, measure: str = "nDCG@10") -> tr.ScoreTable:
    ids = tuple(f"{prefix}{row:03d}" for row in range(len(values)))
    return tr.ScoreTable(query_ids=ids, runs=("a", "b", "c", "d"), values=values, measure=measure)


def compared(*, reference: str | None, measure: str = "nDCG@10", sign: int = 1) -> Holdout:
    """Run d gains 0.3 in public alone; b and c gain alike on both."""
    rng = np.random.default_rng(1)
    public = 0.5 + sign * (np.array([0.0, 0.1, 0.2, 0.3]) + rng.normal(0, 0.05, (120, 4)))
    private = 0.4 + sign * (np.array([0.0, 0.1, 0.2, 0.0]) + rng.normal(0, 0.05, (60, 4)))
    return tr.holdout(table(public, "q", measure), table(private, "s", measure), reference=reference)


@pytest.fixture(scope="module")
def fitted() -> Holdout:
    return compared(reference="a")


def names_of(figure: Figure) -> list[str]:
    return [mark.text for mark in marks_of(figure, TextMark) if mark.size == 12]


def to_scores(figure: Figure, place: tuple[float, float], found: Holdout) -> tuple[float, float]:
    """What stands at a place, by the marks of two runs."""
    (each,) = found.sets
    marks = {mark.facts["run"]: mark for mark in told_by(figure, PointMark)}
    scores = {row.run: (row.public.estimate, row.private.estimate) for row in each.runs}
    one, two = marks["a"], marks["c"]
    (x, y), (x2, y2) = scores["a"], scores["c"]
    across = x + (x2 - x) * (place[0] - one.x) / (two.x - one.x)
    return across, y + (y2 - y) * (place[1] - one.y) / (two.y - one.y)


def test_a_run_that_gains_in_public_alone_is_flagged_and_named(fitted: Holdout) -> None:
    figure = draw(fitted)
    assert {row["run"]: row["kind"] for row in facts_of(figure)} == {
        "a": OTHER,
        "b": OTHER,
        "c": OTHER,
        "d": FLAGGED,
    }
    assert names_of(figure) == ["d", "a (reference)", "c", "b"]
    assert "a reason to ask, not a finding" in figure.caption
    assert figure.finding == fitted.sentence


def test_without_a_flag_the_first_in_public_is_named_and_no_suspicion_worded(fitted: Holdout) -> None:
    (each,) = fitted.sets
    innocent = replace(each, runs=tuple(replace(row, p_holm=row.p_holm and 1.0) for row in each.runs))
    figure = draw(replace(fitted, sets=(innocent,)))
    kinds = {row["run"]: row["kind"] for row in facts_of(figure)}
    assert kinds["d"] == FIRST
    assert "reason to ask" not in figure.caption


def test_the_line_goes_through_the_reference_at_the_same_gain(fitted: Holdout) -> None:
    (each,) = fitted.sets
    (reference,) = (row for row in each.runs if row.run == "a")
    figure = draw(fitted)
    line = next(mark for mark in marks_of(figure, LineMark) if mark.look.dash)
    (x, y), (x2, y2) = (to_scores(figure, each, fitted) for each in line.points)
    assert y2 - y == pytest.approx(x2 - x)
    assert y - x == pytest.approx(reference.private.estimate - reference.public.estimate)


@pytest.mark.parametrize("reference", ["a", None])
@pytest.mark.parametrize(("measure", "sign"), [("nDCG@10", 1), ("ESL@10", -1)])
def test_the_interval_of_a_flag_holds_its_mark_and_not_the_line(reference: str | None, measure: str, sign: int) -> None:
    found = compared(reference=reference, measure=measure, sign=sign)
    (each,) = found.sets
    (flagged,) = (row for row in each.runs if row.run == "d")
    assert flagged.diverges
    figure = draw(found)
    (rule,) = (mark for mark in marks_of(figure, RuleMark) if mark.look.stroke == ALERT)
    x, high = to_scores(figure, (rule.x, rule.y), found)
    _, low = to_scores(figure, (rule.x2, rule.y2), found)
    low, high = sorted((low, high))
    assert x == pytest.approx(flagged.public.estimate)
    assert low < flagged.private.estimate < high
    on_line = each.private_score(flagged.public.estimate, higher_is_better=found.higher_is_better)
    assert not low <= on_line <= high


def test_the_band_is_as_wide_as_what_the_test_cannot_see(fitted: Holdout) -> None:
    (each,) = fitted.sets
    figure = draw(fitted)
    band = next(mark for mark in marks_of(figure, LineMark) if mark.is_closed)
    # Its edges rise a point for a point: at one height they lie as far apart as one lies below the other.
    ends = [to_scores(figure, place, fitted)[0] for place in band.points if place[1] == 0]
    assert max(ends) - min(ends) == pytest.approx(each.smallest_seen)


def test_with_too_few_queries_there_is_no_band_to_draw() -> None:
    values = np.tile(np.array([[0.1, 0.2, 0.3, 0.4]]), (4, 1)) + np.arange(4)[:, None] / 100
    found = tr.holdout(table(values, "q"), table(values[:3], "s"), reference="a")
    assert math.isinf(found.sets[0].smallest_seen)
    assert "Grey" not in draw(found).caption


def test_each_private_set_has_a_panel() -> None:
    values = np.random.default_rng(2).normal(0.5, 0.1, (20, 4))
    private = {"sparse": table(values, "s"), "full": table(values, "t"), "other": table(values, "u")}
    figure = draw(tr.holdout(table(values, "q"), private))
    tops = {
        word: mark.y
        for word in ("sparse:", "full:", "other:")
        for mark in marks_of(figure, TextMark)
        if word in mark.text
    }
    assert tops["sparse:"] == tops["full:"] < tops["other:"], "two in a row"
    assert len(facts_of(figure)) == 12


def test_a_flag_says_how_it_was_tested(fitted: Holdout) -> None:
    assert f"one-sided at {LEVEL:g}" in draw(fitted).caption


def test_of_many_runs_only_those_that_matter_are_named() -> None:
    values = np.random.default_rng(3).normal(0.5, 0.1, (30, 20))
    public, private = (
        tr.ScoreTable(
            query_ids=tuple(f"{side}{row:02d}" for row in range(30)),
            runs=tuple(f"r{number:02d}" for number in range(20)),
            values=values,
            measure="RR",
        )
        for side in "ps"
    )
    first = f"r{int(values.mean(axis=0).argmax()):02d}"
    assert names_of(draw(tr.holdout(public, private))) == [first]
