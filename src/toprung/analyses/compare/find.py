"""Is B really better than A? Takes pairs of runs apart and says what the evidence supports.

B is the challenger or newer run, A the holder or baseline; a difference is B less A.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any

from toprung.analyses.compare import columns, tables
from toprung.analyses.compare.making import HowToCompare, compare_matrix
from toprung.analyses.compare.pair import LIN2021, Pair, PairComparison, PairRule
from toprung.analyses.compare.words import explain_comparisons, say_alone, say_family, say_notes
from toprung.analyses.inputs import check_run_count
from toprung.analyses.subject import MeasureName, Source, to_matrix
from toprung.boards.engine.defaults import default_rule
from toprung.boards.engine.margins import USUAL_MARGINS, Margins
from toprung.boards.engine.rules import ClaimPolicy, Rule
from toprung.boards.engine.top_group import TopGroup, find_top_group
from toprung.boards.lin2021.breakdown import FacetName, FacetTest, check_facet
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.errors import InputError, check_choice
from toprung.result import Explanation, Result, Table, json_safe
from toprung.stats.finding import Scale
from toprung.stats.intervals.bootstrap import RESAMPLES
from toprung.stats.sequences.online import DEFAULT_GAMMA, Gamma
from toprung.stats.tests.corrections import SHORT_CORRECTIONS, find_correction
from toprung.stats.tests.signed_rank import Method
from toprung.version import __version__
from toprung.words.wording import say_type

if TYPE_CHECKING:
    import polars as pl

LEAST_AT_ONCE = 3
"""Runs from which on all pairs are compared at once: of two the pair itself is all there is."""


def compare(
    matrix: Source | Sequence[FirstRanks],
    runs: Any = None,
    measure: MeasureName = None,
    *,
    pairs: Iterable[Pair] | None = None,
    rule: str | None = None,
    alpha: float = 0.05,
    margins: Margins = USUAL_MARGINS,
    gamma: Gamma = DEFAULT_GAMMA,
    facet: FacetName = "esl",
    facet_test: FacetTest = "t",
    correction: str = "holm",
    scale: Scale | None = None,
    top: TopGroup | None = None,
    tells_paper: bool = True,
    method: Method = "auto",
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Comparisons:
    """Compare pairs of runs.

    Parameters
    ----------
    matrix
        First ranks, which give the outcome breakdown; several of them for the first, second, … relevant document; the
        scores of any measure; what ``evaluate`` gave, or labels.
    runs, measure
        Of the labels, as in ``evaluate``; an evaluation of several measures needs the one that is asked about.
    pairs
        Pairs ``(A, B)``; by default the first run against each other one.
    rule
        What a claim to be better must show, ``no_harm`` for first ranks and ``measure`` for scores unless given; it
        never changes the verdict. ``"lin2021"`` asks for the verdict of Lin et al. 2021 instead.
    margins, gamma
        The harm that is small enough to bear, and what the level of a claim follows from.
    facet, facet_test
        By what Lin et al. 2021 judge ranking: search length (``"esl"``) or ``"rr"`` where both answer, with the paired
        t-test or the signed-rank test.
    correction
        ``"raw"``, ``"bonferroni"``, ``"holm"`` or ``"bh"``; the family is the comparisons of this report, per test.
        For information: verdicts are pair by pair.
    scale
        What the scores of a measure permit, where it is known; RR is ordinal.
    top
        What all runs are to each other, where it was found before: of more than two runs it is what is said first.
    tells_paper
        Whether the verdict of Lin et al. 2021, which is of labels with one answer, has a line of its own.

    """
    correct = find_correction(correction)
    check_facet(facet, facet_test)
    is_several = isinstance(matrix, list | tuple)
    matrices = _read_several(matrix, runs, measure) if is_several else [to_matrix(matrix, runs, measure)]
    _check_matrices(matrices)
    if resamples < 1:
        raise InputError(f"resamples: found {resamples}; expected at least 1.")
    chosen = _to_rule(rule, matrices[0])
    tested = _usual_rule(matrices[0]) if chosen == LIN2021 else Rule(chosen)
    how = HowToCompare(
        policy=ClaimPolicy(rule=tested, alpha=alpha, margins=margins, gamma=gamma),
        is_by_paper=chosen == LIN2021,
        facet=facet,
        facet_test=facet_test,
        method=method,
        resamples=resamples,
        seed=seed,
    )
    return Comparisons(
        pairs=tuple(chain.from_iterable(_compare_pairs(each, pairs, how, scale, top) for each in matrices)),
        correction=correction,
        correct=correct,
        alpha=alpha,
        rule=chosen,
        seed=seed,
        digests=tuple(each.digest for each in matrices),
        resamples=resamples,
        remarks=matrices[0].remarks,
        n_runs=len(matrices[0].runs),
        tells_paper=tells_paper,
    )


def _compare_pairs(
    matrix: FirstRanks | ScoreTable,
    pairs: Iterable[Pair] | None,
    how: HowToCompare,
    scale: Scale | None,
    top: TopGroup | None,
) -> Iterator[PairComparison]:
    """Of one matrix, each with what it is where all runs are compared at once, if there are more than two."""
    scale = Scale.ORDINAL if isinstance(matrix, FirstRanks) else scale
    compared = compare_matrix(matrix, _choose_pairs(matrix, pairs), scale=scale, how=how)
    if how.is_by_paper or len(matrix.runs) < LEAST_AT_ONCE:
        yield from compared
        return
    among = top or find_top_group(matrix, alpha=how.policy.alpha, seed=how.seed)
    for pair in compared:
        yield replace(pair, at_once=among.relation(pair.a, pair.b))


def _usual_rule(matrix: FirstRanks | ScoreTable) -> Rule:
    return default_rule(None, has_ranks=isinstance(matrix, FirstRanks))


def _to_rule(rule: str | None, matrix: FirstRanks | ScoreTable) -> PairRule:
    """As asked for; else what first ranks, or scores, can be held to."""
    if rule is None:
        return _usual_rule(matrix)
    if rule == LIN2021:
        if not isinstance(matrix, FirstRanks):
            raise InputError(f"rule: found 'lin2021' with {matrix.measure}; expected first ranks, such as of RR@10.")
        return LIN2021
    check_choice(rule, (*Rule, LIN2021), name="rule")
    return Rule(rule)


def pairs_with(baseline: str, runs: Iterable[str]) -> list[Pair]:
    """Every other run as a challenger of the baseline."""
    return [(baseline, run) for run in runs if run != baseline]


def all_pairs_of(runs: Sequence[str]) -> list[Pair]:
    """Every pair, the earlier run as A."""
    return list(combinations(runs, 2))


def _read_several(given: Any, runs: Any, measure: MeasureName) -> list[FirstRanks | ScoreTable]:
    for each in given:
        if not isinstance(each, FirstRanks | ScoreTable):
            raise InputError(
                f"Found {say_type(given)} with {say_type(each)} in it; expected a matrix of queries × runs, such as "
                "a NumPy array, a frame or {run: {query: score}}, or several from read_ranks."
            )
    if runs is not None or measure is not None:
        raise InputError("Found runs or a measure beside matrices, which have theirs; expected the matrices alone.")
    return list(given)


def _check_matrices(matrices: Sequence[FirstRanks | ScoreTable]) -> None:
    if not matrices:
        raise InputError("Found no matrix; expected first ranks or scores.")
    if len({type(matrix) for matrix in matrices}) > 1:
        raise InputError("Found first ranks and scores together; expected one kind in a report.")
    if not all(len(matrix.query_ids) for matrix in matrices):
        raise InputError("Found no queries; expected at least one.")


def _choose_pairs(matrix: FirstRanks | ScoreTable, pairs: Iterable[Pair] | None) -> list[Pair]:
    check_run_count(matrix.runs)
    chosen = pairs_with(matrix.runs[0], matrix.runs) if pairs is None else list(pairs)
    for name in (name for pair in chosen for name in pair):
        matrix.column(name)  # an unknown name is refused here
    if not chosen:
        raise InputError("Found no pairs; expected at least one.")
    if any(a == b for a, b in chosen):
        raise InputError(f"Found '{next(a for a, b in chosen if a == b)}' compared with itself; expected two runs.")
    return chosen


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Comparisons(Result):
    """Pairs of runs compared, with p-values raw and corrected over the comparisons of this report."""

    pairs: tuple[PairComparison, ...]
    correction: str
    correct: Callable[[Any], Any]
    alpha: float
    rule: PairRule
    seed: int
    digests: tuple[str, ...]
    """Of the matrices compared."""
    resamples: int
    remarks: tuple[str, ...] = ()
    """What to know of the runs themselves."""
    n_runs: int = 2
    """That were compared at once."""
    tells_paper: bool = True

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
            return say_alone(self.pairs[0], self.n_runs)
        return say_family(self.pairs, self.n_runs)

    @property
    def table(self) -> Table:
        if len(self.pairs) == 1:
            return tables.evidence(self.pairs[0])
        return tables.overview(self.pairs, self.corrected)

    @property
    def notes(self) -> tuple[str, ...]:
        is_one = len(self.pairs) == 1
        notes = say_notes(self.pairs[0], tells_paper=self.tells_paper) if is_one else self._family_notes()
        return (*notes, *self.remarks)

    @property
    def explanation(self) -> Explanation:
        return explain_comparisons(self)

    def _family_notes(self) -> Iterator[str]:
        yield (
            f"Corrected: {SHORT_CORRECTIONS[self.correction]} over the {len(self.pairs)} comparisons of this report, "
            "per test, for information."
        )
        if self.pairs[0].at_once is not None:
            yield f"All at once: all {self.n_runs:,} runs, with {100 * (1 - self.alpha):g}% confidence; it goes first."
        yield f"This pair alone: at {self.alpha:g}, as if no other were compared."
        yield f"Claim p: of the claim that B is better under the rule {self.rule}."
        misaligned = [pair for pair in self.pairs if pair.breakdown and pair.breakdown.alignment.warning]
        if misaligned:
            first = misaligned[0]
            warning = first.breakdown.alignment.warning if first.breakdown else ""
            share = f"{len(misaligned)} of {len(self.pairs)} pairs"
            yield f"Alignment, in {share}, such as {first.a} and {first.b}: {warning}."

    @property
    def provenance(self) -> dict[str, object]:
        facets = self._facets_of_paper()
        return {
            "measure": ", ".join(dict.fromkeys(pair.measure for pair in self.pairs)),
            "matrix_digest": ", ".join(self.digests),
            "n_queries": ", ".join(dict.fromkeys(f"{pair.n}" for pair in self.pairs)),
            **facets,
            "interval": f"BCa bootstrap, {self.resamples:,} samples",
            "alpha": self.alpha,
            "correction": self.correction,
            "rule": str(self.rule),
            "seed": self.seed,
            "toprung": __version__,
        }

    def _facets_of_paper(self) -> dict[str, object]:
        """How Lin et al. 2021 were read, where it was asked for or is not as usual."""
        breakdown = self.pairs[0].breakdown
        if breakdown is None or (self.rule != LIN2021 and (breakdown.facet, breakdown.facet_test) == ("esl", "t")):
            return {}
        return {"facet": breakdown.facet, "facet_test": breakdown.facet_test}

    def rows(self) -> list[dict[str, Any]]:
        """One row for each pair, with the columns of the published tables first."""
        return [columns.csv_row(pair, corrected) for pair, corrected in zip(self.pairs, self.corrected, strict=True)]

    def to_frame(self) -> pl.DataFrame:
        from toprung.extras.frames import pl

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
        return columns.paper_tables(self.pairs)
