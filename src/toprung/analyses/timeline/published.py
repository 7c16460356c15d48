"""Who led a published leaderboard over time? All that scores alone can tell; no test is possible from them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cached_property

from toprung.boards.succession import Entrant
from toprung.data.submissions import DatedEntry, PublishedBoard
from toprung.result import Column, Explanation, Result, Rows, Table, columns
from toprung.words.wording import say_changes, say_count, say_since, show_number


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ScoreTimeline(Result):
    """Who led a published leaderboard over time, by score: all that scores alone can tell."""

    FIGURES = (
        "leaders",
        Rows(
            "entries",
            of="_told",
            columns=(
                *columns(str, "run_id=0.run_id name=0.name team=0.team"),
                Column("date", date, "0.date"),
                Column("score", path="0.score"),
                Column("line", int, "0.line"),
                Column("is_highest_so_far", bool, "1"),
            ),
        ),
    )
    MADE_FROM = (
        "leaderboard=leaderboard.source leaderboard_digest=leaderboard.digest score_column=leaderboard.score_column",
        "n_entries=len(entries) n_without_date=leaderboard.n_without_date n_without_score=leaderboard.n_without_score",
    )

    leaderboard: PublishedBoard

    @cached_property
    def entries(self) -> tuple[DatedEntry, ...]:
        return self.leaderboard.by_date()

    @cached_property
    def leaders(self) -> tuple[DatedEntry, ...]:
        """Whoever scored above all before, in order."""
        leaders: list[Entrant[DatedEntry]] = []
        for entrant in (Entrant(run=entry, score=entry.score) for entry in self.entries):
            if not leaders or entrant.is_above(leaders[-1]):
                leaders.append(entrant)
        return tuple(each.run for each in leaders)

    @property
    def sentence(self) -> str:
        last = self.leaders[-1]
        return (
            f"{last.label} has had the highest {self.leaderboard.score_column}, {self.show_score(last.score)},"
            f"{say_since(last.date)}; over {len(self.entries):,} entries the top "
            f"{say_changes(len(self.leaders) - 1)}; from scores alone no test is possible."
        )

    @property
    def table(self) -> Table:
        ends = [*(each.date for each in self.leaders[1:]), None]
        rows = tuple(
            (
                f"{each.date:%Y-%m-%d}",
                self.show_score(each.score),
                show_number(each.score - before.score, self._decimals, signed=True) if before else "",
                "to date" if end is None else f"{(end - each.date).days:,}",
                each.label,
            )
            for each, before, end in zip(self.leaders, (None, *self.leaders), ends, strict=False)
        )
        header = ("since", self.leaderboard.score_column, "gain", "days", "highest score so far")
        return Table(header=header, rows=rows, numeric=frozenset({1, 2, 3}))

    def show_score(self, score: float) -> str:
        """With as many decimals as it was published."""
        return show_number(score, self._decimals)

    @cached_property
    def _decimals(self) -> int:
        """As many as the scores were published with."""
        return max(len(f"{entry.score:.6f}".rstrip("0").partition(".")[2]) for entry in self.entries)

    @property
    def notes(self) -> tuple[str, ...]:
        board = self.leaderboard
        notes = ["Tests: none; they need the ranks of every query (QRELS RUN... or --ranks FILE)."]
        if board.other_score_columns:
            others = ", ".join(f"'{name}'" for name in board.other_score_columns)
            notes.append(f"Score: column '{board.score_column}'; also there: {others} (--score-column).")
        if len({entry.date for entry in self.entries}) < len(self.entries):
            notes.append(
                "Order: by date; entries of one date in the order of the file. An equal score does not take the top."
            )
        left_out = [
            f"{say_count(n, 'entry', 'entries')} without a {what}"
            for n, what in ((board.n_without_date, "date"), (board.n_without_score, "score"))
            if n
        ]
        if left_out:
            notes.append(f"Left out: {' and '.join(left_out)}.")
        return tuple(notes)

    @property
    def explanation(self) -> Explanation:
        return Explanation(
            how=(
                f"Entries are taken in the order of their dates, and the top goes to each whose "
                f"{self.leaderboard.score_column} is above all before it. Published scores alone permit no test: they "
                "do not tell on which queries two runs differ."
            ),
            assumptions=(
                "Dates and scores are as published, and all entries were scored on the same queries and labels.",
                "The higher score is the better one.",
            ),
        )

    @property
    def _told(self) -> list[tuple[DatedEntry, bool]]:
        leaders = set(self.leaders)
        return [(entry, entry in leaders) for entry in self.entries]

    def __repr__(self) -> str:
        return f"ScoreTimeline({len(self.entries)} entries, {len(self.leaders)} leaders)"


def score_timeline(leaderboard: PublishedBoard) -> ScoreTimeline:
    """Who led a published leaderboard over time? Nothing can be tested: a score does not say how it came about."""
    return ScoreTimeline(leaderboard=leaderboard)
