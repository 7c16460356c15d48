"""What is kept of the runs of a large board, so that one run more is compared with all others and not all with all?

Of every pair its variance and on how many queries the two differ, of every run its means in the resamples: what rank
intervals are found from (``stats.ranks.intervals``). It is kept in a folder that may be deleted at any time: what is
missing there is computed anew. Runs are known by their values, so nothing of another board or measure is ever taken.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toprung.data.folder_lock import hold
from toprung.stats.inputs import Floats
from toprung.stats.pairs.observed import ObservedPairs, observe_pairs
from toprung.stats.pairs.resamples import fill_gaps
from toprung.stats.pairs.scaled import resample_means
from toprung.stats.pairs.studentised import is_affordable
from toprung.stats.pairs.triangle import count_pairs
from toprung.stats.ranks.intervals import RankIntervals, distinct_columns, intervals_of_observed, rank_intervals
from toprung.workers import IN_PROCESS, Workers

FORMAT = 1
INDEX = "runs.json"
LEAST_KEPT = 1_000
"""Different runs: of fewer all pairs are compared anew in a fraction of a second."""


@dataclass(frozen=True, eq=False, kw_only=True)
class _Kept:
    """Different runs in the order they came, by a digest of their values."""

    keys: tuple[str, ...]
    observed: ObservedPairs
    means: Floats

    def select(self, keys: Sequence[str]) -> _Kept:
        """Only these runs, in the order that they have here."""
        wanted = set(keys)
        places = np.array([place for place, key in enumerate(self.keys) if key in wanted], dtype=np.int64)
        if len(places) == len(self.keys):
            return self
        chosen = tuple(self.keys[place] for place in places.tolist())
        return _Kept(keys=chosen, observed=self.observed.select(places), means=self.means[places])

    def arrays(self, start: int) -> dict[str, NDArray[Any]]:
        """What each file holds, from the run at this place on."""
        observed, pairs = self.observed, slice(count_pairs(start), None)
        return {
            "mean": observed.mean[start:],
            "counted": observed.counted[start:],
            "means": self.means[start:],
            "variance": observed.variance[pairs],
            "differing": observed.differing[pairs],
        }


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
        towards_better = values + 0.0 if higher_is_better else 0.0 - values
        distinct, place = distinct_columns(towards_better)
        n_runs = distinct.shape[1]
        if n_runs < LEAST_KEPT or is_affordable(len(values), n_runs, resamples):
            return rank_intervals(
                values,
                confidence=confidence,
                resamples=resamples,
                higher_is_better=higher_is_better,
                rng=rng,
                workers=workers,
            )
        columns = dict(zip(map(_digest, distinct.T), distinct.T, strict=True))
        kept = self._grow(columns, _Draw(n_queries=len(values), resamples=resamples, seed=rng), workers)
        place_of = {key: number for number, key in enumerate(kept.keys)}
        to_kept = np.array([place_of[key] for key in columns], dtype=np.int64)
        return intervals_of_observed(kept.observed, kept.means, to_kept[place], confidence=confidence)

    def _grow(self, columns: Mapping[str, Floats], draw: _Draw, workers: Workers) -> _Kept:
        """Exactly these runs: those that are there, and the others added to them. A full disk keeps nothing."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with hold(self.folder):
                before = self._read(draw)
                grown = _add(before, columns, draw, workers)
                if before is None or set(grown.keys) - set(before.keys):
                    self._write(grown, draw, start=_length(before) if _goes_on(before, grown) else 0)
        except OSError:
            return _add(None, columns, draw, workers)
        return grown

    def _read(self, draw: _Draw) -> _Kept | None:
        """None where there is nothing, or what is there is of other resamples or was cut short."""
        try:
            index = json.loads((self.folder / INDEX).read_bytes())
            if index["draw"] != draw.to_json():
                return None
            keys = tuple(index["keys"])
            files = {name: self._open(name, count, kind) for name, (count, kind) in _layout(len(keys), draw).items()}
        except (OSError, ValueError, KeyError, TypeError):
            return None
        observed = ObservedPairs(
            n=draw.n_queries,
            mean=np.array(files["mean"]),
            counted=np.array(files["counted"]),
            variance=files["variance"],
            differing=files["differing"],
        )
        return _Kept(keys=keys, observed=observed, means=files["means"].reshape(len(keys), draw.resamples))

    def _open(self, name: str, count: int, kind: str) -> NDArray[Any]:
        return np.memmap(self.folder / name, dtype=kind, mode="r", shape=(count,))

    def _write(self, kept: _Kept, draw: _Draw, *, start: int) -> None:
        """What is new behind what is there; the index, which is written last, says how much of it counts."""
        if not start:
            (self.folder / INDEX).unlink(missing_ok=True)
        layout, added = _layout(start, draw), kept.arrays(start)
        for name, values in added.items():
            count, kind = layout[name]
            path = self.folder / name
            if not start:
                path.unlink(missing_ok=True)  # others may read from the old file: it stays theirs
            with path.open("r+b" if start else "xb") as file:
                file.truncate(count * np.dtype(kind).itemsize)
                file.seek(0, os.SEEK_END)
                file.write(np.ascontiguousarray(values, dtype=kind).data)
                file.flush()
                os.fsync(file.fileno())
        partial = self.folder / f"{INDEX}.partial"
        partial.write_text(json.dumps({"draw": draw.to_json(), "keys": kept.keys}))
        partial.replace(self.folder / INDEX)


@dataclass(frozen=True, kw_only=True)
class _Draw:
    """Of which resamples the means are."""

    n_queries: int
    resamples: int
    seed: int

    def to_json(self) -> list[int]:
        return [FORMAT, self.n_queries, self.resamples, self.seed]


def _digest(column: Floats) -> str:
    return hashlib.sha256(np.ascontiguousarray(column).tobytes()).hexdigest()


def _layout(n_runs: int, draw: _Draw) -> dict[str, tuple[int, str]]:
    """How many numbers each file holds, and of which kind."""
    return {
        "mean": (n_runs, "<f8"),
        "counted": (n_runs, "<i8"),
        "means": (n_runs * draw.resamples, "<f8"),
        "variance": (count_pairs(n_runs), "<f8"),
        "differing": (count_pairs(n_runs), "|u1"),
    }


def _add(before: _Kept | None, columns: Mapping[str, Floats], draw: _Draw, workers: Workers) -> _Kept:
    """These runs: those of before that are among them, then the others."""
    known = None if before is None else before.select(list(columns))
    there = () if known is None else known.keys
    new = columns.keys() - set(there)
    if known is not None and not new:
        return known
    keys = (*there, *(key for key in columns if key in new))
    runs, counted = fill_gaps(np.column_stack([columns[key] for key in keys]))
    observed = observe_pairs(runs, counted, None if known is None else known.observed, workers=workers)
    means = resample_means(runs[len(there) :], draw.resamples, np.random.default_rng(draw.seed), workers=workers)
    return _Kept(keys=keys, observed=observed, means=means if known is None else np.concatenate([known.means, means]))


def _length(kept: _Kept | None) -> int:
    return 0 if kept is None else len(kept.keys)


def _goes_on(before: _Kept | None, grown: _Kept) -> bool:
    """Whether none of the runs of before was left out."""
    return before is not None and grown.keys[: len(before.keys)] == before.keys
