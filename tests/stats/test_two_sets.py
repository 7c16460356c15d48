"""Queries drawn from a public and a private set at once."""

from __future__ import annotations

import numpy as np
import pytest

from toprung.stats import two_sets
from toprung.stats.two_sets import TwoSets, weighted_means


def test_queries_are_shared_by_their_names() -> None:
    sets = TwoSets.of(["a", "b", "c"], ["x", "c", "a"])
    assert sets.n_shared == 2
    assert list(zip(sets.shared_public.tolist(), sets.shared_private.tolist(), strict=True)) == [(2, 1), (0, 2)]


@pytest.mark.parametrize(("public", "private"), [("abcd", "xyz"), ("abcd", "cdx"), ("abcd", "abcd"), ("abcdef", "cd")])
def test_each_set_is_drawn_to_its_size_and_shared_queries_together(public: str, private: str) -> None:
    sets = TwoSets.of(list(public), list(private))
    ((of_public, of_private),) = sets.draw(200, np.random.default_rng(1))
    assert (of_public.sum(axis=1) == len(public)).all()
    assert (of_private.sum(axis=1) == len(private)).all()
    assert (of_public[:, sets.shared_public] == of_private[:, sets.shared_private]).all()
    assert of_public.std(axis=0).min() > 0  # every query is drawn more or less often


def test_sets_that_share_nothing_are_drawn_independently() -> None:
    ((of_public, of_private),) = TwoSets.of(list("abcd"), list("wxyz")).draw(5_000, np.random.default_rng(1))
    assert abs(np.corrcoef(of_public[:, 0], of_private[:, 0])[0, 1]) < 0.05


def test_draws_come_in_chunks_that_hold_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(two_sets, "CELLS_PER_CHUNK", 20)
    sizes = [len(of_public) for of_public, _ in TwoSets.of(list("abcd"), list("x")).draw(10, np.random.default_rng(1))]
    assert sizes == [4, 4, 2]


def test_what_stands_for_the_private_set_keeps_shared_queries_and_draws_the_others() -> None:
    sets = TwoSets.of(list("abcd"), list("cx"))
    private_weights = np.array([[2.0, 0.0], [0.0, 2.0]])
    drawn = sets.draw_in_place_of_private(private_weights, np.random.default_rng(1))
    assert drawn.sum(axis=1).tolist() == [3.0, 1.0]  # c as often as drawn, and one for x
    assert drawn[0, 2] >= 2


def test_means_leave_out_what_is_missing() -> None:
    values = np.array([[1.0, np.nan], [3.0, np.nan], [np.nan, 5.0]])
    found = weighted_means(np.array([[1.0, 1.0, 1.0], [0.0, 3.0, 0.0]]), values)
    assert found[:, 0].tolist() == [2.0, 3.0]
    assert found[0, 1] == 5.0
    assert np.isnan(found[1, 1])
