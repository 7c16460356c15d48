"""What the organiser reads of all votes together: how often two agree, what one is worth, how many a pair needs."""

from __future__ import annotations

from toprung.data.judgments import Choice, Judgment, Judgments
from toprung.labels.assessors.review import review_assessors
from toprung.web.services.judging.campaigns.quality import FEW_PAIRS, say_worth


def two_votes_each(n_pairs: int, n_agreed: int) -> Judgments:
    """Of ann and bob, who choose the same on the first pairs."""
    return Judgments.of(
        Judgment(
            judgment_id=f"{name}{number}",
            query_id=f"q{number}",
            left="a",
            right="b",
            choice=Choice.LEFT if name == "ann" or number < n_agreed else Choice.RIGHT,
            assessor=name,
        )
        for name in ("ann", "bob")
        for number in range(n_pairs)
    )


def test_it_is_said_with_how_many_votes_a_pair_needs() -> None:
    """By hand: agreement .55 is p = .658; 15 votes have the majority right in .8995, 17 in .9128."""
    assert say_worth(review_assessors(two_votes_each(40, 22), {})) == (
        "Two people agree on 55% of pairs (n = 40): about one vote in three is wrong; "
        "at this rate a pair needs 17 votes for 90%."
    )


def test_of_careful_people_one_vote_is_enough() -> None:
    """.9² + .1² = .82, and one vote of them is right in .9."""
    assert say_worth(review_assessors(two_votes_each(100, 82), {})) == (
        "Two people agree on 82% of pairs (n = 100): about one vote in ten is wrong; "
        "at this rate a pair needs 1 vote for 90%."
    )


def test_of_few_pairs_nothing_is_said() -> None:
    assert say_worth(review_assessors(two_votes_each(19, 19), {})) == FEW_PAIRS
