"""What is told of each query? Both scores, their difference and its weight, and where each run has an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from toprung.analyses.queries.two_runs import Depths, TwoRuns
from toprung.data.matrices import FirstRanks
from toprung.scoring.measure import split_name
from toprung.stats.inputs import Floats
from toprung.stats.pairs.decisive import weigh
from toprung.stats.tests.pair import differs


class QueryOutcome(StrEnum):
    """Who does better on a query, said of B."""

    WIN = "win"
    LOSS = "loss"
    TIE = "tie"


@dataclass(frozen=True, kw_only=True, slots=True)
class FirstAnswer:
    """Where a run has its first relevant document: ``rank`` is 0 where it has none among its ``depth`` documents."""

    rank: int
    depth: int | None
    """None where it is not known how many the run has."""
    is_within: bool
    """Whether it is found as far as the measure looks."""


@dataclass(frozen=True, kw_only=True, slots=True)
class QueryRow:
    """One query; A and B are the two runs, and what is not known is None."""

    query_id: str
    score_a: float
    score_b: float
    difference: float
    """Above 0 where B does better."""
    contribution: float
    """To the mean difference: they add up to it."""
    weight: float
    """The share in all differences, whichever run they favour."""
    answer_a: FirstAnswer | None = None
    answer_b: FirstAnswer | None = None
    question: str | None = None
    first_a: str | None = None
    first_b: str | None = None

    @property
    def outcome(self) -> QueryOutcome:
        if not self.weight:
            return QueryOutcome.TIE
        return QueryOutcome.WIN if self.difference > 0 else QueryOutcome.LOSS

    @property
    def found_by(self) -> str | None:
        """Who finds a relevant document as far as the measure looks: a, b, both or none."""
        if self.answer_a is None or self.answer_b is None:
            return None
        return {(True, True): "both", (True, False): "a", (False, True): "b", (False, False): "none"}[
            self.answer_a.is_within, self.answer_b.is_within
        ]


@dataclass(frozen=True, kw_only=True)
class QueryCounts:
    """On how many queries B does better, worse and the same, and which of the two finds a relevant document."""

    queries: int
    wins: int
    losses: int
    ties: int
    only_a: int | None
    only_b: int | None
    neither: int | None


def make_rows(two: TwoRuns, differences: Floats, questions: Mapping[str, str]) -> tuple[QueryRow, ...]:
    """A row for each query, the weightiest first."""
    scores = two.scores
    a, b = (scores.values[:, column].tolist() for column in (0, 1))
    kept = np.where(differs(differences), differences, 0.0)
    answers = _find_answers(two)
    first_a, first_b = two.firsts or ({}, {})
    weights = weigh(differences).tolist()
    rows = [
        QueryRow(
            query_id=query_id,
            score_a=a[place],
            score_b=b[place],
            difference=difference,
            contribution=difference / len(kept),
            weight=weights[place],
            answer_a=answers[0][place],
            answer_b=answers[1][place],
            question=questions.get(query_id),
            first_a=first_a.get(query_id),
            first_b=first_b.get(query_id),
        )
        for place, (query_id, difference) in enumerate(zip(scores.query_ids, kept.tolist(), strict=True))
    ]
    return tuple(sorted(rows, key=lambda row: (-round(row.weight, 12), row.query_id)))


def _find_answers(two: TwoRuns) -> Sequence[Sequence[FirstAnswer | None]]:
    ranks = two.ranks
    if ranks is None:
        return [[None] * len(two.matrix.query_ids)] * 2
    reach = _reach(two)
    depths = two.depths or (None, None)
    return [_answers_of(ranks, column, depths[column], reach) for column in (0, 1)]


def _reach(two: TwoRuns) -> float | None:
    """As far as the measure looks."""
    return two.matrix.cutoff if isinstance(two.matrix, FirstRanks) else split_name(two.matrix.measure)[2]


def _answers_of(ranks: FirstRanks, column: int, depths: Depths | None, reach: float | None) -> list[FirstAnswer]:
    return [
        FirstAnswer(
            rank=rank,
            depth=ranks.cutoff if depths is None else depths[query_id],
            is_within=0 < rank <= (reach if reach is not None and reach >= 1 else rank),
        )
        for query_id, rank in zip(ranks.query_ids, ranks.values[:, column].tolist(), strict=True)
    ]


def count_outcomes(rows: Sequence[QueryRow]) -> QueryCounts:
    outcomes = [row.outcome for row in rows]
    found = [row.found_by for row in rows]
    is_known = bool(found) and found[0] is not None
    return QueryCounts(
        queries=len(rows),
        wins=outcomes.count(QueryOutcome.WIN),
        losses=outcomes.count(QueryOutcome.LOSS),
        ties=outcomes.count(QueryOutcome.TIE),
        only_a=found.count("a") if is_known else None,
        only_b=found.count("b") if is_known else None,
        neither=found.count("none") if is_known else None,
    )
