"""``toprung.report(...)``: what it takes, and what can be done with what it gives."""

from __future__ import annotations

import inspect
import pydoc
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import toprung as tr
from toprung.cli.main import app
from toprung.report.overview.find import report
from toprung.report.page.report import to_report_page

LABELS = {f"q{n}": {"a": 1, "b": 2} for n in range(12)}
# "first" has the better document first throughout, "second" the other one.
RUNS = {
    "first": {query: {"b": 2.0, "a": 1.0} for query in LABELS},
    "second": {query: {"x": 3.0, "a": 2.0, "b": 1.0} for query in LABELS},
}


@pytest.fixture(scope="module")
def evaluation() -> tr.Evaluation:
    return tr.evaluate(LABELS, RUNS, ["nDCG@10", "RR@10"])


@pytest.fixture(scope="module")
def found(evaluation: tr.Evaluation) -> tr.Overview:
    return tr.report(evaluation, trials=20)


def test_an_evaluation_is_ranked_by_its_first_measure_and_shows_the_others(found: tr.Overview) -> None:
    assert found.sentence.startswith("first does best, beyond chance.")
    assert found.provenance["measure"] == "nDCG@10"
    assert "Measure: nDCG@10, the first of 2 that were evaluated." in found.notes
    assert {"board", "measures"} <= {part.key for part in found.parts}


def test_another_measure_of_the_evaluation_may_be_named(evaluation: tr.Evaluation) -> None:
    assert tr.report(evaluation, measure="RR@10", trials=20).provenance["measure"] == ("RR@10")
    with pytest.raises(tr.InputError, match="Found no scores under 'AP'"):
        tr.report(evaluation, measure="AP", trials=20)


def test_labels_runs_and_a_measure_give_the_same_board(found: tr.Overview) -> None:
    told = tr.report(LABELS, RUNS, "ndcg_cut_10", trials=20)
    assert told["board"].to_frame().rows() == found["board"].to_frame().rows()


def test_a_matrix_is_enough(evaluation: tr.Evaluation) -> None:
    assert tr.report(evaluation.score_table("nDCG@10"), trials=20).title == "2 runs on 12 queries"


def test_runs_beside_an_evaluation_are_refused(evaluation: tr.Evaluation) -> None:
    with pytest.raises(tr.InputError, match="beside an Evaluation, which has its runs"):
        tr.report(evaluation, RUNS)


def test_it_is_saved_as_the_page_that_the_command_writes(tmp_path: Path) -> None:
    scores = tmp_path / "scores.csv"
    scores.write_text("query_id,one,other\n" + "".join(f"q{n},0.{n},0.5\n" for n in range(1, 9)), encoding="utf-8")
    options = ["-m", "AP", "--trials", "20", "-o", str(tmp_path / "by-command.html")]
    done = CliRunner().invoke(app, ["report", "--scores", str(scores), *options])
    assert done.exit_code == 0, done.output
    tr.report(tr.read_scores(scores, measure="AP"), trials=20).save(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text() == (tmp_path / "by-command.html").read_text()


def test_html_is_the_whole_page_and_a_notebook_shows_the_answers(found: tr.Overview) -> None:
    assert found.to_html() == to_report_page(found)
    shown = found._repr_html_()
    assert shown.count("<table") == 1
    assert "Where does every run stand?" in shown


def test_what_is_known_of_runs_may_be_a_file_and_a_rule_a_name(evaluation: tr.Evaluation, tmp_path: Path) -> None:
    known = tmp_path / "runs.csv"
    known.write_text("run,date\nfirst,2026-02-01\nsecond,2026-01-01\n", encoding="utf-8")
    told = tr.report(evaluation, metadata=known, rule="measure", trials=20)
    assert "timeline" in {part.key for part in told.parts}
    with pytest.raises(tr.InputError, match="rule"):
        tr.report(evaluation, rule="strict", trials=20)


@pytest.mark.parametrize(
    "before", ["", "import toprung.report.render", "import toprung.report.page.shell as shell", "tr.report"]
)
def test_the_name_can_be_called_whatever_was_imported_before(before: str) -> None:
    script = f"import toprung as tr\n{before}\nprint(callable(tr.report))\nimport toprung.report.page.words as words"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=300)
    assert done.stdout == "True\n"


def test_help_and_completion_hear_of_the_function() -> None:
    assert inspect.signature(tr.report) == inspect.signature(report)
    told = pydoc.plain(pydoc.render_doc(tr.report))
    assert "report(source: 'Source', runs: 'Any' = None" in told
    assert "Labels of private queries, or a matrix" in told


def test_what_has_nothing_to_draw_is_named_with_its_article(found: tr.Overview) -> None:
    with pytest.raises(tr.InputError, match="Found an Overview with nothing to draw"):
        found.plot()


def test_a_report_names_files_without_their_folders(tmp_path: Path) -> None:
    labels, known = tmp_path / "qrels.txt", tmp_path / "runs.csv"
    labels.write_text("".join(f"{query} 0 a 1\n" for query in LABELS), encoding="utf-8")
    known.write_text("run,date\nfirst,2026-02-01\nsecond,2026-01-01\n", encoding="utf-8")
    found = tr.report(labels, RUNS, "RR@10", metadata=known, trials=20)
    assert found.provenance["labels"] == "qrels.txt"
    assert found.provenance["metadata"] == "runs.csv"
    assert str(tmp_path) not in found.to_html()
    assert str(tmp_path) not in found.to_json()
    assert tr.evaluate(labels, RUNS, "RR@10").provenance["labels"] == "qrels.txt"
