"""What an attacker with many accounts gains; what was found before is reproduced, and the default holds it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from toprung.analyses.simulate.accounts import STARTS, STRATEGIES, flip, worst_gain
from toprung.analyses.simulate.gains import known_gains
from toprung.analyses.simulate.gains_table import GAINS
from toprung.analyses.simulate.ramp import ramp
from toprung.analyses.simulate.swapper import Swapper
from toprung.boards.disclosure.luck import HALF, luck, spread_of
from toprung.boards.disclosure.release import BoardLadder, Ladder, Release, RoundedRelease, read_release


@dataclass(frozen=True, kw_only=True)
class PlainRounded(RoundedRelease):
    """Three digits however few queries there are."""

    def on_hidden(self, n_queries: int, *, spread: float = HALF) -> Release:  # noqa: ARG002 - protocol
        return self


@dataclass(frozen=True, kw_only=True)
class PlainLadder(Ladder):
    """A step of 0.01 however few queries there are."""

    def on_hidden(self, n_queries: int, *, spread: float = HALF) -> Release:  # noqa: ARG002 - protocol
        return self


def test_one_query_after_the_other_is_learned_from_three_digits() -> None:
    """179 of 200 queries are tried, each is worth ±¼ over 200: 0.22 in the mean, as it was found on a server."""
    gains = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        attacker = Swapper(200, PlainRounded(), accounts=1, rng=rng)
        gains.append(attacker.gain(flip(attacker, submissions=180, rng=rng)))
    assert np.mean(gains) == pytest.approx(0.25 * 179 / 200, abs=0.01)


def test_fresh_teams_climb_a_ladder_of_their_own() -> None:
    """0.16 was found; regression learns more from the same 180 answers."""
    assert worst_gain(PlainLadder(), queries=200, accounts=180, submissions=180, repeats=4) > 0.16


def test_one_team_alone_climbs_less() -> None:
    alone = worst_gain(PlainLadder(), queries=200, accounts=1, submissions=180, repeats=4)
    assert alone < 0.08


def test_more_accounts_gain_no_more_on_the_ladder_of_the_board() -> None:
    release = read_release("board-ladder:auto")
    few, many = (
        worst_gain(release, queries=200, accounts=each, submissions=100, repeats=1, starts=(0.0, 1.0))
        for each in (1, 100)
    )
    assert few == many


def test_a_board_that_is_empty_is_climbed_by_blocks_of_luck_where_no_lot_is_drawn() -> None:
    """0.13 on 200 queries by 1,000 submissions; the lots of the default leave a fifth to a third of it."""
    gains = {}
    for release in (BoardLadder(step=200**-0.5), read_release("board-ladder:auto")):
        found = []
        for seed in range(30):
            rng = np.random.default_rng(seed)
            attacker = Swapper(200, release, accounts=1, rng=rng, start=0.0)
            found.append(attacker.gain(ramp(attacker, submissions=1_000, rng=rng, block=0.85)))
        gains[release.draws_lots] = np.mean(found)
    assert gains[False] > 0.1
    assert gains[True] < 0.045


def test_the_default_holds_the_gain_in_short() -> None:
    release = read_release("board-ladder:auto")
    gain = worst_gain(release, queries=1_000, accounts=100, submissions=300, repeats=1, starts=(0.0, 1.0))
    assert gain <= 0.025


def test_who_is_told_nothing_gains_nothing() -> None:
    closed = read_release("closed:2999-01-01")
    for strategy in STRATEGIES.values():
        gains = []
        for seed in range(20):
            rng = np.random.default_rng(seed)
            attacker = Swapper(100, closed, accounts=3, rng=rng)
            gains.append(attacker.gain(strategy(attacker, submissions=20, rng=rng)))
        assert abs(np.mean(gains)) < 0.02


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["RR@10", "P@1"])
@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("queries", [200, 1_000, 5_793])
def test_the_default_holds_what_is_stated_at_every_size_from_every_start(
    queries: int, start: float, measure: str
) -> None:
    """Where the best of the board is what an attacker on RR deserves, that is 0.01 at most."""
    release, spread = read_release("board-ladder:auto"), spread_of(measure)
    gain = worst_gain(release, queries=queries, accounts=100, repeats=6, spread=spread, starts=(start,))
    print(f"\n{queries:,} queries, {measure}, start {start:.2f}: {gain:.4f}")
    stated = known_gains(release, queries, measure=measure).by_accounts[100]
    assert gain <= stated + luck(queries, spread) / 2
    assert gain <= 0.01 or start < 1 or measure == "P@1"


class TestKnownGains:
    @pytest.mark.parametrize(("queries", "most"), [(200, 0.045), (1_000, 0.02), (5_793, 0.01)])
    @pytest.mark.parametrize("accounts", [1, 10, 100])
    def test_the_default_is_within_a_hundredth_where_queries_are_many(
        self, queries: int, most: float, accounts: int
    ) -> None:
        known = known_gains(read_release("board-ladder:auto"), queries, measure="RR@10")
        assert known.by_accounts[accounts] <= most

    def test_what_is_in_the_table_is_read_from_it(self) -> None:
        found = known_gains(read_release("ladder:0.01"), 1_000, measure="RR")
        assert tuple(found.by_accounts.values()) == GAINS[HALF]["ladder:0.01"][1_000]

    def test_between_two_numbers_it_is_between_two_gains(self) -> None:
        low, high = (GAINS[HALF]["ladder:0.01"][n][2] for n in (2_000, 1_000))
        assert low < known_gains(read_release("ladder:0.01"), 1_400, measure="RR").by_accounts[100] < high

    @pytest.mark.parametrize(
        ("release", "weaker"),
        [
            ("ladder:0.03", "ladder:0.01"),
            ("rounded:6", "full"),
            ("board-ladder:0.001", "full"),
            ("rounded:0", "rounded:2"),
        ],
    )
    def test_what_is_not_in_it_is_taken_for_a_weaker_one(self, release: str, weaker: str) -> None:
        assert known_gains(read_release(release), 100_000, measure="RR").simulated_as == weaker

    def test_what_is_closed_gives_nothing(self) -> None:
        assert set(known_gains(read_release("closed:2999-01-01"), 200, measure="RR").by_accounts.values()) == {0.0}

    def test_it_is_said_in_one_sentence(self) -> None:
        said = known_gains(read_release("closed:2999-01-01"), 200, measure="RR").words
        assert said.startswith(
            "By 1,000 submissions an attacker gains about less than 0.001 with 1, 10 or 100 accounts in RR."
        )
