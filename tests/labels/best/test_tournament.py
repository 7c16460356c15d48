"""Which answer is best? Values from JUDGING.md, and every tournament of up to six items."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.labels.builders import outcomes_of, survivors

from toprung.data.judgments import Pair
from toprung.labels.best.tournament import BestAnswers, hold_tournaments
from toprung.labels.pools.pool import Pool

CYCLE = ("AB", "BC", "CA")


def best(items: str, *beats: str, ties: tuple[str, ...] = ()) -> str:
    return "".join(hold(items, *beats, ties=ties).best)


def hold(items: str, *beats: str, ties: tuple[str, ...] = (), allow_incomplete: bool = False) -> BestAnswers:
    pool = Pool(query_id="q", items=tuple(items))
    return hold_tournaments([pool], outcomes_of(beats, ties=ties), allow_incomplete=allow_incomplete)["q"]


def test_the_item_with_most_wins_is_best() -> None:
    found = hold("ABC", "AB", "AC", "BC")
    assert (found.best, found.rounds, found.is_cycle) == (("A",), 1, False)


def test_a_cycle_of_three_keeps_all_three() -> None:
    found = hold("ABC", *CYCLE)
    assert found.best == ("A", "B", "C")
    assert found.is_cycle


def test_three_in_a_cycle_that_all_beat_a_fourth_are_the_three() -> None:
    assert best("ABCD", *CYCLE, "AD", "BD", "CD") == "ABC"


def test_leaders_play_again_among_themselves() -> None:
    # A and B have two wins each, C and D one; A beats B.
    found = hold("ABCD", "AB", "AC", "DA", "BC", "BD", "CD")
    assert (found.best, found.rounds) == (("A",), 2)


def test_five_that_each_beat_the_next_two_are_all_kept() -> None:
    items = "ABCDE"
    beats = [items[i] + items[(i + step) % 5] for i in range(5) for step in (1, 2)]
    assert best(items, *beats) == items


def test_a_tie_is_half_a_win() -> None:
    assert best("ABC", "AB", "CB", ties=("AC",)) == "AC"
    assert best("AB", ties=("AB",)) == "AB"
    assert best("ABC", "AB", "BC", ties=("AC",)) == "A"


def test_a_pool_of_the_label_alone_needs_no_judgment() -> None:
    [found] = hold_tournaments([Pool(query_id="q", items=("A",), label="A")], {}).values()
    assert (found.best, found.rounds, found.missing) == (("A",), 0, ())


@pytest.mark.parametrize("allow_incomplete", [False, True])
def test_one_answer_that_is_no_label_does_not_become_one_unjudged(allow_incomplete: bool) -> None:
    assert hold("A", allow_incomplete=allow_incomplete).best == ()


def test_a_missing_pair_means_no_label_and_is_asked_for() -> None:
    found = hold("ABC", "AB", "AC")
    assert (found.best, found.missing) == ((), (Pair("q", "B", "C"),))
    assert not found.is_settled
    assert not found.is_incomplete


def test_incomplete_tournaments_are_held_over_judged_pairs_and_marked() -> None:
    found = hold("ABC", "AB", "AC", allow_incomplete=True)
    assert (found.best, found.missing) == (("A",), (Pair("q", "B", "C"),))
    assert found.is_incomplete
    assert not hold("ABC", "AB", "AC", "BC", allow_incomplete=True).is_incomplete


def test_without_any_judged_pair_nothing_is_best() -> None:
    assert hold("AB", allow_incomplete=True).best == ()


def test_leaders_whose_own_pair_was_not_judged_are_both_kept() -> None:
    assert hold("ABC", "AC", "BC", allow_incomplete=True).best == ("A", "B")


def test_454_single_winners_and_46_cycles_of_three_are_592_labels() -> None:
    pools = [Pool(query_id=f"q{number:03d}", items=("A", "B", "C")) for number in range(500)]
    outcomes = {}
    for number, pool in enumerate(pools):
        beats = CYCLE if number < 46 else ("AB", "BC", "AC")
        outcomes |= outcomes_of(beats, query_id=pool.query_id)
    results = hold_tournaments(pools, outcomes)
    assert sum(result.is_cycle for result in results.values()) == 46
    assert sum(len(result.best) for result in results.values()) == 454 + 46 * 3 == 592


@pytest.mark.parametrize(
    ("n", "expected"),
    [
        (1, {1: 1}),
        (2, {1: 2}),
        (3, {1: 6, 3: 2}),
        (4, {1: 56, 3: 8}),
        (5, {1: 960, 3: 40, 5: 24}),
        (6, {1: 31_104, 3: 1_520, 5: 144}),
    ],
)
def test_survivors_of_every_tournament(n: int, expected: dict[int, int]) -> None:
    items = "ABCDEF"[:n]
    pairs = list(combinations(items, 2))
    found: Counter[int] = Counter()
    for wins in product((0.0, 1.0), repeat=len(pairs)):
        shares = dict(zip(pairs, wins, strict=True))
        found[len(survivors(items, shares))] += 1
    assert found == expected


@st.composite
def tournaments(draw: st.DrawFn) -> tuple[str, dict[tuple[str, str], float]]:
    items = "ABCDEFG"[: draw(st.integers(1, 7))]
    return items, {pair: draw(st.sampled_from([0.0, 0.5, 1.0])) for pair in combinations(items, 2)}


@given(tournaments())
@settings(max_examples=200)
def test_some_item_survives_and_survivors_survive_again(drawn: tuple[str, dict[tuple[str, str], float]]) -> None:
    items, shares = drawn
    found = survivors(items, shares)
    assert set(found) <= set(items)
    assert found
    assert survivors(found, shares) == found


@given(tournaments())
def test_an_item_that_beats_all_others_is_best_alone(drawn: tuple[str, dict[tuple[str, str], float]]) -> None:
    items, shares = drawn
    for other in items[1:]:
        shares[items[0], other] = 1.0
    assert survivors(items, shares) == (items[0],)


@given(tournaments(), st.permutations("ABCDEFG"))
def test_names_do_not_matter(drawn: tuple[str, dict[tuple[str, str], float]], names: list[str]) -> None:
    items, shares = drawn
    renamed = dict(zip("ABCDEFG", names, strict=True))
    turned = {}
    for (one, other), share in shares.items():
        a, b = renamed[one], renamed[other]
        turned[min(a, b), max(a, b)] = share if a < b else 1 - share
    assert set(survivors([renamed[item] for item in items], turned)) == {
        renamed[item] for item in survivors(items, shares)
    }
