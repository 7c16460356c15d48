"""What is told of an estimate? Runs, what the model's labels are worth, and how far they alone would mislead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from toprung.analyses.estimate.rows import EstimateRow, ModelAlone, ThreeWays
from toprung.analyses.estimate.sampling import SampleEvidence
from toprung.analyses.estimate.words import estimate_table, explain_estimate, say_estimate, say_notes
from toprung.analyses.inputs import find_named
from toprung.boards.engine.top_group import TopGroup
from toprung.result import Arrays, Column, Explanation, Fact, Facts, Result, Rows, Table, columns
from toprung.stats.intervals.bootstrap import Effect


@dataclass(frozen=True, kw_only=True)
class LabelDigests:
    """Which labels scores were made from."""

    human: str
    model: str


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Estimate(Result):
    """Runs by their corrected score, the best first."""

    FIGURES = (
        "measure top_group=top.members",
        Rows(
            "runs",
            of="rows",
            columns=(
                Column("run", str),
                *columns(float, "score=corrected.estimate score_low=corrected.low score_high=corrected.high"),
                *columns(int, "rank_low rank_high"),
                Column("top_group", bool),
                *columns(float, "people=people.estimate people_low=people.low people_high=people.high model"),
                *columns(float, "bias=bias.estimate bias_low=bias.low bias_high=bias.high"),
                *columns(float, "favour=favour.estimate favour_low=favour.low favour_high=favour.high"),
            ),
        ),
        Facts(
            "queries", ("people=n_human model=n_queries without_relevant=n_without_relevant only_people=n_only_human",)
        ),
        Facts("worth_in_queries", ("estimate low high",), of="worth"),
        Facts("weights", ("level=ways.scores.level_weight difference=ways.scores.difference_weight",)),
        Facts("model_alone", ("different borne_out not_told_apart contradicted",), of="model_alone"),
        Facts("sample", ("known_by scores_p order_p",), of="sample"),
        Arrays("pairs", more="pair_columns"),
    )
    MADE_FROM = (
        "measure human_labels=labels.human model_labels=labels.model scores_digest=digest",
        "n_human n_queries n_runs=len(rows) human_sample=sample.known_by alpha",
        Fact("interval", lambda _: "Student's t over the queries that people judged"),
        "resamples=top.intervals.resamples seed",
    )

    measure: str
    rows: tuple[EstimateRow, ...]
    ways: ThreeWays
    model_alone: ModelAlone
    worth: Effect
    """So many queries judged by people alone would tell runs apart as well."""
    n_human: int
    n_queries: int
    n_without_relevant: int
    """Of the queries that people judged: those where they found nothing relevant, which do not count."""
    n_only_human: int
    """Queries that people judged and the model did not: left out."""
    sample: SampleEvidence
    alpha: float
    seed: int
    labels: LabelDigests | None
    """None where votes were counted."""
    digest: str
    """Of the corrected scores."""
    remarks: tuple[str, ...] = ()

    def __getitem__(self, run: str) -> EstimateRow:
        return find_named("run", run, {row.run: row for row in self.rows})

    @property
    def top(self) -> TopGroup:
        """Who may be best by the corrected scores."""
        return self.ways.top

    @property
    def pair_columns(self) -> dict[str, Any]:
        return self.ways.pair_columns()

    @property
    def sentence(self) -> str:
        return say_estimate(self)

    @property
    def table(self) -> Table:
        return estimate_table(self)

    @property
    def notes(self) -> tuple[str, ...]:
        return (*say_notes(self), *self.remarks)

    @property
    def explanation(self) -> Explanation:
        return explain_estimate(self)

    def __repr__(self) -> str:
        return f"Estimate({len(self.rows):,} runs, {self.n_human:,} of {self.n_queries:,} queries judged by people)"
