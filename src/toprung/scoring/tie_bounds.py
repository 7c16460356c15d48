"""How far could ties alone move a figure? The lowest and highest over all ways to break them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from toprung.data.placement import Placement
from toprung.scoring.measure import Aggregate, Measure, summarise
from toprung.scoring.ranked_labels import Floats, LabelledQueries, RankedLabels

Bounds = tuple[float, float]


def bounds_of(measures: Sequence[Measure], placement: Placement, labels: LabelledQueries) -> dict[str, Bounds]:
    """For each measure the lowest and highest figure; none where no labelled document is tied.

    All measures rise, or all fall, when a better label moves up inside its tie group, so two rankings hold
    the extremes of every query at once.
    """
    if not placement.has_ties:
        return {}
    best, worst = RankedLabels.best_of_ties(placement, labels), RankedLabels.worst_of_ties(placement, labels)
    return {str(measure): _bounds(measure, measure.score(best), measure.score(worst)) for measure in measures}


def _bounds(measure: Measure, best: Floats, worst: Floats) -> Bounds:
    if measure.aggregate is Aggregate.MEAN_OF_ANSWERED:
        return bounds_of_answered_mean(best, worst, measure.cutoff)
    low, high = sorted((summarise(best, measure.aggregate), summarise(worst, measure.aggregate)))
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
