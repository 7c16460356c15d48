"""Queries drawn from a public and a private set at once."""

from __future__ import annotations

import numpy as np
import pytest

from toprung.stats.models import two_sets
from toprung.stats.models.two_sets import TwoSets


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


@pytest.mark.parametrize(("public", "private"), [("abcd", "xyz"), ("abcd", "cdx"), ("abc", "abc"), ("abcdef", "cd")])
def test_a_deal_keeps_the_sizes_and_shared_queries_on_both_sides(public: str, private: str) -> None:
    sets = TwoSets.of(list(public), list(private))
    (dealt,) = sets.deal(2_000, np.random.default_rng(1))
    assert dealt.shape == (2_000, len(public) + len(private))
    assert set(np.unique(dealt)) == {0, 1}
    assert (dealt.sum(axis=1) == len(private)).all()
    twins = dealt[:, sets.shared_public] + dealt[:, sets.n_public + sets.shared_private]
    assert (twins == 1).all()  # one label of such a query on each side
    alone = [row for row in range(len(public)) if row not in sets.shared_public]
    n_alone = len(alone) + len(private) - sets.n_shared
    if sets.n_shared:
        assert dealt[:, sets.shared_public].mean(axis=0) == pytest.approx(0.5, abs=0.04)
    assert dealt[:, alone].mean(axis=0) == pytest.approx((len(private) - sets.n_shared) / max(n_alone, 1), abs=0.04)


def test_as_they_are_the_private_queries_come_last() -> None:
    assert TwoSets.of(list("abc"), list("cx")).private_side.tolist() == [[0, 0, 0, 1, 1]]
