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

from toprung.analyses.simulate.gains import known_gains
from toprung.boards.disclosure.release import read_release
from toprung.web.services.boards.preview import FIRST_RANK, SPREADS, Preview
from toprung.web.services.boards.words import level_choices, release_choices, say_attack, say_what_it_sees
from toprung.web.site.organise.power_chart import PowerChart

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
    hidden, public = (release_choices("", hidden_queries=each, measure="RR@10") for each in (200, 0))
    assert (hidden[0].value, public[0].value) == ("board-ladder:auto", "full")
    others = release_choices("rounded:2", hidden_queries=200, measure="RR@10")
    assert [each.value for each in others].count("rounded:2") == 1


def test_on_too_few_queries_no_gain_is_promised() -> None:
    """Better on every one of 5 queries p is 2/2⁵; the first claim is held to 0.05 · 11^(−1.5) / ζ(1.5, 11) = 0.0022."""
    few = replace(GRADED, queries=5)
    assert few.sees_nothing
    assert say_what_it_sees(few) == (
        "With 5 queries no claim can pass:",
        "were a run better on every one of them, p would be 0.062, and the first claim is held to 0.0022.",
    )
    steady, planned = level_choices(few)
    assert steady.sub == "No claim can pass on so few queries."
    assert planned.sub == "None of the first 50 claims can pass on so few queries."
    assert PowerChart.of_both_widths(few) == []
    soon = replace(GRADED, queries=11)
    assert not soon.sees_nothing
    assert level_choices(soon)[0].sub.endswith("the tenth none, the fiftieth none.")
    assert PowerChart.of_both_widths(soon) == []
    assert [each.width for each in PowerChart.of_both_widths(GRADED)] == [600, 340]


def test_what_an_attacker_gains_is_said_for_1_10_and_100_accounts_in_the_measure_of_the_board() -> None:
    for measure in ("RR@10", "P@1"):
        for choice in release_choices("ladder:0.01", hidden_queries=200, measure=measure)[:-1]:
            known = known_gains(read_release(choice.value), 200, measure=measure)
            assert choice.sub.startswith(known.words)
            assert known.words.endswith(f" in {measure}.")
    one, ten, hundred = known_gains(read_release("ladder:0.01"), 200, measure="RR@10").by_accounts.values()
    said = say_attack("ladder:0.01", 200, measure="RR@10")
    assert (
        f"about {one:.3f} with 1 account, {ten:.3f} with 10 accounts and {hundred:.3f} with 100 accounts in RR@10."
        in said
    )
    default = say_attack("board-ladder:auto", 200, measure="RR@10")
    assert "with 1, 10 or 100 accounts in RR@10" in default
    assert "The step is 0.115 here" in default
    assert "The step is 0.230 here" in say_attack("board-ladder:auto", 200, measure="P@1")


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
