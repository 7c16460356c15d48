from __future__ import annotations

import numpy as np
import pytest
from tests.report.charts.drawn import told_by, words_of

import toprung as tr
from toprung.data.matrices import ScoreTable
from toprung.report.charts.by_query.heatmap import GRID_WIDTH, draw_tables
from toprung.report.charts.figure import Figure
from toprung.report.charts.svg.marks import RectMark
from toprung.report.charts.tokens import RAMP

LABELS = {"q1": {"d1": 1}, "q2": {"d2": 1}, "q3": {"d3": 1}}
RUNS = {
    "words": {"q1": {"d9": 2.0, "d1": 1.0}, "q2": {"d2": 1.0}},
    "dense": {"q1": {"d1": 1.0}, "q2": {"d2": 1.0}},
}


def cells(figure: Figure) -> list[RectMark]:
    return told_by(figure, RectMark)


def made_up(n_queries: int, n_runs: int, measure: str = "AP") -> ScoreTable:
    values = np.random.default_rng(3).random((n_queries, n_runs))
    ids = tuple(f"q{number:05}" for number in range(n_queries))
    return ScoreTable(query_ids=ids, runs=tuple(f"r{n}" for n in range(n_runs)), values=values, measure=measure)


def test_every_score_is_a_cell_in_the_step_it_belongs_to() -> None:
    figure = tr.plot(LABELS, RUNS, "RR")
    found = {
        (cell.facts["run"], cell.facts["query"]): (cell.facts["RR"], RAMP.index(cell.look.fill))
        for cell in cells(figure)
    }
    assert found == {
        ("dense", "q1"): ("1.0000", 6),
        ("dense", "q2"): ("1.0000", 6),
        ("dense", "q3"): ("0.0000", 0),
        ("words", "q1"): ("0.5000", 3),
        ("words", "q2"): ("1.0000", 6),
        ("words", "q3"): ("0.0000", 0),
    }
    assert figure.finding == ("dense has the highest mean RR, 0.6667, over 3 queries; every run scores 0 on 1 of them.")


def test_an_evaluation_a_matrix_and_labels_with_runs_give_one_chart() -> None:
    evaluation = tr.evaluate(LABELS, RUNS, ["RR", "AP"])
    drawn = tr.plot(LABELS, RUNS, "RR")
    assert tr.plot(evaluation, measure="RR") == drawn
    assert tr.plot(evaluation.score_table("RR")) == drawn
    assert tr.plot(evaluation.first_ranks()) == drawn


def test_without_a_measure_every_one_has_its_panel() -> None:
    evaluation = tr.evaluate(LABELS, RUNS, ["RR", "AP"])
    figure = tr.plot(evaluation)
    assert {"RR", "AP"} <= set(words_of(figure))
    assert [legend.title for legend in figure.drawing.legends] == ["RR", "AP"]
    assert len(cells(figure)) == 2 * len(cells(tr.plot(LABELS, RUNS, "RR")))
    assert figure == evaluation.plot("query-scores") == evaluation.by_query().plot()


def test_a_figure_of_many_runs_and_queries_stays_small_and_whole() -> None:
    figure = draw_tables([made_up(5_000, 60)])
    covered = dict.fromkeys(made_up(1, 60).runs, 0)
    for cell in cells(figure):
        covered[str(cell.facts["run"])] += cell.right - cell.left
    assert list(covered.values()) == pytest.approx([GRID_WIDTH] * 60)
    assert len(figure.to_svg()) < 2_500_000


@pytest.mark.parametrize("n_queries", [1, 40, 41, 500])
def test_it_can_be_drawn_whatever_its_size(n_queries: int) -> None:
    drawn = draw_tables([made_up(n_queries, 2)]).to_svg()
    assert (">q00000<" in drawn) == (n_queries <= 40)


@pytest.mark.parametrize("hostile", ["'];alert(1)//\\", "a\u2028b\nc", "\ud800", "<script>"])
def test_ids_that_look_like_code_or_are_no_text_are_only_shown(hostile: str) -> None:
    table = ScoreTable(query_ids=(hostile, "plain"), runs=("a",), values=np.array([[0.5], [1]]), measure="AP")
    drawn = draw_tables([table]).to_svg()
    assert ">plain<" in drawn
    assert "<script>" not in drawn


def test_what_does_not_fit_together_is_said() -> None:
    evaluation = tr.evaluate(LABELS, RUNS, "RR")
    with pytest.raises(tr.InputError, match=r"a figure is named by kind='query-scores'"):
        tr.plot(evaluation, "query-scores")
    with pytest.raises(tr.InputError, match=r"a measure is named by measure='nDCG@10'"):
        tr.plot(evaluation, "nDCG@10")
    with pytest.raises(tr.InputError, match=r"kind: found 'pie'; expected query-scores"):
        tr.plot(LABELS, RUNS, "RR", kind="pie")
    with pytest.raises(tr.InputError, match="Found no scores under 'AP'"):
        tr.plot(evaluation, measure="AP")
    with pytest.raises(tr.InputError, match="beside a Leaderboard, which has its own"):
        tr.plot(tr.leaderboard(evaluation), measure="RR")
    with pytest.raises(tr.InputError, match="If these are labels, give runs beside them"):
        tr.plot(LABELS)
