"""What goes into the paper? Several measures in one table: figures, what differs beyond chance, and words beside it.

Nothing is decided here: who may be best and who differs from whom comes from the top group of each measure
(``toprung.boards.engine.top_group``), as on its leaderboard.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from toprung.analyses.inputs import check_run_count
from toprung.analyses.subject import check_source, evaluate_labels, is_scores_alone, to_score_table
from toprung.analyses.table.columns import MeasureColumn, make_column
from toprung.analyses.table.paper import write_passages
from toprung.analyses.table.rows import TableEntry, find_letters, make_entries, make_pairs_table, make_table
from toprung.analyses.table.words import explain, say_family, say_notes, say_table
from toprung.data.matrices import FirstRanks, ScoreTable, to_scores
from toprung.errors import InputError, check_choice
from toprung.result import Column, Explanation, Passage, Result, Rows, Table, columns
from toprung.scoring.catalogue import AnyMeasure
from toprung.scoring.evaluate import to_measures
from toprung.scoring.evaluation import Evaluation
from toprung.stats.inputs import check_share
from toprung.words.wording import say_queries

type Marks = Literal["differs", "better"]
type RowOrder = Literal["score", "given"]
MARKS: tuple[Marks, ...] = ("differs", "better")
ORDERS: tuple[RowOrder, ...] = ("score", "given")
MOST_DECIMALS = 10


def table(
    labels: Any,
    runs: Any = None,
    measures: str | AnyMeasure | Sequence[str | AnyMeasure] | None = None,
    *,
    baseline: str | None = None,
    marks: Marks = "differs",
    order: RowOrder = "score",
    decimals: int = 4,
    alpha: float = 0.05,
    seed: int = 0,
) -> PaperTable:
    """Make the table of a paper.

    Parameters
    ----------
    labels, runs, measures
        As ``evaluate`` takes them; without measures the labels choose one. Or an ``Evaluation``, of all its measures or
        those named; or one or several matrices of the same queries and runs, one for each measure. Or scores that
        other tools computed, as an array, a frame or a dict of dicts; of a frame with several measures those named.
    baseline
        A run: then marks say who is better and who is worse than it, instead of letters.
    marks
        Letters name the runs that a run ``"differs"`` from, or only those that it is ``"better"`` than.
    order
        Rows by the first measure, the best first, or as ``"given"``.
    decimals
        Of the figures that people read; CSV and JSON have all.
    alpha
        The chance, measure by measure, that any two runs are told apart wrongly.
    seed
        Of the resamples.

    Examples
    --------
    >>> import numpy as np
    >>> old, noise = np.arange(8) / 40, np.tile([0.1, -0.08], 4)
    >>> values = np.column_stack([old, old + 0.3, old + 0.3 + noise])
    >>> scores = ScoreTable(query_ids=tuple("abcdefgh"), runs=("x", "y", "z"), values=values, measure="nDCG@10")
    >>> print(table([scores], decimals=2).table.to_text())
       run  nDCG@10
    a  z       0.40*†c
    b  y       0.39 †c
    c  x       0.09 ab

    """
    check_share(alpha, name="alpha")
    check_choice(marks, MARKS, name="marks")
    check_choice(order, ORDERS, name="order")
    if not 0 <= decimals <= MOST_DECIMALS:
        raise InputError(f"decimals: found {decimals}; expected 0 to {MOST_DECIMALS}.")
    if is_scores_alone(labels, runs):
        named = list(measures) if isinstance(measures, list | tuple) else [measures]
        labels, runs, measures = [to_score_table(labels, runs, each) for each in named], None, None
    matrices = _to_matrices(labels, runs, measures)
    _check_alike(matrices)
    if baseline is not None and baseline not in matrices[0].runs:
        raise InputError(f"baseline: found no run '{baseline}'; expected one of {', '.join(matrices[0].runs)}.")
    made = tuple(make_column(each, alpha=alpha, seed=seed) for each in matrices)
    return PaperTable(
        measured=made,
        runs=made[0].ordered_runs if order == "score" else made[0].scores.runs,
        baseline=baseline,
        marks=marks,
        decimals=decimals,
        is_scored_here=runs is not None or isinstance(labels, Evaluation),
        alpha=alpha,
        seed=seed,
    )


def _to_matrices(source: Any, runs: Any, measures: Any) -> list[ScoreTable]:
    if runs is None and not isinstance(source, Evaluation):
        return _of_matrices(source, measures)
    check_source(source, runs)
    if isinstance(source, Evaluation):
        return _of_evaluation(source, measures)
    found, remarks = evaluate_labels(source, runs, measures)
    first, *others = _of_evaluation(found, None)
    return [replace(first, remarks=(*remarks, *first.remarks)), *others]


def _of_matrices(given: Any, measures: Any) -> list[ScoreTable]:
    if measures is not None:
        raise InputError("Found measures without runs; expected labels, runs and measures, or matrices alone.")
    several = [given] if isinstance(given, FirstRanks | ScoreTable) else given
    matrices = list(several) if isinstance(several, Iterable) and not isinstance(several, str | Mapping) else []
    if not matrices or not all(isinstance(each, FirstRanks | ScoreTable) for each in matrices):
        raise InputError("Found no runs; expected labels, runs and measures, or matrices of queries × runs.")
    return [to_scores(each) for each in matrices]


def _of_evaluation(evaluation: Evaluation, measures: Any) -> list[ScoreTable]:
    if not evaluation.policies.may_rank:
        raise InputError(
            "Found means over the queries that each run has; expected means over all labelled queries, else runs "
            'cannot be compared. Evaluate with denominator "qrels".'
        )
    asked = evaluation.measures if measures is None else to_measures(measures)
    return [evaluation.score_table(str(measure)) for measure in asked]


def _check_alike(matrices: Sequence[ScoreTable]) -> None:
    """The same queries and runs, each measure once."""
    first, *others = matrices
    check_run_count(first.runs)
    if not first.query_ids:
        raise InputError("Found 0 queries; expected at least one.")
    for each in others:
        if set(each.runs) != set(first.runs):
            raise InputError(f"Found other runs in {each.measure} than in {first.measure}; expected the same.")
        if each.query_ids != first.query_ids:
            found = f"{say_queries(len(first.query_ids))} of {first.measure} and other ones of {each.measure}"
            raise InputError(f"Found {found}; expected the same.")
    names = [each.measure for each in matrices]
    repeated = [name for name in names if names.count(name) > 1]
    if repeated:
        raise InputError(f"Found {repeated[0]} twice; expected each measure once.")


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class PaperTable(Result):
    """Measures × runs, with marks; ``caption``, ``methods`` and ``bibtex`` are there to paste."""

    FIGURES = (
        "measures baseline caption methods bibtex",
        Rows(
            "entries",
            columns=(
                *columns(str, "run letter measure"),
                Column("value"),
                *columns(bool, "is_best may_be_best"),
                *columns(list, "better_than worse_than"),
                Column("difference"),
                Column("p_alone"),
            ),
        ),
    )
    MADE_FROM = (
        "scores_digests=digests n_queries n_runs=len(runs) n_pairs family alpha",
        "resamples seed",
    )

    measured: tuple[MeasureColumn, ...]
    runs: tuple[str, ...]
    """In the order of the rows."""
    baseline: str | None
    marks: Marks
    decimals: int
    is_scored_here: bool
    """Whether labels and runs were given, not scores."""
    alpha: float
    seed: int

    @property
    def measures(self) -> tuple[str, ...]:
        return tuple(each.measure for each in self.measured)

    @property
    def n_queries(self) -> int:
        return len(self.measured[0].scores.query_ids)

    @property
    def n_pairs(self) -> int:
        return len(self.runs) * (len(self.runs) - 1) // 2

    @property
    def digests(self) -> dict[str, str]:
        return {each.measure: each.scores.digest for each in self.measured}

    @property
    def resamples(self) -> int | None:
        return next((each.top.intervals.resamples for each in self.measured if each.top is not None), None)

    @property
    def family(self) -> str:
        """Which comparisons are held to the level together."""
        return say_family(self)

    @cached_property
    def letters(self) -> dict[str, str]:
        """By run; none where marks are against a baseline, or there are too many runs."""
        return find_letters(self.runs, self.baseline)

    @cached_property
    def entries(self) -> tuple[TableEntry, ...]:
        """Every figure, run by run."""
        return make_entries(self)

    def top_group(self, measure: str) -> tuple[str, ...] | None:
        """The runs that may be best by a measure, in order of score; None where it is not marked."""
        found = [each for each in self.measured if each.measure == measure]
        if not found:
            raise InputError(f"Found no measure '{measure}'; expected one of {', '.join(self.measures)}.")
        return None if found[0].top is None else found[0].top.members

    @property
    def sentence(self) -> str:
        return say_table(self)

    @property
    def table(self) -> Table:
        return make_table(self)

    @property
    def tables(self) -> tuple[tuple[str, Table], ...]:
        if self.baseline is None:
            return super().tables
        alone = ", each pair by itself, for information" if len(self.runs) > 2 else ""
        heading = f"Each run less {self.baseline}{alone}"
        return (*super().tables, (heading, make_pairs_table(self, self.baseline)))

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        return write_passages(self)

    @property
    def caption(self) -> str:
        return self.passages[0].text

    @property
    def methods(self) -> str:
        return self.passages[1].text

    @property
    def bibtex(self) -> str:
        """The entries of all that the methods cite."""
        return self.passages[2].text

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(say_notes(self))

    @property
    def explanation(self) -> Explanation:
        return explain(self)

    def __str__(self) -> str:
        return f"{super().__str__()}\nIn plain text a star stands for bold."

    def __repr__(self) -> str:
        return f"PaperTable({len(self.runs):,} runs, {len(self.measured):,} measures, {self.n_queries:,} queries)"
