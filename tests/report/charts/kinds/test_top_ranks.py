from __future__ import annotations

from dataclasses import replace

import numpy as np
from tests.report.charts.drawn import facts_of, marks_of, told_by, words_of

import toprung as tr
from toprung.report.charts.kinds.top_ranks import CELL_WIDTH, draw
from toprung.report.charts.svg.marks import RectMark, TextMark
from toprung.report.charts.tokens import INK, INK_3, RAMP, RAMP_HIGH_INK


def stability_of(mass: list[list[float]], *, top: int = 5) -> tr.Stability:
    """Runs a, b, … with these shares at ranks 1, 2, …"""
    runs = tuple("abcdefghijkl"[: len(mass)])
    values = np.tile(np.linspace(0.9, 0.1, len(runs)), (10, 1))
    scores = tr.ScoreTable(query_ids=tuple(map(str, range(10))), runs=runs, values=values, measure="RR@10")
    found = tr.stability(scores, trials=1000, top=top)
    shares = np.array(mass)
    board = replace(found.boards[0], mass=shares, expected_ranks=shares @ np.arange(1, len(runs) + 1))
    return replace(found, boards=(board,))


THREE = stability_of([[0.499, 0.3, 0.201], [0.4987, 0.5013, 0], [0.0023, 0.1987, 0.799]])


def test_cells_print_shares_in_an_ink_that_their_step_bears() -> None:
    figure = draw(THREE)
    cells = {(cell.facts["run"], cell.facts["rank"]): cell for cell in told_by(figure, RectMark)}
    assert len(cells) == 9
    assert [cells["a", rank].facts["share"] for rank in "123"] == ["49.9%", "30.0%", "20.1%"]
    assert [cells["a", rank].look.fill for rank in "123"] == [RAMP[4], RAMP[4], RAMP[3]]
    inks = {(mark.x, mark.y): (mark.text, mark.look.fill) for mark in marks_of(figure, TextMark)}

    def printed(run: str, rank: str) -> tuple[str, str]:
        cell = cells[run, rank]
        return inks[CELL_WIDTH * (int(rank) - 0.5), (cell.top + cell.bottom) / 2]

    assert (cells["b", "2"].look.fill, printed("b", "2")[1]) == (RAMP[5], RAMP_HIGH_INK)
    assert printed("a", "1") == ("49.9%", INK)
    assert (cells["b", "3"].look.fill, printed("b", "3")) == (RAMP[0], ("0", INK_3))


def test_expected_rank_ranks_seen_and_interval_stand_behind_the_cells() -> None:
    """1 · 0.499 + 2 · 0.3 + 3 · 0.201 = 1.702; run b is never third."""
    texts = words_of(draw(THREE))
    assert [text for text in texts if text in ("1.7", "1.5", "2.8")] == ["1.7", "1.5", "2.8"]
    assert texts.count("1–2") == 1
    assert "95%" in texts


def test_without_a_majority_it_says_so() -> None:
    assert draw(THREE).finding == (
        "No run comes first in more than half of 1,000 bootstrap samples: a in 49.9% and b in 49.9%."
    )


def test_with_a_majority_it_says_who_comes_first() -> None:
    found = stability_of([[0.72, 0.28, 0], [0.27, 0.7, 0.03], [0.01, 0.02, 0.97]])
    assert draw(found).finding == "Of 1,000 bootstrap samples, a comes first in 72.0% and b in 27.0%."


def test_it_shows_one_rank_more_than_runs() -> None:
    found = stability_of(np.eye(7).tolist(), top=3)
    figure = draw(found)
    cells = facts_of(figure)
    assert figure.title == "The first three"
    assert {cell["run"] for cell in cells} == {"a", "b", "c"}
    assert {cell["rank"] for cell in cells} == {"1", "2", "3", "4"}


def test_runs_that_were_asked_for_take_the_place_of_the_first(sure_late_never: tr.FirstRanks) -> None:
    figure = draw(tr.stability(sure_late_never.reciprocal(), trials=20, follow=["never", "late"]))
    assert figure.title == "Runs followed"
    assert [cell["run"] for cell in facts_of(figure)[::3]] == ["late", "never"]
