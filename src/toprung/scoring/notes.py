"""What should be said of scored runs beside their figures? Each thing once, for all runs it is true of."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from toprung.records import record
from toprung.words.wording import list_names, say_count

MOST_NAMED = 3
"""Runs that a note names; of more it says how many."""
MOST_FIGURES = 20
"""That a note lists one by one."""
DECIMALS = 4


def show_figure(value: float) -> str:
    """A figure as people, and trec_eval, read it."""
    return "–" if math.isnan(value) else f"{value:.{DECIMALS}f}"


@record(kw_only=True)
class Remark:
    """What can be said of a number of queries of a run: a text with ``{}`` for them, and what they are called."""

    said: str
    one: str
    several: str


MISSING = Remark(said="{} missing", one="labelled query", several="labelled queries")
UNLABELLED = Remark(said="{} without labels ignored", one="query", several="queries")
CONTRADICTED = Remark(said="the rank column contradicts the scores in {}", one="query", several="queries")


def say_of_runs(remark: Remark, found: Mapping[str, int], *, n_runs: int) -> Iterator[str]:
    """One note for all runs that it is true of; none where it is true of none.

    >>> next(say_of_runs(UNLABELLED, {"a": 424, "b": 424}, n_runs=2))
    '424 queries without labels ignored in 2 runs.'
    >>> next(say_of_runs(MISSING, {"a": 1, "b": 3, "c": 0, "d": 0, "e": 0}, n_runs=5))
    '1 to 3 labelled queries missing in a and b, most in b.'
    """
    counts = {run: n for run, n in found.items() if n}
    if not counts:
        return
    low, high = min(counts.values()), max(counts.values())
    queries = say_count(high, remark.one, remark.several)
    if len(counts) == 1:
        yield f"{next(iter(counts))}: {remark.said.format(queries)}."
        return
    said = remark.said.format(queries if low == high else f"{low:,} to {queries}")
    most = "" if low == high else f", most in {max(counts, key=counts.__getitem__)}"
    yield f"{said[0].upper()}{said[1:]} in {_say_which(list(counts), n_runs)}{most}."


def _say_which(runs: list[str], n_runs: int) -> str:
    if len(runs) == n_runs:
        return say_count(n_runs, "run")
    return list_names(runs) if len(runs) <= MOST_NAMED else f"{len(runs):,} of {say_count(n_runs, 'run')}"


@record(kw_only=True)
class TwoFigures:
    """A run's figure under a measure as it could be in two ways."""

    run: str
    measure: str
    one: float
    other: float

    @property
    def shows(self) -> bool:
        """Whether a reader sees that they differ."""
        return show_figure(self.one) != show_figure(self.other)


def say_ties(bounds: Sequence[TwoFigures]) -> Iterator[str]:
    """How far ties alone could move figures, from the lowest to the highest: the one they move most, and how many."""
    moved = sorted((each for each in bounds if each.shows), key=lambda each: each.one - each.other)
    if not moved:
        return
    first = moved[0]
    far = f"from {show_figure(first.one)} to {show_figure(first.other)}"
    if len(moved) == 1:
        yield f"Ties alone could move {first.run}'s {first.measure} {far}."
        return
    yield (
        f"Ties alone could move {len(moved):,} figures, most of all {first.run}'s {first.measure} {far}; "
        "JSON output lists them all."
    )


def say_32_bit(figures: Sequence[TwoFigures]) -> Iterator[str]:
    """What trec_eval would print where it is another figure: ``one`` is the figure here, ``other`` is trec_eval's."""
    told = [each for each in figures if each.shows]
    if not told:
        return
    listed = [
        f"{each.run} {each.measure} {show_figure(each.other)} (here {show_figure(each.one)})"
        for each in told[:MOST_FIGURES]
    ]
    more = f"; and {len(told) - MOST_FIGURES:,} more, which JSON output lists" if len(told) > MOST_FIGURES else ""
    yield (
        "trec_eval up to 9 compares scores as 32-bit numbers, of which more tie (--float32-ties). It would print: "
        f"{'; '.join(listed)}{more}."
    )
