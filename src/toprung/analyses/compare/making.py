"""How is a pair compared? The engine's verdict, the tests beside it, and the breakdown where there are ranks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import batched, chain
from typing import Any

import numpy as np

from toprung.analyses.compare.pair import NaiveTests, Pair, PairComparison
from toprung.boards.engine.claims import decide_claim
from toprung.boards.engine.parts import find_parts
from toprung.boards.engine.rules import ClaimPolicy
from toprung.boards.engine.verdict import judge_pair
from toprung.boards.lin2021.breakdown import Breakdown, FacetName, FacetTest, break_down
from toprung.data.matrices import FirstRanks, ScoreTable, to_scores
from toprung.errors import InputError
from toprung.stats.finding import Scale
from toprung.stats.inputs import Floats
from toprung.stats.intervals.bootstrap import Effect, mean_intervals
from toprung.stats.intervals.effects import cliffs_delta, cohens_dz
from toprung.stats.tests.counts import sign_test
from toprung.stats.tests.paired_t import paired_t_test
from toprung.stats.tests.rank_sum import rank_sum_test
from toprung.stats.tests.signed_rank import Method, signed_rank_test

PAIRS_AT_A_TIME = 200
"""Whose differences are held in memory together."""


@dataclass(frozen=True, kw_only=True)
class HowToCompare:
    """What was asked for."""

    policy: ClaimPolicy
    is_by_paper: bool
    """Whether the verdict of Lin et al. 2021 is wanted alone."""
    facet: FacetName
    facet_test: FacetTest
    method: Method
    resamples: int
    seed: int


def compare_matrix(
    matrix: FirstRanks | ScoreTable, pairs: Sequence[Pair], *, scale: Scale | None, how: HowToCompare
) -> Iterator[PairComparison]:
    """Every pair; together, for they share their resamples."""
    scores, has_ranks = to_scores(matrix), isinstance(matrix, FirstRanks)
    how.policy.check(scores.measure, has_ranks=has_ranks)
    _refuse_missing(scores)
    effects = chain.from_iterable(
        mean_intervals(_difference_columns(matrix, scores, part), resamples=how.resamples, rng=how.seed)
        for part in batched(pairs, PAIRS_AT_A_TIME)  # each part draws the same resamples
    )
    for a, b in pairs:
        two = matrix.select([a, b])
        yield _compare_pair(two, difference=next(effects), parts=_take(effects, 3 * has_ranks), scale=scale, how=how)


def _take(effects: Iterator[Effect], n: int) -> list[Effect]:
    return [next(effects) for _ in range(n)]


def _compare_pair(
    two: FirstRanks | ScoreTable, *, difference: Effect, parts: list[Effect], scale: Scale | None, how: HowToCompare
) -> PairComparison:
    """The two runs of a matrix, the first as A; ``parts`` are the differences of answered, search length and RR."""
    name_a, name_b = two.runs
    scores, policy = to_scores(two), how.policy
    a, b = scores.column(name_a), scores.column(name_b)
    claim, _ = decide_claim(two, run=name_b, holder=name_a, state=policy.start(), policy=policy)
    tested = claim.parts or find_parts(two, name_a, name_b, margins=policy.margins)
    return PairComparison(
        a=name_a,
        b=name_b,
        measure=scores.measure,
        scale=scale,
        mean_a=math.fsum(a.tolist()) / len(a),
        mean_b=math.fsum(b.tolist()) / len(b),
        difference=difference,
        parts=tested,
        found=claim.verdict or judge_pair(tested, alpha=policy.alpha),
        claim=None if how.is_by_paper else claim,
        naive=_naive_tests(a, b, how),
        cohens_dz=cohens_dz(a, b),
        cliffs_delta=cliffs_delta(a, b),
        breakdown=_break_down(two, parts, how) if isinstance(two, FirstRanks) else None,
        alpha=policy.alpha,
        cutoff=two.cutoff if isinstance(two, FirstRanks) else None,
    )


def _naive_tests(a: Floats, b: Floats, how: HowToCompare) -> NaiveTests:
    return NaiveTests(
        rank_sum=rank_sum_test(a, b),
        signed_rank=signed_rank_test(a, b, method=how.method, rng=how.seed),
        t=paired_t_test(a, b),
        sign=sign_test(a, b),
    )


def _break_down(two: FirstRanks, parts: list[Effect], how: HowToCompare) -> Breakdown:
    answered, search, rr = parts
    return break_down(
        two.column(two.runs[0]),
        two.column(two.runs[1]),
        answered_difference=answered,
        search_difference=search,
        rr_difference=rr,
        facet=how.facet,
        facet_test=how.facet_test,
        alpha=how.policy.alpha,
        method=how.method,
        seed=how.seed,
    )


def _refuse_missing(scores: ScoreTable) -> None:
    if np.isnan(scores.values).any():
        raise InputError(
            f"Found queries without a value of {scores.measure}; expected one for every query and run. "
            "Compare first ranks instead: they keep answered and unanswered queries apart."
        )


def _difference_columns(matrix: FirstRanks | ScoreTable, scores: ScoreTable, pairs: Sequence[Pair]) -> Any:
    """For each pair the columns whose means get an interval: measure, answered, search length and RR where both."""
    columns = []
    for a, b in pairs:
        columns.append(scores.column(b) - scores.column(a))
        if isinstance(matrix, FirstRanks):
            first, second = matrix.column(a).astype(np.float64), matrix.column(b).astype(np.float64)
            columns.append((second > 0).astype(np.float64) - (first > 0))
            both = (first > 0) & (second > 0)
            columns.append(np.where(both, second - first, np.nan))
            columns.append(np.where(both, scores.column(b) - scores.column(a), np.nan))
    return np.column_stack(columns)
