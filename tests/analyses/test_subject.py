"""What an analysis can be asked of: each way gives the same matrix, and so the same answer."""

from __future__ import annotations

from typing import Any

import numpy as np
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
