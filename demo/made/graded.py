"""How do made-up runs order documents of many grades? By what each is worth, seen through two kinds of haze.

One haze is the same for all runs that see as one another do, one is each run's own; a better run has less of both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

GRADES = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 3)
"""Out of so many documents so many of each grade, on average."""
N_DOCS = 60
SHOWN = 30


def draw_grades(n: int, *, seed: int) -> dict[str, dict[str, int]]:
    """For each query the grade of each of its documents; of every query at least one is worth something."""
    rng = np.random.default_rng(seed)
    grades = {}
    for number in range(1, n + 1):
        drawn = rng.choice(GRADES, N_DOCS)
        drawn[0] = max(int(drawn[0]), 1)
        grades[f"t{number}"] = {f"d{number}-{doc}": int(grade) for doc, grade in enumerate(drawn, start=1)}
    return grades


def draw_rankings(
    grades: Mapping[str, Mapping[str, int]], sharpness: Sequence[float], sees_as: Sequence[str], *, seed: int
) -> list[dict[str, list[str]]]:
    """For each run its ranking of each query; runs of the same sharpness differ by luck alone."""
    rng = np.random.default_rng(seed)
    rankings: list[dict[str, list[str]]] = [{} for _ in sharpness]
    for query_id, docs in grades.items():
        ids, worth = list(docs), np.array(list(docs.values()), dtype=float)
        for_all, by_kind = rng.normal(size=N_DOCS), {kind: rng.normal(size=N_DOCS) for kind in sorted(set(sees_as))}
        for number, (sharp, kind) in enumerate(zip(sharpness, sees_as, strict=True)):
            haze = 1.4 * for_all + 0.9 * by_kind[kind] + 0.7 * rng.normal(size=N_DOCS)
            order = np.argsort(-(sharp * worth + haze), kind="stable")[:SHOWN]
            rankings[number][query_id] = [ids[place] for place in order]
    return rankings
