"""Manuals: a small board with hidden labels, a private set beside it, and a second version of its labels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from demo.made.files import place, shuffle_a_little, write_labels, write_run
from demo.made.ranks import DEPTH, Skill, draw_ranks
from demo.made.run import read_runs

SEED = 12
N_OFFICIAL, N_PRIVATE, N_DEV = 240, 120, 60
RELABELLED = 0.1
"""The share of the official queries whose label the second version replaces."""
RUNS = read_runs(Path(__file__).with_suffix(".csv"), Skill.from_row)


def build(folder: Path) -> None:
    """Labels of three sets and of a second version, and a run file for each run, with all queries in it."""
    n = N_OFFICIAL + N_PRIVATE + N_DEV
    queries = [f"m{number}" for number in range(1, n + 1)]
    rng = np.random.default_rng(SEED)
    relabelled = {query_id for query_id in queries[:N_OFFICIAL] if rng.random() < RELABELLED}
    old = {query_id: {_answer(query_id): 1} for query_id in queries}
    new = {query_id: {_other(query_id): 1} if query_id in relabelled else old[query_id] for query_id in queries}
    official, private, dev = np.split(np.array(queries), [N_OFFICIAL, N_OFFICIAL + N_PRIVATE])
    for name, labels, ids in (
        ("official", old, official),
        ("v2", new, official),
        ("private", old, private),
        ("dev", old, dev),
    ):
        write_labels(folder / f"{name}.qrels", {query_id: labels[query_id] for query_id in ids.tolist()})
    ranks = draw_ranks([run.skill for run in RUNS], n, seed=SEED)
    for column, run in enumerate(RUNS):
        luck = np.random.default_rng([SEED, column])
        rankings = {
            query_id: place(_answer(query_id), int(ranks[row, column]), shuffle_a_little(_around(query_id), luck, 3.0))
            for row, query_id in enumerate(queries)
        }
        write_run(folder / "runs", run.name, rankings)


def _answer(query_id: str) -> str:
    return f"{query_id}-answer"


def _other(query_id: str) -> str:
    """What the second version takes for the answer: most runs have it among their first."""
    return f"{query_id}-2"


def _around(query_id: str) -> list[str]:
    return [f"{query_id}-{number}" for number in range(1, DEPTH + 1)]
