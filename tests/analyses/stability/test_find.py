"""Would the same runs lead if other queries had been drawn?"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import toprung as tr
from toprung.analyses.stability.find import Stability, count_steps, stability
from toprung.boards.engine.top_group import find_top_group
from toprung.data.matrices import ScoreTable
from toprung.stats.ranks.mass import bootstrap_rank_mass

DEMO = Path(__file__).parents[3] / "demo" / "lin2021_reconstruction.csv.gz"


def table_of(
    values: Sequence[Sequence[float]] | NDArray[np.float64], runs: str | tuple[str, ...] = "ABC", measure: str = "RR@10"
) -> ScoreTable:
    matrix = np.array(values, dtype=np.float64).reshape(-1, len(runs))
    query_ids = tuple(f"q{row:03d}" for row in range(len(matrix)))
    return ScoreTable(query_ids=query_ids, runs=tuple(runs), values=matrix, measure=measure)


def noisy(means: Sequence[float], n: int = 60, *, seed: int = 0, measure: str = "RR@10") -> ScoreTable:
    values = np.random.default_rng(seed).normal(means, 0.1, (n, len(means)))
    return table_of(values, "ABCDEFGH"[: len(means)], measure)


@pytest.fixture(scope="module")
def reconstruction() -> ScoreTable:
    return tr.read_ranks(DEMO, cutoff=100).reciprocal()


@pytest.fixture(scope="module")
def found(reconstruction: ScoreTable) -> Stability:
    return stability(reconstruction)


def test_runs_stand_in_the_order_of_their_scores_with_their_masses_and_intervals() -> None:
    table = noisy([0.2, 0.9, 0.5])
    (board,) = stability(table, trials=200, seed=3).boards
    order = [1, 2, 0]
    assert board.runs == ("B", "C", "A")
    assert board.places.tolist() == [1, 2, 3]
    assert board.scores == pytest.approx(table.values.mean(axis=0)[order])
    assert board.mass.tolist() == bootstrap_rank_mass(table.values, trials=200, rng=3)[order].tolist()
    assert board.expected_ranks.tolist() == [1.0, 2.0, 3.0]
    assert board.intervals.low.tolist() == find_top_group(table, seed=3).intervals.low.tolist() == [1, 2, 3]
    assert board.may_be_top == ("B",)


def test_the_sentence_says_how_often_the_first_leads_and_who_may_be_best(found: Stability) -> None:
    board = found.boards[0]
    assert found.sentence == (
        f"R13 stands first in {100 * board.mass[0, 0]:.1f}% of 1,000 bootstrap trials; "
        "at 95% confidence 6 of 13 runs may be best: R13, R12, R11, R10, R9 and 1 more."
    )
    assert board.may_be_top == ("R13", "R12", "R11", "R10", "R9", "R8")


def test_a_clear_leader_and_a_clear_top_are_said_so() -> None:
    assert stability(noisy([0.2, 0.9, 0.5]), trials=50).sentence == (
        "B stands first in 100.0% of 50 bootstrap trials; at 95% confidence only B may be best."
    )
    assert stability(noisy([0.2, 0.9, 0.5]), trials=50, tau=2).sentence == (
        "B stands first in 100.0% of 50 bootstrap trials; at 95% confidence only B and C may be among the best 2."
    )


def test_a_lucky_leader_is_named_with_the_run_that_leads_more_often() -> None:
    # B to E are each 0.01 ahead of A everywhere but on one query of their own, where they lose more than that. So A
    # leads only if all four of these queries are drawn, which is (1 − 1/e)⁴ = 0.16; the others share the rest.
    values = np.full((30, 5), 0.51)
    values[:, 0] = 0.5
    values[[0, 1, 2, 3], [1, 2, 3, 4]] = 0.2
    result = stability(table_of(values, "ABCDE"), trials=4_000)
    shares = result.boards[0].mass[:, 0]
    assert shares[0] == pytest.approx(0.16, abs=0.02)
    assert shares[1:] == pytest.approx([0.21] * 4, abs=0.02)
    often = int(np.argmax(shares))
    assert result.sentence == (
        f"A has the best RR@10 but stands first in only {100 * shares[0]:.1f}% of 4,000 bootstrap trials, "
        f"{'ABCDE'[often]} in {100 * shares[often]:.1f}%; at 95% confidence every one of the 5 runs may be best."
    )


def test_runs_that_share_the_best_score_are_named_together() -> None:
    values = np.array([[0.1, 0.5, 0.2], [0.5, 0.1, 0.2], [0.3, 0.3, 0.2], [0.3, 0.3, 0.2]])
    result = stability(table_of(values), trials=100)
    assert result.boards[0].places.tolist() == [1, 1, 3]
    together = result.boards[0].mass[:2, 0].sum()
    assert result.sentence.startswith(
        f"A and B share the best RR@10 and together stand first in {100 * together:.1f}% of 100 bootstrap trials; "
    )
    both = stability({"one": table_of(values), "two": table_of(values)}, trials=100)
    assert both.sentence.startswith("A, one of 2 first by one, has the best score under 2 of 2 conditions")


def test_more_confidence_than_the_resamples_can_give_is_told() -> None:
    result = stability(noisy([0.2, 0.9, 0.5]), trials=20, alpha=1e-7)
    assert "at 99.99999% confidence every one of the 3 runs may be best" in result.sentence
    said = "1,000 resamples are too few for 99.99999% confidence: every run may have every rank."
    assert said in result.notes
    assert not any("too few for" in note for note in stability(noisy([0.2, 0.9, 0.5]), trials=20).notes)


def test_one_trial_is_one() -> None:
    result = stability(noisy([0.2, 0.9, 0.5]), trials=1)
    assert result.sentence.startswith("B stands first in 100.0% of 1 bootstrap trial;")
    assert result.notes[0].startswith("Rank 1 to 3: share of 1 trial at that rank;")


def test_the_table_has_place_score_expected_rank_shares_and_interval() -> None:
    table = stability(noisy([0.2, 0.9, 0.5]), trials=100, top=2).table
    assert table.header == ("place", "run", "RR@10", "expected", "rank 1", "rank 2", "95% interval", "may be best")
    assert [row[:2] + row[3:] for row in table.rows] == [
        ("1", "B", "1.00", "100.0%", "0%", "1", "yes"),
        ("2", "C", "2.00", "0%", "100.0%", "2", ""),
        ("3", "A", "3.00", "0%", "0%", "3", ""),
    ]


def test_a_wide_interval_is_shown_by_its_ends(found: Stability) -> None:
    rows = {row[1]: row for row in found.table.rows}
    low, high = int(found.boards[0].intervals.low[9]), int(found.boards[0].intervals.high[9])
    assert low < high
    assert rows["R4"][-2] == f"{low}–{high}"


def test_the_published_table_has_the_published_shape() -> None:
    table, rest = stability(noisy([0.2, 0.9, 0.5]), trials=100).paper_tables()
    assert table.header == ("Leaderboard run", "1", "2", "3")
    assert table.rows == (
        ("B", "100.0%", "0%", "0%"),
        ("C", "0%", "100.0%", "0%"),
        ("A", "0%", "0%", "100.0%"),
    )
    assert rest.header == ("place", "run", "RR@10", "expected", "95% interval", "may be best")
    assert [row[:2] + row[3:] for row in rest.rows] == [
        ("1", "B", "1.00", "1", "yes"),
        ("2", "C", "2.00", "2", ""),
        ("3", "A", "3.00", "3", ""),
    ]
    assert rest.numeric == {0, 2, 3}
    first_two, rest_of_two = stability(noisy([0.2, 0.9, 0.5]), trials=100, top=2).paper_tables()
    assert first_two.rows == (("B", "100.0%", "0%"), ("C", "0%", "100.0%"))
    assert rest_of_two.header == rest.header
    assert rest_of_two.rows == rest.rows[:2]


def test_following_runs_shows_only_them_and_keeps_all_in_the_frame() -> None:
    result = stability(noisy([0.2, 0.9, 0.5]), trials=50, follow=["A", "B"])
    assert [row[1] for row in result.table.rows] == ["B", "A"]
    assert [row[0] for row in result.paper_tables()[0].rows] == ["B", "A"]
    assert "Shown: 2 of 3 runs; CSV and JSON have all." in result.notes
    assert set(result.to_frame()["run"]) == {"A", "B", "C"}


def test_several_conditions_follow_the_first_runs_of_the_first() -> None:
    tables = {
        "public": noisy([0.2, 0.9, 0.5, 0.1]),
        "private": noisy([0.2, 0.5, 0.9, 0.1], 20, seed=1),
        "few": noisy([0.3, 0.1, 0.2, 0.0], 40, seed=2),
    }
    told: list[str] = []
    result = stability(tables, trials=100, top=2, on_progress=told.append)
    assert result.followed == ("B", "C", "A")
    assert [row[:3] for row in result.table.rows] == [
        ("public", "B", "1"),
        ("public", "C", "2"),
        ("public", "A", "3"),
        ("private", "B", "2"),
        ("private", "C", "1"),
        ("private", "A", "3"),
        ("few", "B", "3"),
        ("few", "C", "2"),
        ("few", "A", "1"),
    ]
    assert result.table.header[:5] == ("condition", "run", "place", "score", "expected")
    assert result.sentence == (
        "B, first by public, has the best score under 1 of 3 conditions; "
        "its expected rank is 1.00 at best (public) and 3.00 at worst (few)."
    )
    assert [table.header[0] for table in result.paper_tables()] == [
        "Leaderboard run (public)",
        "Leaderboard run (private)",
        "Leaderboard run (few)",
        "condition",
    ]
    assert result.paper_tables()[-1].header == ("condition", "run", "place", "score", "expected", "95% interval")
    assert "private: 20 queries; at 95% confidence only C may be best." in result.notes
    assert result["few"].runs == ("A", "C", "B", "D")
    assert told == ["public", "public", "private", "private", "few", "few"]
    assert count_steps(tables) == len(told)
    assert count_steps(tables["few"]) == 2


def test_runs_that_are_not_in_all_conditions_are_left_out_and_named() -> None:
    whole = noisy([0.2, 0.9, 0.5, 0.1])
    result = stability({"all": whole, "some": whole.select(["C", "A"])}, trials=20)
    assert result.runs == ("C", "A")
    assert result.left_out == ("B", "D")
    assert "Left out, not in all conditions: 2, B and D." in result.notes
    with pytest.raises(tr.InputError, match="Found 1 run in all 2 conditions; expected at least two"):
        stability({"all": whole, "some": whole.select(["C"])})


def test_a_condition_alone_is_the_same_as_among_others() -> None:
    one, other = noisy([0.5, 0.5, 0.5]), noisy([0.5, 0.5, 0.5], 30, seed=1)
    among = stability({"other": other, "one": one}, trials=100)["one"]
    alone = stability(one, trials=100).boards[0]
    assert among.mass.tolist() == alone.mass.tolist()
    assert among.intervals.low.tolist() == alone.intervals.low.tolist()


def test_lower_is_better_where_the_measure_says_so() -> None:
    board = stability(noisy([2.0, 9.0, 5.0], measure="ESL@10"), trials=50).boards[0]
    assert board.runs == ("A", "C", "B")
    assert board.mass[0, 0] == 1
    assert board.may_be_top == ("A",)


def test_queries_without_a_value_are_left_out_of_the_mean_and_it_is_said() -> None:
    values = noisy([2.0, 9.0], 40, measure="ESL@10").values.copy()
    values[:15, 0] = np.nan
    result = stability(table_of(values, "AB", "ESL@10"), trials=50)
    assert result.boards[0].scores[0] == pytest.approx(np.nanmean(values[:, 0]))
    assert "Queries without a value of ESL@10 are left out of a run's mean." in result.notes


def test_a_run_without_any_value_stands_last() -> None:
    values = noisy([2.0, 9.0, 5.0], 40).values.copy()
    values[:, 1] = np.nan
    result = stability(table_of(values, "ABC", "ESL@10"), trials=50)
    assert result.boards[0].runs == ("A", "C", "B")
    assert result.table.rows[2][2] == "–"
    assert result.to_dict()["conditions"][0]["runs"][2]["score"] is None
    assert result.to_frame()["score"].null_count() == 3


def test_runs_that_are_the_same_everywhere_are_said_to_be() -> None:
    result = stability(table_of(np.tile([[0.1], [0.5], [0.9]], 3)), trials=50)
    assert result.sentence == "All 3 runs have the same RR@10 on every query: nothing tells them apart."
    board = result.boards[0]
    assert board.places.tolist() == [1, 1, 1]
    np.testing.assert_allclose(board.mass, 1 / 3)
    assert board.intervals.low.tolist() == [1, 1, 1]
    assert "3 of 3 pairs differ on fewer than 7 queries, too few for the intervals to tell them apart." in result.notes


def test_one_query_is_said_to_show_nothing() -> None:
    result = stability(table_of([[0.1, 0.5, 0.9]]), trials=50)
    assert result.sentence == "One query cannot show how stable an order is: every trial draws the same one."
    assert result.boards[0].intervals.high.tolist() == [3, 3, 3]
    assert "From one query no interval can be known: every run may have every rank." in result.notes


def test_no_note_calls_a_share_confidence(found: Stability) -> None:
    assert found.notes[0].startswith("Rank 1 to 5: share of 1,000 trials")
    assert "no confidence interval" in found.notes[1]
    assert found.notes[2].startswith("95% interval: ranks a run may truly have, for all runs at once")
    assert all(len(note) <= 120 for note in found.notes)


def test_remarks_of_the_scores_are_passed_on_once() -> None:
    table = replace(noisy([0.2, 0.9]), remarks=("A: 3 labelled queries missing.",))
    result = stability({"one": table, "two": table}, trials=20)
    assert result.notes.count("A: 3 labelled queries missing.") == 1


def test_the_frame_is_tidy(found: Stability) -> None:
    frame = found.to_frame()
    assert frame.columns == [
        "condition",
        "measure",
        "n_queries",
        "run",
        "rank",
        "share",
        "score",
        "expected_rank",
        "rank_low",
        "rank_high",
        "may_be_top",
    ]
    assert frame.height == 13 * 13
    assert frame.group_by("run").agg(pl.col("share").sum())["share"].to_list() == pytest.approx([1.0] * 13)
    leader = frame.filter(run="R13", rank=1).row(0, named=True)
    assert (leader["condition"], leader["n_queries"], leader["rank_low"]) == ("RR@100", 5793, 1)
    assert leader["share"] == found.boards[0].mass[0, 0]


def test_everything_survives_json(found: Stability, reconstruction: ScoreTable) -> None:
    back = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    (condition,) = back["conditions"]
    assert condition["runs"][0]["run"] == "R13"
    assert condition["runs"][0]["shares"] == found.boards[0].mass[0].tolist()
    assert condition["may_be_top"] == list(found.boards[0].may_be_top)
    assert back["provenance"] == {
        "conditions": [
            {"name": "", "measure": "RR@100", "scores_digest": reconstruction.digest, "n_queries": 5793},
        ],
        "n_runs": 13,
        "trials": 1000,
        "interval_resamples": 1000,
        "confidence": 0.95,
        "tau": 1,
        "seed": 0,
        "toprung": tr.__version__,
    }


def test_shuffling_runs_or_queries_changes_no_byte() -> None:
    table = noisy([0.5, 0.52, 0.54, 0.56, 0.58], 50)
    rows, runs = np.random.default_rng(1).permutation(50), [3, 1, 4, 0, 2]
    shuffled = ScoreTable(
        query_ids=tuple(table.query_ids[row] for row in rows),
        runs=tuple(table.runs[run] for run in runs),
        values=table.values[rows][:, runs],
        measure=table.measure,
    )
    assert stability(shuffled, trials=200).to_dict() == stability(table, trials=200).to_dict()
    assert stability(table, trials=200, seed=1).to_dict() != stability(table, trials=200).to_dict()


def test_one_comparison_cannot_serve_several_tables() -> None:
    table = noisy([0.2, 0.9])
    with pytest.raises(tr.InputError, match="top_group: found one for 2 tables"):
        stability({"a": table, "b": table}, top_group=find_top_group(table))


def test_what_was_found_before_is_taken_and_its_resamples_are_told() -> None:
    table = noisy([0.2, 0.9])
    result = stability(table, trials=10, top_group=find_top_group(table, resamples=200))
    assert result.provenance["interval_resamples"] == 200
    assert any("200 resamples" in note for note in result.notes)


@settings(max_examples=30)
@given(
    values=st.integers(2, 5).flatmap(
        lambda runs: st.lists(
            st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=runs, max_size=runs), min_size=1, max_size=20
        )
    )
)
def test_any_board_is_answered_and_its_masses_are_shares(values: list[list[float]]) -> None:
    result = stability(table_of(values, "ABCDE"[: len(values[0])]), trials=30)
    board = result.boards[0]
    np.testing.assert_allclose(board.mass.sum(axis=0), 1.0)
    np.testing.assert_allclose(board.mass.sum(axis=1), 1.0)
    assert board.runs[0] in board.may_be_top
    assert len(result.table.rows) == len(values[0])
    assert str(result)


@pytest.mark.parametrize(
    ("tables", "options", "message"),
    [
        (table_of([[0.1], [0.2]], "A"), {}, "Found 1 run; expected at least two"),
        (table_of([], "AB"), {}, "Found no queries; expected at least one to draw"),
        ({"dev": table_of([], "AB")}, {}, "dev: found no queries"),
        ({}, {}, "Found no table of scores"),
        (noisy([0.2, 0.9]), {"trials": 0}, "trials: found 0"),
        (noisy([0.2, 0.9]), {"top": 0}, "top: found 0"),
        (noisy([0.2, 0.9]), {"alpha": 5}, "alpha: found 5"),
        (noisy([0.2, 0.9]), {"tau": 3}, "tau: found 3; expected a whole number from 1 to 2"),
        (noisy([0.2, 0.9]), {"follow": ["Z"]}, "follow: found no run 'Z'; expected one of A, B"),
    ],
)
def test_what_cannot_be_drawn_is_refused(tables: object, options: dict[str, object], message: str) -> None:
    with pytest.raises(tr.InputError, match=message):
        stability(tables, **options)  # type: ignore[arg-type]


def test_an_unknown_condition_or_run_is_refused(found: Stability) -> None:
    with pytest.raises(tr.InputError, match="Found no condition 'dev'"):
        found["dev"]
    with pytest.raises(tr.InputError, match="Found no run 'R99'"):
        found.boards[0].row("R99")


def test_ranks_seen_reach_from_the_best_to_the_worst_of_any_trial() -> None:
    """Two runs that win every other query each change places; the third stays behind."""
    values = np.array([[1.0, 0.5, 0.0], [0.5, 1.0, 0.0]] * 10)
    scores = ScoreTable(query_ids=tuple(map(str, range(20))), runs=("a", "b", "c"), values=values, measure="RR@10")
    (board,) = stability(scores, trials=200).boards
    assert [board.ranks_seen(row) for row in range(3)] == [(1, 2), (1, 2), (3, 3)]
