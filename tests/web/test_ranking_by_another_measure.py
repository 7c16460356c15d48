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


def test_the_official_measure_says_what_runs_score_and_ranks_say_who_does_better(cast: Cast) -> None:
    """One relevant document: nDCG is 1 at rank 1 and 1/log2(4) = 0.5 at rank 3."""
    board = make_board("ndcg", cast.organiser, official_measure="nDCG@10")
    add_run(cast, board, [3] * 40, [0.5] * 40)
    add_run(cast, board, [1] * 20 + [3] * 20, [1.0] * 20 + [0.5] * 20)
    compute(board)
    page = browse(None).get("/b/ndcg/").text
    assert "R2 holds the top rung and does better than the other run." in text_of(page)
    assert "0.750 100.0% 2.0 the reference run Top rung since 2026-02-02" in row_of(page, "R2")
    assert "0.500 100.0% 3.0 0% 50%" in row_of(page, "R1")
    assert ">nDCG@10</button>" in page
    compared = text_of(browse(None).get("/b/ndcg/compare/", {"b": "R2", "a": "R1"}).text)
    assert "nDCG@10 official, not for the verdict 0.750 0.500 +0.250" in compared
    assert "Search length where both find it 2.00 3.00 −1.00 ranks" in compared


def test_where_nothing_is_tested_the_highest_score_holds_and_the_pages_say_so(cast: Cast) -> None:
    board = make_board("by-score", cast.organiser, rule="score")
    add_run(cast, board, [3] * 40, [1 / 3] * 40)
    add_run(cast, board, [2] + [3] * 39, [0.5] + [1 / 3] * 39)
    compute(board)
    page = browse(None).get("/b/by-score/").text
    assert "Highest score , not tested" in text_of(page)
    assert "Top rung" in row_of(page, "R2")
    timeline = text_of(browse(None).get("/b/by-score/timeline/").text)
    assert "R2 has had the highest RR@100 since 2026-02-02" in timeline
    assert "no claim was tested." in timeline
    ledger = row_of(browse(None).get("/b/by-score/claims/").text, "R2")
    assert ledger.startswith("1 2026-02-02 R2 run 2 Kestrel Lab R1 – – Supported")


def test_the_test_that_decides_is_the_boards_choice(cast: Cast) -> None:
    board = make_board("signed", cast.organiser, facet_test="wsr")
    add_run(cast, board, [3] * 40, [1 / 3] * 40)
    add_run(cast, board, [1] * 20 + [3] * 20, [1.0] * 20 + [1 / 3] * 20)
    compute(board)
    assert "Top rung since 2026-02-02" in row_of(browse(None).get("/b/signed/").text, "R2")
    compared = text_of(browse(None).get("/b/signed/compare/", {"b": "R2", "a": "R1"}).text)
    assert "Wilcoxon signed-rank test Paired t-test, for reference" in compared
