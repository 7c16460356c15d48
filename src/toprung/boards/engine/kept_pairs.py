"""What is kept of the runs of a board, so that one run more is compared with all others and not all with all?

Of every pair its variance and on how many queries the two differ, of every run its means in the resamples; of boards
that have a standard error for each resample, the variance of every pair in each of them. Rank intervals are found from
that (``stats.ranks.intervals``). It is kept in a folder that may be deleted at any time: what is missing there is
computed anew. Runs are known by their values, so nothing of another board or measure is ever taken.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toprung.boards.engine.kept_arrays import KeptArrays
from toprung.data.folder_lock import hold
from toprung.stats.inputs import Floats
from toprung.stats.pairs.observed import ObservedPairs, observe_pairs
from toprung.stats.pairs.resamples import fill_gaps
from toprung.stats.pairs.scaled import resample_means
from toprung.stats.pairs.studentised import Singles, is_affordable, resample_variances
from toprung.stats.pairs.triangle import count_pairs, select_pairs
from toprung.stats.ranks.intervals import RankIntervals, intervals_of_observed, rank_intervals
from toprung.workers import IN_PROCESS, Workers

FORMAT = 2
LEAST_RUNS = 3
"""Different runs: of two one test decides."""
LEAST_WORK = 5e8
"""Products of queries and pairs, and of resamples where each has its standard error: less takes a fraction of a
second, and nothing is kept."""


@dataclass(frozen=True, eq=False, kw_only=True)
class _Kept:
    """Different runs in the order they came, by a digest of their values; or the last of them, with all before."""

    keys: tuple[str, ...]
    observed: ObservedPairs
    means: Floats
    variances: Singles | None
    """In each resample, of pairs × resamples."""

    def select(self, keys: Sequence[str]) -> _Kept:
        """Only these runs, in the order that they have here."""
        wanted = set(keys)
        places = np.array([place for place, key in enumerate(self.keys) if key in wanted], dtype=np.int64)
        if len(places) == len(self.keys):
            return self
        return _Kept(
            keys=tuple(self.keys[place] for place in places.tolist()),
            observed=self.observed.select(places),
            means=self.means[places],
            variances=None if self.variances is None else select_pairs(self.variances, places),
        )

    def followed_by(self, later: _Kept) -> _Kept:
        has_both = self.variances is not None and later.variances is not None
        return _Kept(
            keys=(*self.keys, *later.keys),
            observed=self.observed.followed_by(later.observed),
            means=np.concatenate([self.means, later.means]),
            variances=np.concatenate([self.variances, later.variances]) if has_both else None,
        )

    def arrays(self) -> dict[str, NDArray[Any]]:
        observed = self.observed
        found: dict[str, NDArray[Any]] = {
            "mean": observed.mean,
            "counted": observed.counted,
            "means": self.means,
            "variance": observed.variance,
            "differing": observed.differing,
        }
        return found if self.variances is None else found | {"variances": self.variances}


@dataclass(frozen=True, kw_only=True)
class KeptPairs:
    """The folder of one board and one set of its labels."""

    folder: Path

    def rank_intervals(
        self,
        values: Floats,
        *,
        confidence: float,
        resamples: int,
        higher_is_better: bool,
        rng: int,
        workers: Workers = IN_PROCESS,
    ) -> RankIntervals:
        """As ``stats.ranks.intervals.rank_intervals`` finds them, in less time once most of these runs were here."""
        runs = np.ascontiguousarray(values.T + 0.0 if higher_is_better else 0.0 - values.T)
        keys = [hashlib.sha256(run.data).hexdigest() for run in runs]
        columns = dict(zip(keys, runs, strict=True))
        draw = _Draw.of(len(values), len(columns), resamples, rng)
        if len(columns) < LEAST_RUNS or draw.work(len(columns)) < LEAST_WORK:
            return rank_intervals(
                values,
                confidence=confidence,
                resamples=resamples,
                higher_is_better=higher_is_better,
                rng=rng,
                workers=workers,
            )
        kept = self._grow(columns, draw, workers)
        place_of = {key: number for number, key in enumerate(kept.keys)}
        place = np.array([place_of[key] for key in keys], dtype=np.int64)
        return intervals_of_observed(kept.observed, kept.means, place, variances=kept.variances, confidence=confidence)

    def _grow(self, columns: Mapping[str, Floats], draw: _Draw, workers: Workers) -> _Kept:
        """Exactly these runs: those that are there, and the others added to them. A full disk keeps nothing."""
        files = draw.files_in(self.folder)
        try:
            files.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with hold(files.folder):
                before = _read(files, draw)
                known = None if before is None else before.select(list(columns))
                later = _find_later(known, columns, draw, workers)
                if known is not None and later is None:
                    return known
                if before is not None and known is before and later is not None:  # all of it is mapped, none copied
                    files.add(later.arrays(), keys=later.keys, after=before.keys)
                    return _read(files, draw) or before.followed_by(later)
                grown = _join(known, later)
                files.add(grown.arrays(), keys=grown.keys)
        except OSError:
            grown = _join(None, _find_later(None, columns, draw, workers))
        return grown


@dataclass(frozen=True, kw_only=True)
class _Draw:
    """Of which resamples it is, and whether each has a standard error of its own."""

    n_queries: int
    resamples: int
    seed: int
    is_studentised: bool

    @classmethod
    def of(cls, n_queries: int, n_runs: int, resamples: int, seed: int) -> _Draw:
        is_studentised = is_affordable(n_queries, n_runs, resamples)
        return cls(n_queries=n_queries, resamples=resamples, seed=seed, is_studentised=is_studentised)

    def work(self, n_runs: int) -> int:
        return self.n_queries * count_pairs(n_runs) * (self.resamples if self.is_studentised else 1)

    def files_in(self, folder: Path) -> KeptArrays:
        """Apart for each kind: who sees fewer runs may be compared in the other way."""
        kind = "studentised" if self.is_studentised else "scaled"
        made_of = [FORMAT, self.n_queries, self.resamples, self.seed]
        return KeptArrays(folder=folder / kind, made_of=made_of, layout_of=self.layout)

    def layout(self, n_runs: int) -> dict[str, tuple[tuple[int, ...], str]]:
        """The shape of each array, and the kind of its numbers."""
        n_pairs = count_pairs(n_runs)
        found: dict[str, tuple[tuple[int, ...], str]] = {
            "mean": ((n_runs,), "<f8"),
            "counted": ((n_runs,), "<i8"),
            "means": ((n_runs, self.resamples), "<f8"),
            "variance": ((n_pairs,), "<f8"),
            "differing": ((n_pairs,), "|u1"),
        }
        return found | {"variances": ((n_pairs, self.resamples), "<f4")} if self.is_studentised else found


def _read(files: KeptArrays, draw: _Draw) -> _Kept | None:
    """None where there is nothing, or what is there is of other resamples or was cut short."""
    found = files.read()
    if found is None:
        return None
    keys, arrays = found
    observed = ObservedPairs(
        n=draw.n_queries,
        mean=np.array(arrays["mean"]),
        counted=np.array(arrays["counted"]),
        variance=arrays["variance"],
        differing=arrays["differing"],
    )
    return _Kept(keys=keys, observed=observed, means=arrays["means"], variances=arrays.get("variances"))


def _find_later(known: _Kept | None, columns: Mapping[str, Floats], draw: _Draw, workers: Workers) -> _Kept | None:
    """Of those of these runs that are not known, each with all before it; None where there are none."""
    there = () if known is None else known.keys
    is_there = set(there)
    new = tuple(key for key in columns if key not in is_there)
    if not new:
        return None
    runs, counted = fill_gaps(np.array([columns[key] for key in (*there, *new)]).T)
    observed = observe_pairs(runs, counted, start=len(there), workers=workers)
    means = resample_means(runs[len(there) :], draw.resamples, np.random.default_rng(draw.seed), workers=workers)
    variances = None
    if draw.is_studentised:
        variances = resample_variances(
            runs,
            observed.mean if known is None else np.concatenate([known.observed.mean, observed.mean]),
            means if known is None else np.concatenate([known.means, means]),
            np.random.default_rng(draw.seed),
            start=len(there),
            workers=workers,
        )
    return _Kept(keys=new, observed=observed, means=means, variances=variances)


def _join(known: _Kept | None, later: _Kept | None) -> _Kept:
    if known is not None and later is not None:
        return known.followed_by(later)
    found = known or later
    if found is None:
        raise ValueError("there are no runs")
    return found
