"""The orders of a published leaderboard by its public and by its hidden scores."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from scipy.stats import kendalltau

import toprung as tr
from toprung.analyses.holdout.published import ScoreHoldout, score_holdout

BOARD = """id,date,team,dev,eval
first,2021-01-01,A,0.40,0.38
second,2021-01-02,B,0.39,0.39
third,2021-01-03,A,0.30,0.30
alike,2021-01-04,C,0.30,0.20
half,2021-01-05,C,0.50,
none,2021-01-06,C,,
"""


@pytest.fixture
def board(tmp_path: Path) -> Path:
    path = tmp_path / "board.csv"
    path.write_text(BOARD)
    return path


def compare(path: Path, public: str = "dev", private: str = "eval") -> ScoreHoldout:
    return score_holdout(tr.read_twice_scored(path, public_column=public, private_column=private))


def test_ranks_and_moves_are_among_entries_with_both_scores(board: Path) -> None:
    found = compare(board)
    assert [(each.name, each.public_rank, each.private_rank, each.rank_change) for each in found.entries] == [
        ("first", 1, 2, -1),
        ("second", 2, 1, 1),
        ("third", 3, 3, 0),
        ("alike", 3, 4, -1),
    ]
    assert found.notes[-1] == "Left out: 1 entry with one of the two scores and 1 entry without any."


def test_the_orders_agree_as_scipy_says(board: Path) -> None:
    found = compare(board)
    assert found.tau == pytest.approx(kendalltau([0.4, 0.39, 0.3, 0.3], [0.38, 0.39, 0.3, 0.2]).statistic)
    # ranks 2, 3, 4 of dev: 0/1; then two alike, of which either may come first: (2/2 + 3/3 or 2/2 + 2/3) in the mean
    assert found.tau_ap == pytest.approx(2 / 3 * (0 + 1 + (1 + 2 / 3) / 2) - 1)
    assert found.sentence == (
        "By 'dev' and by 'eval' the orders of 4 entries agree at τ = 0.55; first leads the first and is no. 2 in the "
        "other; from scores alone no test is possible."
    )


def test_whoever_leads_both_is_named(board: Path) -> None:
    board.write_text("id,date,dev,eval\na,2021-01-01,3,3\nb,2021-01-02,2,2\n")
    assert "a leads both" in compare(board).sentence


def test_where_lower_is_better_the_lowest_leads(board: Path) -> None:
    board.write_text("id,date,dev,eval\na,2021-01-01,3,3\nb,2021-01-02,2,2\n")
    both = tr.read_twice_scored(board, public_column="dev", private_column="eval")
    assert score_holdout(both, higher_is_better=False).entries[0].name == "b"


def test_long_names_that_begin_alike_stay_apart(board: Path) -> None:
    names = [f"{'a name that says all there is to know of a model' * 2} {place}" for place in (1, 2)]
    board.write_text("id,dev,eval\n" + "".join(f"{name},1,1\n" for name in names))
    assert [row[-1] for row in compare(board).table.rows] == names


def test_entries_all_alike_have_no_order(board: Path) -> None:
    board.write_text("id,date,dev,eval\na,2021-01-01,1,3\nb,2021-01-02,1,2\n")
    found = compare(board)
    assert "there is no order to compare" in found.sentence
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["tau"] is None


def test_frame_and_json_have_every_entry(board: Path) -> None:
    found = compare(board)
    assert found.to_frame()["rank_change"].to_list() == [-1, 1, 0, -1]
    assert found.to_dict()["provenance"]["n_entries"] == 4


def test_the_real_passage_leaderboard_agrees_and_moves_at_the_top(shared_data: Path) -> None:
    found = compare(shared_data / "leaderboard-history" / "msmarco-passage.csv")
    assert len(found.entries) == 155
    scores = [(each.public, each.private) for each in found.entries]
    assert found.tau == pytest.approx(kendalltau(*zip(*scores, strict=True)).statistic)
    assert found.tau_ap < found.tau


def test_a_single_entry_has_no_order(board: Path) -> None:
    board.write_text("id,date,dev,eval\na,2021-01-01,1,3\nb,2021-01-02,1,\n")
    with pytest.raises(tr.InputError, match="Found 1 entry with both 'dev' and 'eval'"):
        compare(board)
