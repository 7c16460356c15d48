"""At which rank does a made-up run put the answer? Runs agree on what is hard, as real ones do.

A query is hard for everyone, or for all runs that begin with the same first stage; the rest is each run's own luck.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

DEPTH = 100
HARD_TO_FIND, STAGE_FINDS, LUCK_IN_FINDING = 0.82, 0.5, 0.22
HARD_TO_PLACE, SECOND_WAY, LUCK_IN_PLACING = 0.8, 0.6, 0.75
"""How much of what is found, and how high, is due to the query, to the first stage, to luck: standard deviations."""
STEEPNESS, WIDTH = 1.5, 4.0
"""From how well an answer is placed to its rank."""


@dataclass(frozen=True, kw_only=True)
class Skill:
    """How good a run was made: two with the same skill differ by luck alone."""

    finds: float
    """How often it has the answer at all."""
    places: float
    """How high it puts it."""
    stage: str
    """Its first stage."""

    @classmethod
    def from_row(cls, row: Mapping[str, str]) -> Self:
        return cls(finds=float(row["finds"]), places=float(row["places"]), stage=row["stage"])


def draw_ranks(skills: Sequence[Skill], n: int, *, seed: int) -> NDArray[np.int32]:
    """The rank of the answer, queries × runs; 0 where it is not found."""
    rng = np.random.default_rng(seed)
    hard_to_find, hard_to_place = rng.normal(size=(2, n))
    stages = {stage: rng.normal(size=n) for stage in sorted({each.stage for each in skills})}
    columns = []
    for skill in skills:
        luck_in_finding, luck_in_placing = rng.normal(size=(2, n))
        reach = skill.finds + HARD_TO_FIND * hard_to_find + STAGE_FINDS * stages[skill.stage]
        height = skill.places + HARD_TO_PLACE * hard_to_find + SECOND_WAY * hard_to_place
        rank = 1 + WIDTH * np.exp(-STEEPNESS * (height + LUCK_IN_PLACING * luck_in_placing))
        is_found = reach + LUCK_IN_FINDING * luck_in_finding > 0
        columns.append(np.where(is_found, np.minimum(np.floor(rank), DEPTH), 0))
    return np.column_stack(columns).astype(np.int32)
