"""Do the rows of two runs belong to the same queries? An audit that costs nothing and has found real trouble.

Real runs on one set of queries agree on which are easy: on MS MARCO document dev the agreement φ is 0.24 to 0.95.
Two columns of ranks whose rows have lost their query ids agree no more than chance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toprung.words.wording import show_number

LEAST_AGREEMENT = 0.1
QUERIES_TO_WARN, QUERIES_TO_BE_SURE = 200, 500


@dataclass(frozen=True, kw_only=True)
class Alignment:
    """``phi``: agreement on which queries are answered; ``correlation``: that of RR. NaN where a run never varies."""

    phi: float
    correlation: float
    n: int

    @property
    def is_aligned(self) -> bool:
        """False where the rows are probably not aligned by query id."""
        agrees = not (self.phi < LEAST_AGREEMENT and self.correlation < LEAST_AGREEMENT)
        return agrees or self.n < QUERIES_TO_WARN

    @property
    def warning(self) -> str:
        """What to tell, or nothing."""
        if self.is_aligned:
            return ""
        strength = "strong warning" if self.n >= QUERIES_TO_BE_SURE else "warning"
        figures = f"φ = {show_number(self.phi, 2)}, correlation of RR {show_number(self.correlation, 2)}"
        return (
            f"{strength}: the runs agree no more than chance on which queries they answer ({figures}), "
            "which is consistent with rows not aligned by query id"
        )


def audit_alignment(ranks_a: NDArray[np.int32], ranks_b: NDArray[np.int32]) -> Alignment:
    """Audit two columns of first ranks (0 = not found)."""
    reciprocal_a, reciprocal_b = (
        np.divide(1.0, ranks, out=np.zeros(len(ranks)), where=ranks > 0) for ranks in (ranks_a, ranks_b)
    )
    return Alignment(
        phi=_correlation((ranks_a > 0).astype(np.float64), (ranks_b > 0).astype(np.float64)),
        correlation=_correlation(reciprocal_a, reciprocal_b),
        n=len(ranks_a),
    )


def _correlation(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    if len(x) < 2 or x.min() == x.max() or y.min() == y.max():
        return float("nan")
    return float(np.corrcoef(x, y)[0, 1])
