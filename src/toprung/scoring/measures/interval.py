"""How many steps up its scale is a ranking? Interval, a measure's values made equi-spaced.

Ferrante, Ferro and Fuhr 2021: a value counts as its rank among all values that rankings of k documents could have for
the query's labels, from 0 to 1. Documents without a label, or of a grade that the measure does not count, are alike.
Steps are equal within a query; a query with other labels may have more or fewer of them between 0 and 1.

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
from toprung.scoring.measure import Cutoff, Definition, Measure, settle, spell, split_name
from toprung.scoring.ranked_labels import Floats, Ints, RankedLabels, ratio
from toprung.scoring.rankings import Rankings, longest_length, score_grades
from toprung.stats.finding import Scale
from toprung.stats.ranks.value_spacing import levels_of, place_among

Profile = tuple[int, ...]
"""How many documents of each grade a query has, none counted beyond the cutoff."""

_trying = Lock()  # runs are scored on several threads: one tries rankings, the others wait and find them done


def interval_value(ranked: RankedLabels, *, of: str, cutoff: int) -> Floats:
    measure = _settle(of, cutoff)
    counted = _as_counted(ranked, measure)
    grades, profiles = _profiles(_as_counted(ranked.labels.ideal, measure), cutoff)
    if not len(grades):
        return np.zeros(len(ranked.labels))
    with _trying:
        possible = _possible_values(of, cutoff, tuple(grades.tolist()), tuple(profiles.max(axis=0).tolist()))
    levels = possible.levels_of_queries(counted.up_to(cutoff))
    values = np.zeros(len(levels))
    for profile, queries in _by_profile(profiles):
        with _trying:
            is_within = _is_within(possible, profile)
        steps = np.cumsum(is_within, dtype=np.int64) - 1
        values[queries] = ratio(steps[levels[queries]], np.full(len(queries), steps[-1]))
    return values


def _settle(of: str, cutoff: int) -> Measure:
    name, parameters, _ = split_name(of)
    return settle(_measures()[name], parameters, cutoff)


def _settle_without_cutoff(of: str) -> Measure:
    name, parameters, _ = split_name(of)
    return settle(replace(_measures()[name], cutoff=Cutoff.OPTIONAL), parameters, None)


def _measures() -> dict[str, Definition]:
    """What Interval can be of: measures that take a cutoff, are better when higher, and that grades alone decide."""
    from toprung.scoring.measures import NATIVE  # only here: the list holds Interval itself

    return {
        name: each
        for each in NATIVE
        if each.higher_is_better and each.cutoff is not Cutoff.NONE and each.name not in ("Interval", "Judged")
        for name in (each.name, *each.aliases)
    }


def _rel_of(measure: Measure) -> int | None:
    """The grade from which a document is simply relevant; None where the measure tells grades apart."""
    rel = dict(measure.parameters).get("rel")
    return None if rel is None else int(rel)


def _as_counted(ranked: RankedLabels, measure: Measure) -> RankedLabels:
    """Only the documents that count, with the grade they count as."""
    rel = _rel_of(measure)
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
def _possible_values(of: str, cutoff: int, grades: tuple[int, ...], most: Profile) -> PossibleValues:
    """Try all rankings with at most so many documents of each grade."""
    available = dict(zip(grades, most, strict=True))
    longest = longest_length(available, cutoff)
    if longest < cutoff:
        found, smaller = (spell("Interval", {"of": of}, each) for each in (cutoff, longest))
        raise MeasureError(
            f"Found '{found}' for labels with {len(grades) + 1} grades; expected a smaller cutoff, "
            f"as so many rankings cannot all be tried: write {smaller}."
        )
    measure = _settle(of, cutoff)
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


def _check(of: str) -> str | None:
    name, parameters, cutoff = split_name(of)
    if cutoff is not None:
        return f"the cutoff behind it: {spell('Interval', {'of': spell(name, parameters, None)}, cutoff)}"
    if name not in _measures():
        names = dict.fromkeys(each.name for each in _measures().values())
        return f"of= one of {', '.join(names)}, as in Interval(of='nDCG')@10"
    measure = _settle_without_cutoff(of)
    rel = _rel_of(measure)
    if rel is not None and rel < 1:
        return "rel from 1 in of="
    if dict(measure.parameters).get("ties", "doc_id") != "doc_id":
        return "of= without ties: a mean over ways to break ties is no value of one ranking"
    return None


def _respell(of: str) -> dict[str, str]:
    return {"of": str(_settle_without_cutoff(of))}


Interval = Definition(
    name="Interval",
    summary="the rank of a measure's value among all it could have for the query's labels, from 0 to 1",
    score=interval_value,
    parameters={"of": "nDCG"},
    needed=("of",),
    check=_check,
    respell=_respell,
    cutoff=Cutoff.REQUIRED,
    scale=Scale.INTERVAL,
)
