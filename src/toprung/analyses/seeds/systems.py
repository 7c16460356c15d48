"""What do the seeds of a system say together? One system's runs, and two systems held against each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from toprung.data.matrices import ScoreTable
from toprung.errors import InputError
from toprung.stats.finding import sign_of
from toprung.stats.intervals.bootstrap import column_means
from toprung.stats.intervals.seeds_and_queries import (
    SeedMean,
    SystemDifference,
    SystemScores,
    compare_systems,
    seed_mean,
)
from toprung.stats.ranks.places import best_first
from toprung.stats.tests.corrections import find_correction


@dataclass(frozen=True, kw_only=True)
class SystemSeeds:
    """One system: its runs, one a seed, with their scores, and the mean over them."""

    system: str
    runs: tuple[str, ...]
    scores: tuple[float, ...]
    mean: SeedMean
    twins: tuple[tuple[str, str], ...]
    """Runs that score the same on every query: a run and the first that is like it."""

    @property
    def has_spread(self) -> bool:
        """Whether there are seeds enough to say how far another would fall."""
        return len(self.runs) > 1


@dataclass(frozen=True, kw_only=True)
class SystemPair:
    """Two systems with several seeds each; B is the later one, and a difference is B less A."""

    a: str
    b: str
    found: SystemDifference
    p_corrected: float
    """NaN where the pair has no spread to be held against: then it is not tested."""
    better: str | None
    """Who does better beyond chance; None where they cannot be told apart."""


def gather_systems(
    table: ScoreTable, systems: Mapping[str, Sequence[str]], *, confidence: float, higher_is_better: bool
) -> tuple[SystemSeeds, ...]:
    """The systems that have scores, the best mean first."""
    _check_membership(systems)
    known = {system: [run for run in runs if run in table.runs] for system, runs in systems.items()}
    gathered = [_gather(table, system, runs, confidence) for system, runs in known.items() if runs]
    order = best_first(
        [each.mean.estimate for each in gathered],
        [each.system for each in gathered],
        higher_is_better=higher_is_better,
    )
    return tuple(gathered[place] for place in order.tolist())


def _check_membership(systems: Mapping[str, Sequence[str]]) -> None:
    first: dict[str, str] = {}
    for system, runs in systems.items():
        for run in runs:
            if run in first:
                where = f"system '{system}' twice" if first[run] == system else f"systems '{first[run]}' and '{system}'"
                raise InputError(f"Found run '{run}' in {where}; expected each run to be one seed of one system.")
            first[run] = system


def _gather(table: ScoreTable, system: str, runs: Sequence[str], confidence: float) -> SystemSeeds:
    values = table.select(list(runs)).values
    scores = column_means(values)
    return SystemSeeds(
        system=system,
        runs=tuple(runs),
        scores=tuple(scores.tolist()),
        mean=seed_mean(scores, confidence=confidence),
        twins=_find_twins(runs, values),
    )


def _find_twins(
    runs: Sequence[str], values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]
) -> tuple[tuple[str, str], ...]:
    first: dict[bytes, str] = {}
    twins = []
    for run, column in zip(runs, values.T, strict=True):
        like = first.setdefault(column.tobytes(), run)
        if like != run:
            twins.append((like, run))
    return tuple(twins)


def compare_all(
    table: ScoreTable,
    systems: Sequence[SystemSeeds],
    names: Sequence[str],
    *,
    correction: str,
    alpha: float,
    higher_is_better: bool,
) -> tuple[SystemPair, ...]:
    """Every pair of systems with several seeds each, in the order of ``names``."""
    order = {name: place for place, name in enumerate(names)}
    comparable = sorted((each for each in systems if each.has_spread), key=lambda each: order[each.system])
    scores = {each.system: SystemScores.of(table.select(list(each.runs)).values) for each in comparable}
    pairs = [
        SystemPair(
            a=a.system,
            b=b.system,
            found=compare_systems(scores[a.system], scores[b.system], confidence=1 - alpha),
            p_corrected=np.nan,
            better=None,
        )
        for a, b in combinations(comparable, 2)
    ]
    tested = [pair for pair in pairs if not np.isnan(pair.found.p)]
    corrected = find_correction(correction)([pair.found.p for pair in tested]).tolist()
    decided = dict(zip(((pair.a, pair.b) for pair in tested), corrected, strict=True))
    return tuple(
        _decide(pair, decided.get((pair.a, pair.b), np.nan), alpha=alpha, higher_is_better=higher_is_better)
        for pair in pairs
    )


def _decide(pair: SystemPair, p: float, *, alpha: float, higher_is_better: bool) -> SystemPair:
    favours_b = sign_of(pair.found.delta) * (1 if higher_is_better else -1) > 0
    better = (pair.b if favours_b else pair.a) if p <= alpha else None
    return replace(pair, p_corrected=p, better=better)
