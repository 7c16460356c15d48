"""What do the results of a board look like? As tasks stored them for who asks: words, tables, their provenance."""

from __future__ import annotations

from datetime import date as Day  # noqa: N812 - a field is called date
from typing import Any

from ninja import Schema
from pydantic import Field


class ClaimOut(Schema):
    """A claim to the top rung, as it was tested."""

    number: int
    date: Day
    run: str = Field(examples=["R37"])
    name: str
    team: str
    against: str = Field(description="The holder of the day.", examples=["R32"])
    outcome: str = Field(description="passed, not passed, or voided.", examples=["not passed"])
    passed: bool = Field(description="Whether it passed, and stands.")
    verdict: str = Field(
        description="What the two runs are to each other, whatever the claim was held to: B where the run is better, "
        "A where the holder is, conflict or tied; empty where it is not shown.",
        examples=["B"],
    )
    grade: str = Field(description="How it is better: no_harm, cost or better; else empty.", examples=["no_harm"])
    pair: str = Field(description="The same in words.", examples=["better, doing no harm"])
    shows: str = Field(description="What the claim showed, or why it did not pass.")
    beside: str = Field(description="Beside “not passed”, where there is more to say.", examples=["harm shown"])
    reason: str = Field(description="All of it in one sentence.")
    p: float | None
    level: float | None = Field(description="What its p-value was held to.")
    smallest_gain: float | None = Field(description="What it could see four times in five.")
    withdrawn: bool
    voided_on: Day | None
    void_reason: str


class ClaimsOut(Schema):
    """A part of the ledger, the latest first."""

    items: list[ClaimOut]
    count: int


class ExplanationOut(Schema):
    """How it was found."""

    how: str
    assumptions: list[str]


class FigureOut(Schema):
    """What a figure of the page shows, in words."""

    kind: str
    title: str
    finding: str
    caption: str


class ResultTableOut(Schema):
    """A table of a result."""

    heading: str
    header: list[str]
    rows: list[list[str]]


class ResultOut(Schema):
    """What every result says of itself."""

    sentence: str
    explanation: ExplanationOut | None
    figures: list[FigureOut]
    provenance: dict[str, Any] = Field(description="Labels, seed, samples, time: what it was made of.")
    labels_version: int | None


class ResultTablesOut(ResultOut):
    """A result with its tables: the stability of ranks, or the grid of all pairs."""

    tables: list[ResultTableOut]
    notes: list[str]


class ReignOut(Schema):
    """Whom claims were tested against from when until when."""

    run: str
    name: str
    team: str
    since: Day
    until: Day | None
    is_baseline: bool


class TimelineOut(ResultOut):
    """Who was the holder over time; the claims themselves are in the ledger."""

    holders: list[ReignOut]
    n_leaders: int = Field(description="How many runs would have led by score alone.")
    n_claims: int
    n_passed: int
    is_tested: bool


class OutcomesOut(Schema):
    """How queries came out, from the view of B."""

    shares: dict[str, float]
    counts: dict[str, int]
    is_about: bool = Field(description="Whether counts are to the nearest ten.")


class EvidenceRowOut(Schema):
    """One question to a pair: B, A, B less A with its interval, and how it was tested."""

    question: str
    detail: str
    b: str
    a: str
    difference: str
    interval: str
    n: str
    of: str
    harm: str = Field(description="What B loses at most in this part, and the margin; empty where it is not asked.")
    tests: list[list[str]] = Field(description="Each a test and its p-value.")
    levels: str
    decides: bool


class AsClaimOut(Schema):
    """What a pair would be as the first claim of the board, by its rule."""

    rule: str = Field(examples=["no_harm"])
    p: float | None
    level: float | None
    smallest_gain: float | None = Field(description="What the claim could see four times in five.")
    would_pass: bool
    words: str


class QueryBarOut(Schema):
    """One query, or the mean of some that are neighbours, as both runs score it."""

    query: str = Field(description="Empty where it is several.")
    n: int
    b: float
    a: float


class ComparisonOut(ResultOut):
    """Two runs compared: B, the challenger, and A."""

    b: str
    a: str
    measure: str
    relation: int = Field(description="1 where B is better with all runs compared at once, -1 where A is, else 0.")
    n_runs: int
    on_board: str = Field(description="The same in words.")
    verdict: str = Field(description="Of this pair alone: A, B, conflict or tied.", examples=["tied"])
    grade: str = Field(description="no_harm, cost or better; empty where the two do not differ.")
    harm: str = Field(description="How much a run may lose in each part; empty without first ranks.")
    claim: AsClaimOut | None
    elsewhere: str = Field(description="Where tests that ask for less of a scale see it otherwise; mostly empty.")
    outcomes: OutcomesOut | None = Field(
        description="None where the official measure has no first ranks, or too few hidden queries would be told by it."
    )
    bars: list[QueryBarOut] = Field(
        description="Query by query, from where B does better by most; empty with first ranks, and on hidden labels."
    )
    evidence: list[EvidenceRowOut]


class AskedComparisonOut(Schema):
    """A pair that was handed to the worker, or is there."""

    b: str
    a: str
    state: str = Field(description="queued, or done where it can be fetched.", examples=["queued"])
