from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.report.charts.drawn import rows_with

import toprung as tr
from toprung.analyses.holdout.find import Holdout
from toprung.report.charts.kinds.private_scatter import FIRST, FLAGGED, OTHER, draw
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


def test_a_run_that_gains_in_public_alone_is_flagged_and_named(fitted: Holdout) -> None:
    figure = draw(fitted)
    assert {row["run"]: row["kind"] for row in rows_with(figure, "kind")} == {
        "a": OTHER,
        "b": OTHER,
        "c": OTHER,
        "d": FLAGGED,
    }
    assert [row["name"] for row in rows_with(figure, "name")] == ["d", "a (reference)", "c", "b"]
    assert "a reason to ask, not a finding" in figure.caption
    assert figure.finding == fitted.sentence


def test_without_a_flag_the_first_in_public_is_named_and_no_suspicion_worded(fitted: Holdout) -> None:
    (each,) = fitted.sets
    innocent = replace(each, runs=tuple(replace(row, p_holm=row.p_holm and 1.0) for row in each.runs))
    figure = draw(replace(fitted, sets=(innocent,)))
    kinds = {row["run"]: row["kind"] for row in rows_with(figure, "kind")}
    assert kinds["d"] == FIRST
    assert "reason to ask" not in figure.caption


def test_the_line_goes_through_the_reference_at_the_same_gain(fitted: Holdout) -> None:
    (each,) = fitted.sets
    (reference,) = (row for row in each.runs if row.run == "a")
    left, right = rows_with(draw(fitted), "x", "y", "y2")[:2]
    assert right["y"] - left["y"] == pytest.approx(right["x"] - left["x"])
    assert left["y"] - left["x"] == pytest.approx(reference.private.estimate - reference.public.estimate)


@pytest.mark.parametrize("reference", ["a", None])
@pytest.mark.parametrize(("measure", "sign"), [("nDCG@10", 1), ("ESL@10", -1)])
def test_the_interval_of_a_flag_holds_its_mark_and_not_the_line(reference: str | None, measure: str, sign: int) -> None:
    found = compared(reference=reference, measure=measure, sign=sign)
    (each,) = found.sets
    (flagged,) = (row for row in each.runs if row.run == "d")
    assert flagged.diverges
    figure = draw(found)
    rule = next(
        row
        for rows in figure.to_spec()["datasets"].values()
        for row in rows
        if set(row) == {"x", "y", "y2"} and len(rows) == 1
    )
    low, high = sorted((rule["y"], rule["y2"]))
    assert rule["x"] == flagged.public.estimate
    assert low < flagged.private.estimate < high
    on_line = each.private_score(flagged.public.estimate, higher_is_better=found.higher_is_better)
    assert not low <= on_line <= high


def test_the_band_is_as_wide_as_what_the_test_cannot_see(fitted: Holdout) -> None:
    (each,) = fitted.sets
    left = rows_with(draw(fitted), "x", "y", "y2")[0]
    assert left["y"] - left["y2"] == pytest.approx(each.smallest_seen)


def test_with_too_few_queries_there_is_no_band_to_draw() -> None:
    values = np.tile(np.array([[0.1, 0.2, 0.3, 0.4]]), (4, 1)) + np.arange(4)[:, None] / 100
    found = tr.holdout(table(values, "q"), table(values[:3], "s"), reference="a")
    assert math.isinf(found.sets[0].smallest_seen)
    assert "Grey" not in draw(found).caption


def test_each_private_set_has_a_panel() -> None:
    values = np.random.default_rng(2).normal(0.5, 0.1, (20, 4))
    private = {"sparse": table(values, "s"), "full": table(values, "t"), "other": table(values, "u")}
    spec = draw(tr.holdout(table(values, "q"), private)).to_spec()
    assert [len(row["hconcat"]) for row in spec["vconcat"]] == [2, 1]


def test_a_figure_holds_to_the_schema(fitted: Holdout) -> None:
    draw(fitted).chart.to_dict()
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
    assert [row["name"] for row in rows_with(draw(tr.holdout(public, private)), "name")] == [first]
