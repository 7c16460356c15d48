from __future__ import annotations

import pytest
from tests.report.charts.drawn import facts_of, told_by, words_of

from toprung.analyses.holdout.published import ScoreHoldout, score_holdout
from toprung.data.submissions import TwiceScored, TwiceScoredEntry
from toprung.report.charts.kinds.column_scatter import FIRST, OTHER, draw
from toprung.report.charts.scatter import HEIGHT, WIDTH
from toprung.report.charts.svg.marks import PointMark
from toprung.report.charts.tokens import TOP


def scored(*rows: tuple[str, float, float]) -> ScoreHoldout:
    entries = tuple(TwiceScoredEntry(label=name, team="", public=dev, private=held) for name, dev, held in rows)
    board = TwiceScored(
        source="board.csv",
        digest="",
        public_column="dev",
        private_column="eval",
        entries=entries,
        n_one_sided=0,
        n_without_score=0,
    )
    return score_holdout(board)


# By dev a, b, c, d; by eval b, a, d, c: two of six pairs change their order, τ = (4 − 2) / 6.
SWAPPED = scored(("a", 0.4, 0.33), ("b", 0.39, 0.35), ("c", 0.3, 0.2), ("d", 0.25, 0.22))


def test_every_entry_is_a_mark_and_those_first_on_either_side_stand_out() -> None:
    assert {row["run"]: (row["dev"], row["eval"], row["kind"]) for row in facts_of(draw(SWAPPED))} == {
        "a": ("0.4000", "0.3300", FIRST),
        "b": ("0.3900", "0.3500", FIRST),
        "c": ("0.3000", "0.2000", OTHER),
        "d": ("0.2500", "0.2200", OTHER),
    }


def test_marks_stand_at_their_two_scores() -> None:
    """By hand: dev from .25 to .40 and eval from .20 to .35, with 7% of that at each end."""
    marks = {mark.facts["run"]: (mark.x, mark.y) for mark in told_by(draw(SWAPPED), PointMark)}
    assert marks["a"] == pytest.approx((WIDTH * 1.07 / 1.14, HEIGHT * (0.35 + 0.0105 - 0.33) / 0.171))
    assert marks["d"] == pytest.approx((WIDTH * 0.07 / 1.14, HEIGHT * (0.35 + 0.0105 - 0.22) / 0.171))


def test_tau_is_said_in_the_figure() -> None:
    assert "Kendall's τ = 0.33" in words_of(draw(SWAPPED))


def test_entries_that_do_not_move_are_not_named_unless_first() -> None:
    kept = scored(("a", 0.4, 0.4), ("b", 0.3, 0.3), ("c", 0.2, 0.1), ("d", 0.1, 0.2))
    assert {word for word in words_of(draw(kept)) if len(word) == 1} == {"a", "c", "d"}


def test_scores_alone_are_never_in_the_colour_of_the_top_rung() -> None:
    assert TOP not in draw(SWAPPED).to_inline_svg()


@pytest.mark.parametrize("rows", [(("a", 0.4, 0.3), ("b", 0.4, 0.3)), (("a", 0.4, 0.3), ("b", 0.3, 0.3))])
def test_without_an_order_there_is_no_tau_to_say(rows: tuple[tuple[str, float, float], ...]) -> None:
    figure = draw(scored(*rows))
    assert "τ" not in figure.to_inline_svg()
