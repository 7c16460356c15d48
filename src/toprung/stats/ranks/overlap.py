"""How alike are two rankings, the top above all? Rank-biased overlap (Webber, Moffat and Zobel 2010), extrapolated.

At every depth two rankings share a part of what they show down to there. RBO is the mean of that part for a reader who
goes on to the next rank with probability p. Beyond the end of the lists the agreement seen so far is assumed to
hold (their RBO_EXT), which also serves lists of different lengths.
"""

from __future__ import annotations

import numpy as np

from toprung.stats.inputs import Floats, Ints, check_share

PERSISTENCE = 0.9


def extrapolated_overlap(overlaps: Ints, lengths_a: Ints, lengths_b: Ints, *, p: float = PERSISTENCE) -> Floats:
    """RBO_EXT of many pairs of lists (equation 32 of the source).

    ``overlaps`` has a row for each pair: how many items the two share within the first 1, 2, … ranks, a list that has
    ended being taken whole. Two empty lists are the same list.
    """
    check_share(p, name="p")
    depths = np.arange(1, overlaps.shape[1] + 1)
    short, long = np.minimum(lengths_a, lengths_b), np.maximum(lengths_a, lengths_b)
    at_short, at_long = _overlap_at(overlaps, short), _overlap_at(overlaps, long)
    # Where the shorter list has ended, its missing ranks agree as often as those that it has.
    share_of_short = at_short / np.maximum(short, 1)
    assumed = share_of_short[:, None] * np.maximum(depths - short[:, None], 0)
    agreement = np.where(depths <= long[:, None], (overlaps + assumed) / depths, 0.0)
    seen = (1 - p) / p * (agreement @ p**depths)
    beyond = ((at_long - at_short) / np.maximum(long, 1) + share_of_short) * p**long
    # Weights that sum to 1 do so only to rounding.
    found: Floats = np.where(long == 0, 1.0, np.clip(np.round(seen + beyond, 12), 0.0, 1.0))
    return found


def _overlap_at(overlaps: Ints, depths: Ints) -> Ints:
    padded = np.concatenate([np.zeros((len(overlaps), 1), dtype=overlaps.dtype), overlaps], axis=1)
    picked: Ints = padded[np.arange(len(overlaps)), depths]
    return picked
