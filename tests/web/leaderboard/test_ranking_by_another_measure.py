"""Boards on which something else decides: another official measure, a rule without tests, another test."""

from __future__ import annotations

import csv
import io
import re
from datetime import UTC, datetime

import numpy as np
import pytest
from scipy.stats import bootstrap
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
    assert "run 2 does best, beyond chance." in text_of(page)
    assert "run 2 was the last to prove an improvement when it came, on 2026-02-02." in text_of(page)
    assert "0.750" in row_of(page, "R2")
    assert row_of(page, "R2").endswith("highest score 2026-02-02 last proved gain 2026-02-02")
    assert "0.500" in row_of(page, "R1")


def test_a_graded_board_shows_no_columns_of_first_ranks(cast: Cast) -> None:
    board = make_board("ndcg", cast.organiser, official_measure="nDCG@10", rule="measure")
    add_run(cast, board, [3] * 40, [0.5] * 40)
    add_run(cast, board, [1] * 20 + [3] * 20, [1.0] * 20 + [0.5] * 20)
    compute(board)
    for path in ("/b/ndcg/", "/b/ndcg/embed/"):
        page = browse(None).get(path).text
        for absent in ("Answered", "Search length", "obar", "c-vs", "only this run found it"):
            assert absent not in page
    latex = browse(None).get("/b/ndcg/export.tex").text
    assert r"\begin{tabular}{rlllrrrll}" in latex


def test_a_graded_board_shows_the_difference_to_one_run_with_its_interval(cast: Cast) -> None:
    """Of 40 queries R1 lacks 0.5 on 20: −0.25 to R2, with SciPy's BCa of 2,000 samples some −0.3 to −0.2.

    R3 is R1 but for 10 queries, 0.3 higher: 0.075 more than R1, and 0.175 less than R2.
    """
    board = make_board("ndcg", cast.organiser, official_measure="nDCG@10", rule="measure")
    add_run(cast, board, [3] * 40, [0.5] * 40)
    add_run(cast, board, [1] * 20 + [3] * 20, [1.0] * 20 + [0.5] * 20)
    add_run(cast, board, [3] * 40, [0.5] * 30 + [0.8] * 10)
    board.submissions.filter(run_id="R1").update(is_baseline=True)
    compute(board)
    page = browse(None).get("/b/ndcg/").text
    assert "−0.250" in row_of(page, "R1")
    assert "−0.175" in row_of(page, "R3")
    against = browse(None).get("/b/ndcg/", {"against": "R1"}).text
    assert "+0.250" in row_of(against, "R2")
    assert "+0.075" in row_of(against, "R3")
    assert "the run compared with" in row_of(against, "R1")
    gaps = np.array([0.0] * 30 + [0.3] * 10)
    bca = bootstrap((gaps,), np.mean, n_resamples=2_000, random_state=np.random.default_rng(1)).confidence_interval
    (drawn,) = re.findall(r'aria-label="\+0.075 to run 1, 95% interval ([\d.]+) to ([\d.]+)"', against)
    assert [float(each) for each in drawn] == pytest.approx([bca.low, bca.high], abs=0.0076)  # one query of 40
    rows = {row["run"]: row for row in csv.DictReader(io.StringIO(browse(None).get("/b/ndcg/export.csv").text))}
    assert (rows["R3"]["against"], float(rows["R3"]["difference"])) == ("R2", pytest.approx(-0.175))
    compared = text_of(browse(None).get("/b/ndcg/compare/", {"b": "R3", "a": "R2"}).text)
    low, high = float(rows["R3"]["difference_low"]), float(rows["R3"]["difference_high"])
    assert f"−{-low:.3f} to −{-high:.3f}" in compared  # the same pair by itself, as its own page has it
    of_run = text_of(browse(None).get("/b/ndcg/runs/R3/").text)
    assert f"Difference to run 2, query by query −0.175 −{-low:.3f} to −{-high:.3f} –" in of_run
    assert "Difference" not in text_of(browse(None).get("/b/ndcg/runs/R2/").text), "it is the highest"


def three_graded(cast: Cast) -> Board:
    """Means 0.5, 0.75 and 0.575; R1 is a baseline, R2 has the highest score, R3 is neither."""
    board = make_board("ndcg", cast.organiser, official_measure="nDCG@10", rule="measure")
    add_run(cast, board, [3] * 40, [0.5] * 40)
    add_run(cast, board, [1] * 20 + [3] * 20, [1.0] * 20 + [0.5] * 20)
    add_run(cast, board, [3] * 40, [0.5] * 30 + [0.8] * 10)
    board.submissions.filter(run_id="R1").update(is_baseline=True)
    compute(board)
    return board


def test_any_run_of_a_graded_board_can_be_the_one_that_others_are_shown_against(cast: Cast) -> None:
    three_graded(cast)
    page = browse(None).get("/b/ndcg/", {"against": "R3"}).text
    assert "+0.175" in row_of(page, "R2")
    assert "−0.075" in row_of(page, "R1")
    assert "the run compared with" in row_of(page, "R3")
    assert '<option value="R3" selected>Against run 3</option>' in page
    assert "Against run 1, baseline" in page
    rows = {
        row["run"]: row for row in csv.DictReader(io.StringIO(browse(None).get("/b/ndcg/export.csv?against=R3").text))
    }
    assert (rows["R2"]["against"], float(rows["R2"]["difference"])) == ("R3", pytest.approx(0.175))
    # R2 less R3 is 0.5 on 20 queries, 0 on 10 and −0.3 on 10
    gaps = np.array([0.5] * 20 + [0.0] * 10 + [-0.3] * 10)
    bca = bootstrap((gaps,), np.mean, n_resamples=2_000, random_state=np.random.default_rng(1)).confidence_interval
    ends = [float(rows["R2"][f"difference_{end}"]) for end in ("low", "high")]
    assert ends == pytest.approx([bca.low, bca.high], abs=0.0125)  # one query of 40
    by_gap = browse(None).get("/b/ndcg/", {"against": "R3", "sort": "against"}).text
    assert by_gap.index('id="R1"') < by_gap.index('id="R2"')


def test_a_large_graded_board_offers_highest_holder_and_baselines_alone(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toprung.web.services.results.board.MOST_AGAINST", 2)
    three_graded(cast)
    page = browse(None).get("/b/ndcg/", {"against": "R3"}).text
    assert "figures against “R3”" in page
    assert '<option value="R3"' not in page
    assert '<option value="R1">Against run 1, baseline</option>' in page


def test_two_runs_of_a_graded_board_are_compared_by_their_difference_alone(cast: Cast) -> None:
    board = make_board("ndcg", cast.organiser, official_measure="nDCG@10", rule="measure")
    add_run(cast, board, [3] * 40, [0.5] * 40)
    add_run(cast, board, [1] * 20 + [3] * 20, [1.0] * 20 + [0.5] * 20)
    compute(board)
    page = browse(None).get("/b/ndcg/compare/", {"b": "R2", "a": "R1"}).text
    said = text_of(page)
    assert "On this board run 2 is better than run 1 , both compared query by query." in said
    assert "This pair alone: run 2 is better than run 1 (nDCG@10 +0.250, p < 0.0001)." in said
    assert "The claim of run 2 over run 1 passed its level" in said
    assert "nDCG@10 official, decides 0.750 0.500 +0.250" in said
    for absent in ("obar", "Answered", "Search length", "loses"):
        assert absent not in page


def test_where_nothing_is_tested_a_pair_is_told_apart_all_the_same(cast: Cast) -> None:
    board = make_board("by-score", cast.organiser, rule="score")
    add_run(cast, board, [3] * 40, [1 / 3] * 40)
    add_run(cast, board, [1] * 20 + [3] * 20, [1.0] * 20 + [1 / 3] * 20)
    compute(board)
    said = text_of(browse(None).get("/b/by-score/compare/", {"b": "R2", "a": "R1"}).text)
    assert "On this board run 2 is better than run 1" in said
    assert "As a claim (rule score): a higher score, not tested." in said


def test_where_nothing_is_tested_the_pages_say_so(cast: Cast) -> None:
    """The two runs differ on one query, so both may be best whatever the rule."""
    board = make_board("by-score", cast.organiser, rule="score")
    add_run(cast, board, [3] * 40, [1 / 3] * 40)
    add_run(cast, board, [2] + [3] * 39, [0.5] + [1 / 3] * 39)
    compute(board)
    page = browse(None).get("/b/by-score/").text
    assert "By the rule of this board no claim is tested" in text_of(page)
    assert "Two runs may be best: run 2 and run 1 ; the labels cannot tell them apart." in text_of(page)
    assert "last to prove" not in text_of(page)
    assert "Last proved gain" not in page
    history = browse(None).get("/b/by-score/history/").text
    assert "run 2 has had the highest RR@100 since 2026-02-02" in text_of(history)
    assert "no claim was tested." in text_of(history)
    assert "Did the claim pass?" not in text_of(history)
    assert " it had the highest score " in row_of(history, "R2")


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
