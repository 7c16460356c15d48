"""Which pairs of a board do not seem to hold the same queries? `toprung.boards.alignment`, asked of all pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from toprung.boards.alignment import LEAST_AGREEMENT, QUERIES_TO_WARN, Alignment
from toprung.data.matrices import FirstRanks
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import Floats
from toprung.stats.pairs.pairwise import pair_outcomes
from toprung.stats.pairs.results import Pairs, all_pairs
from toprung.stats.products import multiply
from toprung.words.wording import say_count

MOST_AUDITED = 1_000
"""Runs: of more, half a million pairs are enough to see that rows were mixed up."""


@dataclass(frozen=True, kw_only=True)
class Misalignment:
    """How many pairs fail the alignment audit, and the worst of them."""

    n_failed: int
    n_pairs: int
    worst: Alignment

    @property
    def warning(self) -> str:
        share = f"{self.n_failed:,} of {say_count(self.n_pairs, 'pair')}"
        return f"Alignment, in {share}, at worst: {self.worst.warning}."


def audit_pairs(ranks: FirstRanks) -> Misalignment | None:
    """None where all pairs agree on which queries are easy, or the queries are too few to know.

    Of more runs than can be looked at in a second, the first are.
    """
    if len(ranks.runs) < 2 or len(ranks.query_ids) < QUERIES_TO_WARN:
        return None
    looked_at = ranks.select(list(ranks.runs[:MOST_AUDITED]))
    pairs = all_pairs(len(looked_at.runs))
    correlation = _correlations(looked_at.reciprocal().values)[pairs.first, pairs.second].round(MEAN_DIGITS)
    suspects = np.flatnonzero(correlation < LEAST_AGREEMENT)
    if not len(suspects):
        return None
    outcomes = pair_outcomes(looked_at.values, Pairs(first=pairs.first[suspects], second=pairs.second[suspects]))
    phi = outcomes.phi.round(MEAN_DIGITS)
    failed = np.flatnonzero(phi < LEAST_AGREEMENT)
    if not len(failed):
        return None
    worst = failed[np.lexsort((correlation[suspects[failed]], phi[failed]))[0]]
    alignment = Alignment(phi=float(phi[worst]), correlation=float(correlation[suspects[worst]]), n=outcomes.n)
    return Misalignment(n_failed=len(failed), n_pairs=len(pairs), worst=alignment)


def _correlations(values: Floats) -> Floats:
    """Of every two columns; 0 where one never varies."""
    spread = values.std(axis=0)
    centred = np.divide(values - values.mean(axis=0), spread, out=np.zeros(values.shape), where=spread > 0)
    found: Floats = multiply(centred.T, centred) / len(values)
    return found
