"""Which step of its scale is each query's ranking on? How Interval, which ``interval.py`` defines, is computed.

What labels do to a measure's values, such as nDCG's ideal ranking, they do to all rankings of a query alike, and so do
not change their order. Therefore the rankings that any query allows are scored once, against one set of labels, and
each query picks its own among them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from toprung.errors import MeasureError
from toprung.scoring.measure import Measure, spell
from toprung.scoring.ranked_labels import Floats, Ints, RankedLabels, ratio
from toprung.scoring.rankings import Rankings, longest_length, score_grades
from toprung.stats.ranks.value_spacing import levels_of, place_among

Profile = tuple[int, ...]
"""How many documents of each grade a query has, none counted beyond the cutoff."""

_trying = Lock()  # runs are scored on several threads: one tries rankings, the others wait and find them done


def steps_up(ranked: RankedLabels, measure: Measure, cutoff: int) -> Floats:
    """For each query the step its ranking is on, as a share of all steps that the query's labels allow."""
    counted = _as_counted(ranked, measure)
    grades, profiles = _profiles(_as_counted(ranked.labels.ideal, measure), cutoff)
    if not len(grades):
        return np.zeros(len(ranked.labels))
    with _trying:
        possible = _possible_values(measure, cutoff, tuple(grades.tolist()), tuple(profiles.max(axis=0).tolist()))
    levels = possible.levels_of_queries(counted.up_to(cutoff))
    values = np.zeros(len(levels))
    for profile, queries in _by_profile(profiles):
        with _trying:
            is_within = _is_within(possible, profile)
        steps = np.cumsum(is_within, dtype=np.int64) - 1
        values[queries] = ratio(steps[levels[queries]], np.full(len(queries), steps[-1]))
    return values


def _as_counted(ranked: RankedLabels, measure: Measure) -> RankedLabels:
    """Only the documents that count, with the grade they count as."""
    rel = measure.rel
    if rel is None:
        return ranked.relevant(1)
    relevant = ranked.relevant(rel)
    return replace(relevant, grade=np.full(len(relevant.grade), rel))


def _profiles(labelled: RankedLabels, cutoff: int) -> tuple[Ints, Ints]:
    """The grades there are, and queries × grades: how many documents a query has of each, up to the cutoff."""
    grades, number = np.unique(labelled.grade, return_inverse=True)
    n_queries = len(labelled.labels)
    counts = np.bincount(labelled.query * len(grades) + number, minlength=n_queries * len(grades))
    return grades, np.minimum(counts, cutoff).reshape(n_queries, len(grades))


def _by_profile(profiles: Ints) -> Iterator[tuple[Profile, Ints]]:
    """Each profile with the queries that have it."""
    distinct, number, sizes = np.unique(profiles, axis=0, return_inverse=True, return_counts=True)
    queries = np.argsort(number, kind="stable")
    yield from zip(map(tuple, distinct.tolist()), np.split(queries, np.cumsum(sizes)[:-1]), strict=True)


@dataclass(frozen=True, eq=False)
class PossibleValues:
    """The values that all rankings of one length have.

    ``levels`` are the distinct ones, ascending; ``level_of`` and ``counts`` say of each ranking which of them it has,
    and how many documents of each grade it takes.
    """

    measure: Measure
    length: int
    available: dict[int, int]
    levels: Floats
    level_of: NDArray[np.int32]
    counts: NDArray[np.int16]

    def levels_of_queries(self, ranked: RankedLabels) -> Ints:
        """The level of each query's ranking."""
        grades = np.zeros((len(ranked.labels), self.length), dtype=np.int32)
        grades[ranked.query, ranked.rank - 1] = ranked.grade
        return place_among(self.levels, score_grades(self.measure, grades, self.available))


@lru_cache(maxsize=8)
def _possible_values(measure: Measure, cutoff: int, grades: tuple[int, ...], most: Profile) -> PossibleValues:
    """Try all rankings with at most so many documents of each grade."""
    available = dict(zip(grades, most, strict=True))
    longest = longest_length(available, cutoff)
    if longest < cutoff:
        of = str(replace(measure, cutoff=None))
        found, smaller = (spell("Interval", {"of": of}, each) for each in (cutoff, longest))
        raise MeasureError(
            f"Found '{found}' for labels with {len(grades) + 1} grades; expected a smaller cutoff, "
            f"as so many rankings cannot all be tried: write {smaller}."
        )
    rankings = Rankings.of(available, cutoff)
    values = rankings.score(measure)
    levels = levels_of(values)
    level_of = place_among(levels, values).astype(np.int32)
    return PossibleValues(measure, cutoff, available, levels, level_of, rankings.counts.astype(np.int16))


@lru_cache(maxsize=128)
def _is_within(possible: PossibleValues, profile: Profile) -> NDArray[np.bool_]:
    """Which of the levels some ranking has that takes no more documents than the profile."""
    is_possible = (possible.counts <= np.array(profile)).all(axis=1)
    is_within = np.zeros(len(possible.levels), dtype=bool)
    is_within[possible.level_of[is_possible]] = True
    return is_within
