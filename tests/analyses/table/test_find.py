from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from toprung.analyses.leaderboard.find import leaderboard
from toprung.analyses.table.find import PaperTable, table
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.errors import InputError
from toprung.report.latex import to_latex
from toprung.report.render import OutputFormat, render
from toprung.scoring.evaluate import evaluate

N = 40
WAVE = np.tile([0.05, -0.04, 0.02, -0.03], N // 4)
BASE = np.linspace(0.1, 0.5, N)
# Low is far below the other two, which differ by noise alone.
VALUES = np.column_stack([BASE, BASE + 0.3 + WAVE[::-1], BASE + 0.3 + WAVE + 0.001])
RUNS = ("low", "mid", "top")


def scores_of(measure: str, values: np.ndarray = VALUES, runs: tuple[str, ...] = RUNS) -> ScoreTable:
    ids = tuple(f"q{n:02}" for n in range(len(values)))
    return ScoreTable(query_ids=ids, runs=runs, values=values, measure=measure)


@pytest.fixture(scope="module")
def found() -> PaperTable:
    """By nDCG@10 the two good runs are alike, by P@5 the order is turned round."""
    return table([scores_of("nDCG@10"), scores_of("P@5", 1 - VALUES)])


def test_figures_are_means_in_the_order_of_the_first_measure(found: PaperTable) -> None:
    assert found.runs == ("top", "mid", "low")
    assert [row[2] for row in found.table.rows] == ["0.6010", "0.6000", "0.3000"]
    assert [row[3] for row in found.table.rows] == ["0.3990", "0.4000", "0.7000"]


def test_the_best_is_bold_the_top_group_has_daggers_and_letters_name_who_differs(found: PaperTable) -> None:
    marks = {place: (mark.is_bold, mark.raised) for place, mark in found.table.marks.items()}
    assert [row[0] for row in found.table.rows] == ["a", "b", "c"]
    assert [marks[row, 2] for row in range(3)] == [(True, "†c"), (False, "†c"), (False, "ab")]
    assert [marks[row, 3] for row in range(3)] == [(False, "c"), (False, "c"), (True, "†ab")]


def test_letters_can_name_only_the_runs_that_a_run_is_better_than() -> None:
    marks = table([scores_of("nDCG@10")], marks="better").table.marks
    assert [marks[row, 2].raised for row in (0, 1)] == ["†c", "†c"]
    assert (2, 2) not in marks


def test_equal_best_values_are_both_bold() -> None:
    values = np.column_stack([VALUES[:, 2], VALUES[:, 0], VALUES[:, 2]])
    marks = table(scores_of("nDCG@10", values)).table.marks
    assert [marks[row, 2].is_bold for row in range(3)] == [True, True, False]


def test_rows_can_stand_as_given() -> None:
    assert table([scores_of("nDCG@10")], order="given").runs == RUNS


def test_against_a_baseline_arrows_replace_letters_and_p_is_that_of_the_paired_t_test() -> None:
    found = table([scores_of("nDCG@10")], baseline="mid")
    assert found.table.header == ("run", "nDCG@10")
    assert {place: mark.raised for place, mark in found.table.marks.items()} == {(0, 1): "†", (1, 1): "†", (2, 1): "↓"}
    by_run = {entry.run: entry for entry in found.entries}
    t = stats.ttest_rel(VALUES[:, 2], VALUES[:, 1])
    assert by_run["top"].p_alone == pytest.approx(t.pvalue)
    assert by_run["top"].difference == pytest.approx(0.001)
    assert (by_run["mid"].p_alone, by_run["mid"].difference) == (None, None)
    assert found.tables[1][1].rows[0] == ("top", f"+0.0010, p = {t.pvalue:.3f}")


def test_a_measure_without_a_value_for_every_query_is_shown_without_marks() -> None:
    values = np.where(np.arange(N)[:, None] == 3, [[np.nan, 1.0, 2.0]], VALUES)
    found = table([scores_of("nDCG@10"), scores_of("ESL@10", values)])
    assert {column for _, column in found.table.marks} == {2}
    assert found.table.rows[2][3] == f"{np.delete(VALUES[:, 0], 3).mean():.4f}"
    said = "ESL@10 is shown without marks: some run has no value for 1 query"
    assert any(note.startswith(said) for note in found.notes)
    assert found.top_group("ESL@10") is None
    assert [entry.may_be_best for entry in found.entries if entry.measure == "ESL@10"] == [None] * 3
    assert "ESL@10: not tested" in found.caption


def test_more_runs_than_letters_can_be_read_of_have_none() -> None:
    many = np.random.default_rng(1).random((12, 27))
    found = table(scores_of("P@5", many, tuple(f"run{n:02}" for n in range(27))))
    assert found.table.header == ("run", "P@5")
    assert all(mark.raised in ("", "†") for mark in found.table.marks.values())
    assert any("27 runs are more than the 26" in note for note in found.notes)


def test_sums_are_shown_as_evaluate_shows_them() -> None:
    labels = {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}}
    runs = {"one": {"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 1.0}}, "two": {"q1": {"a": 1.0}, "q2": {"x": 1.0}}}
    assert [row[2] for row in table(labels, runs, ["NumRelRet"]).table.rows] == ["3", "1"]


def test_two_runs_are_told_apart_by_the_pair_test() -> None:
    found = table(scores_of("nDCG@10").select(["low", "top"]))
    assert "paired t-test" in found.methods
    assert "smucker2007comparison" in found.bibtex
    assert "mogstad" not in found.bibtex


def test_methods_name_family_level_and_what_is_cited(found: PaperTable) -> None:
    assert "all 3 pairs of the 3 runs were compared at once" in found.methods
    assert "1,000 resamples, seed 0" in found.methods
    assert "at most 5%" in found.methods
    # 1 + ⌈log2(3 · 2 / (2 · 0.05))⌉ = 1 + ⌈log2 60⌉ = 7
    assert "differ on fewer than 7 queries" in found.methods
    cited = [line.split("{")[1].rstrip(",") for line in found.bibtex.splitlines() if line.startswith("@")]
    assert cited == ["toprung", "romano2005stepdown", "mogstad2024ranks"]
    assert f"@10 and P@5 over {N} queries." in found.caption


def test_latex_holds_float_caption_and_citations(found: PaperTable) -> None:
    text = to_latex(found)
    assert r"a & top & \textbf{0.6010}\textsuperscript{\dag{}c} & 0.3990\textsuperscript{c} \\" in text
    assert r"\begin{tabular}{llll}" in text
    assert text.index(r"\caption{nDCG@10 and P@5") < text.index(r"\begin{tabular}") < text.index(r"\end{table}")
    assert r"with step-down~\cite{romano2005stepdown}" in text
    assert "% @article{mogstad2024ranks," in text


def test_markdown_and_html_show_marks(found: PaperTable) -> None:
    assert "| a | top | **0.6010**<sup>†c</sup> | 0.3990<sup>c</sup> |" in render(found, OutputFormat.MARKDOWN)
    page = render(found, OutputFormat.HTML)
    assert "<b>0.6010</b><sup>†c</sup>" in page
    assert '<pre tabindex="0">@misc{toprung,' in page


def test_csv_and_json_have_every_figure_and_who_is_better_than_whom(found: PaperTable) -> None:
    told = json.loads(render(found, OutputFormat.JSON))
    first = told["entries"][0]
    assert (first["run"], first["letter"], first["measure"]) == ("top", "a", "nDCG@10")
    assert first["value"] == pytest.approx(0.601)
    assert (first["is_best"], first["may_be_best"]) == (True, True)
    assert (first["better_than"], first["worse_than"]) == (["low"], [])
    assert told["provenance"]["family"] == "all 3 pairs of 3 runs, measure by measure"
    assert render(found, OutputFormat.CSV).splitlines()[0].startswith("run,letter,measure,value,is_best,may_be_best,")


def test_first_ranks_are_taken_as_rr() -> None:
    values = np.array([[1, 2]] * 8, dtype=np.int32)
    ranks = FirstRanks(query_ids=tuple("abcdefgh"), runs=("x", "y"), values=values, cutoff=10)
    assert [row[1:] for row in table(ranks).table.rows] == [("x", "1.0000"), ("y", "0.5000")]


def test_labels_choose_a_measure_where_none_is_named() -> None:
    labels = {"q1": {"a": 1}, "q2": {"b": 1}}
    runs = {"one": {"q1": {"a": 1.0}}, "two": {"q2": {"x": 2.0, "b": 1.0}}}
    assert table(labels, runs).measures == ("RR@10",)


@pytest.mark.parametrize(
    ("given", "options", "said"),
    [
        ([scores_of("P@5"), scores_of("P@5")], {}, "Found P@5 twice"),
        ([scores_of("P@5"), scores_of("AP").select(["low", "mid"])], {}, "Found other runs in AP than in P@5"),
        ([scores_of("P@5"), scores_of("AP", VALUES[1:])], {}, "expected the same"),
        ([scores_of("P@5").select(["low"])], {}, "Found 1 run; expected at least two"),
        ([], {}, "Found no runs"),
        ("qrels.txt", {}, "Found no runs"),
        ({"q1": {"a": 1}}, {}, "Found 1 run; expected at least two"),
        (scores_of("P@5"), {"baseline": "nobody"}, "baseline: found no run 'nobody'"),
        (scores_of("P@5"), {"marks": "worse"}, "marks: found 'worse'; expected one of differs, better"),
        (scores_of("P@5"), {"order": "name"}, "order: found 'name'; expected one of score, given"),
        (scores_of("P@5"), {"decimals": 11}, "decimals: found 11"),
        (scores_of("P@5"), {"measures": ["P@5"]}, "Found measures without runs"),
    ],
)
def test_what_cannot_be_a_table_is_refused(given: Any, options: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        table(given, **options)


def test_means_over_different_queries_are_refused() -> None:
    runs = {"one": {"q1": {"a": 1.0}}, "two": {"q1": {"b": 1.0}}}
    evaluation = evaluate({"q1": {"a": 1}}, runs, "RR", denominator="run")
    with pytest.raises(InputError, match="cannot be compared"):
        table(evaluation)


def test_trec_covid_has_the_values_of_evaluate_and_the_top_groups_of_the_leaderboard(shared_data: Path) -> None:
    folder, measures = shared_data / "trec-covid-r1", ["nDCG@10", "RR@10", "AP"]
    evaluation = evaluate(folder / "qrels.covid-round1.txt", sorted(folder.glob("*.gz")), measures)
    found = table(evaluation)
    assert {(entry.run, entry.measure): entry.value for entry in found.entries} == {
        (score.run, score.measure): score.value for score in evaluation.scores
    }
    members = ("run1", "BBGhelani1", "BBGhelani2", "UIUC_DMG_setrank_ret", "CSIROmed_RF")
    assert found.top_group("nDCG@10") == members
    boards = {"RR@10": evaluation.first_ranks(10), **{each: evaluation.score_table(each) for each in ("nDCG@10", "AP")}}
    for measure, matrix in boards.items():
        assert found.top_group(measure) == tuple(row.run for row in leaderboard(matrix).top_group)
