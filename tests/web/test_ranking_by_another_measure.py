"""Boards on which something else decides: another official measure, a rule without tests, another test."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
from tests.web.cast import Cast, make_board, make_upload
from tests.web.reading import row_of, text_of
from tests.web.viewing import browse

from toprung.web.core.models.boards import Board
from toprung.web.core.models.runs import FirstRankColumn, RunState, ScoreColumn, Submission
from toprung.web.core.store.columns import pack
from toprung.web.services.claims.settle import settle_board
from toprung.web.services.results.compute import compute_results


def add_run(cast: Cast, board: Board, ranks: list[int], scores: list[float]) -> None:
    labels, number = board.label_sets.get(use="official"), board.submissions.count() + 1
    run = Submission.objects.create(
        board=board,
        number=number,
        run_id=f"R{number}",
        name=f"run {number}",
        team=cast.team,
        user=cast.participant,
        upload=make_upload(board, cast.team, cast.participant, b"not read"),
        state=RunState.SCORED,
        submitted_at=datetime(2026, 2, number, tzinfo=UTC),
        score=float(np.mean(scores)),
    )
    FirstRankColumn.objects.create(submission=run, label_set=labels, packed=pack(np.array(ranks, dtype=np.int32)))
    ScoreColumn.objects.create(
        submission=run,
        label_set=labels,
        measure=board.official_measure,
        mean=float(np.mean(scores)),
        packed=pack(np.array(scores)),
    )


def compute(board: Board) -> None:
    settle_board(board.pk)
    compute_results(board.pk)


def test_a_graded_measure_decides_itself(cast: Cast) -> None:
    """One relevant document: nDCG is 1 at rank 1, 1/log2(4) = 0.5 at rank 3. 20 of 40 queries differ, all one way."""
    board = make_board("ndcg", cast.organiser, official_measure="nDCG@10", rule="measure")
    add_run(cast, board, [3] * 40, [0.5] * 40)
    add_run(cast, board, [1] * 20 + [3] * 20, [1.0] * 20 + [0.5] * 20)
    compute(board)
    page = browse(None).get("/b/ndcg/").text
    assert "R2 does best, beyond chance." in text_of(page)
    assert "R2 was the last to prove an improvement when it came, on 2026-02-02." in text_of(page)
    assert row_of(page, "R2").endswith("0.750 Last proved gain 2026-02-02")
    assert row_of(page, "R1").endswith("0.500")
    assert ">nDCG@10</button>" in page


def test_a_graded_board_shows_no_columns_of_first_ranks(cast: Cast) -> None:
    board = make_board("ndcg", cast.organiser, official_measure="nDCG@10", rule="measure")
    add_run(cast, board, [3] * 40, [0.5] * 40)
    add_run(cast, board, [1] * 20 + [3] * 20, [1.0] * 20 + [0.5] * 20)
    compute(board)
    for path in ("/b/ndcg/", "/b/ndcg/embed/"):
        page = browse(None).get(path).text
        for absent in ("Answered", "Search<br>length", "Query by query", "obar", 'name="against"', "c-vs"):
            assert absent not in page
    latex = browse(None).get("/b/ndcg/export.tex").text
    assert r"\begin{tabular}{rrlllrrl}" in latex


def test_two_runs_of_a_graded_board_are_compared_by_their_difference_alone(cast: Cast) -> None:
    board = make_board("ndcg", cast.organiser, official_measure="nDCG@10", rule="measure")
    add_run(cast, board, [3] * 40, [0.5] * 40)
    add_run(cast, board, [1] * 20 + [3] * 20, [1.0] * 20 + [0.5] * 20)
    compute(board)
    page = browse(None).get("/b/ndcg/compare/", {"b": "R2", "a": "R1"}).text
    said = text_of(page)
    assert "On this board R2 is better than R1, all 2 runs compared at once." in said
    assert "This pair alone: R2 is better than R1 (nDCG@10 +0.250, p < 0.0001)." in said
    assert "The claim of R2 over R1 passed its level" in said
    assert "nDCG@10 official, decides 0.750 0.500 +0.250" in said
    for absent in ("Query by query", "obar", "Answered", "Search length", "loses"):
        assert absent not in page


def test_where_nothing_is_tested_a_pair_is_told_apart_all_the_same(cast: Cast) -> None:
    board = make_board("by-score", cast.organiser, rule="score")
    add_run(cast, board, [3] * 40, [1 / 3] * 40)
    add_run(cast, board, [1] * 20 + [3] * 20, [1.0] * 20 + [1 / 3] * 20)
    compute(board)
    said = text_of(browse(None).get("/b/by-score/compare/", {"b": "R2", "a": "R1"}).text)
    assert "On this board R2 is better than R1" in said
    assert "As a claim (rule score): a higher score, not tested." in said


def test_where_nothing_is_tested_the_pages_say_so(cast: Cast) -> None:
    """The two runs differ on one query, so both may be best whatever the rule."""
    board = make_board("by-score", cast.organiser, rule="score")
    add_run(cast, board, [3] * 40, [1 / 3] * 40)
    add_run(cast, board, [2] + [3] * 39, [0.5] + [1 / 3] * 39)
    compute(board)
    page = browse(None).get("/b/by-score/").text
    assert "Rule for claims A higher score , not tested Runs" in text_of(page)
    assert "Two runs may be best: R2 and R1; the labels cannot tell them apart." in text_of(page)
    assert "last to prove" not in text_of(page)
    assert "Last proved gain" not in page
    timeline = text_of(browse(None).get("/b/by-score/timeline/").text)
    assert "R2 has had the highest RR@100 since 2026-02-02" in timeline
    assert "no claim was tested." in timeline
    ledger = row_of(browse(None).get("/b/by-score/claims/").text, "R2")
    assert ledger.startswith("1 2026-02-02 R2 run 2 Kestrel Lab R1 – – Passed")


def test_a_measure_that_hardly_tells_runs_apart_is_warned_of(cast: Cast) -> None:
    """Two runs that differ on 3 of 40 queries; everyone is told no exact count of hidden labels."""
    board = make_board("alike", cast.organiser)
    add_run(cast, board, [3] * 40, [1 / 3] * 40)
    add_run(cast, board, [2] * 3 + [3] * 37, [0.5] * 3 + [1 / 3] * 37)
    compute(board)
    everyone, organiser = (text_of(browse(who).get("/b/alike/").text) for who in (None, cast.organiser))
    warning = "RR@100 hardly tells the best runs apart: two of the highest differ on"
    assert f"{warning} fewer than 20 of 40 queries (median)." in everyone
    assert f"{warning} 3 of 40 queries (median)." in organiser
