"""Makes adhoc8_agreement.json from the score matrices of TREC-8 ad hoc (129 runs, 50 queries).

``python tests/reference/make_adhoc8_agreement.py FOLDER``, where FOLDER holds adhoc8_ap.csv and adhoc8_rr.csv; takes
minutes. "scipy" is counted by a plain loop over SciPy's tests and the standard library's means and medians, on the
first splits of seed 0. "regression" is what Toprung itself gave on more splits: it only tells that something changed.
"""

from __future__ import annotations

import json
import statistics
import sys
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import stats

import toprung as tr
from toprung.analyses.agreement.find import agreement
from toprung.stats.pairs.split_half import COLUMNS, READINGS, draw_halves

HERE = Path(__file__).parent
MEASURES = {"AP": "adhoc8_ap.csv", "RR": "adhoc8_rr.csv"}
LOOPED_SPLITS, REGRESSION_SPLITS = 2, 20
ALPHA = 0.05

type Half = tuple[dict[str, list[bool]], dict[str, list[int]]]


def loop_over_pairs(values: NDArray[np.float64]) -> Half:
    """Significance by each test, and the direction by each aggregate, of every pair."""
    significant: dict[str, list[bool]] = {"sign": [], "wrs": [], "wsr": [], "t": []}
    direction: dict[str, list[int]] = {"mean": [], "median": []}
    for i, j in combinations(range(values.shape[1]), 2):
        a, b = values[:, i], values[:, j]
        d = np.round(b - a, 10)
        wins, losses = int((d > 0).sum()), int((d < 0).sum())
        p = {"sign": 1.0, "wrs": stats.ranksums(b, a).pvalue, "wsr": 1.0, "t": 1.0}
        if wins + losses:
            p["sign"] = stats.binomtest(wins, wins + losses).pvalue
            p["wsr"] = stats.wilcoxon(d, correction=False, method="asymptotic").pvalue
            p["t"] = stats.ttest_rel(b, a).pvalue
        for test, value in p.items():
            significant[test].append(bool(value <= ALPHA))
        for name, centre in (("mean", statistics.fmean), ("median", statistics.median)):
            ahead = round(centre(b.tolist()) - centre(a.tolist()), 12)
            direction[name].append(int(ahead > 0) - int(ahead < 0))
    return significant, direction


def count_split(first: Half, second: Half) -> list[list[list[int]]]:
    counts = np.zeros((len(COLUMNS), 2, 3), dtype=np.int64)
    for column, (test, aggregate) in enumerate(COLUMNS):
        directions = zip(first[1][aggregate], second[1][aggregate], strict=True)
        findings = zip(first[0][test], second[0][test], strict=True)
        for (g1, g2), (s1, s2) in zip(directions, findings, strict=True):
            counts[column, int(g1 != g2), s1 + s2] += 1
    return counts.tolist()


def make(table: tr.ScoreTable) -> dict[str, object]:
    ordered = table.select(sorted(table.runs)).values
    looped = []
    for seed in np.random.SeedSequence(0).spawn(LOOPED_SPLITS):
        halves = draw_halves(len(ordered), np.random.default_rng(seed))
        looped.append(count_split(*(loop_over_pairs(ordered[rows]) for rows in halves)))
    found = agreement(table, splits=REGRESSION_SPLITS)
    regression = {
        reading: {
            f"{row['test']} {row['aggregate']}": [
                round(row[name], 6) for name in ("agree", "partial", "disagree", "significant", "tie_rate")
            ]
            for row in found.read_as(reading).to_frame().to_dicts()
        }
        for reading in READINGS
    }
    return {"scipy": looped, "regression_splits": REGRESSION_SPLITS, "regression": regression}


def main() -> None:
    folder = Path(sys.argv[1])
    values = {measure: make(tr.read_scores(folder / name, measure=measure)) for measure, name in MEASURES.items()}
    (HERE / "adhoc8_agreement.json").write_text(json.dumps(values) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
