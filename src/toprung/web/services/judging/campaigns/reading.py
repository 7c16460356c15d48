"""What does a stored run score with its challenges lost, and won? Told by a child process: no database, no Django."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from toprung.analyses.challenge_interval.find import challenge_interval
from toprung.data.qrels import Qrels
from toprung.labels.best.challenges import RunChallenges
from toprung.labels.best.upkeep import Upkeep


@dataclass(frozen=True, kw_only=True)
class IntervalAsked:
    """A run by its id and file, and how its challenges to these labels stand."""

    run: tuple[str, Path]
    labels: Qrels
    found: RunChallenges
    upkeep: Upkeep
    measure: str
    seed: int


def score_lost_and_won(asked: IntervalAsked) -> tuple[float, float]:
    run_id, path = asked.run
    shown = challenge_interval(asked.labels, asked.found, asked.upkeep, {run_id: path}, asked.measure, seed=asked.seed)
    return shown[run_id].if_lost.estimate, shown[run_id].if_won.estimate
