"""What may be given to a test? Arrays are checked here, once, before anything is computed."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toprung.errors import InputError

type Floats = NDArray[np.float64]
type Ints = NDArray[np.int64]
type Bools = NDArray[np.bool_]
type Seed = int | np.random.Generator

# Differences are equal if they are equal to this many digits: 1/2 − 1/3 and 1/3 − 1/6 are not in floating point.
DIGITS = 10


def as_pair(a: ArrayLike, b: ArrayLike) -> tuple[Floats, Floats]:
    """Two samples over the same queries."""
    first, second = as_sample(a, name="a"), as_sample(b, name="b")
    if len(first) != len(second):
        raise InputError(
            f"found {len(first)} values in a and {len(second)} in b; expected one value per query in both. "
            "Align the two runs by query id first."
        )
    return first, second


def as_sample(values: ArrayLike, *, name: str) -> Floats:
    sample = np.asarray(values, dtype=np.float64)
    if sample.ndim != 1:
        raise InputError(f"{name}: found an array of {sample.ndim} dimensions; expected one value per query.")
    return _finite(sample, name)


def as_matrix(values: ArrayLike, *, name: str = "values") -> Floats:
    """Queries × runs."""
    return _finite(_two_dimensional(values, name), name)


def as_matrix_with_gaps(values: ArrayLike, *, name: str = "values") -> Floats:
    """Queries × runs, NaN where a query does not count for a run."""
    matrix = _two_dimensional(values, name)
    if infinite := int(np.isinf(matrix).sum()):
        raise InputError(
            f"{name}: found {infinite} infinite values; expected numbers, or NaN where a query does not count."
        )
    return matrix


def _two_dimensional(values: ArrayLike, name: str) -> Floats:
    matrix = np.asarray(values, dtype=np.float64)
    if matrix.ndim != 2:
        raise InputError(f"{name}: found an array of {matrix.ndim} dimensions; expected queries × runs.")
    return matrix


def as_ranks(ranks: ArrayLike, *, name: str = "ranks") -> Floats:
    """Ranks from 1, with 0 for a miss."""
    matrix = np.asarray(ranks, dtype=np.float64)
    _finite(matrix, name)
    if (matrix < 0).any() or (matrix != np.rint(matrix)).any():
        found = matrix[(matrix < 0) | (matrix != np.rint(matrix))].flat[0]
        raise InputError(f"{name}: found {found:g}; expected whole numbers from 1, and 0 where nothing was retrieved.")
    return matrix


def check_share(value: float, *, name: str) -> None:
    if not 0 < value < 1:
        raise InputError(f"{name}: found {value:g}; expected a number between 0 and 1.")


def round_differences(differences: Floats) -> Floats:
    return np.round(differences, DIGITS)


def _finite(values: Floats, name: str) -> Floats:
    if not np.isfinite(values).all():
        missing = int((~np.isfinite(values)).sum())
        raise InputError(f"{name}: found {missing} values that are not finite; expected a number for every query.")
    return values
