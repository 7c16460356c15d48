"""Where every run stands: boards small enough to check by hand."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from toprung.analyses.leaderboard.find import Leaderboard, leaderboard, make_board
from toprung.analyses.timeline.find import timeline
from toprung.boards.engine.rules import Rule
from toprung.boards.engine.top_group import find_top_group
from toprung.boards.row import Status
from toprung.data.formats.tables.matrix_files import read_ranks
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.errors import InputError
from toprung.stats.intervals.bootstrap import mean_intervals

RECONSTRUCTION = Path(__file__).parents[3] / "demo" / "lin2021_reconstruction.csv.gz"
JANUARY, FEBRUARY, MARCH, APRIL = date(2026, 1, 5), date(2026, 2, 5), date(2026, 3, 5), date(2026, 4, 5)


def matrix(**columns: list[int]) -> FirstRanks:
    values = np.array(list(columns.values()), dtype=np.int32).T
    query_ids = tuple(f"q{row:04d}" for row in range(len(values)))
    return FirstRanks(query_ids=query_ids, runs=tuple(columns), values=values, cutoff=100)


def scores(measure: str, **columns: list[float]) -> ScoreTable:
    values = np.array(list(columns.values())).T
    query_ids = tuple(f"q{row:04d}" for row in range(len(values)))
    return ScoreTable(query_ids=query_ids, runs=tuple(columns), values=values, measure=measure)


def found_first(n: int, *, of: int = 80) -> list[int]:
    """Rank 1 on the first n queries, nothing on the rest."""
    return [1] * n + [0] * (of - n)


# Of 80 queries. B answers 32 more than A: P = 2^(−31), and with 24 that both answer at the same rank harm is excluded
# (L = −.0948, within the margin of .1). C answers one more than B, which no two runs are told apart by.
A, B, C = found_first(24), found_first(56), found_first(57)
IN_TURN = {"A": JANUARY, "B": FEBRUARY, "C": MARCH}


def in_order(found: Leaderboard) -> list[str]:
    return [row.run for row in found.rows]


class TestWhoMayBeBest:
    def test_rows_stand_in_order_of_score_and_who_may_be_best_is_marked(self) -> None:
        found = leaderboard(matrix(A=A, B=B, C=C))
        assert in_order(found) == ["C", "B", "A"]
        assert [row.top_group for row in found.rows] == [True, True, False]
        assert [(row.rank_low, row.rank_high) for row in found.rows] == [(1, 2), (1, 2), (3, 3)]
        assert [row.place for row in found.rows] == [1, 2, 3]
        assert [row.status for row in found.rows] == [Status.NONE] * 3
        assert found.sentence == "Two runs may be best: C and B; the labels cannot tell them apart."
        assert found.said == ("Two runs may be best: C and B;", "the labels cannot tell them apart.")
        assert (found.because, found.holder) == ("", None)

    def test_three_equal_columns_share_everything(self) -> None:
        found = leaderboard(scores("nDCG@10", x=[0.1, 0.9, 0.4], y=[0.1, 0.9, 0.4], z=[0.1, 0.9, 0.4]))
        assert [(row.place, row.rank_low, row.rank_high, row.top_group) for row in found.rows] == [(1, 1, 3, True)] * 3
        assert len({(row.score, row.score_low, row.score_high) for row in found.rows}) == 1

    @pytest.mark.parametrize(("lead", "who"), [([0.1] * 5, "BA"), ([step / 10 for step in range(1, 9)], "B")])
    def test_two_runs_are_told_apart_from_six_queries_on(self, lead: list[float], who: str) -> None:
        found = leaderboard(scores("nDCG@10", A=[0.0] * len(lead), B=lead))
        assert [row.run for row in found.top_group] == list(who)

    def test_a_single_run_that_may_be_best_is_said_to_do_best(self) -> None:
        assert leaderboard(matrix(A=A, B=B)).sentence == "B does best, beyond chance."

    def test_equal_scores_share_a_place_and_names_decide_who_is_shown_first(self) -> None:
        found = leaderboard(matrix(b=[1, 0, 0], a=[0, 1, 0], c=[0, 0, 2]))
        assert [(row.run, row.place) for row in found.rows] == [("a", 1), ("b", 1), ("c", 3)]

    def test_what_was_found_of_more_runs_holds_for_a_part_of_them(self) -> None:
        ranks = matrix(A=A, B=B, C=C)
        part = make_board(ranks.select(["A", "C"]), find_top_group(ranks))
        assert [(row.run, row.place, row.rank_low, row.rank_high) for row in part.rows] == [
            ("C", 1, 1, 2),
            ("A", 3, 3, 3),
        ]

    def test_the_lowest_stands_first_where_less_is_better(self) -> None:
        found = leaderboard(scores("ESL@10", slow=[9.0, 8.0, 9.0, 7.0], fast=[1.0, 2.0, 1.0, 3.0]))
        assert in_order(found) == ["fast", "slow"]

    def test_the_order_of_the_columns_shows_nowhere(self) -> None:
        one, other = leaderboard(matrix(A=A, B=B, C=C)), leaderboard(matrix(C=C, A=A, B=B))
        assert one.rows == other.rows
        assert one.provenance == other.provenance


class TestARow:
    def test_outcomes_are_shares_of_all_queries_against_the_highest_score(self) -> None:
        found = leaderboard(matrix(A=A, B=B, C=C))
        assert found["C"].outcomes is None
        outcomes = found["B"].outcomes  # both answer 56 at rank 1, C one more, 23 nobody
        assert outcomes is not None
        assert (outcomes.only_this, outcomes.better, outcomes.same) == (0, 0, 56 / 80)
        assert (outcomes.neither, outcomes.worse, outcomes.only_top) == (23 / 80, 0, 1 / 80)
        assert (outcomes.wins, outcomes.losses) == (0, 1 / 80)

    def test_a_row_knows_its_score_its_answers_and_its_search_length(self) -> None:
        row = leaderboard(matrix(x=[1, 4, 0, 0], y=[1, 1, 1, 1]))["x"]
        assert row.score == pytest.approx((1 + 1 / 4) / 4)
        assert row.answered == 2 / 4
        assert row.mean_esl == (1 + 4) / 2

    def test_a_run_that_answers_nothing_has_no_search_length(self) -> None:
        row = leaderboard(matrix(x=[0, 0], y=[1, 1]))["x"]
        assert (row.answered, row.mean_esl) == (0, None)

    def test_scores_alone_know_no_answers(self) -> None:
        found = leaderboard(scores("P@10", x=[0.1, 0.3], y=[0.2, 0.3]))
        assert {(row.answered, row.mean_esl, row.outcomes) for row in found.rows} == {(None, None, None)}

    @pytest.mark.parametrize("alpha", [0.05, 0.2])
    def test_intervals_have_the_confidence_that_alpha_leaves(self, alpha: float) -> None:
        ranks = matrix(A=A, B=B, C=C)
        found, top = leaderboard(ranks, alpha=alpha, seed=7), find_top_group(ranks, alpha=alpha, seed=7)
        assert found.confidence == 1 - alpha
        intervals = mean_intervals(ranks.reciprocal().values, confidence=1 - alpha, rng=7)
        for run, effect in zip(ranks.runs, intervals, strict=True):
            assert (found[run].score_low, found[run].score_high) == (effect.low, effect.high)
        assert [row.rank_low for row in found.rows] == top.intervals.low.tolist()
        assert [row.rank_high for row in found.rows] == top.intervals.high.tolist()

    def test_details_are_shown_and_decide_nothing(self) -> None:
        plain = leaderboard(matrix(A=A, B=B))
        told = leaderboard(matrix(A=A, B=B), teams={"B": "Halden"}, tags={"B": ["open"]})
        assert (told["B"].team, told["B"].tags) == ("Halden", ("open",))
        assert in_order(told) == in_order(plain)
        assert "team" in told.table.header
        assert "team" not in plain.table.header


class TestWhoProvedIt:
    @pytest.mark.parametrize("of_scores", [False, True])
    def test_the_last_claim_that_passed_has_the_badge_and_stands_where_its_score_puts_it(self, of_scores: bool) -> None:
        ranks = matrix(A=A, B=B, C=C)
        found = leaderboard(ranks.reciprocal() if of_scores else ranks, dates=IN_TURN)
        assert in_order(found) == ["C", "B", "A"]
        assert [row.status for row in found.rows] == [Status.NOT_PASSED, Status.LAST_PROVED, Status.NONE]
        assert [row.proved_since for row in found.rows] == [None, FEBRUARY, None]
        assert (found.holder, found.rule) == ("B", Rule.MEASURE if of_scores else Rule.NO_HARM)
        assert found.because == (
            "B was the last to prove an improvement when it came, on 2026-02-05. One later claim has not passed."
        )
        assert found.sentence == f"{found.verdict} {found.because}"

    def test_who_proved_an_improvement_before_keeps_the_day(self) -> None:
        ranks = matrix(A=A, B=B, D=found_first(80))
        found = leaderboard(ranks, dates={"A": JANUARY, "B": FEBRUARY, "D": MARCH})
        assert [(row.run, row.status, row.proved_since) for row in found.rows] == [
            ("D", Status.LAST_PROVED, MARCH),
            ("B", Status.PROVED, FEBRUARY),
            ("A", Status.NONE, None),
        ]

    def test_the_first_to_come_has_no_badge(self) -> None:
        found = leaderboard(matrix(A=A, B=B), dates={"B": JANUARY, "A": FEBRUARY})
        assert found.holder is None
        assert {row.status for row in found.rows} == {Status.NONE}
        assert found.sentence == "B does best, beyond chance. No claim has passed yet."

    def test_a_run_may_do_best_without_a_claim_that_passed(self) -> None:
        # Eight queries only new answers: P = 2 · 2^(−8) = .0078, so that the two differ; the claim has the level .0022.
        ranks = matrix(old=found_first(2, of=10), new=found_first(10, of=10))
        found = leaderboard(ranks, dates={"old": JANUARY, "new": FEBRUARY}, rule=Rule.MEASURE)
        assert [row.run for row in found.top_group] == ["new"]
        assert found["new"].status is Status.NOT_PASSED
        assert found.sentence == "new does best, beyond chance. No claim has passed yet."

    def test_baselines_are_compared_like_all_others(self) -> None:
        found = leaderboard(matrix(A=A, B=B, C=C), dates={"A": JANUARY}, baselines=["B", "C"])
        assert [row.run for row in found.top_group] == ["C", "B"]
        assert {found[run].status for run in "BC"} == {Status.BASELINE}
        assert found["B"].is_baseline
        assert not found["A"].is_baseline

    def test_where_only_the_score_decides_nothing_is_proved(self) -> None:
        found = leaderboard(matrix(A=A, B=B, C=C), dates=IN_TURN, rule=Rule.SCORE)
        assert {(row.status, row.proved_since) for row in found.rows} == {(Status.NONE, None)}
        assert (found.holder, found.because) == (None, "")

    def test_a_claim_that_did_not_pass_may_be_told_as_voided(self) -> None:
        ranks = matrix(A=A, B=B, C=C)
        found = make_board(ranks, find_top_group(ranks), timeline(ranks, dates=IN_TURN), voided=["C"])
        assert found["C"].status is Status.VOIDED
        assert found["B"].status is Status.LAST_PROVED


def test_queries_without_a_value_are_refused() -> None:
    with pytest.raises(InputError, match="without a value"):
        leaderboard(scores("ESL@10", x=[1.0, np.nan], y=[1.0, 2.0]))


def test_one_run_alone_has_a_board() -> None:
    for only in (matrix(A=A), scores("P@10", A=[0.1, 0.2])):
        found = leaderboard(only)
        assert found.sentence == "A is the only run."
        assert (found.rows[0].rank_low, found.rows[0].rank_high, found.rows[0].top_group) == (1, 1, True)


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
        matrix(A=A, B=B, C=[0] * 80), dates={"A": JANUARY, "B": FEBRUARY, "C": APRIL}, tags={"A": ["x", "y"]}
    )
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert [row["run"] for row in told["rows"]] == in_order(found)
    assert (told["rows"][0]["proved_since"], told["rows"][0]["place"], told["rows"][0]["top_group"]) == (
        "2026-02-05",
        1,
        True,
    )
    assert (told["holder"], told["top_group"]) == ("B", ["B"])
    frame = found.to_frame()
    assert frame.columns[:9] == [
        *("run", "score", "score_low", "score_high", "rank_low", "rank_high", "top_group", "place", "proved_since")
    ]
    assert frame.filter(run="C")["mean_esl"].to_list() == [None]
    assert frame.filter(run="A")["tags"].to_list() == ["x; y"]


def test_rows_that_lost_their_queries_are_told() -> None:
    """As the published columns of Lin et al. 2021 seem to be."""
    found = leaderboard(read_ranks(RECONSTRUCTION, cutoff=100))
    (warning,) = [note for note in found.notes if note.startswith("Alignment, in ")]
    n_failed, n_pairs = (int(word) for word in warning.replace(",", "").split() if word.isdigit())
    assert n_pairs == 78
    assert n_failed > 70


def test_the_explanation_says_what_decides() -> None:
    dated = leaderboard(matrix(A=A, B=B), dates={"A": JANUARY, "B": FEBRUARY}).explanation
    assert "online fallback" in dated.how
    plain = leaderboard(matrix(A=A, B=B)).explanation
    assert "online fallback" not in plain.how
    assert "Mogstad et al. 2024" in plain.how
