"""Which place does each run take by its score? From 1, the best first; those alike share the better place."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import Floats, Ints


def places_of(scores: ArrayLike, *, higher_is_better: bool = True) -> Ints:
    """Alike are scores that agree to 12 digits; those without a score (NaN) share the last place.

    >>> places_of([0.2, 0.5, np.nan, 0.5]).tolist()
    [3, 1, 4, 1]
    """
    keys = order_keys(scores, higher_is_better=higher_is_better)
    places: Ints = np.searchsorted(np.sort(keys), keys) + 1
    return places


def best_first(scores: ArrayLike, names: Sequence[str], *, higher_is_better: bool = True) -> Ints:
    """The positions of the scores in the order of their places; names decide between those alike.

    >>> best_first([0.3, 0.1 + 0.2, 0.9], ["b", "a", "c"]).tolist()
    [2, 1, 0]
    """
    places = places_of(scores, higher_is_better=higher_is_better).tolist()
    return np.array(sorted(range(len(names)), key=lambda run: (places[run], names[run])), dtype=np.int64)


def order_keys(scores: ArrayLike, *, higher_is_better: bool) -> Floats:
    """Of any shape: smaller where the score is better, equal where scores are alike, and infinite where none is."""
    values = np.asarray(scores, dtype=np.float64)
    return np.nan_to_num((-values if higher_is_better else values).round(MEAN_DIGITS), nan=np.inf)
