"""Which measure and rule do these labels ask for? Chosen from the labels where nobody chose, and said in one line."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from toprung.boards.engine.rules import Rule
from toprung.data.qrels import Qrels
from toprung.errors import InputError
from toprung.words.wording import say_count, show_share

MOSTLY_ONE = 0.8
"""The share of queries with one relevant document from which on labels are called sparse."""
LEAST_SECOND_GRADE = 0.1
MANY_RELEVANT = 10
HIGH_GRADE = 3
"""From such a highest grade on, relevant means grade 2."""


@dataclass(frozen=True, kw_only=True)
class LabelDefaults:
    """What labels ask for: a measure, what a claim must show, and why."""

    measure: str
    rule: Rule
    why: str
    """Such as "109 relevant per query in 4 grades"."""

    @property
    def said(self) -> str:
        """The one line: "109 relevant per query in 4 grades: nDCG@10, tested by its differences"."""
        return f"{self.why}: {self.measure}, {self.tested}"

    @property
    def tested(self) -> str:
        """What a claim must show, in short."""
        return "and a claim must do no harm" if self.rule is Rule.NO_HARM else "tested by its differences"


def choose_defaults(qrels: Qrels) -> LabelDefaults:
    """From the queries that have a relevant document.

    >>> found = choose_defaults(Qrels.from_dict({"q1": {"d1": 1}, "q2": {"d2": 1}}))
    >>> found.measure, found.why, found.tested
    ('RR@10', 'one relevant document in 100.0% of queries', 'and a claim must do no harm')
    """
    counts = _count_relevant(qrels)
    share_of_one = float(np.mean(counts == 1))
    if share_of_one >= MOSTLY_ONE:
        why = f"one relevant document in {show_share(share_of_one)} of queries"
        return LabelDefaults(measure="RR@10", rule=Rule.NO_HARM, why=why)
    positive = qrels.grades[qrels.grades >= 1]
    _, sizes = np.unique(positive, return_counts=True)
    second = float(np.sort(sizes)[-2] / len(positive)) if len(sizes) > 1 else 0.0
    measure = "nDCG@10"
    if second < LEAST_SECOND_GRADE and np.median(counts) >= MANY_RELEVANT:
        measure = "AP(rel=2)" if positive.max() >= HIGH_GRADE else "AP"
    grades = say_count(len(np.unique(qrels.grades[qrels.grades >= 0])), "grade")
    why = f"{np.median(counts):g} relevant per query in {grades}"
    return LabelDefaults(measure=measure, rule=Rule.MEASURE, why=why)


def default_rule(qrels: Qrels | None, *, has_ranks: bool) -> Rule:
    """The rule where nobody chose one: no harm for first ranks of sparse labels, and of labels that are not at hand."""
    if not has_ranks:
        return Rule.MEASURE
    return Rule.NO_HARM if qrels is None else choose_defaults(qrels).rule


def _count_relevant(qrels: Qrels) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """For each query that has any: how many documents are relevant."""
    counts = np.bincount(qrels.query_of_row[qrels.grades >= 1], minlength=qrels.n_queries)
    counts = counts[counts > 0]
    if not len(counts):
        raise InputError(f"{qrels.source}: found no document of grade 1 or more; expected at least one relevant one.")
    return counts
