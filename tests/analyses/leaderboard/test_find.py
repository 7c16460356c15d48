"""Where every run stands: boards small enough to check by hand."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from toprung.analyses.leaderboard.find import Leaderboard, leaderboard
from toprung.analyses.stability.find import stability
from toprung.boards.row import AgainstTop, Status
from toprung.data.formats.tables.matrix_files import read_ranks
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.errors import InputError
from toprung.stats.intervals.bootstrap import mean_intervals

RECONSTRUCTION = Path(__file__).parents[3] / "demo" / "lin2021_reconstruction.csv.gz"
JANUARY, FEBRUARY, MARCH = date(2026, 1, 5), date(2026, 2, 5), date(2026, 3, 5)


def matrix(**columns: list[int]) -> FirstRanks:
    values = np.array(list(columns.values()), dtype=np.int32).T
    query_ids = tuple(f"q{row:04d}" for row in range(len(values)))
    return FirstRanks(query_ids=query_ids, runs=tuple(columns), values=values, cutoff=100)


def scores(measure: str, **columns: list[float]) -> ScoreTable:
    values = np.array(list(columns.values())).T
    query_ids = tuple(f"q{row:04d}" for row in range(len(values)))
    return ScoreTable(query_ids=query_ids, runs=tuple(columns), values=values, measure=measure)


def found_first(n: int, *, of: int = 20) -> list[int]:
    """Rank 1 on the first n queries, nothing on the rest."""
    return [1] * n + [0] * (of - n)


# Of 20 queries. B answers 8 more than A: binomial 2/2⁸ = .0078, within .025. C answers one more than B: p = 1.
A, B, C = found_first(4), found_first(12), found_first(13)


def in_order(found: Leaderboard) -> list[str]:
    return [row.run for row in found.rows]


class TestWithoutDates:
    def test_the_first_by_evidence_holds_and_who_cannot_be_told_apart_shares_its_group(self) -> None:
        found = leaderboard(matrix(A=A, B=B, C=C))
        assert in_order(found) == ["C", "B", "A"]
        assert [group.runs for group in found.groups] == [("C", "B"), ("A",)]
        assert [row.status for row in found.rows] == [Status.HOLDER, Status.TIED, Status.NONE]
        assert found.sentence == "C holds the top rung; B cannot be told apart from it."
        assert found.because == ""

    def test_outcomes_are_shares_of_all_queries_from_the_view_of_the_run(self) -> None:
        found = leaderboard(matrix(A=A, B=B, C=C))
        assert found["C"].outcomes is None
        outcomes = found["B"].outcomes  # both answer 12 at rank 1, C one more, 7 nobody
        assert outcomes is not None
        assert (outcomes.only_this, outcomes.better, outcomes.same) == (0, 0, 12 / 20)
        assert (outcomes.neither, outcomes.worse, outcomes.only_top) == (7 / 20, 0, 1 / 20)
        assert (outcomes.wins, outcomes.losses) == (0, 1 / 20)

    def test_a_row_knows_its_score_its_answers_and_its_search_length(self) -> None:
        row = leaderboard(matrix(x=[1, 4, 0, 0], y=[1, 1, 1, 1]))["x"]
        assert row.score == pytest.approx((1 + 1 / 4) / 4)
        assert row.answered == 2 / 4
        assert row.mean_esl == (1 + 4) / 2

    def test_a_run_that_answers_nothing_has_no_search_length(self) -> None:
        row = leaderboard(matrix(x=[0, 0], y=[1, 1]))["x"]
        assert (row.answered, row.mean_esl) == (0, None)

    def test_intervals_are_those_of_the_other_analyses(self) -> None:
        ranks = matrix(A=A, B=B, C=C)
        found, draws = leaderboard(ranks, seed=7), stability(ranks.reciprocal(), trials=1, seed=7).boards[0]
        for column, effect in enumerate(mean_intervals(ranks.reciprocal().values, rng=7)):
            row = found[ranks.runs[column]]
            assert (row.score_low, row.score_high) == (effect.low, effect.high)
        for run, low, high in zip(draws.runs, draws.intervals.low, draws.intervals.high, strict=True):
            assert (found[run].rank_low, found[run].rank_high) == (low, high)

    def test_who_answers_more_but_ranks_lower_is_in_conflict_with_the_top(self) -> None:
        found = leaderboard(matrix(high=found_first(30, of=60), wide=[10] * 60))
        assert found["wide"].against_top is AgainstTop.CONFLICT
        assert found["wide"].status is Status.CONFLICT
        assert found["wide"].group == 1
        assert found.verdict == "high holds the top rung; wide does better than it in one way and worse in another."

    def test_a_higher_score_that_does_not_hold_the_rung_is_said(self) -> None:
        # Both answer all 40. spiky has rank 1 on half and 90 on the rest: RR .5056, mean rank 45.5. steady has rank 2
        # everywhere: RR .5, mean rank 2, far sooner by the paired t-test (t = 6.1).
        found = leaderboard(matrix(spiky=[1] * 20 + [90] * 20, steady=[2] * 40))
        assert found.verdict == "steady holds the top rung and does better than the other run."
        assert found.because == (
            "spiky scores higher than steady, by 0.0056, but steady does better than it, outcome by outcome."
        )

    def test_the_order_of_the_columns_shows_nowhere(self) -> None:
        one, other = leaderboard(matrix(A=A, B=B, C=C)), leaderboard(matrix(C=C, A=A, B=B))
        assert one.rows == other.rows
        assert one.provenance == other.provenance

    def test_if_no_run_does_better_than_another_nobody_is_said_to_hold_the_top(self) -> None:
        found = leaderboard(matrix(B=B, C=C))
        assert found.sentence == "No run can be told apart from C, which has the best RR@100."


class TestWithDates:
    def test_claims_decide_who_holds_and_a_higher_score_is_explained(self) -> None:
        found = leaderboard(matrix(A=A, B=B, C=C), dates={"A": JANUARY, "B": FEBRUARY, "C": MARCH})
        assert in_order(found) == ["B", "C", "A"]
        assert [row.status for row in found.rows] == [Status.HOLDER, Status.NOT_SUPPORTED, Status.HELD]
        assert (found["A"].held_since, found["A"].held_until) == (JANUARY, FEBRUARY)
        assert (found["B"].held_since, found["B"].held_until) == (FEBRUARY, None)
        assert found.verdict == "B holds the top rung; C cannot be told apart from it."
        assert found.because == "C scores higher than B, by 0.0500, but its claim was not supported."
        assert found.sentence == f"{found.verdict} {found.because}"

    def test_a_pair_may_be_decided_where_the_claim_was_not(self) -> None:
        # Seven queries only new answers: p = 2/2⁷ = .0156, within .025; as a claim .03125, above the level of .025.
        ranks = matrix(old=[0] * 7 + [1], new=[1] * 8)
        found = leaderboard(ranks, dates={"old": JANUARY, "new": FEBRUARY})
        assert found.holder.run == "old"
        assert found["new"].against_top is AgainstTop.BETTER
        assert found["new"].status is Status.NOT_SUPPORTED
        assert found["new"].group == 1
        assert found.verdict == "old holds the top rung; new does better than it as a pair, but has no supported claim."

    def test_baselines_that_the_holder_does_better_than_stand_last_in_a_group_of_their_own(self) -> None:
        found = leaderboard(
            matrix(A=A, B=B, C=C, D=found_first(3)), dates={"B": JANUARY, "C": FEBRUARY}, baselines=["A", "D"]
        )
        assert found.holder.run == "B"
        assert found.groups[-1].name == "Baselines"
        assert found.groups[-1].runs == ("A", "D")
        assert {found[run].status for run in ("A", "D")} == {Status.BASELINE}
        assert found["A"].is_baseline
        assert not found["B"].is_baseline

    def test_a_baseline_that_still_holds_stands_first(self) -> None:
        found = leaderboard(matrix(A=A, B=B), dates={"A": JANUARY}, baselines=["B"])
        assert found.holder.run == "B"
        assert (found.holder.status, found.holder.is_baseline) == (Status.HOLDER, True)

    def test_details_are_shown_and_decide_nothing(self) -> None:
        plain = leaderboard(matrix(A=A, B=B))
        told = leaderboard(matrix(A=A, B=B), teams={"B": "Halden"}, tags={"B": ["open"]})
        assert (told["B"].team, told["B"].tags) == ("Halden", ("open",))
        assert in_order(told) == in_order(plain)
        assert "team" in told.table.header
        assert "team" not in plain.table.header


class TestOfScores:
    def test_groups_come_from_the_grid_of_tests_and_no_claim_is_made(self) -> None:
        table = scores("P@10", x=[0.1, 0.3, 0.2, 0.2], y=[0.2, 0.3, 0.1, 0.4], z=[0.9, 0.8, 0.9, 0.7])
        found = leaderboard(table, dates={"x": JANUARY, "y": FEBRUARY, "z": MARCH})
        assert [group.runs for group in found.groups] == [("z",), ("y", "x")]
        assert found.sentence == "z has the best P@10 and does better than each of the other 2 runs."
        assert found["z"].date == MARCH
        assert [row.status for row in found.rows] == [Status.FIRST, Status.NONE, Status.NONE]
        assert {row.answered for row in found.rows} == {None}
        assert {row.outcomes for row in found.rows} == {None}
        assert any("the paired t-test with Holm's correction" in note for note in found.notes)

    def test_the_lowest_stands_first_where_less_is_better(self) -> None:
        found = leaderboard(scores("ESL@10", slow=[9.0, 8.0, 9.0, 7.0], fast=[1.0, 2.0, 1.0, 3.0]))
        assert in_order(found) == ["fast", "slow"]
        assert found.because == ""

    def test_queries_without_a_value_are_refused(self) -> None:
        with pytest.raises(InputError, match="without a value"):
            leaderboard(scores("ESL@10", x=[1.0, np.nan], y=[1.0, 2.0]))


def test_one_run_alone_has_a_board() -> None:
    for only in (matrix(A=A), scores("P@10", A=[0.1, 0.2])):
        found = leaderboard(only)
        assert found.sentence == "A is the only run."
        assert (found.holder.rank_low, found.holder.rank_high) == (1, 1)


def test_nothing_to_rank_is_refused() -> None:
    with pytest.raises(InputError, match="0 runs"):
        leaderboard(FirstRanks(query_ids=("q",), runs=(), values=np.zeros((1, 0), dtype=np.int32), cutoff=10))


@pytest.mark.parametrize("of_scores", [False, True])
def test_an_unknown_baseline_is_refused(of_scores: bool) -> None:
    ranks = matrix(A=A, B=B)
    with pytest.raises(InputError, match="baselines: found no run 'bm25'"):
        leaderboard(ranks.reciprocal() if of_scores else ranks, baselines=["bm25"])


def test_it_goes_through_json_and_a_frame() -> None:
    found = leaderboard(
        matrix(A=A, B=B, C=[0] * 20), dates={"A": JANUARY, "B": FEBRUARY, "C": MARCH}, tags={"A": ["x", "y"]}
    )
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert [row["run"] for row in told["rows"]] == in_order(found)
    assert told["rows"][0]["date"] == "2026-02-05"
    assert told["holder"] == "B"
    frame = found.to_frame()
    assert frame["run"].to_list() == in_order(found)
    assert frame.filter(run="C")["mean_esl"].to_list() == [None]
    assert frame.filter(run="A")["tags"].to_list() == ["x; y"]


def test_rows_that_lost_their_queries_are_told() -> None:
    """As the published columns of Lin et al. 2021 seem to be."""
    found = leaderboard(read_ranks(RECONSTRUCTION, cutoff=100))
    assert found.n_unaligned > 70  # of 78 pairs
    assert any(note.startswith("Alignment, in ") for note in found.notes)


def test_the_explanation_says_what_decides() -> None:
    dated = leaderboard(matrix(A=A, B=B), dates={"A": JANUARY, "B": FEBRUARY}).explanation
    assert "online fallback" in dated.how
    assert "online fallback" not in leaderboard(matrix(A=A, B=B)).explanation.how
    assert "paired t-test" in leaderboard(matrix(A=A, B=B).reciprocal()).explanation.how
