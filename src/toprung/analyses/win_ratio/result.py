"""What do win ratios look like? A matrix as the source prints it, or every pair with its n, interval and p-value."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from toprung.result import Explanation, Result, Rows, Table, columns
from toprung.stats.inputs import Floats, Ints
from toprung.stats.intervals.proportions import Share
from toprung.stats.tests.corrections import CORRECTION_NAMES
from toprung.words.assumptions import CAREFUL_VOTES, FAIR_SAMPLE
from toprung.words.floors import FEWEST
from toprung.words.wording import fit, list_names, say_count, say_queries, show_p, show_share

WIDEST = 120
MOST_WITH_N = 7
MOST_WITH_DECIMALS = 12
MOST_IN_MATRIX = 18
NAME_WIDTH = 28
SIGNIFICANT = "*"


@dataclass(frozen=True, kw_only=True)
class WinRatio:
    """One run against another. ``n`` are the queries whose first answers differ and whose pair is decided."""

    run: str
    other: str
    wins: int
    losses: int
    ties: int
    """Queries whose pair is split evenly; left out of the test."""
    unjudged: int
    """Queries whose first answers differ and have no vote."""
    same: int
    """Queries on which both have the same first answer."""
    interval: Share
    """Of the ratio: Wilson's."""
    p: float
    corrected_p: float

    @property
    def n(self) -> int:
        return self.wins + self.losses

    @property
    def ratio(self) -> float:
        return self.wins / self.n if self.n else math.nan

    def turned(self) -> WinRatio:
        """The same from the other's side."""
        share = self.interval
        return replace(
            self,
            run=self.other,
            other=self.run,
            wins=self.losses,
            losses=self.wins,
            interval=replace(share, successes=self.losses, low=1 - share.high, high=1 - share.low),
        )


def count_won(ratios: Floats) -> Ints:
    """How many runs each column beats more often than not; ``ratios[row, column]`` is the column's share of wins."""
    return np.asarray((ratios > 0.5).sum(axis=0), dtype=np.int64)


@dataclass(frozen=True, kw_only=True, repr=False)
class WinRatios(Result):
    """All pairs of runs, the earlier one first."""

    FIGURES = (
        Rows(
            "pairs",
            (
                *columns(str, "run other"),
                *columns(int, "wins losses n"),
                *columns(float, "ratio low=interval.low high=interval.high p corrected_p"),
                *columns(int, "ties unjudged same"),
            ),
            keeps_nan=True,
        ),
        "wins=won",
    )
    MADE_FROM = ("qrels=qrels_digest runs n_queries correction alpha",)

    runs: tuple[str, ...]
    pairs: tuple[WinRatio, ...]
    n_queries: int
    perfect: str | None
    correction: str
    alpha: float
    qrels_digest: str | None = None
    shows_pairs: bool = False
    """Whether the table lists the pairs instead of the matrix."""

    @cached_property
    def _by_name(self) -> dict[tuple[str, str], WinRatio]:
        both = {(pair.run, pair.other): pair for pair in self.pairs}
        return both | {(pair.other, pair.run): pair.turned() for pair in self.pairs}

    def __getitem__(self, names: tuple[str, str]) -> WinRatio:
        """The first run against the second."""
        return self._by_name[names]

    @cached_property
    def ratios(self) -> Floats:
        """Row × column: the column's share of wins over the row."""
        matrix = np.full((len(self.runs), len(self.runs)), np.nan)
        for row, other in enumerate(self.runs):
            for column, run in enumerate(self.runs):
                if row != column:
                    matrix[row, column] = self[run, other].ratio
        return matrix

    @cached_property
    def won(self) -> dict[str, int]:
        """How many others each run beats more often than not."""
        return dict(zip(self.runs, count_won(self.ratios).tolist(), strict=True))

    def is_significant(self, pair: WinRatio) -> bool:
        return pair.corrected_p < self.alpha

    def better_than(self, other: str) -> list[str]:
        """The runs that win against this one beyond chance."""
        over = [self[run, other] for run in self.runs if run != other]
        return [pair.run for pair in over if pair.ratio > 0.5 and self.is_significant(pair)]

    @property
    def sentence(self) -> str:
        if not any(pair.n for pair in self.pairs):
            return f"No pair of first answers is decided: {say_count(len(self.runs), 'run')} cannot be told apart."
        n = [pair.n for pair in self.pairs]
        if max(n) < FEWEST:
            some = f"{min(n)} to {max(n)}" if min(n) < max(n) else f"{max(n)}"
            few = f"n is {some} a pair of runs, fewer than {FEWEST}"
            return f"Too few queries to say whose first answers are preferred: {few}; {self._say_significant()}."
        won = {run: self._count_told(run) for run in self.runs}
        most = max(won.values())
        leaders = [run for run in self.runs if won[run] == most]
        win = "wins" if len(leaders) == 1 else "win"
        said = f"{list_names(leaders)} {win} more often than not against {_say_others(most, len(self.runs) - 1)}"
        spread = f"n = {min(n):,}" if min(n) == max(n) else f"n from {min(n):,} to {max(n):,}"
        return f"{said} ({spread}); {self._say_significant()}."

    def _count_told(self, run: str) -> int:
        """How many others it beats more often than not, by the pairs with queries enough to say so."""
        over = (self[run, other] for other in self.runs if other != run)
        return sum(pair.n >= FEWEST and pair.ratio > 0.5 for pair in over)

    def _say_significant(self) -> str:
        if self.perfect is not None:
            better = self.better_than(self.perfect)
            do = "does" if len(better) == 1 else "do"
            who = f"{list_names(better)} {do}" if better else "no run does"
            return f"{who} better than a perfect ranking under the labels beyond chance"
        told = sum(self.is_significant(pair) for pair in self.pairs)
        return f"{told:,} of {say_count(len(self.pairs), 'pair')} can be told apart"

    @property
    def table(self) -> Table:
        if self.shows_pairs:
            return self._pair_table
        return self._matrix if len(self.runs) <= MOST_IN_MATRIX else self._summary

    @property
    def _matrix(self) -> Table:
        cells = [[self._cell(run, other) for run in self.runs] for other in self.runs]
        header: Sequence[str] = self.runs
        rows: list[Sequence[str]] = list(cells)
        names = list(self.runs)
        if _width([list(header), *cells], names) > WIDEST:  # long names would not fit: columns are numbered
            header = [str(number) for number in range(1, len(self.runs) + 1)]
            names = [fit(f"{number} {run}", NAME_WIDTH) for number, run in zip(header, self.runs, strict=True)]
        rows.append([str(self.won[run]) for run in self.runs])
        names.append("wins")
        body = tuple((name, *row) for name, row in zip(names, rows, strict=True))
        return Table(header=("", *header), rows=body, numeric=frozenset(range(1, len(header) + 1)))

    def _cell(self, run: str, other: str) -> str:
        if run == other:
            return ""
        pair = self[run, other]
        if not pair.n:
            return "–"
        decimals = 1 if len(self.runs) <= MOST_WITH_DECIMALS else 0
        share = f"{100 * pair.ratio:.{decimals}f}{SIGNIFICANT if self.is_significant(pair) else ''}"
        return f"{share} of {pair.n:,}" if len(self.runs) <= MOST_WITH_N else share

    @property
    def _summary(self) -> Table:
        rows = []
        for run in sorted(self.runs, key=lambda each: (-self.won[each], each)):
            over = [self[run, other] for other in self.runs if other != run]
            told = [pair for pair in over if self.is_significant(pair)]
            better = sum(pair.ratio > 0.5 for pair in told)
            n = [pair.n for pair in over]
            rows.append(
                (
                    fit(run, NAME_WIDTH),
                    str(self.won[run]),
                    str(better),
                    str(len(told) - better),
                    f"{min(n):,} to {max(n):,}",
                )
            )
        header = ("run", "wins against", "beyond chance", "loses beyond chance", "n")
        return Table(header=header, rows=tuple(rows), numeric=frozenset({1, 2, 3, 4}))

    @property
    def _pair_table(self) -> Table:
        rows = tuple(
            (
                fit(pair.run, NAME_WIDTH),
                fit(pair.other, NAME_WIDTH),
                f"{pair.wins:,}",
                f"{pair.n:,}",
                show_share(pair.ratio),
                f"{show_share(pair.interval.low)} to {show_share(pair.interval.high)}",
                show_p(pair.p),
                show_p(pair.corrected_p),
            )
            for pair in self.pairs
        )
        header = ("run", "over", "wins", "n", "ratio", "interval", "p", "corrected p")
        return Table(header=header, rows=rows, numeric=frozenset(range(2, 8)))

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(self._say_notes())

    def _say_notes(self) -> Iterator[str]:
        if not self.shows_pairs and len(self.runs) <= MOST_IN_MATRIX:
            yield "How often the run of the column wins against that of the row, in percent; wins: over how many runs."
        n = [pair.n for pair in self.pairs]
        least, most = f"{min(n):,}", f"{max(n):,}"
        spread = f"n is {least} in each pair" if least == most else f"n is {least} to {most}"
        yield f"{spread}: queries whose first answers differ and whose pair is decided, each counted once."
        yield (
            f"{SIGNIFICANT if not self.shows_pairs else 'Corrected p'}: exact two-sided binomial test "
            f"{CORRECTION_NAMES[self.correction]} over {say_count(len(self.pairs), 'pair')} of runs, level "
            f"{self.alpha:g}."
        )
        unjudged = sum(pair.unjudged > 0 for pair in self.pairs)
        if unjudged:
            most_unjudged = max(pair.unjudged for pair in self.pairs)
            yield (
                f"In {say_count(unjudged, 'pair')} of runs some first answers differ and were not judged, in up to "
                f"{say_queries(most_unjudged)}; they are left out."
            )
        ties = sum(pair.ties for pair in self.pairs)
        if ties:
            yield f"{say_count(ties, 'even split')} left out, over all pairs of runs."
        if self.perfect is not None:
            yield (
                f"{self.perfect}: a ranking that always has the label first that was pooled, the first of the highest "
                "grade in the file."
            )

    @property
    def explanation(self) -> Explanation:
        correction = CORRECTION_NAMES[self.correction]
        return Explanation(
            how=(
                "Two runs are compared on the queries whose first answers differ and whose pair is decided, each query "
                "counted once (Arabzadeh et al. 2021). The share of wins is held against one half by the exact "
                f"two-sided binomial test {correction} over {say_count(len(self.pairs), 'pair')} of runs, at "
                f"{self.alpha:g}."
            ),
            assumptions=(
                FAIR_SAMPLE,
                CAREFUL_VOTES,
                "Pairs that nobody judged would have come out as the others: they are left out.",
            ),
        )


def _say_others(n: int, others: int) -> str:
    if others == 1:
        return "the other run" if n else "nobody"
    return f"all {others} others" if n == others else f"{n} of {others} others"


def _width(rows: Sequence[Sequence[str]], names: Sequence[str]) -> int:
    columns = [max(map(len, column)) + 2 for column in zip(*rows, strict=True)]
    return max(map(len, names)) + sum(columns)
