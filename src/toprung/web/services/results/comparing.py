"""How do two runs of a board compare? By the rules of the board, with what the library knows of a pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from toprung.analyses.compare.find import Comparisons, Pair, PairComparison, compare
from toprung.boards.engine.verdict import Verdict
from toprung.boards.lin2021.breakdown import Breakdown
from toprung.boards.lin2021.verdict import LinRule
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.errors import InputError
from toprung.scoring.catalogue import scale_of
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet


@dataclass(frozen=True, kw_only=True)
class Compared:
    """A pair as the library compared it."""

    found: Comparisons
    official: PairComparison | None
    """On the official measure; None where it has no value for some query of some run."""
    other_verdict: Verdict | None
    """By the other test of the ranking, where the two tests disagree."""

    @property
    def pair(self) -> PairComparison:
        return self.found.pairs[0]

    @property
    def breakdown(self) -> Breakdown:
        if self.pair.breakdown is None:
            raise LookupError(f"{self.pair.b} and {self.pair.a} have no ranks")
        return self.pair.breakdown


def compare_pairs(board: Board, ranks: FirstRanks, scores: ScoreTable, pairs: Sequence[Pair]) -> list[Compared]:
    """Each pair ``(A, B)`` by itself, as the board's rules have it; together, since they share their resamples."""
    found = _compare_ranks(board, ranks, pairs, facet_test=board.facet_test)
    official = found if ranks.measure == scores.measure else _compare_scores(board, scores, pairs)
    apart = [(pair.a, pair.b) for pair in found.pairs if _tests_disagree(pair.breakdown, board.alpha)]
    others = _verdicts_by_other_test(board, ranks, apart) if apart else {}
    return [
        Compared(
            found=replace(found, pairs=(pair,)),
            official=official.pairs[number] if official else None,
            other_verdict=others.get((pair.a, pair.b)),
        )
        for number, pair in enumerate(found.pairs)
    ]


def _verdicts_by_other_test(board: Board, ranks: FirstRanks, pairs: Sequence[Pair]) -> dict[Pair, Verdict]:
    found = _compare_ranks(board, ranks, pairs, facet_test="wsr" if board.facet_test == "t" else "t")
    return {(pair.a, pair.b): pair.breakdown.verdict for pair in found.pairs if pair.breakdown}


def _compare_ranks(board: Board, ranks: FirstRanks, pairs: Sequence[Pair], *, facet_test: str) -> Comparisons:
    return compare(
        ranks,
        pairs,
        facet=board.facet,  # type: ignore[arg-type]  # the choices are those of the library
        facet_test=facet_test,  # type: ignore[arg-type]  # the same
        rule=LinRule.SIGNIFICANT if board.rule == LinRule.SIGNIFICANT else LinRule.NO_HARM,
        alpha=board.alpha,
        seed=board.seed,
    )


def _compare_scores(board: Board, scores: ScoreTable, pairs: Sequence[Pair]) -> Comparisons | None:
    try:
        return compare(scores, pairs, scale=scale_of(scores.measure), alpha=board.alpha, seed=board.seed)
    except InputError:
        return None


def _tests_disagree(breakdown: Breakdown | None, alpha: float) -> bool:
    """On the ranking: one of the two sees a difference and the other does not, or sees the opposite."""
    if breakdown is None:
        return False
    judged = breakdown.ranking
    seen = [judged.facet_p("t") <= alpha, judged.facet_p("wsr") <= alpha]
    return seen[0] != seen[1] or (any(seen) and judged.tests_point_apart)


def comparison_key(board: Board, labels: LabelSet, challenger: str, holder: str) -> str:
    """A comparison is of two files and one version of the labels, as one policy shows it: it never changes."""
    return f"{challenger} {holder} v{labels.version} {board.release}"
