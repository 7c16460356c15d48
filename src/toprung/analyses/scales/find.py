"""What may be done with a measure's values: be ordered, or also be subtracted and averaged? Checks its scale.

The measure is computed on all rankings of so many documents with so many grades (Ferrante, Ferro and Fuhr 2021). It is
ordinal there if no better ranking has a lower value, and of an interval scale if its values are also equi-spaced.
Craswell et al. 2021, section 4, tell why that is a matter of debate.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from toprung.analyses.scales import words as scales_words
from toprung.analyses.scales.check import MOST_LISTED, NO_VALUE, SUMMARY, Fall, ScaleCheck
from toprung.errors import InputError, MeasureError
from toprung.result import Explanation, Fact, Result, Rows, Table
from toprung.scoring.catalogue import AnyMeasure, find_measure
from toprung.scoring.external import ExternalMeasure
from toprung.scoring.measure import Measure
from toprung.scoring.rankings import Rankings, improvements
from toprung.stats.inputs import Floats
from toprung.stats.ranks.value_spacing import SAME, lay_off_differences, levels_of, place_among

if TYPE_CHECKING:
    pass

MOST_GRADES = 100
# Of the rankings that are tried unless others are asked for: few enough to be read one by one.
LENGTH, GRADES = 3, 2


def check_scale(measure: str | AnyMeasure, *, length: int = LENGTH, grades: int = GRADES) -> ScaleCheck:
    """Check a measure on all rankings of one length.

    Parameters
    ----------
    measure
        One of Toprung's own.
    length
        How many documents a ranking has.
    grades
        How many grades there are: 2 for relevant or not. The labels hold ``length`` documents of each grade from 1.

    Examples
    --------
    >>> found = check_scale("RR", length=3, grades=2)
    >>> found.is_ordinal, found.is_equi_spaced, found.levels.round(2).tolist()
    (True, False, [0.0, 0.33, 0.5, 1.0])

    """
    checked = _to_own(measure)
    _check_size(length, grades)
    rankings = Rankings.of(dict.fromkeys(range(1, grades), length), length)
    values = rankings.score(checked)
    has_value = ~np.isnan(values)
    levels = levels_of(values[has_value])
    level_of = np.where(has_value, place_among(levels, np.nan_to_num(values)), NO_VALUE)
    n_steps, n_falls, falls = _find_falls(values, rankings, higher_is_better=checked.higher_is_better)
    return ScaleCheck(
        measure=checked,
        length=length,
        grades=grades,
        levels=levels,
        level_of=level_of,
        n_steps=n_steps,
        n_falls=n_falls,
        falls=falls,
        differences=lay_off_differences(levels),
    )


def check_scales(measures: Iterable[str | AnyMeasure], *, length: int = LENGTH, grades: int = GRADES) -> ScaleChecks:
    """Check several measures on the same rankings.

    >>> print(check_scales(["RR", "P@3"]).sentence)
    On all 8 rankings of 3 documents with 2 grades P@3 is ordinal and equi-spaced; RR is ordinal, not equi-spaced.
    """
    checks = tuple(check_scale(measure, length=length, grades=grades) for measure in measures)
    if not checks:
        raise InputError("Found no measure; expected at least one, such as RR.")
    return ScaleChecks(checks=checks)


def _to_own(measure: str | AnyMeasure) -> Measure:
    found = find_measure(measure)
    if isinstance(found, ExternalMeasure):
        raise MeasureError(
            f"Found '{found}', which ir_measures computes; expected only Toprung's own: `toprung measures` lists them."
        )
    if dict(found.parameters).get("ties", "doc_id") != "doc_id":
        raise MeasureError(f"Found '{found}'; expected no ties=: the rankings that are tried have no ties.")
    return found


def _check_size(length: int, grades: int) -> None:
    if not isinstance(length, int) or length < 1:
        raise InputError(f"length: found {length!r}; expected a whole number from 1.")
    if not isinstance(grades, int) or not 2 <= grades <= MOST_GRADES:
        raise InputError(f"grades: found {grades!r}; expected a whole number from 2 to {MOST_GRADES}.")


def _find_falls(values: Floats, rankings: Rankings, *, higher_is_better: bool) -> tuple[int, int, tuple[Fall, ...]]:
    """How many steps to a better ranking there are, how many of them make the value worse, and the first of those."""
    goodness = values if higher_is_better else -values
    tolerance = SAME * np.nanmax(np.abs(values), initial=0.0)
    n_steps = n_falls = 0
    falls: list[Fall] = []
    for ranking, better in improvements(rankings.grades.shape[1], len(rankings.available) + 1):
        change = goodness[better] - goodness[ranking]
        n_steps += int(np.count_nonzero(~np.isnan(change)))
        is_fall = np.flatnonzero(change < -tolerance)
        n_falls += len(is_fall)
        falls += [
            Fall(
                ranking=tuple(rankings.grades[ranking[at]].tolist()),
                value=float(values[ranking[at]]),
                better_ranking=tuple(rankings.grades[better[at]].tolist()),
                worse_value=float(values[better[at]]),
            )
            for at in is_fall[: MOST_LISTED - len(falls)].tolist()
        ]
    return n_steps, n_falls, tuple(falls)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ScaleChecks(Result):
    """Several measures checked on the same rankings."""

    FRAME = Rows("measures", of="checks", columns=SUMMARY)
    FIGURES = (Fact("measures", lambda found: [check.to_dict() for check in found.checks]),)
    MADE_FROM = (
        Fact("measure", lambda found: ", ".join(str(check.measure) for check in found.checks)),
        "length=checks.0.length grades=checks.0.grades n_rankings=checks.0.n_rankings",
    )

    checks: tuple[ScaleCheck, ...]

    def __getitem__(self, measure: str) -> ScaleCheck:
        for check in self.checks:
            if str(check.measure) == str(find_measure(measure)):
                return check
        names = ", ".join(str(check.measure) for check in self.checks)
        raise InputError(f"Found no check of '{measure}'; expected one of {names}.")

    @property
    def sentence(self) -> str:
        return scales_words.say_checks(self.checks)

    @property
    def table(self) -> Table:
        return scales_words.table_of_measures(self.checks)

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(scales_words.say_shared_notes(self.checks))

    @property
    def explanation(self) -> Explanation:
        return scales_words.explain_checks(self.checks)

    def __repr__(self) -> str:
        return f"ScaleChecks({', '.join(str(check.measure) for check in self.checks)})"
