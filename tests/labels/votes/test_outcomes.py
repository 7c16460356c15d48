"""Who won a pair? Votes become outcomes."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.labels.builders import votes

from toprung.data.judgments import AssessorKind, Choice, Judgment, Judgments, Pair
from toprung.errors import InputError
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome, merge_same_texts, resolve_pairs

PAIR = Pair("q", "a", "b")


def only(judgments: Judgments) -> PairOutcome:
    [outcome] = resolve_pairs(judgments).values()
    return outcome


def test_the_majority_wins_whichever_side_it_stood_on() -> None:
    found = only(votes("q a b left\nq b a right\nq b a left"))
    assert (found.pair, found.wins_a, found.wins_b, found.n) == (PAIR, 2, 1, 3)
    assert found.winner == "a"
    assert found.loser == "b"
    assert found.is_decided


def test_an_even_split_is_a_tie() -> None:
    found = only(votes("q a b left\nq a b right"))
    assert found.winner is found.loser is None
    assert not found.is_decided


def test_one_more_vote_decides_a_tie() -> None:
    assert only(votes("q a b left\nq a b right\nq b a left")).winner == "b"


def test_a_vote_for_neither_counts_for_neither() -> None:
    assert only(votes("q a b tie")).winner is None
    found = only(votes("q a b tie\nq a b tie\nq a b left"))
    assert (found.winner, found.ties, found.n) == ("a", 2, 3)


def test_a_pair_without_votes_has_no_outcome() -> None:
    assert resolve_pairs(votes("q a b skip")) == {}


def test_golds_and_judgments_taken_back_are_no_votes() -> None:
    rows = [
        Judgment(judgment_id="1", query_id="q", left="a", right="b", choice=Choice.LEFT),
        Judgment(judgment_id="2", query_id="q", left="a", right="b", choice=Choice.RIGHT, supersedes="1"),
        Judgment(judgment_id="3", query_id="q", left="a", right="b", choice=Choice.LEFT, is_gold=True),
    ]
    assert only(Judgments.of(rows)).winner == "b"


def test_language_models_are_left_out_unless_asked_for() -> None:
    judgments = votes("q a b left", kind=AssessorKind.LLM)
    assert resolve_pairs(judgments) == {}
    assert resolve_pairs(judgments, kinds=("llm",))[PAIR].winner == "a"
    assert resolve_pairs(votes("q a b left", kind=AssessorKind.IMPORT))[PAIR].winner == "a"


@given(st.lists(st.sampled_from(["left", "right", "tie", "skip"]), max_size=7), st.randoms())
def test_swapping_sides_or_the_order_of_votes_changes_nothing(choices: list[str], shuffled: random.Random) -> None:
    turned = {"left": "right", "right": "left"}
    lines = [f"q a b {choice}" for choice in choices]
    swapped = [f"q b a {turned.get(choice, choice)}" for choice in choices]
    shuffled.shuffle(swapped)
    assert resolve_pairs(votes("\n".join(lines))) == resolve_pairs(votes("\n".join(swapped)))


def test_pairs_come_in_order_whatever_the_order_of_votes() -> None:
    assert list(resolve_pairs(votes("q2 a b left\nq1 c a left\nq1 b a left"))) == [
        Pair("q1", "a", "b"),
        Pair("q1", "a", "c"),
        Pair("q2", "a", "b"),
    ]


def test_an_unknown_policy_is_refused() -> None:
    with pytest.raises(InputError, match="policy: found 'coin'; expected one of majority, dawid-skene"):
        resolve_pairs(votes("q a b left"), policy="coin")


def test_good_assessors_outvote_more_of_those_who_guess() -> None:
    # Two who agree on twenty pairs, and three who contradict each other on them.
    lines = []
    for number in range(20):
        lines += [f"q{number} a b left good1", f"q{number} a b left good2"]
        lines += [f"q{number} a b {['left', 'right'][(number + each) % 2]} guess{each}" for each in range(3)]
    lines += [f"last a b left {who}" for who in ("good1", "good2")]
    lines += [f"last a b right {who}" for who in ("guess0", "guess1", "guess2")]
    judgments = votes("\n".join(lines))
    last = Pair("last", "a", "b")
    assert resolve_pairs(judgments)[last].winner == "b"
    assert resolve_pairs(judgments, policy="dawid-skene")[last].winner == "a"
    assert resolve_pairs(judgments, policy="dawid-skene")[last].n == 5


def test_votes_on_items_with_the_same_text_are_one_pair() -> None:
    outcomes = resolve_pairs(votes("q a b left\nq b c right\nq a c tie\nother a c left"))
    pool = Pool(query_id="q", items=("a", "b"), same_text={"c": "a"})
    merged = merge_same_texts(outcomes, [pool])
    assert set(merged) == {PAIR, Pair("other", "a", "c")}
    assert (merged[PAIR].wins_a, merged[PAIR].wins_b, merged[PAIR].n) == (2, 0, 2)


def test_an_item_that_stands_for_another_keeps_its_side() -> None:
    outcomes = resolve_pairs(votes("q a b left"))
    merged = merge_same_texts(outcomes, [Pool(query_id="q", items=("b", "z"), same_text={"a": "z"})])
    assert merged[Pair("q", "b", "z")].winner == "z"


def test_votes_of_three_pairs_that_are_one_are_added_side_by_side() -> None:
    """A and z are one text, which a stands for: (b, z) counts turned, and (a, z) not at all."""
    pairs = {("a", "b"): (3, 1, 2), ("b", "z"): (5, 7, 11), ("a", "z"): (90, 90, 90)}
    outcomes = {
        pair: PairOutcome(pair=pair, wins_a=wins_a, wins_b=wins_b, ties=ties, n=wins_a + wins_b + ties)
        for (one, other), (wins_a, wins_b, ties) in pairs.items()
        for pair in [Pair("q", one, other)]
    }
    merged = merge_same_texts(outcomes, [Pool(query_id="q", items=("a", "b"), same_text={"z": "a"})])
    assert list(merged) == [Pair("q", "a", "b")]
    [found] = merged.values()
    assert (found.wins_a, found.wins_b, found.ties, found.n) == (3 + 7, 1 + 5, 2 + 11, 6 + 23)


def test_merged_outcomes_do_not_grow_with_those_given() -> None:
    counted = dict(resolve_pairs(votes("q a b left")))
    merged = merge_same_texts(counted, [])
    counted |= resolve_pairs(votes("q a c left"))
    assert [(pair.a, pair.b) for pair in merged] == [("a", "b")]
