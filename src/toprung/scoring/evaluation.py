"""The scores of runs: what `evaluate` gives back."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.data.placement import Placement
from toprung.errors import InputError
from toprung.result import Column, Explanation, Facts, Result, Rows, Table, columns, json_safe, tell
from toprung.scoring.catalogue import AnyMeasure, GivenMeasure, find_measure
from toprung.scoring.measure import Aggregate, Measure, summarise
from toprung.scoring.measures.reciprocal_rank import rank_of
from toprung.scoring.ranked_labels import Floats, LabelledQueries, RankedLabels
from toprung.scoring.tie_bounds import Bounds, bounds_of
from toprung.words.assumptions import COMPLETE_LABELS

if TYPE_CHECKING:
    import polars as pl

DECIMALS = 4
MOST_NOTES = 3


@dataclass(frozen=True, kw_only=True)
class Policies:
    """What was decided where tools differ."""

    denominator: str
    float32_ties: bool

    @property
    def ties(self) -> str:
        bits = "32-bit" if self.float32_ties else "64-bit"
        return f"by score as {bits} number, ties by doc_id descending; runs without scores by their rank column"

    @property
    def missing_queries(self) -> str:
        if not self.may_rank:
            return "each run's mean is over the labelled queries it has"
        return "a labelled query missing from a run scores 0"

    @property
    def may_rank(self) -> bool:
        """Means over different queries must not be ranked."""
        return self.denominator == "qrels"


@dataclass(frozen=True, eq=False, kw_only=True)
class RunScores:
    """One run's values, measures × queries, and where it put the labelled documents."""

    name: str
    placement: Placement
    values: NDArray[np.float64]
    labels: LabelledQueries
    native: tuple[Measure, ...]
    """Those of the measures whose ties are known."""

    @cached_property
    def tie_bounds(self) -> dict[str, Bounds]:
        """How far ties alone could move each figure; found when asked for, since it costs more than the figures."""
        return bounds_of(self.native, self.placement, self.labels)


@dataclass(frozen=True, kw_only=True)
class Score:
    """One figure of the leaderboard: a run's mean (or sum), and how far ties alone could move it."""

    run: str
    measure: str
    value: float
    tie_low: float | None
    """None where it is not known: measures computed by ir_measures."""
    tie_high: float | None
    n_queries: int


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Evaluation(Result):
    """Scores of runs under one or more measures, over the labelled queries."""

    FIGURES = (
        Rows(
            "scores",
            columns=(
                *columns(str, "run measure"),
                *columns(float, "value tie_low tie_high"),
                Column("n_queries", int),
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
        "labels=labels.qrels.source labels_digest=labels.qrels.digest n_queries=len(labels)",
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
        values = self._counted(run, run.values[row])
        value = summarise(values, measure.aggregate)
        low, high = run.tie_bounds.get(str(measure), (value, value))
        is_known = self.policies.may_rank and (isinstance(measure, Measure) or not run.placement.has_ties)
        return Score(
            run=run.name,
            measure=str(measure),
            value=value,
            tie_low=low if is_known else None,
            tie_high=high if is_known else None,
            n_queries=int(np.count_nonzero(~np.isnan(values))),
        )

    def _counted(self, run: RunScores, values: Floats) -> Floats:
        return values if self.policies.may_rank else values[self._has_query(run)]

    def _has_query(self, run: RunScores) -> NDArray[np.bool_]:
        return self.labels.count_retrieved(run.placement) > 0

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
        name = str(find_measure(measure))
        rows = [row for row, each in enumerate(self.measures) if str(each) == name]
        if not rows:
            raise InputError(f"Found no scores under '{name}'; expected one of {', '.join(map(str, self.measures))}.")
        values = np.column_stack([run.values[rows[0]] for run in self.runs])
        return ScoreTable(
            query_ids=self.query_ids, runs=self._names, values=values, measure=name, remarks=self._remarks
        )

    def first_ranks(self, cutoff: int | None = None, *, rel: int = 1, mth: int = 1) -> FirstRanks:
        """The rank of the first document of grade ``rel`` or more, queries × runs; 0 = not found.

        ``mth`` takes the second, third, … such document instead, of the queries that have so many. Of the first such
        document all queries that are scored are in the matrix, whatever the grade: 0 where none has it.
        """
        if cutoff is not None and (not isinstance(cutoff, int) or cutoff < 1):
            raise InputError(f"cutoff: found {cutoff!r}; expected a whole number from 1, or None.")
        has_so_many = self.labels.count_relevant(rel) >= mth
        is_eligible = has_so_many if mth > 1 else np.ones(len(has_so_many), dtype=bool)
        if not has_so_many.any():
            raise InputError(f"Found no query with {mth} documents of grade {rel} or more; expected at least one.")
        ranked = [RankedLabels.of(run.placement, self.labels) for run in self.runs]
        ranks = np.column_stack([rank_of(each, rel=rel, mth=mth, cutoff=cutoff) for each in ranked])
        return FirstRanks(
            query_ids=tuple(compress(self.query_ids, is_eligible)),
            runs=self._names,
            values=ranks[is_eligible].astype(np.int32),
            cutoff=cutoff,
            rel=rel,
            mth=mth,
            remarks=self._remarks,
        )

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
        queries = _count(len(self.labels), "query", "queries")
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
        value = f"{self._cell(first, measure)} over {_count(first.n_queries, 'query', 'queries')}"
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
        lead = _shown(abs(first.value - ranked[1].value))
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
        return f"{score.value:,.0f}" if measure.aggregate is Aggregate.SUM else _shown(score.value)

    @property
    def notes(self) -> tuple[str, ...]:
        left_out = self.labels.n_left_out
        return (
            f"Order: {self.policies.ties}.",
            f"Queries: {self.policies.missing_queries}.",
            *(
                [f"Left out: {_count(left_out, 'labelled query', 'labelled queries')} with no relevant document."]
                if left_out
                else []
            ),
            *self._remarks,
            *self._tie_notes(),
        )

    @property
    def _remarks(self) -> tuple[str, ...]:
        """What was missing, ignored or contradictory in the runs."""
        return tuple(_shortened(list(self._run_notes())))

    def _run_notes(self) -> Iterator[str]:
        for run in self.runs:
            if missing := self._count_missing(run):
                yield f"{run.name}: {_count(missing, 'labelled query', 'labelled queries')} missing."
            unknown = run.placement.n_unknown_queries
            if unknown and not self.expects_other_queries:
                yield f"{run.name}: {_count(unknown, 'query', 'queries')} without labels ignored."
            if wrong := run.placement.n_contradicting_queries:
                yield f"{run.name}: the rank column contradicts the scores in {_count(wrong, 'query', 'queries')}."

    def _count_missing(self, run: RunScores) -> int:
        return int(np.count_nonzero(~self._has_query(run)))

    def _tie_notes(self) -> Iterator[str]:
        moved = [
            (score, score.tie_low, score.tie_high)
            for score in self.scores
            if score.tie_low is not None and score.tie_high is not None and score.tie_high - score.tie_low > 5e-13
        ]
        moved.sort(key=lambda each: each[1] - each[2])
        for score, low, high in moved[:MOST_NOTES]:
            yield f"Ties alone could move {score.run}'s {score.measure} from {_shown(low)} to {_shown(high)}."
        if len(moved) > MOST_NOTES:
            yield f"Ties could move {len(moved) - MOST_NOTES} more figures, none by more; JSON output lists them all."

    def __repr__(self) -> str:
        return f"Evaluation({len(self.runs)} runs, {len(self.measures)} measures, {len(self.labels):,} queries)"


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class QueryScores(Result):
    """Scores of runs query by query; a value that a query does not have is left out."""

    evaluation: Evaluation

    def rows(self) -> Iterator[tuple[str, str, str, float]]:
        """Run, measure, query_id and value."""
        query_ids = self.evaluation.query_ids
        for run in self.evaluation.runs:
            for measure, values in zip(self.evaluation.measures, run.values.tolist(), strict=True):
                name = str(measure)
                for query_id, value in zip(query_ids, values, strict=True):
                    if not math.isnan(value):
                        yield run.name, name, query_id, value

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
        rows = tuple((run, measure, query_id, _shown(value)) for run, measure, query_id, value in self.rows())
        return Table(header=("run", "measure", "query_id", "value"), rows=rows, numeric=frozenset({3}))


def _shown(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.{DECIMALS}f}"


def _count(n: int, one: str, several: str) -> str:
    return f"{n:,} {one if n == 1 else several}"


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{len(names)} others"


def _shortened(notes: list[str]) -> list[str]:
    """The first few notes, and how many more there are."""
    shown, rest = notes[: 2 * MOST_NOTES], notes[2 * MOST_NOTES :]
    return [*shown, f"{len(rest)} more such notes; JSON output has the counts of every run."] if rest else shown
