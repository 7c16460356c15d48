from __future__ import annotations

import pytest
from tests.report.charts.drawn import rows_with

from toprung.analyses.holdout.published import ScoreHoldout, score_holdout
from toprung.data.submissions import TwiceScored, TwiceScoredEntry
from toprung.report.charts.kinds.column_scatter import FIRST, OTHER, draw
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
    marks = rows_with(draw(SWAPPED), "kind")
    assert {row["run"]: (row["x"], row["y"], row["kind"]) for row in marks} == {
        "a": (0.4, 0.33, FIRST),
        "b": (0.39, 0.35, FIRST),
        "c": (0.3, 0.2, OTHER),
        "d": (0.25, 0.22, OTHER),
    }


def test_tau_is_said_in_the_figure() -> None:
    assert rows_with(draw(SWAPPED), "note") == [{"note": "Kendall's τ = 0.33"}]


def test_entries_that_do_not_move_are_not_named_unless_first() -> None:
    kept = scored(("a", 0.4, 0.4), ("b", 0.3, 0.3), ("c", 0.2, 0.1), ("d", 0.1, 0.2))
    assert {row["name"] for row in rows_with(draw(kept), "name")} == {"a", "c", "d"}


def test_scores_alone_are_never_in_the_colour_of_the_top_rung() -> None:
    assert TOP not in draw(SWAPPED).to_json()


@pytest.mark.parametrize("rows", [(("a", 0.4, 0.3), ("b", 0.4, 0.3)), (("a", 0.4, 0.3), ("b", 0.3, 0.3))])
def test_without_an_order_there_is_no_tau_to_say(rows: tuple[tuple[str, float, float], ...]) -> None:
    figure = draw(scored(*rows))
    assert "τ" not in figure.to_json()
    figure.chart.to_dict()  # held to the schema of Vega-Lite
