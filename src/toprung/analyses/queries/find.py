"""Which queries decide between two runs? Wins, losses and misses, the weightiest first, and slice by slice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from toprung.analyses.inputs import check_scores
from toprung.analyses.queries.rows import QueryCounts, QueryRow, count_outcomes, make_rows
from toprung.analyses.queries.slices import GivenSlices, Slices, find_slices
from toprung.analyses.queries.tables import main_cells, slice_table, text_table
from toprung.analyses.queries.texts import GivenTexts, QueryTexts, gather_texts, read_wanted, say_missing_texts
from toprung.analyses.queries.two_runs import TwoRuns, find_two_runs
from toprung.analyses.queries.words import explain_queries, say_queries_decide, say_query_notes
from toprung.analyses.subject import MeasureName, Source
from toprung.boards.engine.parts import PairParts, differences_of, find_parts
from toprung.boards.engine.verdict import PairVerdict, judge_pair
from toprung.errors import InputError
from toprung.result import Column, Explanation, Fact, Facts, Result, Rows, Table, columns
from toprung.stats.inputs import check_share
from toprung.stats.pairs.decisive import count_half, count_lead

SHOWN = 10
"""Queries that a table shows unless more are asked for."""


def queries(
    table: Source,
    runs: Any = None,
    measure: MeasureName = None,
    *,
    a: str | None = None,
    b: str | None = None,
    top: int = SHOWN,
    queries: GivenTexts | None = None,
    docs: GivenTexts | None = None,
    slices: GivenSlices | None = None,
    alpha: float = 0.05,
    float32_ties: bool = False,
) -> QueryDifferences:
    """Say which queries decide between two runs.

    Parameters
    ----------
    table
        What ``evaluate`` gave, labels, or a matrix of first ranks or scores.
    runs, measure
        Of the labels, as in ``evaluate``; an evaluation of several measures needs the one that is asked about.
    a, b
        The names of the two, where there are more: A the holder or baseline, B the newer one.
    top
        How many queries are shown, and their documents read; CSV, JSON and frame have all queries.
    queries, docs
        What queries and documents say: files (TSV, JSONL, ``irds:DATASET``), or texts by id. What each run put first
        is known from labels and runs only.
    slices
        Attributes of queries, each value a slice: a CSV or frame with ``query_id``, or
        ``{attribute: {query_id: value}}``.
    alpha
        The level of the verdict, and the false discovery rate over all slices.
    float32_ties
        Compare scores as 32-bit numbers, as trec_eval up to version 9 does.

    Examples
    --------
    >>> labels = {"q1": {"d1": 1}, "q2": {"d2": 1}, "q3": {"d3": 1}}
    >>> old = {"q1": {"d1": 2.0, "d9": 1.0}, "q2": {"d9": 2.0, "d2": 1.0}, "q3": {"d9": 1.0}}
    >>> new = {"q1": {"d1": 1.0}, "q2": {"d2": 1.0}, "q3": {"d8": 3.0, "d7": 2.0, "d9": 1.0, "d3": 0.5}}
    >>> found = queries(labels, {"old": old, "new": new}, "RR@10")
    >>> [(row.query_id, row.difference, row.answer_b.rank) for row in found.rows]
    [('q2', 0.5, 1), ('q3', 0.25, 4), ('q1', 0.0, 1)]

    """
    check_share(alpha, name="alpha")
    if not isinstance(top, int) or top < 1:
        raise InputError(f"top: found {top!r}; expected a whole number from 1.")
    has_texts = queries is not None or docs is not None
    two = find_two_runs(table, runs, measure, a=a, b=b, float32_ties=float32_ties, with_firsts=has_texts)
    check_scores(two.scores, least_queries=1)
    return _answer(two, top=top, questions=queries, docs=docs, slices=slices, alpha=alpha)


def _answer(
    two: TwoRuns,
    *,
    top: int,
    questions: GivenTexts | None,
    docs: GivenTexts | None,
    slices: GivenSlices | None,
    alpha: float,
) -> QueryDifferences:
    scores = two.scores
    a, b = scores.runs
    differences = differences_of(scores, a, [b])[:, 0]
    said = {} if questions is None else read_wanted(questions, set(scores.query_ids), "queries", name="queries")
    rows = make_rows(two, differences, said)
    has_texts = questions is not None or docs is not None
    texts = gather_texts(two, rows[:top], docs) if has_texts else ()
    parts = find_parts(two.matrix, a, b)
    return QueryDifferences(
        measure=scores.measure,
        a=a,
        b=b,
        mean_a=float(scores.column(a).mean()),
        mean_b=float(scores.column(b).mean()),
        parts=parts,
        verdict=judge_pair(parts, alpha=alpha),
        rows=rows,
        half=count_half(differences),
        lead=count_lead(differences) if parts.measure.favours else 0,
        slices=find_slices(slices, scores, differences, alpha=alpha),
        texts=texts,
        top=top,
        alpha=alpha,
        digest=scores.digest,
        remarks=(
            *say_missing_texts(texts, rows if questions is not None else (), has_docs=docs is not None),
            *two.matrix.remarks,
        ),
    )


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class QueryDifferences(Result):
    """Two runs query by query, the weightiest first."""

    FIGURES = (
        "measure a b mean_a mean_b difference=parts.measure.mean p=parts.measure.p verdict=verdict.verdict",
        Facts("counts", ("queries wins losses ties only_a only_b neither",), of="counts"),
        "queries_to_half=half queries_behind_lead=lead",
        Rows(
            "queries",
            of="rows",
            columns=(
                *columns(str, "query_id outcome"),
                *columns(float, "score_a score_b difference contribution weight"),
                *columns(int, "rank_a=answer_a.rank rank_b=answer_b.rank"),
                *columns(int, "depth_a=answer_a.depth depth_b=answer_b.depth"),
                *columns(str, "found_by question first_a first_b"),
            ),
        ),
        Rows("texts", columns=("query_id question answers n_answers first_a first_b",)),
        Rows(
            "slices",
            of="slices.rows",
            columns=(
                *columns(str, "attribute value"),
                *columns(int, "queries=test.n differing=test.differing"),
                *columns(float, "mean_a mean_b difference=test.mean contribution p corrected"),
                Column("verdict", str, "verdict.verdict"),
            ),
        ),
    )
    MADE_FROM = (
        "measure scores_digest=digest n_queries=parts.measure.n",
        Fact("test", lambda _: "sign flips or paired t"),
        Fact("slices", lambda found: "Benjamini-Hochberg" if found.slices.rows else None),
        "alpha",
    )

    measure: str
    a: str
    b: str
    mean_a: float
    mean_b: float
    parts: PairParts
    verdict: PairVerdict
    rows: tuple[QueryRow, ...]
    """All queries, the weightiest first."""
    half: int
    """So many make half of all differences."""
    lead: int
    """Without so many, those that favour it most, the leader would not lead; 0 where nobody leads."""
    slices: Slices
    texts: tuple[QueryTexts, ...]
    """What there is to read of the queries that are shown."""
    top: int
    alpha: float
    digest: str
    remarks: tuple[str, ...] = ()

    @property
    def shown(self) -> tuple[QueryRow, ...]:
        return self.rows[: self.top]

    @property
    def counts(self) -> QueryCounts:
        return count_outcomes(self.rows)

    @property
    def sentence(self) -> str:
        return say_queries_decide(self)

    @property
    def table(self) -> Table:
        return Table.of(self.shown, main_cells(self))

    @property
    def tables(self) -> tuple[tuple[str, Table], ...]:
        """The queries, what there is to read of them, and the slices."""
        more = (
            ("What they put first", text_table(self) if self.texts else None),
            ("Slices", slice_table(self) if self.slices.rows else None),
        )
        return (("", self.table), *((heading, table) for heading, table in more if table is not None))

    def paper_tables(self) -> tuple[Table, ...]:
        return (self.table, slice_table(self)) if self.slices.rows else (self.table,)

    @property
    def notes(self) -> tuple[str, ...]:
        return (*say_query_notes(self), *self.remarks)

    @property
    def explanation(self) -> Explanation:
        return explain_queries(self)

    def __repr__(self) -> str:
        return f"QueryDifferences({self.b} against {self.a}, {len(self.rows):,} queries)"
