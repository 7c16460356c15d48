"""Who stands where by the verdicts of Lin et al. 2021 on all pairs? An order by tiers, in which nobody is on a board.

A run stands above every run it does better than. Runs that do better than each other in a circle share a place, and
each run says from whom it cannot be told apart: those two may stand either way round.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from toprung.analyses.inputs import check_run_count, find_named
from toprung.analyses.standings.tier_rows import BETTER, IN_CONFLICT, NOT_TOLD_APART, WORSE, TierRow
from toprung.analyses.standings.tier_words import explain_tiers, say_notes, say_tiers
from toprung.boards.engine.verdict import Verdict
from toprung.boards.lin2021.breakdown import FacetName, FacetTest, check_facet
from toprung.boards.lin2021.verdict import Decisions, Facet, decide, with_least_p
from toprung.boards.misalignment import audit_pairs
from toprung.data.matrices import FirstRanks
from toprung.errors import InputError
from toprung.result import Cell, Column, Explanation, Fact, Result, Rows, columns
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import Floats, Ints, check_share
from toprung.stats.pairs.pairwise import pair_facets
from toprung.stats.pairs.results import PairFacets, Pairs
from toprung.stats.ranks.places import places_of
from toprung.stats.ranks.tiers import Tier, order_tiers
from toprung.words.wording import fit_names, show_number, show_share
from toprung.workers import IN_PROCESS, Workers

type Relations = NDArray[np.int8]

NAMES_WIDTH = 24
LIN2021 = "lin2021"
"""What the order is called."""


def standings_by_tiers(
    ranks: FirstRanks,
    *,
    facet: FacetName = "esl",
    facet_test: FacetTest = "t",
    alpha: float = 0.05,
    submitted_at: Mapping[str, date] | None = None,
    seed: int = 0,
    workers: Workers = IN_PROCESS,
) -> TierStandings:
    """Order runs by the verdicts on all pairs, beside the order by score.

    Parameters
    ----------
    ranks
        First relevant ranks, queries × runs.
    facet, facet_test
        The ranking facet is judged by search length (``"esl"``) or by ``"rr"`` where both answer, with the paired
        t-test or the signed-rank test.
    submitted_at
        When runs were submitted: of runs with the same score and the same number of answers the earlier goes first.
    seed
        Of the signed-rank test's permutations, which only fewer than 50 queries need.
    workers
        Who does the work, by blocks of pairs; the result is the same.

    Examples
    --------
    >>> values = np.array([[3, 1], [4, 2], [9, 2], [0, 1], [7, 3], [5, 2]], dtype=np.int32)
    >>> ranks = FirstRanks(query_ids=("1", "2", "3", "4", "5", "6"), runs=("old", "new"), values=values, cutoff=10)
    >>> print(standings_by_tiers(ranks).sentence)
    By Lin et al. 2021: new stands first by evidence and by RR@10: it does better than the other run.

    """
    _check(ranks, facet, facet_test, alpha, submitted_at)
    facets = pair_facets(ranks.values, facet=facet, seed=seed, workers=workers)
    outcomes, decisions = facets.outcomes, _judge_pairs(facets, facet=facet, facet_test=facet_test, alpha=alpha)
    reciprocal = ranks.reciprocal()
    scores = np.array([math.fsum(column.tolist()) for column in reciprocal.values.T]) / len(ranks.query_ids)
    answered = np.count_nonzero(ranks.values, axis=0)
    failed = audit_pairs(ranks)
    when = {run: _to_text(moment) for run, moment in (submitted_at or {}).items()}
    never = "~"  # behind every date
    keys = [
        (-round(float(scores[run]), MEAN_DIGITS), -int(answered[run]), when.get(name, never), name)
        for run, name in enumerate(ranks.runs)
    ]
    return TierStandings(
        measure=reciprocal.measure,
        runs=ranks.runs,
        n_queries=len(ranks.query_ids),
        scores=scores,
        answered=answered,
        total_esl=ranks.values.sum(axis=0, dtype=np.int64),
        relations=_to_relations(decisions, outcomes.pairs, len(ranks.runs)),
        tiers=order_tiers(keys, _winners(decisions, outcomes.pairs)),
        alignment_warning=failed.warning if failed else "",
        facet=facet,
        facet_test=facet_test,
        alpha=alpha,
        seed=seed,
        has_dates=bool(when),
        digest=ranks.digest,
        remarks=ranks.remarks,
    )


def _check(
    ranks: FirstRanks, facet: str, facet_test: str, alpha: float, submitted_at: Mapping[str, date] | None
) -> None:
    check_run_count(ranks.runs)
    if not ranks.query_ids:
        raise InputError("Found no queries; expected at least one to compare runs on.")
    check_facet(facet, facet_test)
    check_share(alpha, name="alpha")
    unknown = [run for run in submitted_at or () if run not in ranks.runs]
    if unknown:
        raise InputError(f"submitted_at: found no run '{unknown[0]}'; expected one of {', '.join(ranks.runs)}.")


def _to_text(moment: date) -> str:
    """A date or time as text that sorts; times with a zone as UTC."""
    if isinstance(moment, datetime) and moment.tzinfo is not None:
        moment = moment.astimezone(UTC).replace(tzinfo=None)
    return moment.isoformat()


def _judge_pairs(facets: PairFacets, *, facet: FacetName, facet_test: FacetTest, alpha: float) -> Decisions:
    found = facets.t if facet_test == "t" else facets.signed_rank
    p = with_least_p(found.p, facets.t.is_constant, facets.outcomes.both) if facet_test == "t" else found.p
    towards_b = -1 if facet == "esl" else 1  # a short search is good, a high RR is good
    ranking = Facet.of(p, towards_b * found.direction.astype(np.int64))
    answered = Facet.of(facets.outcomes.p, facets.outcomes.direction.astype(np.int64))
    return decide(answered, ranking, alpha=alpha)


def _to_relations(decisions: Decisions, pairs: Pairs, n_runs: int) -> Relations:
    """Runs × runs, from the view of the row."""
    relations = np.full((n_runs, n_runs), NOT_TOLD_APART, dtype=np.int8)
    for verdict, of_a, of_b in (
        (Verdict.A, BETTER, WORSE),
        (Verdict.B, WORSE, BETTER),
        (Verdict.CONFLICT, IN_CONFLICT, IN_CONFLICT),
    ):
        is_so = decisions.verdicts == verdict.value
        relations[pairs.first[is_so], pairs.second[is_so]] = of_a
        relations[pairs.second[is_so], pairs.first[is_so]] = of_b
    return relations


def _winners(decisions: Decisions, pairs: Pairs) -> Iterator[tuple[int, int]]:
    """Winner and loser of every pair that has one."""
    for verdict, winner, loser in ((Verdict.A, pairs.first, pairs.second), (Verdict.B, pairs.second, pairs.first)):
        is_so = decisions.verdicts == verdict.value
        yield from zip(winner[is_so].tolist(), loser[is_so].tolist(), strict=True)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class TierStandings(Result):
    """Runs in the order the evidence allows, with the order by score beside it.

    ``tiers`` holds columns of ``runs``; ``relations`` says for each two columns what the first is to the second.
    """

    FIGURES = (
        "measure",
        Rows(
            "standings",
            of="rows",
            columns=(
                *columns(int, "place score_place"),
                Column("run", str),
                *columns(float, "score answered mean_esl"),
                Column("tier", int),
                Column("is_cyclic", bool),
                *columns(list, "better_than worse_than cannot_be_told_apart_from in_conflict_with"),
            ),
        ),
        Rows("tiers", of="_named_tiers", columns=("runs=0 is_cyclic=1",)),
    )
    MADE_FROM = (
        "measure ranks_digest=digest n_queries n_runs=len(runs)",
        Fact("rule", lambda _: LIN2021),
        Fact("tests", lambda found: f"exact binomial, {found.facet_test}"),
        "facet alpha seed",
    )

    measure: str
    runs: tuple[str, ...]
    n_queries: int
    scores: Floats
    answered: Ints
    total_esl: Ints
    relations: Relations
    tiers: tuple[Tier, ...]
    alignment_warning: str
    facet: FacetName
    facet_test: FacetTest
    alpha: float
    seed: int
    has_dates: bool
    digest: str
    """Of the ranks."""
    remarks: tuple[str, ...] = ()

    @cached_property
    def rows(self) -> tuple[TierRow, ...]:
        """One row a run, from the top down."""
        order = [run for tier in self.tiers for run in tier.items]
        score_places = places_of(self.scores)
        rows: list[TierRow] = []
        for number, tier in enumerate(self.tiers, start=1):
            place = len(rows) + 1
            rows += [
                TierRow(
                    place=place,
                    score_place=int(score_places[run]),
                    run=self.runs[run],
                    score=float(self.scores[run]),
                    answered=float(self.answered[run]) / self.n_queries,
                    mean_esl=float(self.total_esl[run] / self.answered[run]) if self.answered[run] else math.nan,
                    tier=number,
                    is_cyclic=tier.is_cyclic,
                    better_than=self._related(run, BETTER, order),
                    worse_than=self._related(run, WORSE, order),
                    cannot_be_told_apart_from=self._related(run, NOT_TOLD_APART, order),
                    in_conflict_with=self._related(run, IN_CONFLICT, order),
                )
                for run in tier.items
            ]
        return tuple(rows)

    def _related(self, run: int, relation: int, order: Sequence[int]) -> tuple[str, ...]:
        places = np.flatnonzero(self.relations[run, list(order)] == relation)
        return tuple(self.runs[order[place]] for place in places.tolist() if order[place] != run)

    def __getitem__(self, run: str) -> TierRow:
        return find_named("run", run, {row.run: row for row in self.rows})

    @property
    def sentence(self) -> str:
        return say_tiers(self)

    @property
    def _named_tiers(self) -> list[tuple[list[str], bool]]:
        return [([self.runs[run] for run in tier.items], tier.is_cyclic) for tier in self.tiers]

    def cells(self) -> Sequence[Cell]:
        conflicts = Cell("conflict with", lambda row: fit_names(row.in_conflict_with, NAMES_WIDTH // 2))
        return (
            Cell("place", lambda row: f"{row.place}{' (circle)' if row.is_cyclic else ''}", is_number=True),
            Cell("by score", lambda row: str(row.score_place), is_number=True),
            Cell("run", lambda row: row.run),
            Cell(self.measure, lambda row: show_number(row.score, 4), is_number=True),
            Cell("answered", lambda row: show_share(row.answered), is_number=True),
            Cell("ESL", lambda row: show_number(row.mean_esl, 2), is_number=True),
            Cell("better", lambda row: str(len(row.better_than)), is_number=True),
            Cell("worse", lambda row: str(len(row.worse_than)), is_number=True),
            *([conflicts] if any(row.in_conflict_with for row in self.rows) else []),
            Cell("cannot be told apart", lambda row: fit_names(row.cannot_be_told_apart_from, NAMES_WIDTH)),
        )

    @property
    def notes(self) -> tuple[str, ...]:
        return (*say_notes(self), *self.remarks)

    @property
    def explanation(self) -> Explanation:
        return explain_tiers(self)

    @property
    def n_pairs(self) -> int:
        return len(self.runs) * (len(self.runs) - 1) // 2

    def __repr__(self) -> str:
        return f"TierStandings({len(self.runs):,} runs, {len(self.tiers):,} tiers, {self.n_queries:,} queries)"
