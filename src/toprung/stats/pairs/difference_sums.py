"""What do the paired tests need to know of a pair? A few sums over its differences, whichever way they are found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from toprung.stats.inputs import Floats, Ints

N_SUMS = 7


@dataclass(frozen=True)
class DifferenceSums:
    """One element per pair, over the queries that count for it.

    ``n`` queries, ``wins`` of B and ``losses``; ``w_plus``, the rank sum of the wins; ``ties``, Σ(t³ − t) over
    groups of equal size other than zero; ``total`` and ``squares``, the sums of d and of d².
    """

    n: Floats
    wins: Floats
    losses: Floats
    w_plus: Floats
    ties: Floats
    total: Floats
    squares: Floats


class DifferenceKernel(Protocol):
    """Gives the sums of the pairs ``first[i]``, ``second[i]``: B is the second, A the first."""

    def sums(self, first: Ints, second: Ints) -> DifferenceSums: ...
