"""How is an audit told? The "better than perfect" table: who was preferred, in which share of all queries."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from toprung.labels.votes.error_estimate import correct_preference, estimate_error
from toprung.result import Cell, Column, Explanation, Fact, Facts, Result, Rows, columns
from toprung.stats.intervals.proportions import Share, wilson_share
from toprung.stats.tests.binomial import exact_binomial_p
from toprung.words.assumptions import CAREFUL_VOTES, FAIR_SAMPLE
from toprung.words.wording import say_count, say_p, say_queries, show_p, show_share

if TYPE_CHECKING:
    pass


@dataclass(frozen=True, kw_only=True)
class CategoryCount:
    """How the queries of one category were decided; ``other`` is the run's second item (A) or its first (B)."""

    n_queries: int
    label_wins: int
    other_wins: int
    n_even: int

    @property
    def n_decided(self) -> int:
        return self.label_wins + self.other_wins

    @property
    def n_open(self) -> int:
        return self.n_queries - self.n_decided - self.n_even

    @cached_property
    def label_share(self) -> Share:
        return wilson_share(self.label_wins, self.n_decided)

    @cached_property
    def other_share(self) -> Share:
        return wilson_share(self.other_wins, self.n_decided)

    @cached_property
    def p(self) -> float:
        """Exact, two-sided, against a fair coin; even splits are left out."""
        return float(exact_binomial_p(self.other_wins, self.n_decided)) if self.n_decided else math.nan


@dataclass(frozen=True, kw_only=True)
class AuditPart:
    """One of the four parts of all decided queries."""

    is_agreed: bool
    """Whether the run's first item is the label (category A)."""
    prefers_label: bool
    share: Share
    """Of all decided queries of both categories."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Audit(Result):
    """One run against the labels: where both agree (category A), and where they differ (category B)."""

    FRAME = Rows(
        "categories",
        of="_named",
        columns=(
            Column("category", str, "0.0"),
            *columns(int, "queries=1.n_queries label_preferred=1.label_wins other_preferred=1.other_wins"),
            *columns(int, "even=1.n_even open=1.n_open"),
            *columns(float, "other_share=1.other_share.estimate low=1.other_share.low high=1.other_share.high p=1.p"),
        ),
    )
    FIGURES = (
        "run",
        Fact("categories", lambda audit: {row.pop("category"): row for row in audit.FRAME.to_json(audit)}),
        "is_better_than_perfect",
        Facts("error", ("estimate low high n=trials",), of="error"),
        "corrected_preference left_out",
    )
    MADE_FROM = ("run qrels_digest judgments_digest n_queries n_decided alpha",)

    run: str
    agreed: CategoryCount
    differing: CategoryCount
    left_out: Mapping[str, int]
    alpha: float
    qrels_digest: str
    judgments_digest: str

    @property
    def n_queries(self) -> int:
        return self.agreed.n_queries + self.differing.n_queries

    @property
    def n_decided(self) -> int:
        return self.agreed.n_decided + self.differing.n_decided

    @cached_property
    def parts(self) -> tuple[AuditPart, ...]:
        """All decided queries in four: first those where run and label differ, the run's side before the label's."""
        counts = (
            (False, False, self.differing.other_wins),
            (False, True, self.differing.label_wins),
            (True, True, self.agreed.label_wins),
            (True, False, self.agreed.other_wins),
        )
        return tuple(
            AuditPart(is_agreed=is_agreed, prefers_label=label, share=wilson_share(n, self.n_decided))
            for is_agreed, label, n in counts
        )

    @cached_property
    def error(self) -> Share:
        """How often one judgment seems to be wrong: the agreed item lost."""
        return estimate_error(self.agreed.other_wins, self.agreed.n_decided)

    @property
    def corrected_preference(self) -> float:
        """The preference for the run's item where both differ, corrected for that error; rough."""
        return correct_preference(self.differing.other_share.estimate, self.error.estimate)

    @property
    def is_better_than_perfect(self) -> bool:
        """Whether assessors prefer the run's item to the label beyond chance."""
        return self.differing.p < self.alpha and self.differing.other_wins > self.differing.label_wins

    @property
    def sentence(self) -> str:
        differing = self.differing
        if not differing.n_decided:
            return (
                f"{say_count(self.n_queries, 'pair')} to judge: {self.agreed.n_queries:,} where {self.run} puts the "
                f"label first, {differing.n_queries:,} where it does not."
            )
        share = show_share(differing.other_share.estimate)
        where = f"the {say_queries(differing.n_decided)} where they differ"
        if self.is_better_than_perfect:
            return f"{self.run} is better than perfect: its first item is preferred to the label in {share} of {where}."
        if differing.p < self.alpha:
            return f"The labels hold: {self.run}'s first item is preferred to the label in only {share} of {where}."
        return f"{self.run}'s first item and the label cannot be told apart: it is preferred in {share} of {where}."

    def cells(self) -> Sequence[Cell]:
        def of_count(heading: str, show: Callable[[CategoryCount], str]) -> Cell:
            return Cell(heading, lambda row: show(row[1]), is_number=True)

        return (
            Cell("category", lambda row: row[0]),
            of_count("queries", lambda count: f"{count.n_queries:,}"),
            of_count("share", lambda count: _percent(count.n_queries, self.n_queries)),
            of_count("label preferred", lambda count: f"{count.label_wins:,}"),
            of_count("of all", lambda count: _percent(count.label_wins, self.n_decided)),
            of_count("other preferred", lambda count: f"{count.other_wins:,}"),
            of_count("of all", lambda count: _percent(count.other_wins, self.n_decided)),
            of_count("even", lambda count: f"{count.n_even:,}"),
            of_count("open", lambda count: f"{count.n_open:,}"),
            of_count("p", lambda count: show_p(count.p)),
        )

    @property
    def _named(self) -> tuple[tuple[str, CategoryCount], ...]:
        return ("A: run and label agree", self.agreed), ("B: they differ", self.differing)

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(self._say_notes())

    def _say_notes(self) -> Iterator[str]:
        yield "Other: in category A the run's second item, in category B its first. Of all: of all decided queries."
        for name, count in self._named:
            if count.n_decided:
                yield (
                    f"{name[0]}: the label is preferred in {_interval(count.label_share)}, the other in "
                    f"{_interval(count.other_share)} of {count.n_decided:,} (exact binomial {say_p(count.p)})."
                )
        if self.agreed.n_decided:
            yield from self._say_error()
        for reason, n in self.left_out.items():
            yield f"Left out: {say_queries(n)} {reason}."

    def _say_error(self) -> Iterator[str]:
        yield f"Error of one judgment, roughly: {_interval(self.error)}, how often the item both agree on lost."
        corrected = self.corrected_preference
        if not math.isnan(corrected):
            yield (
                f"Corrected for it, roughly: the run's first item is the better in {show_share(corrected)} of the "
                "queries where they differ."
            )
        elif self.differing.n_decided:
            yield "So many errors leave nothing to correct: the judgments of category A are no better than chance."

    @property
    def explanation(self) -> Explanation:
        return Explanation(
            how=(
                "For each query the label is compared with the run's first answer, or with its second where the first "
                "is the label (Arabzadeh et al. 2021, section 3). How often the label loses is held against one half "
                f"by the exact two-sided binomial test at {self.alpha:g}, with Wilson intervals."
            ),
            assumptions=(
                FAIR_SAMPLE,
                CAREFUL_VOTES,
                "Where run and label agree, the label is the better answer: the error of a vote is read from there.",
            ),
        )

    def __repr__(self) -> str:
        return f"Audit({self.run!r}, {self.n_queries:,} queries, {self.n_decided:,} decided)"


def _percent(part: int, whole: int) -> str:
    """With two decimals, as the paper has them."""
    return f"{100 * part / whole:.2f}%" if whole else "–"


def _interval(share: Share) -> str:
    return f"{100 * share.estimate:.2f}% ({100 * share.low:.2f} to {100 * share.high:.2f})"
