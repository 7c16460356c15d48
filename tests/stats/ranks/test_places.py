"""Which place does each run take by its score?"""

from __future__ import annotations

import math

import pytest

from toprung.stats.ranks.places import best_first, places_of

# .1 + .2 and .3 differ in floating point.
SCORES, NAMES = [0.3, math.nan, 0.1 + 0.2, 0.9], ["d", "a", "b", "c"]


@pytest.mark.parametrize(("higher_is_better", "places"), [(True, [2, 4, 2, 1]), (False, [1, 4, 1, 3])])
def test_those_alike_share_the_better_place_and_no_score_is_last(higher_is_better: bool, places: list[int]) -> None:
    assert places_of(SCORES, higher_is_better=higher_is_better).tolist() == places


@pytest.mark.parametrize(("higher_is_better", "order"), [(True, "cbda"), (False, "bdca")])
def test_names_decide_between_those_alike(higher_is_better: bool, order: str) -> None:
    found = best_first(SCORES, NAMES, higher_is_better=higher_is_better)
    assert "".join(NAMES[each] for each in found) == order
