"""What is a p-value worth among many? Bonferroni, Holm, and Benjamini and Hochberg.

The family is what is passed in: the caller decides which comparisons belong together.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from toprung.errors import InputError, check_choice
from toprung.stats.inputs import Floats

type Correction = Callable[[ArrayLike], Floats]

CORRECTION_NAMES = {
    "raw": "without correction",
    "bonferroni": "with Bonferroni's correction",
    "holm": "with Holm's correction",
    "bh": "with the correction of Benjamini and Hochberg",
}
"""As they stand behind the name of a test."""
SHORT_CORRECTIONS = {"raw": "raw", "bonferroni": "Bonferroni", "holm": "Holm", "bh": "Benjamini–Hochberg"}


def leave_raw(p: ArrayLike) -> Floats:
    """The p-values as they are, checked."""
    return _as_p_values(p)


def correct_bonferroni(p: ArrayLike) -> Floats:
    """Every p times their number; family-wise error under any dependence.

    >>> correct_bonferroni([0.01, 0.04, 0.5])
    array([0.03, 0.12, 1.  ])
    """
    p = _as_p_values(p)
    return np.minimum(1.0, p * len(p))


def correct_holm(p: ArrayLike) -> Floats:
    """Step-down Bonferroni: as safe, never weaker (Holm 1979).

    >>> correct_holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    p = _as_p_values(p)
    order = np.argsort(p)
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return _put_back(stepped, order)


def correct_benjamini_hochberg(p: ArrayLike) -> Floats:
    """The expected share of false discoveries, for independent or positively dependent tests (1995).

    >>> correct_benjamini_hochberg([0.01, 0.04, 0.03, 0.5]).round(6)
    array([0.04    , 0.053333, 0.053333, 0.5     ])
    """
    p = _as_p_values(p)
    order = np.argsort(p)[::-1]
    count = len(p)
    stepped = np.minimum.accumulate(p[order] * (count / np.arange(count, 0, -1)))
    return _put_back(stepped, order)


CORRECTIONS: dict[str, Correction] = {
    "raw": leave_raw,
    "bonferroni": correct_bonferroni,
    "holm": correct_holm,
    "bh": correct_benjamini_hochberg,
}


def find_correction(name: str) -> Correction:
    """The correction of that name.

    >>> find_correction("holm")([0.02, 0.5])
    array([0.04, 0.5 ])
    """
    check_choice(name, CORRECTIONS, name="correction")
    return CORRECTIONS[name]


def _as_p_values(p: ArrayLike) -> Floats:
    values = np.asarray(p, dtype=np.float64)
    if values.ndim != 1:
        raise InputError(f"p: found an array of {values.ndim} dimensions; expected a plain list of p-values.")
    if not ((values >= 0) & (values <= 1)).all():
        raise InputError("p: found a value outside 0 … 1 or not a number; expected p-values.")
    return values


def _put_back(stepped: Floats, order: np.ndarray[tuple[int], np.dtype[np.intp]]) -> Floats:
    corrected = np.empty_like(stepped)
    corrected[order] = np.minimum(1.0, stepped)
    return corrected
