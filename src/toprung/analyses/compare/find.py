"""Is B really better than A? Takes pairs of runs apart and says what the evidence supports.

B is the challenger or newer run, A the holder or baseline; a difference is B less A.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import batched, chain, combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from toprung.analyses.compare import tables
from toprung.analyses.inputs import check_run_count
from toprung.boards.lin2021.breakdown import Breakdown, FacetName, FacetTest, break_down, check_facet
from toprung.boards.lin2021.verdict import LinRule
from toprung.boards.words import explain_comparisons, say_notes, say_pair
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.errors import InputError
from toprung.result import Explanation, Result, Table, json_safe
from toprung.stats.finding import Scale
from toprung.stats.inputs import check_share
from toprung.stats.intervals.bootstrap import RESAMPLES, Effect, mean_intervals
from toprung.stats.intervals.effects import cliffs_delta, cohens_dz
from toprung.stats.tests.corrections import CORRECTION_NAMES, SHORT_CORRECTIONS, find_correction
from toprung.stats.tests.counts import WinCount, sign_test
from toprung.stats.tests.paired_t import PairedT, paired_t_test
from toprung.stats.tests.power import minimum_detectable_difference
from toprung.stats.tests.rank_sum import RankSum, rank_sum_test
from toprung.stats.tests.signed_rank import Method, SignedRank, signed_rank_test
from toprung.version import __version__

if TYPE_CHECKING:
    import polars as pl

type Pair = tuple[str, str]

PAIRS_AT_A_TIME = 200
"""Whose differences are held in memory together."""


@dataclass(frozen=True, kw_only=True)
class NaiveTests:
    """The tests people run on a measure over all queries, whatever its scale permits."""

    rank_sum: RankSum
    signed_rank: SignedRank
    t: PairedT
    sign: WinCount


@dataclass(frozen=True, kw_only=True)
class PairComparison:
    """One pair of runs under one measure; ``breakdown`` is there when ranks are."""

    a: str
    b: str
    measure: str
    scale: Scale | None
    mean_a: float
    mean_b: float
    difference: Effect
    naive: NaiveTests
    cohens_dz: float
    cliffs_delta: float
    breakdown: Breakdown | None
    alpha: float
    cutoff: int | None = None
    """How far the rankings were read; None where that is not known."""

    @property
    def n(self) -> int:
        return self.naive.t.n

    @property
    def detectable(self) -> float:
        """The smallest difference these queries would show with a power of 0.8."""
        sd = self.naive.t.sd
        return math.nan if not sd > 0 else minimum_detectable_difference(sd, self.n, alpha=self.alpha)

    @property
    def reason(self) -> str:
        """What a person would say."""
        return say_pair(self)

    def p_values(self) -> dict[str, float]:
        """Every p-value by its column name."""
        naive = {
            "wrs_p": self.naive.rank_sum.p,
            "wsr_p": self.naive.signed_rank.p,
            "t_p": self.naive.t.p,
            "sign_p": self.naive.sign.p,
        }
        if self.breakdown is None:
            return naive
        return naive | {
            "case2_p": self.breakdown.only_one.p,
            "esl_wsr_p": self.breakdown.esl.signed_rank.p,
            "esl_t_p": self.breakdown.esl.t.p,
            "rr_wsr_p": self.breakdown.rr.signed_rank.p,
            "rr_t_p": self.breakdown.rr.t.p,
            "claim_p": self.breakdown.claim_p,
        }


def compare(
    runs: FirstRanks | ScoreTable | Sequence[FirstRanks | ScoreTable],
    pairs: Iterable[Pair] | None = None,
    *,
    scale: Scale | None = None,
    facet: FacetName = "esl",
    facet_test: FacetTest = "t",
    rule: LinRule = LinRule.NO_HARM,
    correction: str = "holm",
    alpha: float = 0.05,
    method: Method = "auto",
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Comparisons:
    """Compare pairs of runs.

    Parameters
    ----------
    runs
        First ranks, which give the outcome breakdown; several of them for the first, second, … relevant document; or
        the scores of any measure, which can only be compared naively.
    pairs
        Pairs ``(A, B)``; by default the first run against each other one.
    scale
        What the scores of a measure permit, where it is known; RR is ordinal.
    facet, facet_test
        The ranking facet is judged by search length (``"esl"``) or by ``"rr"`` where both answer, with the paired
        t-test or the signed-rank test.
    rule
        What a claim to be better must show: both facets (``SIGNIFICANT``), or one without harm to the other.
    correction
        ``"raw"``, ``"bonferroni"``, ``"holm"`` or ``"bh"``; the family is the comparisons of this report, per test.

    """
    correct = find_correction(correction)
    rule = _to_rule(rule)
    check_facet(facet, facet_test)
    check_share(alpha, name="alpha")
    matrices = [runs] if isinstance(runs, FirstRanks | ScoreTable) else list(runs)
    _check_matrices(matrices)
    if resamples < 1:
        raise InputError(f"resamples: found {resamples}; expected at least 1.")
    compared: list[PairComparison] = []
    for matrix in matrices:
        chosen = _choose_pairs(matrix, pairs)
        compared += _compare_matrix(
            matrix,
            chosen,
            scale=Scale.ORDINAL if isinstance(matrix, FirstRanks) else scale,
            break_down_pair=partial(
                break_down, facet=facet, facet_test=facet_test, rule=rule, alpha=alpha, method=method, seed=seed
            ),
            alpha=alpha,
            method=method,
            resamples=resamples,
            seed=seed,
        )
    return Comparisons(
        pairs=tuple(compared),
        correction=correction,
        correct=correct,
        alpha=alpha,
        rule=rule,
        seed=seed,
        digests=tuple(matrix.digest for matrix in matrices),
        resamples=resamples,
        remarks=matrices[0].remarks,
    )


def _to_rule(rule: str) -> LinRule:
    try:
        return LinRule(rule)
    except ValueError:
        raise InputError(f"rule: found {rule!r}; expected one of {', '.join(LinRule)}.") from None


def pairs_with(baseline: str, runs: Iterable[str]) -> list[Pair]:
    """Every other run as a challenger of the baseline."""
    return [(baseline, run) for run in runs if run != baseline]


def all_pairs_of(runs: Sequence[str]) -> list[Pair]:
    """Every pair, the earlier run as A."""
    return list(combinations(runs, 2))


def _check_matrices(matrices: Sequence[FirstRanks | ScoreTable]) -> None:
    if not matrices:
        raise InputError("Found no matrix; expected first ranks or scores.")
    if len({type(matrix) for matrix in matrices}) > 1:
        raise InputError("Found first ranks and scores together; expected one kind in a report.")
    if not all(len(matrix.query_ids) for matrix in matrices):
        raise InputError("Found no queries; expected at least one.")


def _choose_pairs(matrix: FirstRanks | ScoreTable, pairs: Iterable[Pair] | None) -> list[Pair]:
    check_run_count(len(matrix.runs))
    chosen = pairs_with(matrix.runs[0], matrix.runs) if pairs is None else list(pairs)
    for name in (name for pair in chosen for name in pair):
        matrix.column(name)  # an unknown name is refused here
    if not chosen:
        raise InputError("Found no pairs; expected at least one.")
    if any(a == b for a, b in chosen):
        raise InputError(f"Found '{next(a for a, b in chosen if a == b)}' compared with itself; expected two runs.")
    return chosen


def _compare_matrix(
    matrix: FirstRanks | ScoreTable,
    pairs: list[Pair],
    *,
    scale: Scale | None,
    break_down_pair: Callable[..., Breakdown],
    alpha: float,
    method: Method,
    resamples: int,
    seed: int,
) -> list[PairComparison]:
    ranks = matrix if isinstance(matrix, FirstRanks) else None
    scores = matrix.reciprocal() if isinstance(matrix, FirstRanks) else matrix
    _refuse_missing(scores)
    effects = chain.from_iterable(
        mean_intervals(_difference_columns(scores, ranks, part), resamples=resamples, rng=seed)
        for part in batched(pairs, PAIRS_AT_A_TIME)  # each part draws the same resamples
    )
    compared = []
    for name_a, name_b in pairs:
        a, b = scores.column(name_a), scores.column(name_b)
        compared.append(
            PairComparison(
                a=name_a,
                b=name_b,
                measure=scores.measure,
                scale=scale,
                mean_a=math.fsum(a.tolist()) / len(a),
                mean_b=math.fsum(b.tolist()) / len(b),
                difference=next(effects),
                naive=NaiveTests(
                    rank_sum=rank_sum_test(a, b),
                    signed_rank=signed_rank_test(a, b, method=method, rng=seed),
                    t=paired_t_test(a, b),
                    sign=sign_test(a, b),
                ),
                cohens_dz=cohens_dz(a, b),
                cliffs_delta=cliffs_delta(a, b),
                breakdown=break_down_pair(
                    ranks.column(name_a),
                    ranks.column(name_b),
                    answered_difference=next(effects),
                    search_difference=next(effects),
                    rr_difference=next(effects),
                )
                if ranks
                else None,
                alpha=alpha,
                cutoff=ranks.cutoff if ranks else None,
            )
        )
    return compared


def _refuse_missing(scores: ScoreTable) -> None:
    if np.isnan(scores.values).any():
        raise InputError(
            f"Found queries without a value of {scores.measure}; expected one for every query and run. "
            "Compare first ranks instead: they keep answered and unanswered queries apart."
        )


def _difference_columns(scores: ScoreTable, ranks: FirstRanks | None, pairs: Sequence[Pair]) -> Any:
    """For each pair the columns whose means get an interval: measure, answered, search length and RR where both."""
    columns = []
    for a, b in pairs:
        columns.append(scores.column(b) - scores.column(a))
        if ranks is not None:
            first, second = ranks.column(a).astype(np.float64), ranks.column(b).astype(np.float64)
            columns.append((second > 0).astype(np.float64) - (first > 0))
            both = (first > 0) & (second > 0)
            columns.append(np.where(both, second - first, np.nan))
            columns.append(np.where(both, scores.column(b) - scores.column(a), np.nan))
    return np.column_stack(columns)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Comparisons(Result):
    """Pairs of runs compared, with p-values raw and corrected over the comparisons of this report."""

    pairs: tuple[PairComparison, ...]
    correction: str
    correct: Callable[[Any], Any]
    alpha: float
    rule: LinRule
    seed: int
    digests: tuple[str, ...]
    """Of the matrices compared."""
    resamples: int
    remarks: tuple[str, ...] = ()
    """What to know of the runs themselves."""

    def __getitem__(self, pair: Pair) -> PairComparison:
        for each in self.pairs:
            if (each.a, each.b) == pair:
                return each
        raise InputError(f"Found no comparison of {pair[1]} with {pair[0]} in this report.")

    @cached_property
    def corrected(self) -> tuple[dict[str, float], ...]:
        """For each pair its p-values, corrected; the family is this report, per test."""
        raw = [pair.p_values() for pair in self.pairs]
        columns = {name: self.correct([each[name] for each in raw]).tolist() for name in raw[0]}
        return tuple({name: columns[name][row] for name in columns} for row in range(len(raw)))

    @property
    def sentence(self) -> str:
        if len(self.pairs) == 1:
            return self.pairs[0].reason
        verdicts = [pair.breakdown.verdict.value if pair.breakdown else "" for pair in self.pairs]
        if not any(verdicts):
            significant = sum(each["t_p"] <= self.alpha for each in self.corrected)
            return (
                f"Of {len(self.pairs)} pairs, {significant} differ in {self.pairs[0].measure} beyond chance by the "
                f"paired t-test {CORRECTION_NAMES[self.correction]}; the others cannot be told apart."
            )
        parts = [
            f"{words} in {verdicts.count(verdict)}"
            for verdict, words in (
                ("B", "B is better"),
                ("A", "A is better"),
                ("conflict", "each is better in one way"),
                ("tied", "they cannot be told apart"),
            )
            if verdict in verdicts
        ]
        return f"Of {len(self.pairs)} comparisons: {', '.join(parts)}."

    @property
    def table(self) -> Table:
        if len(self.pairs) == 1:
            return tables.evidence(self.pairs[0])
        return tables.overview(self.pairs, self.corrected)

    @property
    def notes(self) -> tuple[str, ...]:
        notes = say_notes(self.pairs[0]) if len(self.pairs) == 1 else self._family_notes()
        return (*notes, *self.remarks)

    @property
    def explanation(self) -> Explanation:
        return explain_comparisons(self)

    def _family_notes(self) -> Iterator[str]:
        yield (
            f"Corrected: {SHORT_CORRECTIONS[self.correction]} over the {len(self.pairs)} comparisons of this report, "
            "per test. Verdicts are pair by pair, from raw p-values."
        )
        if self.pairs[0].breakdown:
            yield f"Claim p: of the claim that B is better under the rule {self.rule.value.replace('_', ' ')}."
        misaligned = [pair for pair in self.pairs if pair.breakdown and pair.breakdown.alignment.warning]
        if misaligned:
            first = misaligned[0]
            warning = first.breakdown.alignment.warning if first.breakdown else ""
            share = f"{len(misaligned)} of {len(self.pairs)} pairs"
            yield f"Alignment, in {share}, such as {first.a} and {first.b}: {warning}."

    @property
    def provenance(self) -> dict[str, object]:
        first = self.pairs[0]
        facet = {"facet": first.breakdown.facet, "facet_test": first.breakdown.facet_test} if first.breakdown else {}
        return {
            "measure": ", ".join(dict.fromkeys(pair.measure for pair in self.pairs)),
            "matrix_digest": ", ".join(self.digests),
            "n_queries": ", ".join(dict.fromkeys(f"{pair.n}" for pair in self.pairs)),
            **facet,
            "interval": f"BCa bootstrap, {self.resamples:,} samples",
            "alpha": self.alpha,
            "correction": self.correction,
            "rule": self.rule.value,
            "seed": self.seed,
            "toprung": __version__,
        }

    def rows(self) -> list[dict[str, Any]]:
        """One row for each pair, with the columns of the published tables first."""
        return [tables.csv_row(pair, corrected) for pair, corrected in zip(self.pairs, self.corrected, strict=True)]

    def to_frame(self) -> pl.DataFrame:
        import polars as pl

        return pl.DataFrame(self.rows(), infer_schema_length=None)

    def tidy_rows(self) -> tuple[tuple[str, ...], Iterable[tuple[object, ...]]]:
        rows = self.rows()
        return tuple(rows[0]), (tuple(row.values()) for row in rows)

    def to_dict(self) -> dict[str, Any]:
        return {
            "sentence": self.sentence,
            "notes": list(self.notes),
            "pairs": json_safe(self.rows()),
            "provenance": self.provenance,
        }

    def paper_tables(self) -> tuple[Table, ...]:
        """The two tables of Lin et al. 2021: naive tests, and the breakdown."""
        return tables.paper_tables(self.pairs)
