"""How good is a guess? The area under the curve: how often a gold looks more like one than another pair does."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

FOLDS, RIDGE, STEPS = 5, 1.0, 20


def standard_error(golds: NDArray[np.bool_]) -> float:
    """Of the area of a guess that knows nothing."""
    n, n_golds = len(golds), int(golds.sum())
    return float(np.sqrt((n + 1) / (12 * n_golds * (n - n_golds))))


def auc(scores: NDArray[np.float64], golds: NDArray[np.bool_]) -> float:
    """By ranks; equal scores are a half."""
    n_golds, n_others = int(golds.sum()), int((~golds).sum())
    ranks = rankdata(scores)
    return float((ranks[golds].sum() - n_golds * (n_golds + 1) / 2) / (n_golds * n_others))


def guess(features: NDArray[np.float64], golds: NDArray[np.bool_]) -> float:
    """Of a logistic regression on features and their squares, that has not seen what it is asked about."""
    spread = features.std(axis=0)
    plain = (features - features.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    inputs = np.column_stack([np.ones(len(plain)), plain, plain**2])
    fold = np.random.default_rng(1).permutation(len(inputs)) % FOLDS
    areas = []
    for each in range(FOLDS):
        weights = _fit(inputs[fold != each], golds[fold != each])
        areas.append(auc(inputs[fold == each] @ weights, golds[fold == each]))
    return float(np.mean(areas))


def _fit(inputs: NDArray[np.float64], golds: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Newton's steps, held back by a ridge."""
    weights = np.zeros(inputs.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-np.clip(inputs @ weights, -30, 30)))
        slope = inputs.T @ (golds - chance) - RIDGE * weights
        curve = (inputs.T * (chance * (1 - chance))) @ inputs + RIDGE * np.eye(len(weights))
        weights = weights + np.linalg.solve(curve, slope)
    return weights
