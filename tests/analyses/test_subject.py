"""What an analysis can be asked of: each way gives the same matrix, and so the same answer."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import toprung as tr
from toprung.analyses.subject import to_matrix, to_score_table

QUERIES = [f"q{number:02}" for number in range(30)]
LABELS = {query: {"good": 2, "fair": 1} for query in QUERIES}
GOOD = {query: {"good": 3.0, "fair": 2.0, "other": 1.0} for query in QUERIES}
POOR = {query: {"other": 3.0, "fair": 2.0, "good": 1.0} for query in QUERIES}
RUNS = {"poor": POOR, "good": GOOD}
COSTS, SYSTEMS = {"poor": 1.0, "good": 2.0}, {"p": ["poor"], "g": ["good"]}


@pytest.fixture
def scored() -> tr.Evaluation:
    return tr.evaluate(LABELS, RUNS, ["nDCG@10", "RR@10"])


class TestMatrix:
    def test_reciprocal_ranks_give_first_ranks(self, scored: tr.Evaluation) -> None:
        found = to_matrix(scored, measure="RR@10")
        assert isinstance(found, tr.FirstRanks)
        assert (found.cutoff, found.runs, found.values[0].tolist()) == (10, ("poor", "good"), [2, 1])

    def test_the_grade_of_the_measure_is_that_of_the_ranks(self) -> None:
        assert to_matrix(LABELS, RUNS, "RR(rel=2)@10").values[0].tolist() == [3, 1]

    def test_other_measures_give_scores(self, scored: tr.Evaluation) -> None:
        found = to_matrix(scored, measure="nDCG@10")
        by_hand = (1 / np.log2(3) + 2 / np.log2(4)) / (2 + 1 / np.log2(3))
        assert isinstance(found, tr.ScoreTable)
        assert found.values[0].tolist() == pytest.approx([by_hand, 1.0])

    def test_scores_of_ranks_are_their_reciprocals(self, scored: tr.Evaluation) -> None:
        assert to_score_table(scored, measure="RR@10").values[0].tolist() == [0.5, 1.0]

    def test_without_a_measure_the_labels_choose_and_it_is_said(self) -> None:
        found = to_matrix(LABELS, RUNS)
        assert found.measure == "nDCG@10"
        assert found.remarks[0].startswith("Measure: 2 relevant per query")


class TestRefused:
    def test_several_measures_ask_which(self, scored: tr.Evaluation) -> None:
        with pytest.raises(
            tr.InputError,
            match=r"scores under nDCG@10, RR@10; expected one measure.*measure='nDCG@10'",
        ):
            tr.significance(scored)

    def test_a_measure_that_was_not_evaluated(self, scored: tr.Evaluation) -> None:
        with pytest.raises(tr.InputError, match="no scores under 'AP'"):
            tr.significance(scored, measure="AP")

    def test_labels_alone(self) -> None:
        with pytest.raises(tr.InputError, match="Found a Qrels without runs"):
            tr.leaderboard(tr.Qrels.from_dict(LABELS))

    def test_options_in_the_place_of_runs(self, scored: tr.Evaluation) -> None:
        with pytest.raises(tr.InputError, match=r"found list beside an Evaluation.*such as measure=, pairs="):
            tr.compare(scored, [("poor", "good")])

    def test_another_measure_than_that_of_the_matrix(self) -> None:
        with pytest.raises(tr.InputError, match="found 'AP' with a matrix of nDCG@10"):
            tr.power(to_matrix(LABELS, RUNS, "nDCG@10"), measure="AP")

    def test_what_is_neither(self) -> None:
        with pytest.raises(tr.InputError, match="labels of type int"):
            tr.compare(3, RUNS, "AP")


ANALYSES: dict[str, dict[str, Any]] = {
    "agreement": {"splits": 2},
    "compare": {},
    "frontier": {"costs": COSTS},
    "gate": {},
    "leaderboard": {},
    "power": {},
    "seeds": {"systems": SYSTEMS},
    "significance": {},
    "stability": {"trials": 20},
    "standings": {},
    "timeline": {},
}


@pytest.mark.parametrize("measure", ["RR@10", "nDCG@10"])
@pytest.mark.parametrize("name", ANALYSES)
def test_evaluation_labels_and_matrix_have_one_answer(name: str, measure: str, scored: tr.Evaluation) -> None:
    ask, options = getattr(tr, name), ANALYSES[name]
    of_matrix = ask(to_matrix(scored, measure=measure), **options).to_dict()
    assert ask(scored, measure=measure, **options).to_dict() == of_matrix
    assert ask(LABELS, RUNS, measure, **options).to_dict() == of_matrix


def test_stability_takes_several_sets_of_any_kind(scored: tr.Evaluation) -> None:
    one = tr.evaluate(LABELS, RUNS, "nDCG@10")
    found = tr.stability({"public": one, "private": one.score_table("nDCG@10")}, trials=20)
    assert [board.name for board in found.boards] == ["public", "private"]


def test_both_sides_of_a_holdout_may_be_evaluations_or_labels(scored: tr.Evaluation) -> None:
    of_matrix = tr.holdout(to_score_table(scored, measure="nDCG@10"), to_score_table(scored, measure="nDCG@10"))
    assert tr.holdout(scored, {"private": scored}, measure="nDCG@10").to_dict() == of_matrix.to_dict()
    assert tr.holdout(LABELS, LABELS, RUNS, "nDCG@10").to_dict() == of_matrix.to_dict()


def test_a_table_has_the_measures_of_an_evaluation_that_are_asked_for(scored: tr.Evaluation) -> None:
    assert [each.measure for each in tr.table(scored, measures="RR@10").measured] == ["RR@10"]
    assert [each.measure for each in tr.table(scored).measured] == ["nDCG@10", "RR@10"]


def test_a_table_says_why_the_labels_chose_its_measure() -> None:
    assert any(note.startswith("Measure: 2 relevant per query") for note in tr.table(LABELS, RUNS).notes)


def test_the_better_run_is_found_to_be_better() -> None:
    assert tr.compare(LABELS, RUNS, "nDCG@10").sentence.startswith("good is better than poor (nDCG@10 +0.3")


PAGE = (Path(__file__).parents[2] / "docs/howto/use-from-python.md").read_text()
TAKES_SCORES = re.findall(r"`(\w+)`", PAGE[PAGE.index("**Takes them so**") : PAGE.index("Without a measure")])
VALUES = np.random.default_rng(1).random((8, 2)).round(3)
ROWS = tuple(str(row + 1) for row in range(len(VALUES)))
DICTS = {run: dict(zip(ROWS, VALUES[:, place].tolist(), strict=True)) for place, run in enumerate("AB")}
LONG = [(run, query, "nDCG@10", score) for run, scores in DICTS.items() for query, score in scores.items()]
NEEDED: dict[str, dict[str, Any]] = {
    "frontier": {"costs": {"A": 1.0, "B": 2.0}},
    "holdout": {"private": {"A": DICTS["B"], "B": DICTS["A"]}},
    "report": {"trials": 10},
    "seeds": {"systems": {"one": ["A", "B"]}},
    "stability": {"trials": 10},
    "timeline": {"dates": {"A": date(2026, 1, 1), "B": date(2026, 1, 2)}},
}


def test_the_page_lists_what_takes_scores() -> None:
    assert {"compare", "queries", "report", "table"} <= set(TAKES_SCORES)


@pytest.mark.parametrize("name", TAKES_SCORES)
def test_what_the_page_lists_takes_scores_in_every_form(name: str) -> None:
    table = tr.ScoreTable(query_ids=ROWS, runs=("A", "B"), values=VALUES, measure="nDCG@10")
    find, options = getattr(tr, name), NEEDED.get(name, {})
    expected = told(find(table, **options, **({} if name != "holdout" else {"measure": "nDCG@10"})))
    measure = {"measures" if name == "table" else "measure": "nDCG@10"}
    long = pl.DataFrame(LONG, schema=["name", "qid", "measure", "value"], orient="row")
    for given in (DICTS, pd.DataFrame(DICTS), long):
        assert told(find(given, **measure, **options)) == expected
    if name != "holdout":  # whose runs are named on both sides
        assert told(find(VALUES, runs=["A", "B"], **measure, **options)) == expected


def told(result: Any) -> Any:
    """What a result says; of a figure its page."""
    return result.to_dict() if hasattr(result, "to_dict") else result.to_svg()


def test_a_report_takes_private_scores_in_memory() -> None:
    found = tr.report(DICTS, private={"A": DICTS["B"], "B": DICTS["A"]}, trials=10)
    assert list(found.inputs.private) == ["private"]
    assert found.inputs.private["private"].column("A").tolist() == VALUES[:, 1].tolist()


def test_a_table_of_several_measures_takes_scores_in_memory() -> None:
    other = [(run, query, "AP", score / 2) for run, query, _, score in LONG]
    long = pl.DataFrame(LONG + other, schema=["name", "qid", "measure", "value"], orient="row")
    assert tr.table(long, measures=["nDCG@10", "AP"]).measures == ("nDCG@10", "AP")
    with pytest.raises(tr.InputError, match=r"found scores of nDCG@10 and AP; expected one measure.*measures="):
        tr.table(long)


@pytest.mark.parametrize("given", [[[1, 2], [2, 3]], ([1.0], [2.0]), [1, 2], ["A", "B"]])
def test_lists_are_no_matrices_to_compare(given: Any) -> None:
    with pytest.raises(tr.InputError, match=r"Found a (list|tuple) .*; expected a matrix of queries × runs"):
        tr.compare(given, ("a", "b"))
    with pytest.raises(tr.InputError, match=r"Found a (list|tuple) .*; expected a matrix of queries × runs"):
        tr.compare(given)


def test_matrices_in_a_list_have_their_runs() -> None:
    table = tr.ScoreTable(query_ids=ROWS, runs=("A", "B"), values=VALUES, measure="nDCG@10")
    with pytest.raises(tr.InputError, match="beside matrices, which have"):
        tr.compare([table], ("a", "b"))


def test_one_run_without_a_column_of_runs_is_told_what_tells_runs_apart() -> None:
    alone = pd.DataFrame({"query_id": ROWS, "measure": "AP", "value": VALUES[:, 0]})
    for find in (tr.compare, tr.significance, tr.standings, tr.table):
        with pytest.raises(tr.InputError, match=r"Found 1 run; .* a column run or name tells runs apart"):
            find(alone)
