"""A year of a project whose changes only add noise, and changes that lose something: how does the gate fare?

Every run is another seed of one system: on each query its score is drawn anew, from what the system does there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from toprung.analyses.gate.decide import GateOutcome, decide_gate
from toprung.analyses.gate.state import GateRequest, GateState
from toprung.stats.inputs import Floats

SPREAD = 4.0
"""Of the seeds of one query: the larger, the more alike."""


@dataclass(frozen=True)
class System:
    """What a system does on each query: the mean of its scores there. ``is_rank`` for RR@10, else graded scores."""

    means: Floats
    is_rank: bool

    @classmethod
    def draw(cls, rng: np.random.Generator, *, n: int, is_rank: bool) -> System:
        return cls(rng.beta(1.2, 1.2, n).clip(0.02, 0.98), is_rank)

    def run(self, rng: np.random.Generator) -> Floats:
        """The scores of another seed."""
        if not self.is_rank:
            scores: Floats = rng.beta(SPREAD * self.means, SPREAD * (1 - self.means))
            return scores
        ranks = rng.geometric(self.means)
        return np.where(ranks <= 10, 1 / ranks, 0.0)


def start_state() -> GateState:
    return GateState(measure="any", labels="any")


def turns_red(
    rng: np.random.Generator, system: System, *, requests: int, is_merged: bool, has_state: bool = True
) -> bool:
    """Whether a year of requests is ever red; merged changes are the next one's baseline, if it is not a fixed run."""
    state, baseline = start_state(), system.run(rng)
    for _ in range(requests):
        new = system.run(rng)
        level, state = state.take(new - baseline) if has_state else (state.alpha, state)
        if decide_gate(new - baseline, level=level).outcome is GateOutcome.LOSS:
            return True
        baseline = new if is_merged else baseline
    return False


def share_of_red_years(
    *, years: int, requests: int, n: int, is_rank: bool, is_merged: bool, has_state: bool = True, seed: int = 0
) -> float:
    rng = np.random.default_rng(seed)
    systems = (System.draw(rng, n=n, is_rank=is_rank) for _ in range(years))
    red = (turns_red(rng, each, requests=requests, is_merged=is_merged, has_state=has_state) for each in systems)
    return sum(red) / years


def share_caught(*, before: int, changes: int, n: int, is_rank: bool, seed: int = 0) -> tuple[float, float]:
    """Of changes with the loss that the gate says it sees, after so many others: that loss, and the share caught."""
    rng = np.random.default_rng(seed)
    others = tuple(GateRequest(differences=f"{t}", p=0.9) for t in range(before))
    level, _ = replace(start_state(), requests=others).take(np.array([-0.5, 0.0]))
    caught, losses = 0, []
    for _ in range(changes):
        system = System.draw(rng, n=n, is_rank=is_rank)
        noise = system.run(rng) - system.run(rng)
        losses.append(decide_gate(noise, level=level).smallest_loss)
        planted = (noise - losses[-1]).clip(-1, 1)
        caught += decide_gate(planted, level=level).outcome is GateOutcome.LOSS
    return float(np.mean(losses)), caught / changes
