from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import toprung as tr
from toprung.analyses.scales.observed import check_observed_scale


def table_of(values: list[float], measure: str = "M") -> tr.ScoreTable:
    """One run's scores, as many queries."""
    return tr.ScoreTable(
        query_ids=tuple(f"q{number:04}" for number in range(len(values))),
        runs=("run",),
        values=np.array(values, dtype=np.float64)[:, None],
        measure=measure,
        remarks=("a remark",),
    )


def test_equal_gaps_are_equi_spaced() -> None:
    found = check_observed_scale(table_of([0, 1 / 3, 2 / 3, 1, 1], "P@3"))
    assert found.is_equi_spaced
    assert found.counts.tolist() == [1, 1, 1, 2]
    assert found.sentence == "The 4 values of P@3 seen in 5 scores are equi-spaced, 1/3 apart."


def test_gaps_that_are_whole_multiples_may_only_lack_what_was_not_seen() -> None:
    found = check_observed_scale(table_of([0, 0.1, 0.2, 0.3, 0.6, 1.0]))
    assert (found.is_equi_spaced, found.is_on_grid, found.n_grid) == (False, True, 11)
    assert found.sentence == (
        "The 6 values of M seen in 6 scores lie on a grid with steps of 1/10, 11 in all: equi-spaced, if those between "
        "were only not seen."
    )


def test_uneven_gaps_are_said() -> None:
    found = check_observed_scale(table_of([1 / rank for rank in range(1, 8)], "RR"))
    assert (found.is_equi_spaced, found.is_on_grid) == (False, False)  # 1/6 - 1/7 = 1/42, 1/4 - 1/5 = 1/20
    assert found.sentence == "The 7 values of RR seen in 7 scores are not equi-spaced: they lie 1/42 to 1/2 apart."


def test_values_that_were_rounded_are_equi_spaced_as_far_as_rounding_lets_see() -> None:
    found = check_observed_scale(table_of([round(hits / 30, 4) for hits in range(31)], "P@30"))
    assert found.decimals == 4
    assert found.is_equi_spaced
    sparse = check_observed_scale(table_of([round(hits / 30, 4) for hits in (0, 1, 2, 7, 20, 30)], "P@30"))
    assert (sparse.is_equi_spaced, sparse.is_on_grid, sparse.n_grid) == (False, True, 31)


def test_rounding_alone_is_no_grid() -> None:
    # four decimals make any values whole multiples of 0.0001
    found = check_observed_scale(table_of([0.1234, 0.1235, 0.7771, 0.9012]))
    assert not found.is_on_grid
    assert "are not equi-spaced: they lie 0.0001 to 0.6536 apart" in found.sentence


def test_one_value_shows_no_scale() -> None:
    found = check_observed_scale(table_of([1, 1]))
    assert (found.is_constant, found.is_equi_spaced, found.is_on_grid) == (True, False, False)
    assert found.sentence == "All 2 scores of M are 1: no scale can be seen."
    assert found.table.rows == (("1.0000", "1", "2", ""),)


def test_queries_without_a_value_are_left_out_and_counted() -> None:
    found = check_observed_scale(table_of([1, 2, 3, np.nan], "ESL"))
    assert found.is_equi_spaced
    assert "Left out: 1 score without a value." in found.notes


def test_remarks_are_passed_on_and_the_rest_is_not_claimed() -> None:
    notes = check_observed_scale(table_of([0, 1])).notes
    assert notes[0].startswith("Seen are only values that some run has on some query")
    assert notes[-1] == "a remark"


def test_nothing_to_check_is_refused() -> None:
    with pytest.raises(tr.InputError, match="Found no scores"):
        check_observed_scale(table_of([np.nan]))


def test_figures_are_in_frame_and_json() -> None:
    table = table_of([0, 0.5, 0.5, 1])
    found = check_observed_scale(table)
    assert found.to_frame().rows() == [(1.0, 1, 0.5), (0.5, 2, 0.5), (0.0, 1, None)]
    back = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert back["values"][1] == {"value": 0.5, "n_scores": 2, "gap": 0.5}
    assert back["provenance"] == {
        "measure": "M",
        "scores_digest": table.digest,
        "n_queries": 4,
        "n_runs": 1,
        "toprung": tr.__version__,
    }


def test_many_values_are_not_all_shown() -> None:
    found = check_observed_scale(table_of([1 / rank for rank in range(1, 61)]))
    assert len(found.table.rows) == 40
    assert "Not shown: 20 of 60 values; CSV and JSON output have all." in found.notes


@given(st.sets(st.integers(0, 40)))
def test_whatever_part_of_an_even_scale_is_seen_lies_on_a_grid(seen: set[int]) -> None:
    places = sorted(seen | {7, 8})
    found = check_observed_scale(table_of([place * math.sqrt(2) for place in places]))
    assert found.is_on_grid
    assert found.n_grid == places[-1] - places[0] + 1
    assert found.is_equi_spaced == (found.n_grid == len(places))


@pytest.mark.parametrize(
    ("file", "is_equi_spaced"), [("adhoc5_p10.csv", True), ("adhoc5_rr.csv", False), ("adhoc5_ap.csv", False)]
)
def test_real_precision_is_equi_spaced_real_rr_and_ap_are_not(
    shared_data: Path, file: str, is_equi_spaced: bool
) -> None:
    found = check_observed_scale(tr.read_scores(shared_data / "score-matrices" / file))
    assert found.is_equi_spaced is is_equi_spaced
    assert found.is_on_grid is is_equi_spaced
