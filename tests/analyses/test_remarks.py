"""What is missing from a run is told by every analysis that uses it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import toprung as tr

LABELS = {f"q{i}": {"d": 1} for i in range(6)}
WHOLE = {query_id: {"d": 2.0, "x": 1.0} for query_id in LABELS}
PARTIAL = {query_id: {"x": 2.0, "d": 1.0} for query_id in ("q0", "q1", "q2", "q3")}


def hold_out(ranks: tr.FirstRanks) -> object:
    scores = ranks.reciprocal()
    public, private = (scores.select_queries(ids, name="set") for ids in (("q0", "q2", "q4"), ("q1", "q3", "q5")))
    return tr.holdout(public, private)


ANALYSES: dict[str, Callable[[tr.FirstRanks], object]] = {
    "agreement": lambda ranks: tr.agreement(ranks.reciprocal()),
    "check_observed_scale": lambda ranks: tr.check_observed_scale(ranks.reciprocal()),
    "compare": tr.compare,
    "holdout": hold_out,
    "power": lambda ranks: tr.power(ranks.reciprocal()),
    "significance": lambda ranks: tr.significance(ranks.reciprocal()),
    "stability": lambda ranks: tr.stability(ranks.reciprocal()),
    "standings": tr.standings,
    "timeline": tr.timeline,
}


@pytest.mark.parametrize("analysis", list(ANALYSES))
def test_queries_missing_from_a_run_are_counted_in_the_notes(analysis: str) -> None:
    ranks = tr.evaluate(LABELS, {"whole": WHOLE, "partial": PARTIAL}, "RR").first_ranks(10)
    assert "partial: 2 labelled queries missing." in str(ANALYSES[analysis](ranks))
