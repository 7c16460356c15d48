"""The figure of the first screen: who is drawn, and what is said below."""

from __future__ import annotations

from dataclasses import replace

from tests.report.reading_pages import Page

from toprung.analyses.leaderboard.find import Leaderboard
from toprung.report.page.top_figure import choose_rows, write_top_figure


def board_of(dated_board: Leaderboard, *may_be_best: bool) -> Leaderboard:
    """As many runs as there are flags, by falling score."""
    first = dated_board.rows[0]
    rows = (
        replace(first, run=f"run{place}", top_group=is_best, score=first.score - place / 100)
        for place, is_best in enumerate(may_be_best)
    )
    return replace(dated_board, rows=tuple(rows))


def names(board: Leaderboard) -> list[str]:
    return [row.run for row in choose_rows(board)]


def test_few_that_may_be_best_stand_with_the_next_highest_scores(dated_board: Leaderboard) -> None:
    assert names(board_of(dated_board, True, False, True, False, False, False, False)) == [
        "run0",
        "run1",
        "run2",
        "run3",
        "run4",
    ]


def test_of_many_that_may_be_best_the_first_are_drawn(dated_board: Leaderboard) -> None:
    board = board_of(dated_board, *[True] * 30, False)
    assert names(board) == [f"run{place}" for place in range(8)]
    text = write_top_figure(board)
    assert (
        Page(text)
        .texts["figcaption"][0]
        .startswith("Shaded: may be best, 30 of 31 runs, of which the first 8 by score. The bar is the 95% interval")
    )
    assert text.count('class="may-be-best') == 8


def test_a_run_that_may_be_best_is_drawn_wherever_it_stands(dated_board: Leaderboard) -> None:
    board = board_of(dated_board, True, *[False] * 10, True)
    assert names(board) == ["run0", "run1", "run2", "run3", "run11"]
