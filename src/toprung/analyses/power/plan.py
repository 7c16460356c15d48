"""How many queries should a collection have? Planned before there are any runs, from a spread that is expected."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from toprung.analyses.power.find import check_size
from toprung.analyses.power.words import BY_T, say_never_found
from toprung.data.matrices import LARGEST_SCORE
from toprung.errors import InputError
from toprung.result import Explanation, Result, Table, json_safe
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.pairs.power import MOST_QUERIES, check_power, detectable_effects, powers_of, queries_needed
from toprung.words.assumptions import FAIR_SAMPLE, NEARLY_NORMAL
from toprung.words.wording import show_number

if TYPE_CHECKING:
    import polars as pl

LEAST_QUERIES = 2
LEAST_SD = 10.0**-MEAN_DIGITS
STEPS = (0.25, 0.5, 1, 2, 4)


def plan(
    *,
    sd: float,
    queries: int | None = None,
    difference: float | None = None,
    alpha: float = 0.05,
    power: float = 0.8,
) -> Plan:
    """Say what so many queries would show, or how many a difference needs, or both.

    Parameters
    ----------
    sd
        The standard deviation expected of the differences by query between two runs, not of their scores.
    queries
        How many queries there would be.
    difference
        A difference in means that would matter.
    power
        The chance with which a difference is to be found.

    Examples
    --------
    >>> print(plan(sd=0.58, queries=5793).sentence)
    With 5,793 queries and an sd of 0.58, a difference of 0.0213 would be found with a power of 0.8.

    """
    if queries is None and difference is None:
        raise InputError("Found neither queries nor a difference; expected at least one of them to plan with.")
    if not LEAST_SD <= sd <= LARGEST_SCORE:
        raise InputError(
            f"sd: found {sd:g}; expected a standard deviation above 0, from {LEAST_SD:g} to {LARGEST_SCORE:g}."
        )
    if queries is not None and not LEAST_QUERIES <= queries <= MOST_QUERIES:
        found = f"{queries:,}" if abs(queries) <= MOST_QUERIES else f"a number of {len(str(abs(queries)))} digits"
        raise InputError(f"queries: found {found}; expected from {LEAST_QUERIES} to {MOST_QUERIES:g}.")
    check_size("difference", difference)
    check_power(alpha, power)
    planned = Plan(sd=sd, queries=queries, difference=difference, alpha=alpha, power=power)
    if difference is not None and math.isinf(planned._needed_for(difference)):
        raise InputError(
            f"difference: found {difference:g}; expected one that {MOST_QUERIES:g} queries can show at an sd of {sd:g}."
        )
    return planned


@dataclass(frozen=True, kw_only=True, repr=False)
class Plan(Result):
    """What was assumed; everything else follows from it."""

    MADE_FROM = ("sd queries difference alpha power",)

    sd: float
    queries: int | None
    difference: float | None
    alpha: float
    power: float

    @property
    def detectable(self) -> float | None:
        """The difference that the queries would show with the power asked for."""
        return None if self.queries is None else self._detectable_with(self.queries)

    @property
    def needed(self) -> int | None:
        """How many queries the difference needs."""
        return None if self.difference is None else int(self._needed_for(self.difference))

    def _needed_for(self, difference: float) -> float:
        return float(queries_needed(difference, np.array([self.sd]), alpha=self.alpha, power=self.power)[0])

    @property
    def power_for_difference(self) -> float | None:
        """The chance that the queries show the difference."""
        return None if self.queries is None else self._power_with(self.queries)

    def _detectable_with(self, queries: int) -> float:
        return self.sd * float(detectable_effects(np.array([queries]), alpha=self.alpha, power=self.power)[0])

    def _power_with(self, queries: int) -> float | None:
        if self.difference is None:
            return None
        return float(powers_of(self.difference, np.array([self.sd]), queries, alpha=self.alpha)[0])

    @property
    def sizes(self) -> tuple[int, ...]:
        """From a quarter of the queries to four times as many, and what the difference needs."""
        middle = self.queries or self.needed or LEAST_QUERIES
        sizes = {max(LEAST_QUERIES, round(step * middle)) for step in STEPS}
        return tuple(sorted(sizes | ({max(LEAST_QUERIES, self.needed)} if self.needed else set())))

    @property
    def sentence(self) -> str:
        return f"{'; '.join(self._say_parts())}."

    def _say_parts(self) -> Iterator[str]:
        if self.queries is not None and self.detectable == math.inf:
            yield say_never_found(self.queries, self.power, self.alpha)
        elif self.queries is not None and self.detectable is not None:
            yield (
                f"With {self.queries:,} queries and an sd of {self.sd:g}, a difference of "
                f"{show_number(self.detectable, 4)} would be found with a power of {self.power:g}"
            )
        if self.difference is None:
            return
        needs = f"{self.needed:,} queries"
        if self.power_for_difference is None:
            at = f"an sd of {self.sd:g} and a power of {self.power:g}"
            yield f"A difference of {self.difference:g} needs {needs} at {at}"
        else:
            found = show_number(self.power_for_difference, 2)
            yield f"one of {self.difference:g} would be found with a power of {found}, and needs {needs}"

    @property
    def table(self) -> Table:
        header = ["queries", "detectable", *([] if self.difference is None else [f"power for {self.difference:g}"])]
        rows = tuple(
            (f"{n:,}", show_number(detectable, 4), *(show_number(each, 2) for each in chosen))
            for n, detectable, *chosen in (row.values() for row in self._rows())
        )
        return Table(header=tuple(header), rows=rows, numeric=frozenset(range(len(header))))

    @property
    def notes(self) -> tuple[str, ...]:
        return (
            f"Detectable: the difference in means that is found with a power of {self.power:g}, two-sided at "
            f"{self.alpha:g}, {BY_T}.",
            "The sd is that of the differences by query between two runs. Two runs of sd s whose scores correlate by r "
            "have s √(2 − 2r): a pilot gives a better figure than a guess.",
        )

    @property
    def explanation(self) -> Explanation:
        return Explanation(
            how=(
                f"From the spread that is expected of differences by query, an sd of {self.sd:g}, follows which "
                f"difference so many queries show with a power of {self.power:g}, two-sided at {self.alpha:g}. It is "
                f"found {BY_T}."
            ),
            assumptions=(
                FAIR_SAMPLE,
                NEARLY_NORMAL,
                "The spread is as expected: it enters squared, so with twice the sd four times the queries are needed.",
                "One pair is tested, without correction: among many pairs less is seen.",
            ),
        )

    def to_frame(self) -> pl.DataFrame:
        """One row for each number of queries."""
        from toprung.extras.frames import pl

        return pl.DataFrame(self._rows())

    def _rows(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = [{"queries": n, "detectable": self._detectable_with(n)} for n in self.sizes]
        if self.difference is None:
            return rows
        return [row | {"power_for_difference": self._power_with(row["queries"])} for row in rows]

    def to_dict(self) -> dict[str, Any]:
        figures: dict[str, Any] = json_safe(
            {
                "detectable": self.detectable,
                "needed_for_difference": self.needed,
                "power_for_difference": self.power_for_difference,
                "sizes": self._rows(),
            }
        )
        return {"sentence": self.sentence, **figures, "notes": list(self.notes), "provenance": self.provenance}

    def __repr__(self) -> str:
        return f"Plan(sd={self.sd:g}, queries={self.queries}, difference={self.difference})"
