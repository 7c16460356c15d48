"""Manuals: a small board with hidden labels, a private set beside it, and a second version of its labels.

The questions are open to all, as they must be to make a run; which paragraph answers them is not.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
from demo.made.files import place, shuffle_a_little, write_labels, write_run
from demo.made.ranks import DEPTH, Skill, draw_ranks
from demo.made.run import read_runs
from demo.made.texts import write_texts

SEED = 12
N_OFFICIAL, N_PRIVATE, N_DEV = 240, 120, 60
RELABELLED = 0.1
"""The share of the official queries whose label the second version replaces."""
ACTS = (
    "open", "close", "clean", "oil", "lift", "lower", "fasten", "loosen", "replace", "test",
    "drain", "fill", "lock", "mark", "measure", "paint", "seal", "store", "turn", "weigh",
)  # fmt: skip
PARTS = (
    "anchor winch", "bilge pump", "cargo hatch", "crane hook", "deck lamp", "dock gate", "fender", "fire hose",
    "fog horn", "fuel valve", "gangway", "hand rail", "life raft", "mooring line", "pilot ladder", "porthole",
    "radio mast", "rudder pin", "signal flag", "tide gauge", "water tank",
)  # fmt: skip
"""As many questions as queries, each act with each part once."""
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
    write_texts(folder / "queries.jsonl", "query_id", dict(zip(queries, draw_questions(rng), strict=True)))
    ranks = draw_ranks([run.skill for run in RUNS], n, seed=SEED)
    for column, run in enumerate(RUNS):
        luck = np.random.default_rng([SEED, column])
        rankings = {
            query_id: place(_answer(query_id), int(ranks[row, column]), shuffle_a_little(_around(query_id), luck, 3.0))
            for row, query_id in enumerate(queries)
        }
        write_run(folder / "runs", run.name, rankings)


def draw_questions(rng: np.random.Generator) -> list[str]:
    """In an order by luck, so that each set asks about everything."""
    every = [f"how do I {act} the {part}" for act, part in product(ACTS, PARTS)]
    return [every[place] for place in rng.permutation(len(every))]


def _answer(query_id: str) -> str:
    return f"{query_id}-answer"


def _other(query_id: str) -> str:
    """What the second version takes for the answer: most runs have it among their first."""
    return f"{query_id}-2"


def _around(query_id: str) -> list[str]:
    return [f"{query_id}-{number}" for number in range(1, DEPTH + 1)]
