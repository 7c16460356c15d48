"""How often would chance alone leave several best answers?"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from tests.labels.builders import survivors

from toprung.labels.best.coin_tournaments import _all_tournaments, _drawn_tournaments, count_survivors, cyclic_share

# JUDGING.md: over all tournaments of n items, how many leave one, three or five.
SURVIVORS = {3: {1: 6, 3: 2}, 4: {1: 56, 3: 8}, 5: {1: 960, 3: 40, 5: 24}, 6: {1: 31_104, 3: 1_520, 5: 144}}


@pytest.mark.parametrize("n_items", [3, 4, 5, 6])
def test_over_all_tournaments_the_survivors_are_those_counted_by_hand(n_items: int) -> None:
    sizes, counts = np.unique(count_survivors(_all_tournaments(n_items)), return_counts=True)
    assert dict(zip(sizes.tolist(), counts.tolist(), strict=True)) == SURVIVORS[n_items]


def test_the_survivors_are_those_of_a_tournament_held_item_by_item() -> None:
    beats = _drawn_tournaments(8, seed=1)[:200]
    for tournament, n_left in zip(beats, count_survivors(beats).tolist(), strict=True):
        wins = {(str(i), str(j)): float(tournament[i, j]) for i, j in combinations(range(8), 2)}
        assert len(survivors(map(str, range(8)), wins)) == n_left


def test_draws_come_near_what_counting_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = cyclic_share(6)
    monkeypatch.setattr("toprung.labels.best.coin_tournaments.ALL_UP_TO", 2)
    assert cyclic_share(6, seed=2) == pytest.approx(exact, abs=0.01)
    assert cyclic_share(6, seed=2) == cyclic_share(6, seed=2)
