"""How each answer was found: in two sentences, in our words, and true for what was asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.every_result import Cast, make_overview, make_results, qrels_of, ranks_of, runs_of

from toprung.analyses.agreement.find import agreement
from toprung.analyses.compare.find import compare
from toprung.analyses.holdout.find import holdout
from toprung.analyses.power.find import power
from toprung.analyses.significance.find import significance
from toprung.analyses.stability.find import stability
from toprung.analyses.standings.find import standings
from toprung.analyses.timeline.find import timeline
from toprung.boards.lin2021.breakdown import FacetTest
from toprung.result import Explanation, Result
from toprung.scoring.evaluate import evaluate

CAST = Cast()
RANKS, SCORES = ranks_of(CAST), ranks_of(CAST).reciprocal()
# What was done to files and tasks is no answer to explain.
NO_ANSWERS = {"TaskReport", "ImportReport", "Validation"}
SENTENCES = re.compile(r"(?<=[.?!]) (?=[A-Z])")
NOT_OUR_WORDS = re.compile(r"\b(n\.s\.|insignificant|beats?|outperforms?|SOTA|state of the art)", re.IGNORECASE)


@pytest.fixture(scope="module")
def explained() -> dict[str, Explanation]:
    """By the kind of result."""
    found = {**make_results(CAST), "overview": make_overview(CAST)}
    return {kind: how_of(result) for kind, result in found.items() if type(result).__name__ not in NO_ANSWERS}


def how_of(result: Result) -> Explanation:
    explanation = result.explanation
    assert explanation is not None, f"{type(result).__name__} does not say how it was found"
    return explanation


def test_every_answer_says_how_it_was_found_in_two_sentences(explained: dict[str, Explanation]) -> None:
    for kind, each in explained.items():
        assert len(SENTENCES.split(each.how)) == 2, (kind, each.how)
        assert each.how.endswith("."), kind


def test_every_answer_says_what_must_be_so_for_it_to_hold(explained: dict[str, Explanation]) -> None:
    for kind, each in explained.items():
        assert each.assumptions, kind
        assert all(re.fullmatch(r"[A-Z].*\.", line) for line in each.assumptions), kind
        assert len(set(each.assumptions)) == len(each.assumptions), kind


def test_explanations_are_short_enough_to_be_read(explained: dict[str, Explanation]) -> None:
    assert {kind: len(each.how) for kind, each in explained.items() if len(each.how) > 450} == {}


def test_explanations_use_our_words(explained: dict[str, Explanation]) -> None:
    for kind, each in explained.items():
        said = " ".join((each.how, *each.assumptions))
        assert not NOT_OUR_WORDS.search(said), kind
        assert not re.search(r"(?<!\w)-\d|\d-\d", said), f"{kind}: a hyphen for a minus or a range"
        assert "  " not in said, kind


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda: compare(RANKS, resamples=70), "Two runs differ if the mean of RR@10 does at 0.05"),
        (lambda: compare(RANKS, resamples=70), "and harm by one-sided 95% bounds"),
        (lambda: compare(RANKS, alpha=0.01, resamples=70), "does at 0.01, by exchanging them query by query"),
        (lambda: compare(RANKS, resamples=70), "70 bootstrap samples"),
        (lambda: compare(RANKS, rule="lin2021", resamples=70), "by the paired t-test on the rank of the answer"),
        (
            lambda: compare(RANKS, rule="lin2021", facet="rr", facet_test="wsr", resamples=70),
            "by the signed-rank test on RR",
        ),
        (lambda: compare(RANKS, rule="lin2021", alpha=0.01, resamples=70), "at 0.005 or in both at 0.01"),
        (lambda: compare(SCORES, resamples=70), "else the paired t-test. Every difference"),
        (lambda: significance(SCORES, tests=["sign"], corrections=["bh"]), "by the sign test, two-sided"),
        (
            lambda: significance(SCORES, tests=["sign"], corrections=["bh"]),
            "All runs are compared at once on RR@10 over 12 queries",
        ),
        (lambda: significance(SCORES.select(list(SCORES.runs[:2]))), "else by the paired t-test, at 0.05"),
        (lambda: standings(RANKS, rule="lin2021", facet_test="wsr"), "by the signed-rank test on the rank"),
        (lambda: timeline(RANKS, rule="both"), "must show more answered and ranked higher, both beyond chance"),
        (lambda: timeline(RANKS, alpha=0.1), "stays near 0.1: "),
        (lambda: timeline(RANKS, rule="score"), "Nothing is tested"),
        (lambda: stability(SCORES, trials=30, alpha=0.1), "Each of 30 trials draws 12 queries"),
        (lambda: stability(SCORES, trials=30, alpha=0.1), "90% intervals of the ranks"),
        (lambda: agreement(SCORES, splits=2, alpha=0.1), "2 times"),
        (lambda: agreement(SCORES, splits=2, reading="table4ab"), "as their tables 4a and 4b count it"),
        (lambda: power(SCORES, power=0.9, margin=0.3), "within ±0.3"),
        (lambda: power(SCORES, power=0.9), "with a power of 0.9"),
        (lambda: evaluate(qrels_of(CAST), runs_of(CAST), ["RR", "NumRet"]), "(the sum for NumRet)"),
        (lambda: evaluate(qrels_of(CAST), runs_of(CAST), "RR", denominator="run"), "over the labelled queries it has"),
    ],
)
def test_an_explanation_is_true_for_what_was_asked(answer: Callable[[], Result], says: str) -> None:
    assert says in how_of(answer()).how


def test_a_gain_is_held_against_the_reference_that_was_chosen() -> None:
    public, private = (
        SCORES.select_queries(part, name="part") for part in (CAST.query_ids()[:8], CAST.query_ids()[8:])
    )
    asked, by_mean = holdout(public, private, reference="third"), holdout(public, private)
    assert "over third in public" in how_of(asked).how
    assert "Nobody fitted third, the reference, to the public queries." in how_of(asked).assumptions
    assert "over the mean of the other runs in public" in how_of(by_mean).how


@pytest.mark.parametrize(("facet_test", "n"), [("t", 1), ("wsr", 0)])
def test_a_signed_rank_test_needs_no_normal_means(facet_test: FacetTest, n: int) -> None:
    found = standings(RANKS, rule="lin2021", facet_test=facet_test)
    assert sum("normal" in line for line in how_of(found).assumptions) == n


@pytest.mark.parametrize(("measure", "is_assumed"), [("RR@10", True), ("P@10", False)])
def test_steps_of_an_ordinal_measure_are_assumed_equal_since_its_mean_is_compared(
    measure: str, is_assumed: bool
) -> None:
    found = significance(replace(SCORES, measure=measure))
    assert any("ordinal" in line for line in how_of(found).assumptions) == is_assumed
