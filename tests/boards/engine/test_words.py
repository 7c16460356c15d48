"""How is it said? Each verdict, claim and top group in its own words, and none in those of another question."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.boards.engine.samples import (
    ANSWERS_MORE,
    AT_A_COST,
    CONFLICT,
    NO_HARM,
    NONE_SHARED,
    TEN_QUERIES,
    Counted,
    numbered,
    ranks_of,
    scores_of,
)

from toprung.boards.engine import claims
from toprung.boards.engine.claims import decide_claim
from toprung.boards.engine.parts import find_parts
from toprung.boards.engine.rules import ClaimPolicy, Rule
from toprung.boards.engine.verdict import judge_pair
from toprung.boards.engine.words import in_short, say_claim, say_last_proved, say_pair, say_top_group, say_why_not
from toprung.data.matrices import FirstRanks, ScoreTable

OF_TWO = "cannot be told apart"
OLD_WORDS = ("support", "fail", "reject", "significant", "tied", "insignificant", "equal")


def pair_in_words(matrix: FirstRanks | ScoreTable) -> str:
    a, b = matrix.runs
    parts = find_parts(matrix, a, b)
    return say_pair(a, b, matrix.measure, parts, judge_pair(parts))


def claim_of(matrix: FirstRanks | ScoreTable, rule: Rule) -> claims.TestedClaim:
    holder, run = matrix.runs
    policy = ClaimPolicy(rule=rule)
    return decide_claim(matrix, run=run, holder=holder, state=policy.start(), policy=policy)[0]


@pytest.mark.parametrize(
    ("counted", "said"),
    [
        (
            ANSWERS_MORE,
            "b and a cannot be told apart by RR@100 (RR@100 +0.0209, p = 0.552); b answers more queries.",
        ),
        (
            NO_HARM,
            "b is better than a (RR@100 +0.0040, p = 0.0005), doing no harm (beyond 5.8 points of queries answered and "
            "7.1 points of RR where both answer).",
        ),
        (AT_A_COST, "b is better than a (RR@100 +0.0500, p < 0.0001), at a cost: it answers fewer queries."),
        (
            CONFLICT,
            "b and a cannot be told apart by RR@100 (RR@100 0.0000, p = 1.000); b answers more queries, but finds the "
            "answers later.",
        ),
        (TEN_QUERIES, "b and a cannot be told apart by RR@100 (RR@100 +0.0303, p = 0.703)."),
    ],
)
def test_the_pairs_of_the_statistics_page_in_words(counted: list[Counted], said: str) -> None:
    assert pair_in_words(ranks_of(counted)).replace("+0.0000", "0.0000") == said


def test_where_harm_is_open_it_is_said_how_much_and_where() -> None:
    # 26 queries and two imaginary ones: (20 − 6) / 28 less 1.703 standard errors is above 0; none is shared
    said = pair_in_words(ranks_of(NONE_SHARED))
    assert said == (
        "b is better than a (RR@100 +0.5385, p = 0.0038); harm up to any amount not excluded in RR where both answer."
    )


def test_without_first_ranks_nothing_is_said_of_harm() -> None:
    said = pair_in_words(scores_of(np.column_stack([np.zeros(8), np.arange(1, 9) / 10])))
    assert said == "r001 is better than r000 (nDCG@10 +0.4500, p = 0.0078)."


@pytest.mark.parametrize(
    ("counted", "rule", "said", "short"),
    [
        (NO_HARM, Rule.NO_HARM, "passed its level (p = 0.0010, level 0.0022", "proved to be better, doing no harm"),
        (
            AT_A_COST,
            Rule.MEASURE,
            "passed its level (p < 0.0001, level 0.0022",
            "proved to be better; it answers fewer queries",
        ),
        (
            AT_A_COST,
            Rule.NO_HARM,
            "did not pass (p < 0.0001, level 0.0022",
            "harm shown: it answers fewer queries",
        ),
        (
            NONE_SHARED,
            Rule.MEASURE,
            "did not pass its level (p = 0.0038, level 0.0022",
            "this pair differs, above the level of this claim",
        ),
        (TEN_QUERIES, Rule.MEASURE, "did not pass its level (p = 0.703, level 0.0022", f"this pair {OF_TWO}"),
        (
            [(3, 1, 60), (0, 2, 20), (4, 4, 40)],
            Rule.BOTH,
            "passed its level (p < 0.0001, level 0.0022",
            "proved to answer more and to rank higher",
        ),
    ],
)
def test_claims_in_words(counted: list[Counted], rule: Rule, said: str, short: str) -> None:
    claim = claim_of(ranks_of(counted), rule)
    sentence = say_claim(claim)
    assert sentence.startswith(f"The claim of b over a {said}; could see gains of ")
    assert sentence.endswith(f" and more): {short}.")
    assert in_short(claim) == short


def test_what_passed_by_answering_more_says_so() -> None:
    # 20 more are answered, at rank 5; 26 others move up or down. t = 5 / √7.3 = 1.85: P_m is .07, P_a 2 · 2^(−20)
    counted = [(0, 5, 20), (1, 2, 12), (2, 1, 14), (3, 3, 300)]
    claim = claim_of(ranks_of(counted), Rule.NO_HARM)
    assert claim.passed
    assert claim.parts is not None
    assert claim.parts.measure.p == pytest.approx(0.065, abs=0.005)
    assert claim.p == pytest.approx(2.0**-18)
    assert in_short(claim) == "proved to answer more, doing no harm"


def test_by_score_it_is_said_that_nobody_asked() -> None:
    claim = claim_of(scores_of([[0.1, 0.2]]), Rule.SCORE)
    assert say_claim(claim) == "r001 scores above r000; whether that is more than chance was not asked."
    assert in_short(claim) == "a higher score, not tested"


ranks = st.sampled_from([0, 1, 2, 5, 40])


@given(
    rows=st.lists(st.tuples(ranks, ranks, st.integers(1, 15)), min_size=1, max_size=8),
    rule=st.sampled_from([Rule.MEASURE, Rule.NO_HARM, Rule.BOTH]),
)
def test_a_claim_that_missed_its_level_is_never_said_to_be_of_a_tied_pair(rows: list[Counted], rule: Rule) -> None:
    claim = claim_of(ranks_of(rows), rule)
    assert claim.verdict is not None
    said = f"{say_claim(claim)} {pair_in_words(ranks_of(rows))}"
    assert not any(word in said for word in OLD_WORDS)
    assert ("passed its level" in said) is claim.passed
    if not claim.passed:
        assert not (OF_TWO in say_why_not(claim) and claim.verdict.side > 0)
    assert (OF_TWO in pair_in_words(ranks_of(rows))) is not claim.verdict.do_differ


# The table of "The two questions in words".
@pytest.mark.parametrize(
    ("n_members", "n_runs", "n_queries", "bold", "rest"),
    [
        (1, 1, 54, "r000 is the only run.", ""),
        (1, 12, 54, "r000 does best,", "beyond chance."),
        (2, 12, 54, "Two runs may be best: r000 and r001;", "the labels cannot tell them apart."),
        (4, 5, 54, "Four runs may be best: r000, r001, r002 and r003;", "the labels cannot tell them apart."),
        (
            7,
            20,
            54,
            "Seven runs may be best: r000, r001, r002 and 4 more;",
            "54 queries cannot tell them apart.",
        ),
        (
            7,
            12,
            54,
            "54 queries cannot yet say which of 12 runs is best;",
            "r000, r001 and r002 score highest.",
        ),
        (5, 10, 1_234, "Five runs may be best: r000, r001, r002 and 2 more;", "1,234 queries cannot tell them apart."),
        (15, 40, 54, "15 runs may be best: r000, r001, r002 and 12 more;", "54 queries cannot tell them apart."),
    ],
)
def test_who_may_be_best_in_words(n_members: int, n_runs: int, n_queries: int, bold: str, rest: str) -> None:
    found = say_top_group(numbered("r", n_members), n_runs=n_runs, n_queries=n_queries)
    assert found == (bold, rest)
    assert len(" ".join(found).split()) <= 25


def test_the_last_proved_gain_in_words() -> None:
    day = date(2026, 9, 16)
    assert say_last_proved(None, None, n_later=3, is_member=False) == "No claim has passed yet."
    said = say_last_proved("meridian-d", day, n_later=2, is_member=True)
    assert said == (
        "meridian-d was the last to prove an improvement when it came, on 2026-09-16. Two later claims have not passed."
    )
    left = say_last_proved("meridian-d", day, n_later=0, is_member=False)
    assert left == (
        "meridian-d was the last to prove an improvement when it came, on 2026-09-16; it is no longer among those that "
        "may be best."
    )
    overtaken = say_last_proved("m", None, n_later=1, is_member=False, overtaken_by=["x", "y"])
    assert "x and y have overtaken it" in overtaken
    assert overtaken.endswith(" One later claim has not passed.")
