"""Table 3 of Arabzadeh et al. 2021: what preference labels did to the order of 16 MS MARCO runs.

The printed figures stand below as literals: MRR@10 on the evaluation set, and on the 500 selected queries under the
original and under the preference labels.
"""

from __future__ import annotations

import csv
import io

import numpy as np

from toprung.analyses.relabel.tables import Relabelled, RelabelledRun
from toprung.analyses.run_scores import order_correlation
from toprung.stats.inputs import Floats
from toprung.stats.intervals.bootstrap import Effect
from toprung.stats.ranks.places import best_first, places_of

TABLE_3 = """\
run,evaluation,selected,preference
perfect,1,1,0.3320
A,0.4190,0.4013,0.5069
B,0.4080,0.3953,0.5638
C,0.4070,0.3881,0.5827
D,0.4010,0.3863,0.5036
E,0.4000,0.3722,0.4955
F,0.3990,0.3697,0.5703
G,0.3950,0.3658,0.5199
H,0.3940,0.3606,0.5617
I,0.3790,0.3541,0.5464
J,0.3760,0.3442,0.4985
K,0.3090,0.2984,0.3663
L,0.2940,0.2779,0.4666
M,0.2770,0.2681,0.3251
N,0.2720,0.2550,0.3257
O,0.2180,0.1955,0.2403
P,0.1860,0.1536,0.2033
"""
PERFECT_ROW, *ROWS = csv.DictReader(io.StringIO(TABLE_3))
PERFECT_AFTER = float(PERFECT_ROW["preference"])
RUNS = [row["run"] for row in ROWS]


def column(name: str) -> Floats:
    return np.array([float(row[name]) for row in ROWS])


def test_the_preference_order_agrees_with_the_original_by_tau_065() -> None:
    assert round(order_correlation(column("preference"), column("selected")), 2) == 0.65


def test_the_selected_queries_order_runs_as_the_evaluation_set_does() -> None:
    assert order_correlation(column("selected"), column("evaluation")) == 1
    assert places_of(column("selected")).tolist() == places_of(column("evaluation")).tolist()


def test_among_the_first_ten_little_of_the_order_is_left() -> None:
    first = best_first(column("selected"), RUNS)[:10]
    assert [RUNS[run] for run in first] == list("ABCDEFGHIJ")
    assert round(order_correlation(column("preference")[first], column("selected")[first]), 3) == 0.156


def test_run_c_leads_under_preference_labels_and_a_drops() -> None:
    places = dict(zip(RUNS, places_of(column("preference")).tolist(), strict=True))
    assert places["C"] == 1
    assert places["A"] > max(places["B"], places["C"])
    assert min(places["D"], places["E"]) > places["F"]


def test_twelve_runs_stand_above_the_ranking_that_was_perfect() -> None:
    def effect(value: float) -> Effect:
        return Effect(estimate=value, low=np.nan, high=np.nan, confidence=0.95, n=500)

    places = {name: places_of(column(name)).tolist() for name in ("selected", "preference")}
    rows = [
        RelabelledRun(
            run=run,
            before=effect(column("selected")[place]),
            after=effect(column("preference")[place]),
            over_perfect=effect(column("preference")[place] - PERFECT_AFTER),
            place_before=places["selected"][place],
            place_after=places["preference"][place],
        )
        for place, run in enumerate(RUNS)
    ]
    found = Relabelled(
        measure="RR@10",
        rows=tuple(sorted(rows, key=lambda row: row.place_after)),
        perfect_before=1.0,
        perfect_after=PERFECT_AFTER,
        tau=np.nan,
        tau_top=np.nan,
        top=10,
        n_queries=500,
        n_without_new=0,
        n_only_new=0,
        sample=None,
        higher_is_better=True,
        seed=0,
        digests={},
    )
    assert [row[0] for row in found.table.rows] == [*"CFBHIGADJELK", "perfect ranking", *"NMOP"]
