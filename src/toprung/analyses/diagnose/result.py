"""How is a diagnosis told? One figure a row, with its interval, its n and what it stands beside."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from toprung.analyses.diagnose.words import is_noisy, say_agreement
from toprung.result import Column, Explanation, Result, Rows, Table, columns
from toprung.stats.intervals.proportions import Share
from toprung.stats.models.position_bias import PositionBias
from toprung.words.floors import FEWEST
from toprung.words.wording import list_names, say_count, show_share

PEOPLE = "people"
COINS = "coins"
"""Beside agreement: how often votes at random would agree."""
PLURALS = {"query": "queries", "pair of votes": "pairs of votes", "pair shown": "pairs shown"}


@dataclass(frozen=True, kw_only=True)
class ComparedShare:
    """A share, of whom, and what to compare it with."""

    what: str
    who: str
    share: Share | PositionBias
    unit: str
    """What is counted."""
    beside: str = ""
    expected: float = math.nan
    suspicion: str = ""
    """What it gives reason to doubt, in words; empty if nothing."""
    note: str = ""
    """What to know to read it."""


@dataclass(frozen=True, kw_only=True)
class Timing:
    """Seconds for a pair: the median and the middle half."""

    who: str
    n: int
    median: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True, repr=False)
class Diagnosis(Result):
    """What the judgments themselves say about how they were made."""

    FIGURES = (
        Rows(
            "figures",
            of="_rows()",
            columns=(
                *columns(str, "what=0 who=1"),
                *columns(float, "figure=2 low=3 high=4"),
                Column("n", int, "5"),
                *columns(str, "unit=6 beside=7"),
                Column("expected", path="8"),
            ),
        ),
    )
    MADE_FROM = ("judgments_digest n_votes seed",)

    figures: tuple[ComparedShare, ...]
    timings: tuple[Timing, ...]
    n_votes: int
    remarks: tuple[str, ...]
    judgments_digest: str
    seed: int
    agreement: Share | None = None
    """How often two people who chose a side of the same pair chose the same; None without such pairs."""

    @property
    def sentence(self) -> str:
        if not self.n_votes:
            return "No votes yet: nothing to diagnose."
        said = [each.suspicion for each in self.figures if each.suspicion]
        if self.agreement is not None and (agreement := say_agreement(self.agreement)):
            said.append(agreement)
        if not any(each.suspicion for each in self.figures):
            said = [*self._say_nothing_found(), *said]
        return f"{say_count(self.n_votes, 'vote')}: {'; '.join(said)}."

    def _say_nothing_found(self) -> Iterator[str]:
        """That nothing was found is said only where something could have been, and where votes are not noisy."""
        tell = [each.what for each in self.figures if each.beside and each.share.trials >= FEWEST]
        if not tell:
            yield f"too few to say anything of them: no figure below that could show careless work has n ≥ {FEWEST}"
        elif self.agreement is None or not is_noisy(self.agreement):
            yield f"nothing here speaks against them, by {list_names(list(dict.fromkeys(tell)))}"

    @property
    def table(self) -> Table:
        rows = [
            (
                each.what,
                each.who,
                show_share(each.share.estimate),
                f"{show_share(each.share.low)} to {show_share(each.share.high)}",
                say_count(each.share.trials, each.unit, PLURALS.get(each.unit, "")),
                f"{each.beside}: {show_share(each.expected)}" if each.beside else "",
            )
            for each in self.figures
        ]
        rows += [
            (
                "seconds for a pair",
                each.who,
                f"{each.median:.1f}",
                f"{each.low:.1f} to {each.high:.1f}",
                say_count(each.n, "vote"),
                "",
            )
            for each in self.timings
        ]
        header = ("what", "who", "figure", "interval", "n", "beside")
        return Table(header=header, rows=tuple(rows), numeric=frozenset({2}))

    @property
    def notes(self) -> tuple[str, ...]:
        return (*self._say_notes(), *self.remarks)

    def _say_notes(self) -> Iterator[str]:
        if self.figures:
            yield "Intervals are Wilson's at 95%; where votes of one query count several times, queries are their unit."
        yield from dict.fromkeys(each.note for each in self.figures if each.note)
        if any(each.beside == COINS for each in self.figures):
            yield "Coins: how often votes at random would agree that are for neither as often as these."
        if self.timings:
            yield "Seconds: the median, and the middle half instead of an interval."

    @property
    def explanation(self) -> Explanation:
        return Explanation(
            how=(
                "Each figure stands beside what careless work would give: fair coins for circles and agreement, one "
                "half for the side that was chosen. Intervals are Wilson's at 95%, with the query as the unit where "
                "its votes count several times."
            ),
            assumptions=(
                "Sides were shown at random, as tasks made here are.",
                "Votes are independent of each other, but for those of one query.",
                "A doubt is read as a reason to look, not as a finding: honest work may look odd by chance.",
            ),
        )

    def _rows(self) -> Iterator[tuple[object, ...]]:
        for each in self.figures:
            share = each.share
            yield (
                *(each.what, each.who, share.estimate, share.low, share.high, share.trials, each.unit),
                *(each.beside or None, each.expected),
            )
        for timing in self.timings:
            name = "seconds for a pair"
            yield name, timing.who, timing.median, timing.low, timing.high, timing.n, "vote", None, None

    def __repr__(self) -> str:
        return f"Diagnosis({self.n_votes:,} votes, {len(self.figures):,} figures)"
