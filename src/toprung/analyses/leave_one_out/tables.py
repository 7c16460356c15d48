"""How is it told what pooling was worth to each run? The sentence, the table, the notes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from toprung.analyses.inputs import find_named
from toprung.result import Explanation, Result, Rows, Table, columns
from toprung.stats.inputs import Floats
from toprung.stats.intervals.bootstrap import RESAMPLES, Effect
from toprung.words.wording import list_names, say_queries, show_interval, show_number


@dataclass(frozen=True, kw_only=True)
class LeftOutRun:
    """What happens if one run's own answers are left out of the pools."""

    run: str
    n_items: int
    """Answers that only it contributed."""
    n_labels_changed: int
    """Queries whose best answers are others without them."""
    n_labels_lost: int
    """Queries without a best answer then. They count neither here nor there: all figures below leave them out."""
    score: float
    score_without: float
    change: Effect
    """Of its score."""
    place: int
    place_without: int
    most_moved: str | None
    """The other run whose score moves most; None if none does."""
    most_moved_by: float
    tau: float
    """Kendall's τ-b between all runs' scores with and without."""


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class LeaveOneOut(Result):
    """Each run with and without its own answers in the pools, in the order of the scores on all labelled queries."""

    FRAME = Rows(
        "scores",
        of="_pairs()",
        columns=(*columns(str, "left_out=0 run=1"), *columns(float, "score=2 score_without=3 change=4")),
    )
    FIGURES = (
        "measure",
        Rows(
            "left_out",
            of="rows",
            columns=(
                "run n_items n_labels_changed n_labels_lost score score_without place place_without",
                "most_moved most_moved_by tau",
                "change=change.estimate change_low=change.low change_high=change.high",
            ),
        ),
        FRAME,
    )
    MADE_FROM = ("measure scores_digest=digest n_queries n_runs=len(runs) seed",)

    measure: str
    runs: tuple[str, ...]
    rows: tuple[LeftOutRun, ...]
    scores: Floats
    """With all answers, over the queries that have a label both ways: left out × scored, in the order of ``runs``."""
    scores_without: Floats
    """The same without the answers of the run left out."""
    n_queries: int
    n_undecided: int
    seed: int
    digest: str
    """Of the scores with all answers."""
    remarks: tuple[str, ...] = ()

    def __getitem__(self, run: str) -> LeftOutRun:
        return find_named("run", run, {row.run: row for row in self.rows})

    @property
    def sentence(self) -> str:
        moved = max(self.rows, key=lambda row: 0.0 if math.isnan(row.change.estimate) else abs(row.change.estimate))
        if not any(row.n_labels_changed or row.n_labels_lost for row in self.rows):
            return f"No label depends on one run alone: leaving out any run's own answers changes no {self.measure}."
        if math.isnan(moved.change.estimate) or moved.change.estimate == 0:
            return f"Leaving out its own answers moves no run's {self.measure} on the queries that keep a label."
        place = (
            f"stays at place {moved.place}"
            if moved.place == moved.place_without
            else f"goes from place {moved.place} to {moved.place_without}"
        )
        return (
            f"Leaving out its own answers moves {moved.run} the most: {self.measure} "
            f"{show_number(moved.change.estimate, 4, signed=True)}, from {show_number(moved.score, 4)} to "
            f"{show_number(moved.score_without, 4)}; it {place}."
        )

    @property
    def table(self) -> Table:
        scores = (self.measure, "without", "change", "95% interval", "place", "others", "tau")
        header = ("left out", "own", "changed", *scores)
        return Table(header=header, rows=tuple(map(_cells, self.rows)), numeric=frozenset({1, 2, 3, 4, 5, 6, 8, 9}))

    @property
    def notes(self) -> tuple[str, ...]:
        return (*self._say_notes(), *self.remarks)

    def _say_notes(self) -> Iterator[str]:
        undecided = f"; {self.n_undecided:,} without a decided best answer are left out" if self.n_undecided else ""
        yield f"Queries: {say_queries(self.n_queries)} with labels from judged pools{undecided}."
        yield "Own: answers that no other run contributed and that are not the original label."
        yield "Changed: queries whose best answers are others without these."
        yield "Others: the largest change of another run's score; tau: Kendall's, of all runs' scores with and without."
        idle = [row.run for row in self.rows if not row.n_items]
        if idle:
            yield f"Nothing to leave out: {list_names(idle)} contributed no answer alone."
        losing = [row for row in self.rows if row.n_labels_lost]
        if losing:
            most = max(row.n_labels_lost for row in losing)
            yield (
                f"Each row is over the queries with a label both ways: up to {say_queries(most)} left out, which have "
                f"none without {list_names([row.run for row in losing])}."
            )

    @property
    def explanation(self) -> Explanation:
        return Explanation(
            how=(
                "For each run in turn, the answers that it alone put into the pools are taken out, the tournaments are "
                f"held again with the votes that are left, and every run is scored again by {self.measure}. The change "
                "is over the queries that have a label both ways, with a 95% bootstrap interval "
                f"({RESAMPLES:,} samples of the queries, BCa)."
            ),
            assumptions=(
                "A run that had never been pooled would differ from this only in its own answers.",
                "No other run of the same team or model shields it: its answers would be pooled all the same.",
            ),
        )

    def _pairs(self) -> Iterator[tuple[str, str, float, float, float]]:
        """Each run left out with each run scored."""
        place_of = {run: column for column, run in enumerate(self.runs)}
        for row in self.rows:
            for run in self.runs:
                at = place_of[row.run], place_of[run]
                score, without = self.scores[at], self.scores_without[at]
                yield row.run, run, score, without, without - score

    def __repr__(self) -> str:
        return f"LeaveOneOut({len(self.runs):,} runs, {self.n_queries:,} queries, {self.measure})"


def _cells(row: LeftOutRun) -> tuple[str, ...]:
    return (
        row.run,
        f"{row.n_items:,}",
        f"{row.n_labels_changed:,}",
        show_number(row.score, 4),
        show_number(row.score_without, 4),
        show_number(row.change.estimate, 4, signed=True),
        show_interval(row.change.low, row.change.high, 4),
        str(row.place) if row.place == row.place_without else f"{row.place} to {row.place_without}",
        "–" if row.most_moved is None else show_number(row.most_moved_by, 4, signed=True),
        show_number(row.tau, 2),
    )
