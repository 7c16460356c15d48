"""What is kept of the score of each run? Its interval, which depends on the run, the seed and nothing else."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from toprung.boards.engine.kept_arrays import KeptArrays
from toprung.data.folder_lock import hold
from toprung.stats.inputs import Floats
from toprung.stats.intervals.bootstrap import RESAMPLES, Effect, mean_intervals

FORMAT = 1
LEAST_KEPT = 30
"""Runs: of fewer all intervals are found anew in some hundredths of a second."""
AT_ONCE = 8
"""Runs at least: the product of a matrix with a few columns may be rounded otherwise than with many."""


@dataclass(frozen=True, kw_only=True)
class KeptScores:
    """In the folder of one board and one set of its labels, beside what is kept of pairs; it may go at any time."""

    folder: Path

    def mean_intervals(self, values: Floats, *, confidence: float, seed: int) -> list[Effect]:
        """As ``stats.intervals.bootstrap.mean_intervals`` finds them of queries × runs."""
        runs = np.ascontiguousarray(values.T)
        if len(runs) < LEAST_KEPT:
            return list(map(_to_effect, _find(runs, confidence, seed), [confidence] * len(runs)))
        keys = [hashlib.sha256(run.data).hexdigest() for run in runs]
        files = KeptArrays(
            folder=self.folder / "scores",
            made_of=[FORMAT, len(values), RESAMPLES, seed, confidence],
            layout_of=lambda n_runs: {"intervals": ((n_runs, 4), "<f8")},
        )
        found = _keep(files, dict(zip(keys, runs, strict=True)), confidence, seed)
        return [_to_effect(found[key], confidence) for key in keys]


def _keep(files: KeptArrays, columns: dict[str, Floats], confidence: float, seed: int) -> dict[str, Floats]:
    """Of these runs, and of others that were there before."""
    try:
        files.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with hold(files.folder):
            before, arrays = files.read() or ((), {})
            known = dict(zip(before, arrays["intervals"], strict=True)) if before else {}
            new = [key for key in columns if key not in known]
            found = _find([columns[key] for key in new], confidence, seed)
            if new:
                files.add({"intervals": found}, keys=new, after=before)
    except OSError:
        return dict(zip(columns, _find(list(columns.values()), confidence, seed), strict=True))
    return known | dict(zip(new, found, strict=True))


def _find(runs: Sequence[Floats] | Floats, confidence: float, seed: int) -> Floats:
    """For each run its mean, the interval of it, and how many queries are behind it."""
    if not len(runs):
        return np.empty((0, 4))
    some = [*runs, *[runs[0]] * (AT_ONCE - len(runs))]
    effects = mean_intervals(np.array(some).T, confidence=confidence, rng=seed)[: len(runs)]
    return np.array([[each.estimate, each.low, each.high, each.n] for each in effects])


def _to_effect(found: Floats, confidence: float) -> Effect:
    estimate, low, high, n = found.tolist()
    return Effect(estimate=estimate, low=low, high=high, confidence=confidence, n=int(n))
