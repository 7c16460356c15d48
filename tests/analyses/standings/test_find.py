"""Who is better than whom? Boards small enough to check by hand."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import toprung as tr
from toprung.analyses.standings.find import Standings, standings

DEMO = Path(__file__).parents[3] / "demo" / "lin2021_reconstruction.csv.gz"


def ranks_of(**columns: list[int]) -> tr.FirstRanks:
    values = np.array(list(columns.values()), dtype=np.int32).T
    query_ids = tuple(f"q{row:03d}" for row in range(len(values)))
    return tr.FirstRanks(query_ids=query_ids, runs=tuple(columns), values=values, cutoff=100)


def made(matrix: tr.FirstRanks | tr.ScoreTable, **options: Any) -> Standings:
    found = standings(matrix, **options)
    assert isinstance(found, Standings)
    return found


# Of 60 queries low answers 10, high and next 50 and 51 of the same: those two differ on one query.
BOARD = ranks_of(low=[1] * 10 + [0] * 50, next=[1] * 50 + [0] * 10, high=[1] * 51 + [0] * 9)


@pytest.mark.parametrize("matrix", [BOARD, BOARD.reciprocal()], ids=["ranks", "scores"])
def test_runs_stand_in_order_of_score_with_their_relations(matrix: tr.FirstRanks | tr.ScoreTable) -> None:
    found = made(matrix)
    assert [(row.run, row.place, row.rank_low, row.rank_high, row.top_group) for row in found.rows] == [
        ("high", 1, 1, 2, True),
        ("next", 2, 1, 2, True),
        ("low", 3, 3, 3, False),
    ]
    assert (found["high"].better_than, found["high"].cannot_be_told_apart_from) == (("low",), ("next",))
    assert (found["low"].worse_than, found["low"].better_than) == (("high", "next"), ())
    assert found.sentence == "Two runs may be best: high and next; the labels cannot tell them apart."


def test_answers_are_known_of_ranks_alone() -> None:
    assert (made(BOARD)["low"].answered, made(BOARD)["low"].mean_esl) == (10 / 60, 1.0)
    of_scores = made(BOARD.reciprocal())
    assert (of_scores["low"].answered, of_scores["low"].mean_esl) == (None, None)
    assert "answered" in made(BOARD).table.header
    assert "answered" not in of_scores.table.header


def test_equal_scores_share_a_place() -> None:
    found = made(ranks_of(b=[1, 2, 0], a=[2, 1, 0], c=[0, 0, 4]))
    assert [(row.run, row.place) for row in found.rows] == [("a", 1), ("b", 1), ("c", 3)]


def test_the_highest_score_of_the_reconstruction_stands_first_whatever_its_verdicts_are() -> None:
    """By Lin et al. 2021 R12 does better than R13; by the measure R13 scores highest."""
    found = made(tr.read_ranks(DEMO, cutoff=100))
    assert found.rows[0].run == "R13"
    assert not found["R13"].worse_than


def test_it_goes_through_json_and_a_frame() -> None:
    back = json.loads(json.dumps(made(BOARD).to_dict(), allow_nan=False))
    assert back["standings"][2]["worse_than"] == ["high", "next"]
    assert back["top_group"] == ["high", "next"]
    assert made(BOARD).to_frame()["better_than"].to_list() == [["low"], ["low"], []]


@pytest.mark.parametrize(
    ("matrix", "options", "message"),
    [
        (ranks_of(A=[1]), {}, "Found 1 run; expected at least two"),
        (ranks_of(A=[], B=[]), {}, "Found no queries"),
        (BOARD, {"alpha": 0}, "alpha: found 0"),
        (BOARD, {"rule": "best"}, "rule: found 'best'; expected one of measure, lin2021"),
        (BOARD, {"facet": "rr"}, "expected the rule lin2021"),
        (BOARD, {"submitted_at": {"low": date(2026, 1, 1)}}, "Found dates; expected the rule lin2021"),
    ],
)
def test_what_cannot_be_ordered_is_refused(matrix: tr.FirstRanks, options: dict[str, Any], message: str) -> None:
    with pytest.raises(tr.InputError, match=message):
        standings(matrix, **options)
