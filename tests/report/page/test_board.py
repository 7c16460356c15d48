from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.report.page.conftest import HOSTILE
from tests.report.reading_pages import Page

import toprung as tr
from toprung.analyses.leaderboard.find import Leaderboard, leaderboard
from toprung.report.page.board import SHOWN_RUNS, write_board
from toprung.report.page.tables import MOST_ROWS


def rows_of(text: str) -> list[list[str]]:
    """What is read in each row."""
    pieces = [piece.split("</tr>")[0] for piece in text.split("<tr ")[1:]]
    return [Page(f"<tr {piece}</tr>").texts["td"] for piece in pieces if "<td" in piece]


@pytest.fixture(scope="module")
def text(dated_board: Leaderboard) -> str:
    return write_board(dated_board)


def test_a_board_has_every_run_with_its_figures(text: str, dated_board: Leaderboard) -> None:
    rows = rows_of(text)
    assert len(rows) == 4
    rank, run, day, score, _, answered, length, outcomes, status = rows[0]
    assert run == f"{HOSTILE}Team <i>2021-05-04"
    assert (rank, day, score, answered, length) == ("1", "2021-05-04", "1.0000", "100.0%", "1.0")
    assert (outcomes, status) == ("the reference run", "Last proved gain2021-05-04")
    assert rows[-1][-1] == "Baseline"
    assert rows[-1][5:7] == ["0.0%", "–"]  # it never answers, so it has no search length


def test_the_shares_of_wins_and_losses_stand_beside_the_bar(text: str) -> None:
    # The one that answers all at rank 1 does better on every query.
    assert [row[7] for row in rows_of(text)[1:]] == ["0%100%"] * 3


def test_rows_are_shaded_where_a_run_may_be_best(text: str, dated_board: Leaderboard) -> None:
    assert [row.top_group for row in dated_board.rows] == [True, False, False, False]
    assert text.count("may-be-best") == 1
    assert text.count('class="may-be-best holder"') == 1
    marked = replace(dated_board.rows[2], top_group=True)
    apart = write_board(replace(dated_board, rows=(*dated_board.rows[:2], marked, dated_board.rows[3])))
    assert ["may-be-best" in row for row in apart.split("<tr ")[2:]] == [True, False, True, False]


def test_a_board_stays_a_table_where_the_stylesheet_makes_cards_of_it(text: str) -> None:
    page = Page(text)
    assert page.open == []
    roles = page.all_of("role")
    assert roles.count("cell") == page.tags.count("td")
    assert roles.count("row") == page.tags.count("tr")
    assert roles.count("columnheader") == 9


def test_help_opens_without_script(text: str) -> None:
    page = Page(text)
    targets = page.all_of("popovertarget")
    assert len(targets) == 6
    assert set(targets) <= set(page.all_of("id"))


def test_a_tag_stands_beside_its_run(text: str) -> None:
    assert '<span class="tagname">generative</span>' in text


def test_columns_that_nothing_is_known_for_are_left_out(sure_late_never: tr.FirstRanks) -> None:
    page = Page(write_board(leaderboard(sure_late_never.reciprocal())))
    assert "c-date" not in page.all_of("class")
    assert "c-vs" not in page.all_of("class")
    assert "legend" not in page.all_of("class")


def test_many_runs_are_folded_behind_the_first(sure_late_never: tr.FirstRanks) -> None:
    # Each run answers 20 queries more than the one before: one may be best.
    n_runs, n_queries = 30, 600
    values = np.zeros((n_queries, n_runs), dtype=np.int32)
    for run in range(n_runs):
        values[: 20 * (run + 1), run] = 1
    names = tuple(f"run{number:02}" for number in range(n_runs))
    ranks = tr.FirstRanks(query_ids=tuple(map(str, range(n_queries))), runs=names, values=values, cutoff=10)
    text = write_board(leaderboard(ranks))
    before = text[: text.index("folded")]
    assert len(rows_of(text)) == n_runs
    assert len(rows_of(before)) == SHOWN_RUNS
    assert Page(text).texts["summary"] == ["Show 15 more runs"]


def test_the_fold_says_how_many_behind_it_may_be_best(dated_board: Leaderboard) -> None:
    rows = tuple(replace(dated_board.rows[0], run=f"run{number}", top_group=number < 18) for number in range(40))
    assert Page(write_board(replace(dated_board, rows=rows))).texts["summary"] == [
        "Show 25 more runs, 3 of which may be best"
    ]


def test_of_hundreds_of_runs_the_first_are_there(dated_board: Leaderboard) -> None:
    rows = tuple(replace(dated_board.rows[0], run=f"run{number}") for number in range(MOST_ROWS + 50))
    text = write_board(replace(dated_board, rows=rows))
    assert len(rows_of(text)) == MOST_ROWS
    assert Page(text).texts["p"][-1] == "The first 200 of 250 runs; the CSV has all."
