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
        (found,) = cls.of_many(a, b[:, None])
        return found

    @classmethod
    def of_many(cls, a: Ranks, others: Ranks) -> list[Outcomes]:
        """Of one run A and each column of queries × runs.

        >>> ranks = np.array([[1, 2], [0, 3], [4, 0]], dtype=np.int32)
        >>> [found.only_b for found in Outcomes.of_many(np.array([2, 0, 5], dtype=np.int32), ranks)]
        [0, 1]
        """
        first = a[:, None]
        found_a, found_b = first > 0, others > 0
        both = found_a & found_b
        counts = {
            "neither": ~(found_a | found_b),
            "only_a": found_a & ~found_b,
            "only_b": found_b & ~found_a,
            "a_higher": both & (first < others),
            "same": both & (first == others),
            "b_higher": both & (first > others),
        }
        columns = [np.count_nonzero(each, axis=0).tolist() for each in counts.values()]
        return [cls(**dict(zip(counts, row, strict=True))) for row in zip(*columns, strict=True)]

    @property
    def both(self) -> int:
        return self.a_higher + self.same + self.b_higher

    @property
    def n(self) -> int:
        return self.neither + self.only_a + self.only_b + self.both

    def share(self, count: int) -> float:
        return count / self.n if self.n else float("nan")
