"""How well does everyone judge? Counts by hand, and intervals from SciPy."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from tests.labels.builders import votes

from toprung.data.judgments import Choice, Judgment, Judgments, Pair
from toprung.labels.assessors.agreement import count_choices, find_agreement
from toprung.labels.assessors.records import answers_given
from toprung.labels.assessors.review import review_assessors
from toprung.labels.assessors.shrunk_shares import WIDTHS, shrink_shares
from toprung.labels.assessors.suspicion import p_outside
from toprung.labels.tasks.quality import to_void
from toprung.labels.votes.assessor_weights import estimate_accuracies, expected_right


def judged(name: str, sides: str, *, ms: int = 8_000, gold: str = "") -> list[Judgment]:
    """An answer for each letter, l or r, to a pair (a left, b right) of a query each; g marks golds."""
    return [
        Judgment(
            judgment_id=f"{name}{place}",
            query_id=f"q{place}",
            left="a",
            right="b",
            choice=Choice.LEFT if side == "l" else Choice.RIGHT,
            assessor=name,
            task_id=f"t{name}",
            slot=place,
            is_gold=gold[place : place + 1] == "g",
            ms=ms,
        )
        for place, side in enumerate(sides)
    ]


def test_alpha_of_one_has_the_interval_of_their_agreement() -> None:
    """By hand: 8 votes, under both names 8 and 8 of 16; by chance 128 of 240 differ: α = 1 − (1 − share) · 15 / 8."""
    rows = review_assessors(Judgments.of([*judged("x", "lllr"), *judged("y", "llrr")]), {}).rows
    for row in rows:
        of_agreement = (row.agreement.estimate, row.agreement.low, row.agreement.high)
        found = (row.alpha.estimate, row.alpha.low, row.alpha.high)
        assert found == pytest.approx([1 - (1 - share) * 15 / 8 for share in of_agreement])
        assert (row.alpha.n, row.agreement.n) == (4, 4)


def test_agreement_counts_every_two_votes() -> None:
    found = find_agreement(count_choices(votes("q a b left x\nq b a right y\nq a b right z\nr a b left x").rows))
    assert (found.n_agreed, found.n_compared) == (1, 3)  # x and y chose a, z chose b


def test_counts_of_one_assessor_by_hand() -> None:
    rows = [*judged("x", "lllrl", ms=1_500, gold="....g"), *judged("y", "lrlrr")]
    [x] = [
        row
        for row in review_assessors(Judgments.of(rows), {Pair("q4", "a", "b"): "b"}).rows
        if row.record.assessor == "x"
    ]
    record = x.record
    assert (record.n_votes, record.n_golds, record.n_missed) == (4, 1, 1)
    assert (record.n_left, record.n_sided, record.longest_run, record.n_same_side) == (4, 5, 3, 2)
    assert (record.n_fast, record.n_timed, record.median_seconds) == (5, 5, 1.5)
    assert (record.n_with_others, record.n_compared) == (3, 4)


def test_answers_that_were_voided_still_tell_of_their_assessor() -> None:
    rows = judged("x", "lr", gold="g.")
    voided = Judgments.of([*rows, *map(to_void, rows)])
    assert [len(given) for given in answers_given(voided).values()] == [2]
    assert review_assessors(voided, {Pair("q0", "a", "b"): "b"}).rows[0].record.n_missed == 1


def test_answers_that_were_voided_are_not_what_others_are_held_against() -> None:
    """Five bots chose the other side of all that two people judged alike; their work is out of use."""
    people, bots = [*judged("x", "l" * 12), *judged("y", "l" * 12)], [judged(f"bot{n}", "r" * 12) for n in range(5)]
    alone = review_assessors(Judgments.of(people), {}).rows
    rows = [*people, *(row for bot in bots for row in (*bot, *map(to_void, bot)))]
    with_bots = {row.record.assessor: row for row in review_assessors(Judgments.of(rows), {}).rows}
    for row in alone:
        # the mean of all is lower with the bots, and pulls a little
        assert with_bots[row.record.assessor].accuracy.estimate == pytest.approx(row.accuracy.estimate, abs=0.1)
    assert max(with_bots[f"bot{n}"].accuracy.estimate for n in range(5)) < 0.3


def test_those_who_are_out_of_use_do_not_set_how_often_others_agree() -> None:
    """Three agree on 60 pairs, one clicks at random; beside five bots who are out of use that would look usual."""
    rng = np.random.default_rng(1)
    better = "".join(rng.choice(["l", "r"], 60))
    people = [row for name in "xyz" for row in judged(name, better)]
    clicker = judged("clicker", "".join(rng.choice(["l", "r"], 60)))
    bots = [row for n in range(5) for row in judged(f"bot{n}", better.translate(str.maketrans("lr", "rl")))]
    rows = review_assessors(Judgments.of([*people, *clicker, *bots, *map(to_void, bots)]), {}).rows
    [found] = [row.suspicion for row in rows if row.record.assessor == "clicker"]
    assert found is not None
    assert re.fullmatch(r"chose as most others did on \d\d of 60 pairs; the others do on 100%", found.reason)


def test_an_answer_given_anew_counts_once() -> None:
    [first] = judged("x", "l")
    undone = to_void(first)
    later = replace(first, judgment_id="again", choice=Choice.RIGHT, supersedes=undone.judgment_id)
    [given] = answers_given(Judgments.of([first, undone, later])).values()
    assert [each.choice for each in given] == [Choice.RIGHT]


def test_intervals_are_those_of_a_beta_distribution() -> None:
    one, other = shrink_shares([9, 5], [10, 10])
    mean = 15 / 22
    beta = stats.beta(8 * mean + 9, 8 * (1 - mean) + 1)
    assert (one.low, one.high) == pytest.approx((beta.ppf(0.025), beta.ppf(0.975)))
    assert other.estimate < mean < one.estimate < 0.9


def test_the_mean_weighs_what_makes_all_counts_most_probable() -> None:
    """Beta-binomial by SciPy: six who differ little are moved far to the mean, six who differ much hardly."""
    n = 30
    for counts, expected in (([24, 25, 24, 23, 24, 24], 64.0), ([29, 4, 27, 8, 16, 30], 2.0)):
        mean = (sum(counts) + 1) / (6 * n + 2)
        fits = {width: stats.betabinom.logpmf(counts, n, width * mean, width * (1 - mean)).sum() for width in WIDTHS}
        width = max(fits, key=lambda each: fits[each])
        assert width == expected
        shares = [each.estimate for each in shrink_shares(counts, [n] * 6)]
        assert shares == pytest.approx([(width * mean + count) / (width + n) for count in counts])


def test_golds_are_known_answers_to_the_accuracy() -> None:
    rows = judged("x", "l" * 10) + judged("y", "l" * 10)
    plain = estimate_accuracies(rows)["x"]
    with_golds = estimate_accuracies(rows, [("x", False)] * 10)["x"]
    assert with_golds < 0.6 < plain
    right, counted = expected_right(rows, [("z", True), ("z", True), ("z", False)])
    assert counted["z"] == 3
    assert right["z"] == pytest.approx(2.0)


@pytest.mark.parametrize(("n_of", "n", "low", "high"), [(3, 9, 0.0, 0.02), (9, 10, 0.4, 0.6), (0, 40, 0.4, 0.6)])
def test_evidence_is_the_ratio_of_likelihoods(n_of: int, n: int, low: float, high: float) -> None:
    fitting = stats.binom.pmf(n_of, n, min(max(n_of / n, low), high))
    any_share = 1 / (n + 1)  # a binomial whose share is any: every count is as likely
    assert p_outside(n_of, n, low, high) == pytest.approx(min(1.0, fitting / any_share))
