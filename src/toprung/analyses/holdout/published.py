"""Do the public and the hidden scores of a published leaderboard give the same order? What scores alone can tell."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from toprung.data.submissions import TwiceScored, TwiceScoredEntry
from toprung.errors import InputError
from toprung.result import Explanation, Result, Rows, Table, columns
from toprung.stats.ranks.correlation import kendall_tau, tau_ap
from toprung.stats.ranks.places import places_of
from toprung.words.wording import say_count, show_number


@dataclass(frozen=True, kw_only=True)
class ScoredEntry:
    """An entry with both scores; ranks are among the entries that have both, and those alike share the better one."""

    name: str
    team: str
    public: float
    private: float
    public_rank: int
    private_rank: int

    @property
    def rank_change(self) -> int:
        """How many places it rises from public to private."""
        return self.public_rank - self.private_rank


def score_holdout(board: TwiceScored, *, higher_is_better: bool = True) -> ScoreHoldout:
    """Compare the orders by two score columns of one published leaderboard.

    Nothing can be tested: a score does not say how it came about.
    """
    if len(board.entries) < 2:
        raise InputError(
            f"Found {say_count(len(board.entries), 'entry', 'entries')} with both '{board.public_column}' and "
            f"'{board.private_column}'; expected at least two to compare orders."
        )
    sign = 1 if higher_is_better else -1
    shown, held = sign * np.array([(entry.public, entry.private) for entry in board.entries]).T
    return ScoreHoldout(
        public_column=board.public_column,
        private_column=board.private_column,
        entries=_rank_entries(board.entries, places_of(shown).tolist(), places_of(held).tolist()),
        tau=float(kendall_tau(shown, held)),
        tau_ap=float(tau_ap(shown, held)),
        n_one_sided=board.n_one_sided,
        n_without_score=board.n_without_score,
        source=board.source,
        digest=board.digest,
    )


def _rank_entries(
    entries: Sequence[TwiceScoredEntry], public_ranks: Sequence[int], private_ranks: Sequence[int]
) -> tuple[ScoredEntry, ...]:
    ranked = [
        ScoredEntry(
            name=entry.label,
            team=entry.team,
            public=entry.public,
            private=entry.private,
            public_rank=public_rank,
            private_rank=private_rank,
        )
        for entry, public_rank, private_rank in zip(entries, public_ranks, private_ranks, strict=True)
    ]
    return tuple(sorted(ranked, key=lambda each: (each.public_rank, each.private_rank, each.name)))


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ScoreHoldout(Result):
    """Entries of a leaderboard by their public and their hidden score, in the public order."""

    FIGURES = (
        "tau tau_ap",
        Rows(
            "entries",
            (
                *columns(str, "entry=name team"),
                *columns(float, "public private"),
                *columns(int, "public_rank private_rank rank_change"),
            ),
        ),
    )
    MADE_FROM = ("leaderboard=source leaderboard_digest=digest public_column private_column n_entries=len(entries)",)

    public_column: str
    private_column: str
    entries: tuple[ScoredEntry, ...]
    tau: float
    tau_ap: float
    n_one_sided: int
    """Entries with only one of the two scores."""
    n_without_score: int
    source: str
    digest: str

    @property
    def sentence(self) -> str:
        both = f"By '{self.public_column}' and by '{self.private_column}'"
        entries = say_count(len(self.entries), "entry", "entries")
        if math.isnan(self.tau):
            return f"{both} there is no order to compare: on one side all {entries} score alike."
        top = self.entries[0]
        kept = [each for each in self.entries if each.public_rank == 1 and each.private_rank == 1]
        first = f"{(kept or [top])[0].name} leads {'both' if kept else 'the first'}"
        place = "" if kept else f" and is no. {top.private_rank} in the other"
        return (
            f"{both} the orders of {entries} agree at τ = {show_number(self.tau, 2)}; {first}{place}; "
            "from scores alone no test is possible."
        )

    @property
    def table(self) -> Table:
        rows = tuple(
            (
                str(each.public_rank),
                str(each.private_rank),
                show_number(each.rank_change, 0, signed=True) if each.rank_change else "=",
                f"{each.public:g}",
                f"{each.private:g}",
                each.name,
            )
            for each in self.entries
        )
        header = ("rank", "private", "moves", self.public_column, self.private_column, "entry")
        return Table(header=header, rows=rows, numeric=frozenset({0, 1, 2, 3, 4}))

    @property
    def notes(self) -> tuple[str, ...]:
        notes = [
            f"Order: Kendall's τ-b = {show_number(self.tau, 3)}; τ_AP = {show_number(self.tau_ap, 3)}, which weighs "
            f"the top of '{self.public_column}' (ties broken both ways, in the mean).",
            "Tests: none; they need the scores of every query (QRELS RUN..., --ranks or --scores).",
        ]
        left_out = [
            f"{say_count(n, 'entry', 'entries')} {why}"
            for n, why in ((self.n_one_sided, "with one of the two scores"), (self.n_without_score, "without any"))
            if n
        ]
        if left_out:
            notes.append(f"Left out: {' and '.join(left_out)}.")
        return tuple(notes)

    @property
    def explanation(self) -> Explanation:
        return Explanation(
            how=(
                f"Entries with both scores are ranked by '{self.public_column}' and by '{self.private_column}', and "
                "Kendall's τ-b and τ_AP say how far the two orders agree. Published scores alone permit no test: they "
                "do not tell how far either score moves with the queries."
            ),
            assumptions=(
                "Both scores are of the same entry, by the same measure.",
                "Entries with one score alone are left out: that they are missing has nothing to do with how good "
                "they are.",
            ),
        )

    def __repr__(self) -> str:
        return f"ScoreHoldout({len(self.entries):,} entries, {self.public_column!r}, {self.private_column!r})"
