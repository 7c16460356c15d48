"""Where may a new run stand once its challenges are judged? Between all of them lost and all of them won.

A new run's first answer that nobody has judged counts as wrong until then. The honest score meanwhile is an interval:
what the run gets if no challenger turns out better than the best known answer, and what it gets if every one does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from toprung.analyses.inputs import find_named
from toprung.analyses.run_scores import is_higher_better, score_runs
from toprung.data.matrices import ScoreTable
from toprung.data.qrels import Qrels
from toprung.errors import InputError
from toprung.labels.best.challenges import Challenge, RunChallenges
from toprung.labels.best.upkeep import Upkeep
from toprung.result import Column, Explanation, Facts, Result, Rows, Table, columns
from toprung.stats.intervals.bootstrap import RESAMPLES, Effect, column_means, mean_intervals
from toprung.stats.ranks.places import places_of
from toprung.words.wording import say_count, say_queries, show_interval, show_number


@dataclass(frozen=True, kw_only=True)
class ChallengedScore:
    """One run's score and place, if all open challenges are lost and if all are won."""

    run: str
    if_lost: Effect
    if_won: Effect
    place_if_lost: int
    place_if_won: int


def challenge_interval(
    labels: Qrels,
    found: RunChallenges,
    upkeep: Upkeep,
    runs: Any,
    measure: str = "RR@10",
    *,
    seed: int = 0,
    judgments_digest: str = "",
    n_held_back: int = 0,
    on_progress: Callable[[str], None] = lambda _: None,
) -> ChallengeInterval:
    """Score runs with every open challenge lost, and with every one won.

    Parameters
    ----------
    labels
        Those the challenges are against.
    found, upkeep
        The challenges of the new run (``find_challenges``) and where they stand (``settle_challenges``); those already
        decided change the labels in both cases.
    runs
        The new run under its name in ``found``, and any others to stand beside it, as ``evaluate`` takes them.
    measure
        By its name, such as ``"RR@10"``.
    seed
        Of the bootstrap of queries behind the 95% intervals.
    judgments_digest
        Of the judgments that decided the challenges.
    n_held_back
        How many of the open challenges are not queued, because their team has too many.

    """
    now = {query_id: dict.fromkeys(result.best, 1) for query_id, result in upkeep.results.items()}
    won = now | _challengers(upkeep.open)
    source = labels.source
    lost_table = score_runs(Qrels.from_dict(now, source=source), runs, measure, on_progress=on_progress)
    won_table = score_runs(Qrels.from_dict(won, source=source), runs, measure, on_progress=on_progress)
    if found.run not in lost_table.runs:
        raise InputError(f"Found no run '{found.run}'; expected the new run among {', '.join(lost_table.runs)}.")
    return ChallengeInterval(
        measure=lost_table.measure,
        rows=_to_rows(lost_table, won_table, seed=seed),
        found=found,
        n_won=len(upkeep.won),
        n_lost=len(upkeep.lost),
        n_open=len(upkeep.open),
        n_open_pairs=len(upkeep.open_pairs),
        n_held_back=n_held_back,
        n_queries=len(lost_table.query_ids),
        seed=seed,
        labels_digest=labels.digest,
        judgments_digest=judgments_digest,
        remarks=lost_table.remarks,
    )


def _to_rows(lost_table: ScoreTable, won_table: ScoreTable, *, seed: int) -> tuple[ChallengedScore, ...]:
    """Both scores of every run, the best first if all challenges are lost."""
    higher = is_higher_better(lost_table.measure)
    lost_places, won_places = (
        places_of(column_means(table.values), higher_is_better=higher) for table in (lost_table, won_table)
    )
    effects = mean_intervals(np.hstack([lost_table.values, won_table.values]), rng=seed)
    if_lost, if_won = effects[: len(lost_table.runs)], effects[len(lost_table.runs) :]
    rows = [
        ChallengedScore(
            run=run,
            if_lost=if_lost[column],
            if_won=if_won[column],
            place_if_lost=int(lost_places[column]),
            place_if_won=int(won_places[column]),
        )
        for column, run in enumerate(lost_table.runs)
    ]
    return tuple(sorted(rows, key=lambda row: (row.place_if_lost, row.run)))


def _challengers(challenges: Iterable[Challenge]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for each in challenges:
        found.setdefault(each.query_id, {}).update(dict.fromkeys((each.challenger, *each.same_text), 1))
    return found


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ChallengeInterval(Result):
    """The new run and others, with the scores and places they may come to."""

    FIGURES = (
        "measure run=found.run",
        Rows(
            "runs",
            of="_told",
            columns=(
                Column("run", str, "0.run"),
                *columns(float, "if_lost=0.if_lost.estimate if_lost_low=0.if_lost.low if_lost_high=0.if_lost.high"),
                *columns(float, "if_won=0.if_won.estimate if_won_low=0.if_won.low if_won_high=0.if_won.high"),
                *columns(int, "place_if_lost=0.place_if_lost place_if_won=0.place_if_won"),
                Column("is_new", bool, "1"),
            ),
        ),
        Facts("challenges", ("won=n_won lost=n_lost open=n_open open_pairs=n_open_pairs held_back=n_held_back",)),
    )
    MADE_FROM = ("measure labels_digest judgments_digest n_queries n_runs=len(rows) seed",)

    measure: str
    rows: tuple[ChallengedScore, ...]
    found: RunChallenges
    n_won: int
    n_lost: int
    n_open: int
    n_open_pairs: int
    n_held_back: int
    n_queries: int
    seed: int
    labels_digest: str
    judgments_digest: str
    remarks: tuple[str, ...] = ()

    def __getitem__(self, run: str) -> ChallengedScore:
        return find_named("run", run, {row.run: row for row in self.rows})

    @property
    def sentence(self) -> str:
        row = self[self.found.run]
        if not self.n_open:
            told = "none of its first answers is new" if not self._n_challenges else "its challenges are all decided"
            score = f"{show_number(row.if_lost.estimate, 4)}{self._say_place(row.place_if_lost)}"
            return f"{row.run} has {self.measure} {score}: {told}."
        ends = (
            f"{show_number(score.estimate, 4)} if all are {how}{self._say_place(place)}"
            for score, how, place in (
                (row.if_lost, "lost", row.place_if_lost),
                (row.if_won, "won", row.place_if_won),
            )
        )
        challenges = say_count(self.n_open, "open challenge")
        return f"{row.run} has {challenges}; its {self.measure} is {' and '.join(ends)}."

    @property
    def _n_challenges(self) -> int:
        return self.n_won + self.n_lost + self.n_open

    def _say_place(self, place: int) -> str:
        return f" (place {place} of {len(self.rows):,})" if len(self.rows) > 1 else ""

    @property
    def table(self) -> Table:
        header = ("run", f"{self.measure} if all lost", "95% interval", "place", "if all won", "95% interval", "place")
        rows = tuple(
            (
                f"{row.run} (new)" if row.run == self.found.run else row.run,
                show_number(row.if_lost.estimate, 4),
                show_interval(row.if_lost.low, row.if_lost.high, 4),
                str(row.place_if_lost),
                show_number(row.if_won.estimate, 4),
                show_interval(row.if_won.low, row.if_won.high, 4),
                str(row.place_if_won),
            )
            for row in self.rows
        )
        return Table(header=header, rows=rows, numeric=frozenset(range(1, 7)))

    @property
    def notes(self) -> tuple[str, ...]:
        return (*self._say_notes(), *self.remarks)

    def _say_notes(self) -> Iterator[str]:
        found = self.found
        parts = [
            f"best in {found.n_best:,}",
            f"in the pool but not best in {found.n_pooled:,}",
            f"new in {len(found.challenges):,}",
        ]
        if found.n_missing:
            parts.append(f"missing in {found.n_missing:,}")
        if found.n_without_pool:
            parts.append(f"not the label and without a pool in {found.n_without_pool:,}, which challenge nothing")
        yield f"First answers of {found.run} over {say_queries(self.n_queries)}: {', '.join(parts)}."
        if found.is_graded:
            yield (
                "Labels with grades: only the highest grade of a query is the best known; "
                "lower ones are challenged by nothing and count for nothing here."
            )
        if self._n_challenges:
            pairs = say_count(self.n_open_pairs, "pair")
            yield f"Challenges: {self.n_won:,} won, {self.n_lost:,} lost, {self.n_open:,} open ({pairs} to judge)."
        if self.n_held_back:
            held = say_count(self.n_held_back, "challenge")
            yield f"Held back until others are decided, for the team has as many open ones as it may: {held}."
        n_shared = sum(bool(each.same_text) for each in found.challenges)
        if n_shared:
            yield f"Nearly the text of an earlier challenger, which stands for it: {say_count(n_shared, 'answer')}."
        if self.n_open and len(self.rows) > 1:
            yield "Others move too: a challenge that is won changes the label for all."
        yield "Intervals: bootstrap of queries (BCa); they do not cover which challenges will be won."

    @property
    def explanation(self) -> Explanation:
        return Explanation(
            how=(
                f"First answers of {self.found.run} that nobody has judged challenge the best known ones; every run is "
                f"scored by {self.measure} twice: as if all open challenges were lost, and as if all were won. Each "
                f"of the two scores has a 95% bootstrap interval ({RESAMPLES:,} samples of the queries, BCa)."
            ),
            assumptions=(
                "An answer that was pooled and is not the best stays wrong: it was judged before.",
                "The two ends are read as those of the new run: others may come to lie outside theirs.",
            ),
        )

    @property
    def _told(self) -> list[tuple[ChallengedScore, bool]]:
        return [(row, row.run == self.found.run) for row in self.rows]

    def __repr__(self) -> str:
        return f"ChallengeInterval({self.found.run!r}, {self.n_open:,} open challenges, {len(self.rows):,} runs)"
