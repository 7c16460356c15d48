"""What a board will be able to say is told before it opens: values by hand, by SciPy, and from real boards."""

from __future__ import annotations

import csv
import math
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

from toprung.web.services.boards.preview import FIRST_RANK, SPREADS, Preview, attacker_gain
from toprung.web.services.boards.words import level_choices, release_choices, say_what_it_sees

GRADED = Preview(queries=300, measure="nDCG@10", rule="measure", alpha=0.05, gamma="steady:10")


def by_scipy(level: float, spread: float, n: int) -> float:
    """Found four times in five by a two-sided test at this level."""
    return float((norm.ppf(0.8) + norm.ppf(1 - level / 2)) * spread / math.sqrt(n))


def test_gains_are_those_of_the_levels_that_claims_will_have() -> None:
    assert GRADED.gain(1) == pytest.approx(by_scipy(0.05 * 0.0444238, 0.20, 300), rel=1e-4)
    planned = replace(GRADED, gamma="planned:50")
    assert planned.gain(1) == planned.gain(50) == pytest.approx(by_scipy(0.05 * 0.9 / 50, 0.20, 300))
    assert GRADED.gain_of_one_test == pytest.approx(by_scipy(0.05, 0.20, 300))
    sparse = replace(GRADED, measure="RR@10", rule="no_harm", gamma="planned:50")
    assert sparse.gain(1) == pytest.approx(by_scipy(0.05 * 0.9 / 50 / 2, 0.36, 300)), "two chances, half the level each"
    assert [n for n, _ in GRADED.by_queries] == [50, 100, 300, 1_000, 3_000]


def test_choices_say_the_same_figures() -> None:
    bold, rest = say_what_it_sees(GRADED)
    assert bold == f"With 300 queries this board sees gains of {GRADED.gain(1):.3f} nDCG@10 and more;"
    assert rest == f"after 50 claims {GRADED.gain(50):.3f}. Over its life a false claim passes in at most 5% of cases."
    steady, planned = level_choices(GRADED)
    assert steady.is_proposed
    assert f"the fiftieth {GRADED.gain(50):.3f}." in steady.sub
    assert f"Every one of the first 50 claims can show a gain of {replace(GRADED, gamma='planned:50').gain(1):.3f}" in (
        planned.sub
    )
    hidden, public = release_choices("", hidden_queries=200), release_choices("", hidden_queries=0)
    assert (hidden[0].value, public[0].value) == ("board-ladder:auto", "full")
    assert "gains about 0.001 in RR" in hidden[0].sub, "docs/design/disclosure.md: 200 queries, ten accounts"
    assert attacker_gain("ladder:0.01", 200) == 0.055
    assert [each.value for each in release_choices("rounded:2", hidden_queries=200)].count("rounded:2") == 1


def test_spreads_are_those_of_real_boards(shared_data: Path) -> None:
    """The median over pairs of the twenty best runs; the middle of the boards of a measure."""
    usual = {
        "AP": [median_spread(shared_data, f"adhoc{n}_ap") for n in (5, 6, 7, 8)],
        "nDCG": [median_spread(shared_data, f"web{year}_ndcg20") for year in range(2010, 2014)],
        "P": [median_spread(shared_data, f"adhoc{n}_p10") for n in (5, 6, 7, 8)],
        "ERR": [median_spread(shared_data, f"web{year}_err20") for year in (2010, 2011, 2013)],
    }
    for measure, found in usual.items():
        low, middle, high = SPREADS[measure]
        assert np.median(found) == pytest.approx(middle, abs=0.015), measure
        assert low < min(found) <= max(found) < high, measure
    assert FIRST_RANK[0] < median_spread(shared_data, "adhoc8_rr") < FIRST_RANK[2]


def median_spread(shared_data: Path, name: str) -> float:
    with (shared_data / "score-matrices" / f"{name}.csv").open() as file:
        rows = list(csv.reader(file))[1:]
    values = np.array([[float(cell) for cell in row] for row in rows])
    best = values[:, np.argsort(-values.mean(axis=0))[:20]]
    pairs = combinations(range(best.shape[1]), 2)
    return float(np.median([(best[:, a] - best[:, b]).std(ddof=1) for a, b in pairs]))
