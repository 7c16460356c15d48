"""How far could ties alone move a figure? The lowest and highest over all ways to break them."""

from __future__ import annotations

from collections.abc import Sequence

from toprung.arrays import np
from toprung.data.placement import Placement
from toprung.scoring.measure import Aggregate, Measure, floats_of, summarise
from toprung.scoring.ranked_labels import Floats, LabelledQueries
from toprung.scoring.score_run import Row, score_ties

Bounds = tuple[float, float]


def bounds_of(measures: Sequence[Measure], placement: Placement, labels: LabelledQueries) -> dict[str, Bounds]:
    """For each measure the lowest and highest figure; none where no labelled document is tied.

    All measures rise, or all fall, when a better label moves up inside its tie group, so two rankings hold
    the extremes of every query at once.
    """
    if not placement.has_ties:
        return {}
    best, worst = score_ties(measures, placement, labels)
    return {str(measure): _bounds(measure, *rows) for measure, *rows in zip(measures, best, worst, strict=True)}


def _bounds(measure: Measure, best: Row, worst: Row) -> Bounds:
    if measure.aggregate is Aggregate.MEAN_OF_ANSWERED:
        return bounds_of_answered_mean(np.asarray(best), np.asarray(worst), measure.cutoff)
    low, high = sorted(summarise(floats_of(row), measure.aggregate).figure for row in (best, worst))
    return low, high


def bounds_of_answered_mean(shortest: Floats, longest: Floats, cutoff: int | None) -> Bounds:
    """The extremes of a mean search length over answered queries.

    A tie across the cutoff decides whether a query counts at all. Such a query is counted only if that moves
    the mean the right way, and then at its shortest, or at the cutoff.
    """
    always = ~np.isnan(longest)
    optional = ~np.isnan(shortest) & ~always
    low = _mean_with_best_additions(shortest[always], np.sort(shortest[optional]))
    at_cutoff = np.full(int(optional.sum()), float(cutoff or 0))
    high = -_mean_with_best_additions(-longest[always], -at_cutoff)
    return low, high


def _mean_with_best_additions(values: Floats, additions: Floats) -> float:
    """The lowest mean of the values with the first few of the sorted additions, any number of them."""
    totals = values.sum() + np.concatenate([[0.0], np.cumsum(additions)])
    counts = len(values) + np.arange(len(additions) + 1)
    possible = counts > 0
    return float((totals[possible] / counts[possible]).min()) if possible.any() else float("nan")
