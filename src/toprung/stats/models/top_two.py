"""Which two items are worth the next vote? Two that may each be the strongest: top-two sampling from the posterior.

Strengths are drawn, and the strongest of the draw is the first item; they are drawn again until another is strongest,
which is the second (Russo 2020). Items that cannot be the best are hardly ever drawn, and what is open is asked again
and again. To ask the likeliest item against its likeliest rival instead stalls on noisy votes, for a strong item that
lost its first votes is never asked about again.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from toprung.stats.inputs import Floats, Ints

NORMAL = NormalDist()
LEAST_MOVE = 1e-12
TRIES = 16
DRAWS = 64
"""Where all of them agree on the strongest, the second is the item whose lag is smallest beside its doubt."""


def draw_top_two(
    mean: Floats, covariance: Floats, rng: np.random.Generator, *, pending: Floats | None = None
) -> tuple[Ints, Ints]:
    """For each pool the two items to compare; ``mean`` is pools × items, −∞ where an item does not count.

    ``pending`` is pools × items × items: on how many votes each two are waiting. Two that wait on more than their share
    are passed over, if others were drawn.

    >>> first, second = draw_top_two(np.array([[5.0, 5.0, -9.0]]), np.eye(3)[None] / 9, np.random.default_rng(1))
    >>> sorted([*first.tolist(), *second.tolist()])
    [0, 1]
    """
    tops = _draw_tops(mean, covariance, rng)
    rows = np.arange(len(mean))
    first, second = tops[:, 0], _second(tops, 0)
    second = np.where(second < 0, _nearest(mean, covariance, first), second)
    if pending is None:
        return first, second
    is_crowded = _is_crowded(tops, pending)
    for place in range(1, TRIES):
        other, rival = tops[:, place], _second(tops, place)
        is_better = is_crowded[rows, first, second] & (rival >= 0) & ~is_crowded[rows, other, rival]
        first, second = np.where(is_better, other, first), np.where(is_better, rival, second)
    return first, second


def rank_pairs(
    mean: Floats, covariance: Floats, rng: np.random.Generator, *, pending: Floats | None = None
) -> Iterator[tuple[int, int]]:
    """The pairs of one pool in the order they are worth asking, for whom the first ones cannot be asked.

    Those drawn come first, of these the ones that wait on no more votes than their share, then all others, by how near
    both are to the top; ``mean`` has one figure for each item.
    """
    tops = _draw_tops(mean[None], covariance[None], rng)
    drawn = _follow(tops[0].tolist())
    if pending is not None:
        is_crowded = _is_crowded(tops, pending[None])[0]
        drawn.sort(key=lambda pair: bool(is_crowded[pair]))
    every = [*drawn, *_by_nearness(mean, covariance, int(tops[0, 0]))]
    yield from dict.fromkeys((min(pair), max(pair)) for pair in every)


def _follow(tops: list[int]) -> list[tuple[int, int]]:
    """Each item drawn with the next that is another.

    >>> _follow([1, 1, 0, 2])
    [(1, 0), (1, 0), (0, 2)]
    """
    found: list[tuple[int, int]] = []
    second = None
    for first, after in zip(reversed(tops[:-1]), reversed(tops[1:]), strict=True):
        second = after if after != first else second
        if second is not None:
            found.append((first, second))
    return found[::-1]


def _second(tops: Ints, place: int) -> Ints:
    """For each pool the first item that is strongest after this place and is another; −1 if there is none."""
    later = tops[:, place:]
    is_other = later != later[:, :1]
    found = later[np.arange(len(tops)), is_other.argmax(axis=1)]
    return np.where(is_other.any(axis=1), found, -1)


def _is_crowded(tops: Ints, pending: Floats) -> NDArray[np.bool_]:
    """Pools × items × items: whether two wait on their share of votes already, by how often they are drawn."""
    p = (tops[:, :, None] == np.arange(pending.shape[1])).mean(axis=1)
    after = p / np.maximum(1 - p, 1 / DRAWS)
    share = after[:, :, None] * p[:, None, :] + p[:, :, None] * after[:, None, :]
    n = pending.sum(axis=(1, 2), keepdims=True) / 2 + 1
    found: NDArray[np.bool_] = pending >= np.ceil(share * n)
    return found


def narrow(mean: Floats, covariance: Floats, first: Ints, second: Ints, n: int = 1) -> Floats:
    """The covariance once ``n`` votes on a pair of each pool have come, whatever they say; ``mean`` stays.

    A vote tells of a difference by p(1 − p), where p is how probably the first item wins it.
    """
    rows = np.arange(len(mean))
    towards = covariance[rows, first] - covariance[rows, second]
    variance = towards[rows, first] - towards[rows, second]
    told = n * _information(mean[rows, first] - mean[rows, second], variance)
    found: Floats = (
        covariance - towards[:, :, None] * towards[:, None, :] * (told / (1 + told * variance))[:, None, None]
    )
    return found


def _information(lead: Floats, variance: Floats) -> Floats:
    p = 1 / (1 + np.exp(-lead / np.sqrt(1 + np.pi * variance / 8)))
    found: Floats = p * (1 - p)
    return found


def chance_to_settle(mean: Floats, covariance: Floats, *, n_votes: int, target: float) -> float:
    """How probably so many more votes would make the best item of one pool as sure as ``target``.

    Reckoned for the leader and its nearest rival as if all votes were theirs, so rather too high: the lead is normal
    now and will be normal with less variance then, and where its mean will lie is normal as well.
    """
    leader = int(mean.argmax())
    rival = int(_nearest(mean[None], covariance[None], np.array([leader]))[0])
    lead = float(mean[leader] - mean[rival])
    variance = float(covariance[leader, leader] + covariance[rival, rival] - 2 * covariance[leader, rival])
    after = 1 / (1 / variance + n_votes * float(_information(np.array(lead), np.array(variance))))
    moves = max(variance - after, LEAST_MOVE) ** 0.5
    needed = NORMAL.inv_cdf(target) * after**0.5
    return NORMAL.cdf((lead - needed) / moves) + NORMAL.cdf((-lead - needed) / moves)


def _draw_tops(mean: Floats, covariance: Floats, rng: np.random.Generator) -> Ints:
    """Pools × draws: the strongest item of each draw."""
    spread = np.linalg.cholesky(covariance)
    drawn = spread @ rng.standard_normal((*mean.shape, DRAWS)) + mean[:, :, None]
    return drawn.argmax(axis=1)


def _nearest(mean: Floats, covariance: Floats, first: Ints) -> Ints:
    """For each pool the item whose lag behind ``first`` is smallest beside its doubt."""
    lags = _lags(mean, covariance, first)
    lags[np.arange(len(mean)), first] = np.inf
    return lags.argmin(axis=1)


def _lags(mean: Floats, covariance: Floats, first: Ints) -> Floats:
    """Pools × items: how many standard deviations an item lags behind ``first``, which lags by 0."""
    rows = np.arange(len(mean))
    own = np.diagonal(covariance, axis1=1, axis2=2)
    variance = own[rows, first][:, None] + own - 2 * covariance[rows, first]
    variance[rows, first] = 1
    found: Floats = (mean[rows, first][:, None] - mean) / np.sqrt(variance)
    return found


def _by_nearness(mean: Floats, covariance: Floats, leader: int) -> list[tuple[int, int]]:
    """All pairs of one pool, those first whose two items together lag least behind the leader."""
    lags = _lags(mean[None], covariance[None], np.array([leader]))[0]
    first, second = np.triu_indices(len(mean), k=1)
    order = np.argsort(lags[first] + lags[second], kind="stable")
    return list(zip(first[order].tolist(), second[order].tolist(), strict=True))
