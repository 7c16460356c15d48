"""The scores of runs: what `evaluate` gives back."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING, Any

from toprung.arrays import np
from toprung.errors import InputError
from toprung.records import record
from toprung.result import Column, Explanation, Fact, Facts, Result, Rows, Table, columns, json_safe, tell
from toprung.result.block_rows import Block, BlockRows
from toprung.scoring.catalogue import AnyMeasure, GivenMeasure, find_measure
from toprung.scoring.measure import Aggregate, Measure, floats_of, summarise
from toprung.scoring.measures.reciprocal_rank import rank_of
from toprung.scoring.names import is_of_trec_eval
from toprung.scoring.notes import (
    CONTRADICTED,
    MISSING,
    UNLABELLED,
    Remark,
    TwoFigures,
    say_32_bit,
    say_of_runs,
    say_ties,
    show_figure,
)
from toprung.scoring.ranked_labels import LabelledQueries, RankedLabels
from toprung.scoring.score_run import Row
from toprung.scoring.scored_run import Policies, RunScores, Score
from toprung.words.assumptions import COMPLETE_LABELS
from toprung.words.wording import say_count, say_file, say_queries

if TYPE_CHECKING:
    import polars as pl

    from toprung.data.matrices import FirstRanks, ScoreTable


@record(eq=False, kw_only=True, repr=False)
class Evaluation(Result):
    """Scores of runs under one or more measures, over the labelled queries."""

    FIGURES = (
        Rows(
            "scores",
            columns=(
                *columns(str, "run measure"),
                *columns(float, "value tie_low tie_high"),
                Column("n_queries", int),
                "value_32_bit",
            ),
            keeps_nan=True,
        ),
        Rows(
            "runs",
            of="_told_runs",
            columns=(
                "run=0.name rows=0.placement.n_rows missing_queries=1 unlabelled_queries=0.placement.n_unknown_queries",
                "queries_with_contradicting_ranks=0.placement.n_contradicting_queries digest=2",
            ),
        ),
        Facts("policies", ("ties missing_queries denominator",), of="policies"),
    )
    MADE_FROM = (
        Fact("labels", lambda found: say_file(found.labels.qrels.source)),
        "labels_digest=labels.qrels.digest n_queries=len(labels)",
        "queries_without_relevant_documents=labels.n_left_out",
    )

    measures: tuple[AnyMeasure, ...]
    labels: LabelledQueries
    runs: tuple[RunScores, ...]
    policies: Policies
    digests: Mapping[str, str | None] = field(default_factory=dict)
    expects_other_queries: bool = False
    """Whether runs hold queries without labels by design, as those of another set: then they are not remarked on."""

    @property
    def query_ids(self) -> tuple[str, ...]:
        return self.labels.query_ids

    @cached_property
    def scores(self) -> tuple[Score, ...]:
        """Every figure, run by run: the best by the first measure first, or as given if they must not be ranked."""
        by_run = [[self._score(run, row) for row in range(len(self.measures))] for run in self.runs]
        if self.policies.may_rank:
            by_run.sort(key=lambda scores: (self._sort_key(scores[0]), scores[0].run))
        return tuple(score for scores in by_run for score in scores)

    def _sort_key(self, score: Score) -> float:
        value = round(score.value, 12)  # so that the order of summation never decides
        if math.isnan(value):
            return math.inf
        return -value if self.measures[0].higher_is_better else value

    def _score(self, run: RunScores, row: int) -> Score:
        measure = self.measures[row]
        value, n_queries = summarise(self._counted(run, run.rows[row]), measure.aggregate)
        low, high = run.tie_bounds.get(str(measure), (value, value))
        is_known = self.policies.may_rank and (isinstance(measure, Measure) or not run.placement.has_ties)
        return Score(
            run=run.name,
            measure=str(measure),
            value=value,
            tie_low=low if is_known else None,
            tie_high=high if is_known else None,
            value_32_bit=self._value_32_bit(run, measure),
            n_queries=n_queries,
        )

    def _value_32_bit(self, run: RunScores, measure: AnyMeasure) -> float | None:
        found = run.values_32_bit(measure)
        return None if found is None else summarise(self._counted(run, found), measure.aggregate).figure

    def _counted(self, run: RunScores, row: Row) -> Sequence[float]:
        return floats_of(row) if self.policies.may_rank else run.of_own_queries(row)

    def value(self, run: str, measure: GivenMeasure) -> float:
        """One figure of the leaderboard."""
        name = str(find_measure(measure))
        for score in self.scores:
            if score.run == run and score.measure == name:
                return score.value
        runs, measures = ", ".join(each.name for each in self.runs), ", ".join(map(str, self.measures))
        raise InputError(f"Found no score of '{run}' under '{name}'; expected runs {runs} and measures {measures}.")

    def score_table(self, measure: GivenMeasure) -> ScoreTable:
        """A measure's values, queries × runs."""
        from toprung.data.matrices import ScoreTable  # only here: matrices are made of arrays, which load NumPy

        name = str(find_measure(measure))
        rows = [row for row, each in enumerate(self.measures) if str(each) == name]
        if not rows:
            raise InputError(f"Found no scores under '{name}'; expected one of {', '.join(map(str, self.measures))}.")
        values = np.column_stack([run.rows[rows[0]] for run in self.runs])
        return ScoreTable(
            query_ids=self.query_ids,
            runs=self._names,
            values=values,
            measure=name,
            remarks=(*self._remarks, *self._say_32_bit([self.measures[rows[0]]])),
        )

    def first_ranks(self, cutoff: int | None = None, *, rel: int = 1, mth: int = 1) -> FirstRanks:
        """The rank of the first document of grade ``rel`` or more, queries × runs; 0 = not found.

        ``mth`` takes the second, third, … such document instead, of the queries that have so many. Of the first such
        document all queries that are scored are in the matrix, whatever the grade: 0 where none has it.
        """
        from toprung.data.matrices import FirstRanks  # only here: as above

        if cutoff is not None and (not isinstance(cutoff, int) or cutoff < 1):
            raise InputError(f"cutoff: found {cutoff!r}; expected a whole number from 1, or None.")
        has_so_many = self.labels.count_relevant(rel) >= mth
        is_eligible = has_so_many if mth > 1 else np.ones(len(has_so_many), dtype=bool)
        if not has_so_many.any():
            raise InputError(f"Found no query with {mth} documents of grade {rel} or more; expected at least one.")
        ranked = [RankedLabels.of(run.placement, self.labels) for run in self.runs]
        ranks = np.column_stack([rank_of(each, rel=rel, mth=mth, cutoff=cutoff) for each in ranked])
        found = FirstRanks(
            query_ids=tuple(compress(self.query_ids, is_eligible)),
            runs=self._names,
            values=ranks[is_eligible].astype(np.int32),
            cutoff=cutoff,
            rel=rel,
            mth=mth,
            remarks=self._remarks,
        )
        same = [measure for measure in self.measures if str(measure) == found.measure]
        return replace(found, remarks=(*found.remarks, *self._say_32_bit(same)))

    @property
    def _names(self) -> tuple[str, ...]:
        return tuple(run.name for run in self.runs)

    def by_query(self) -> QueryScores:
        """The same scores, query by query."""
        return QueryScores(evaluation=self)

    def to_draw(self) -> QueryScores:
        return self.by_query()

    def per_query(self) -> pl.DataFrame:
        """Every query's value, tidy: run, measure, query_id, value."""
        return self.by_query().to_frame()

    def tidy_rows(self) -> tuple[tuple[str, ...], Iterable[tuple[object, ...]]]:
        """Run, measure, value; empty where there is no value."""
        return ("run", "measure", "value"), ((s.run, s.measure, json_safe(s.value)) for s in self.scores)

    @property
    def _told_runs(self) -> list[tuple[RunScores, int, str | None]]:
        """Each run with how many labelled queries it lacks, and its digest."""
        return [(run, self._count_missing(run), self.digests.get(run.name)) for run in self.runs]

    def to_dict(self) -> dict[str, Any]:
        """Everything but the values of single queries, as JSON can hold it."""
        return {"sentence": self.sentence, **tell(self, self.FIGURES), "provenance": dict(self.provenance)}

    @property
    def explanation(self) -> Explanation:
        queries = say_queries(len(self.labels))
        return Explanation(
            how=(
                f"The documents of a run are put in order ({self.policies.ties}) and looked up in the labels of their "
                f"query. A figure is the mean over {queries} with a relevant document{self._say_other_aggregates()}; "
                f"{self.policies.missing_queries}."
            ),
            assumptions=(
                COMPLETE_LABELS,
                "Figures are read as those of these queries: whether chance made them was not asked.",
            ),
        )

    def _say_other_aggregates(self) -> str:
        others = (Aggregate.SUM, Aggregate.MEAN_OF_ANSWERED)
        named = {each: [str(measure) for measure in self.measures if measure.aggregate is each] for each in others}
        said = [f"the {each.value} for {', '.join(names)}" for each, names in named.items() if names]
        return f" ({'; '.join(said)})" if said else ""

    @property
    def sentence(self) -> str:
        measure = self.measures[0]
        ranked = [score for score in self.scores if score.measure == str(measure)]
        first = ranked[0]
        value = f"{self._cell(first, measure)} over {say_queries(first.n_queries)}"
        if math.isnan(first.value):
            return f"No run has a value of {measure}: none of them answers a query."
        if len(ranked) == 1:
            return f"{first.run} has {measure} {value}."
        if not self.policies.may_rank:
            return "Each run is scored on the queries it has, so the runs cannot be ranked by these figures."
        direction = "highest" if measure.higher_is_better else "lowest"
        ties = [score.run for score in ranked[1:] if round(score.value, 12) == round(first.value, 12)]
        if ties:
            return f"{first.run} and {_listed(ties)} have the same {direction} {measure}, {value}."
        if math.isnan(ranked[1].value):
            return f"{first.run} has {measure} {value}; no other run answers a query."
        lead = show_figure(abs(first.value - ranked[1].value))
        side = "above" if measure.higher_is_better else "below"
        return (
            f"{first.run} has the {direction} {measure}, {value}, {lead} {side} {ranked[1].run}; "
            "whether that is more than chance is not tested here."
        )

    @property
    def table(self) -> Table:
        shown = {(score.run, score.measure): score for score in self.scores}
        runs = dict.fromkeys(score.run for score in self.scores)
        names = [str(measure) for measure in self.measures]
        rows = tuple(
            (
                run,
                *(self._cell(shown[run, name], measure) for name, measure in zip(names, self.measures, strict=True)),
            )
            for run in runs
        )
        return Table(header=("run", *names), rows=rows, numeric=frozenset(range(1, len(names) + 1)))

    def _cell(self, score: Score, measure: AnyMeasure) -> str:
        return f"{score.value:,.0f}" if measure.aggregate is Aggregate.SUM else show_figure(score.value)

    @property
    def notes(self) -> tuple[str, ...]:
        left_out = self.labels.n_left_out
        return (
            f"Order: {self.policies.ties}.",
            f"Queries: {self.policies.missing_queries}.",
            *(
                [f"Left out: {say_count(left_out, 'labelled query', 'labelled queries')} with no relevant document."]
                if left_out
                else []
            ),
            *self._remarks,
            *self._say_32_bit(self.measures),
            *self._tie_notes(),
        )

    @property
    def _remarks(self) -> tuple[str, ...]:
        """What was missing, ignored or contradictory in the runs."""
        counts: list[tuple[Remark, dict[str, int]]] = [
            (MISSING, {run.name: self._count_missing(run) for run in self.runs}),
            (CONTRADICTED, {run.name: run.placement.n_contradicting_queries for run in self.runs}),
        ]
        if not self.expects_other_queries:
            counts.insert(1, (UNLABELLED, {run.name: run.placement.n_unknown_queries for run in self.runs}))
        return tuple(note for remark, found in counts for note in say_of_runs(remark, found, n_runs=len(self.runs)))

    def _count_missing(self, run: RunScores) -> int:
        return run.has_query.count(False)

    def _say_32_bit(self, measures: Iterable[AnyMeasure]) -> Iterator[str]:
        """What trec_eval would print under these measures where that is another figure."""
        rows = [(self.measures.index(each), each) for each in measures if is_of_trec_eval(str(each))]
        return say_32_bit([each for run in self.runs for row, measure in rows for each in self._two(run, row, measure)])

    def _two(self, run: RunScores, row: int, measure: AnyMeasure) -> Iterator[TwoFigures]:
        other = self._value_32_bit(run, measure)
        if other is not None:
            here = summarise(self._counted(run, run.rows[row]), measure.aggregate).figure
            yield TwoFigures(run=run.name, measure=str(measure), one=here, other=other)

    def _tie_notes(self) -> Iterator[str]:
        return say_ties(
            [
                TwoFigures(run=score.run, measure=score.measure, one=score.tie_low, other=score.tie_high)
                for score in self.scores
                if score.tie_low is not None and score.tie_high is not None
            ]
        )

    def __repr__(self) -> str:
        runs, measures = say_count(len(self.runs), "run"), say_count(len(self.measures), "measure")
        return f"Evaluation({runs}, {measures}, {say_queries(len(self.labels))})"


@record(eq=False, kw_only=True, repr=False)
class QueryScores(Result):
    """Scores of runs query by query; a value that a query does not have is left out."""

    evaluation: Evaluation

    def rows(self) -> BlockRows:
        """Run, measure, query_id and value."""
        names = [str(measure) for measure in self.evaluation.measures]
        blocks = [
            Block((run.name, name), row)
            for run in self.evaluation.runs
            for name, row in zip(names, run.rows, strict=True)
        ]
        return BlockRows(self.evaluation.query_ids, blocks)

    def tidy_rows(self) -> tuple[tuple[str, ...], Iterable[tuple[object, ...]]]:
        return ("run", "measure", "query_id", "value"), self.rows()

    def to_frame(self) -> pl.DataFrame:
        from toprung.extras.frames import pl

        types = {"run": pl.String, "measure": pl.String, "query_id": pl.String, "value": pl.Float64}
        return pl.DataFrame(list(self.rows()), schema=types, orient="row")

    def to_dict(self) -> dict[str, Any]:
        header, rows = self.tidy_rows()
        return {
            **self.evaluation.to_dict(),
            "per_query": [dict(zip(header, row, strict=True)) for row in rows],
        }

    @property
    def explanation(self) -> Explanation:
        return self.evaluation.explanation

    @property
    def provenance(self) -> Mapping[str, object]:
        return self.evaluation.provenance

    @property
    def sentence(self) -> str:
        return self.evaluation.sentence

    @property
    def notes(self) -> tuple[str, ...]:
        return self.evaluation.notes

    @property
    def table(self) -> Table:
        rows = tuple((run, measure, query_id, show_figure(value)) for run, measure, query_id, value in self.rows())
        return Table(header=("run", "measure", "query_id", "value"), rows=rows, numeric=frozenset({3}))


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{len(names)} others"
