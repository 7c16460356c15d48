"""How did each query come out for two runs? Answered by neither, by one only, or by both, and then by which higher."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

type Ranks = NDArray[np.int32]


@dataclass(frozen=True, kw_only=True)
class Outcomes:
    """How many queries came out how; the six counts add up to all queries."""

    neither: int
    only_a: int
    only_b: int
    a_higher: int
    """Both found it, A at the better rank."""
    same: int
    b_higher: int

    @classmethod
    def of(cls, a: Ranks, b: Ranks) -> Outcomes:
        found_a, found_b = a > 0, b > 0
        both = found_a & found_b
        return cls(
            neither=int(np.sum(~found_a & ~found_b)),
            only_a=int(np.sum(found_a & ~found_b)),
            only_b=int(np.sum(found_b & ~found_a)),
            a_higher=int(np.sum(both & (a < b))),
            same=int(np.sum(both & (a == b))),
            b_higher=int(np.sum(both & (a > b))),
        )

    @property
    def both(self) -> int:
        return self.a_higher + self.same + self.b_higher

    @property
    def n(self) -> int:
        return self.neither + self.only_a + self.only_b + self.both

    def share(self, count: int) -> float:
        return count / self.n if self.n else float("nan")
