from __future__ import annotations

import sys

import numpy as np
import pytest

import toprung as tr
from toprung.scoring.catalogue import higher_is_better, scale_of
from toprung.scoring.external import ExternalMeasure
from toprung.scoring.measure import Measure
from toprung.stats.finding import Scale


@pytest.fixture(params=["with ir_measures", "without"])
def with_and_without_ir_measures(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What Toprung says of its own measures must not hang on an optional package."""
    if request.param == "without":
        monkeypatch.setitem(sys.modules, "ir_measures", None)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("MRR@10", "RR@10"),
        ("MAP", "AP"),
        ("NDCG@10", "nDCG@10"),
        ("Precision@5", "P@5"),
        ("Recall@1000", "R@1000"),
        ("RR(rel=1)@10", "RR@10"),  # the default is left out
        ("RR(rel=2)@10", "RR(rel=2)@10"),
        ("nDCG(dcg='log2')", "nDCG"),
        ("nDCG(dcg='exp-log2')@10", "nDCG(dcg='exp-log2')@10"),
        ("RBP(rel=1, p=0.5)", "RBP(p=0.5, rel=1)"),  # parameters in one order
        ("RBP(p=0.8)", "RBP"),
        ("Success@1", "Success@1"),
        ("ESL@100", "ESL@100"),
        ("Judged@10", "Judged@10"),
        ("NumRelRet(rel=2)", "NumRelRet(rel=2)"),
    ],
)
def test_a_native_measure_has_one_spelling(with_and_without_ir_measures: None, text: str, canonical: str) -> None:
    measure = tr.find_measure(text)
    assert isinstance(measure, Measure)
    assert str(measure) == canonical
    assert tr.find_measure(canonical) == measure


def test_a_measure_that_was_found_is_given_back_as_it_is() -> None:
    measure = tr.find_measure("RR@10")
    assert tr.find_measure(measure) is measure


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("P", "Found 'P'; P needs a cutoff: write P@10."),
        ("Success(rel=2)", "Found 'Success(rel=2)'; Success needs a cutoff: write Success(rel=2)@10."),
        ("NCG", "Found 'NCG'; NCG needs a cutoff: write NCG@10."),
        ("NumRel@10", "Found 'NumRel@10'; NumRel takes no cutoff: leave out @10."),
        ("RBP(p=1)", "Found 'RBP(p=1)'; expected p between 0 and 1."),
        ("RBP(p=-0.5)", "Found 'RBP(p=-0.5)'; expected p between 0 and 1."),
        ("nDCG(dcg='ln')@10", "Found 'nDCG(dcg='ln')@10'; expected dcg='log2' or dcg='exp-log2'."),
        ("nDCG(rel=2)@10", "Found parameter 'rel' in 'nDCG(rel=2)@10'; nDCG has: dcg."),
        ("RR(rel='high')", "Found rel='high' in 'RR(rel='high')'; expected a whole number."),
        ("RR(rel=1.5)", "Found rel=1.5 in 'RR(rel=1.5)'; expected a whole number."),
        ("RR(level=2)", "Found parameter 'level' in 'RR(level=2)'; RR has: rel, mth, ties."),
        ("MRR(level=2)", "Found parameter 'level' in 'RR(level=2)'; RR has: rel, mth, ties."),
        ("ERR(rel=2)", "Found parameter 'rel' in 'ERR(rel=2)'; ERR has: none."),
    ],
)
def test_a_native_measure_that_is_asked_for_wrongly_is_refused(
    with_and_without_ir_measures: None, text: str, message: str
) -> None:
    with pytest.raises(tr.MeasureError) as refusal:
        tr.find_measure(text)
    assert str(refusal.value) == message


def test_a_truth_value_is_no_grade_whoever_computes(with_and_without_ir_measures: None) -> None:
    with pytest.raises(tr.MeasureError, match="expected a whole number"):
        tr.find_measure("RR(rel=True)")


@pytest.mark.parametrize(
    ("text", "meant"),
    [("nDGC@10", "nDCG@10"), ("ndcg@10", "nDCG@10"), ("mrr@10", "RR@10"), ("Sucess@10", "Success@10")],
)
def test_a_slip_of_the_pen_gets_a_suggestion(with_and_without_ir_measures: None, text: str, meant: str) -> None:
    with pytest.raises(tr.MeasureError) as refusal:
        tr.find_measure(text)
    known = "which is not known; `toprung measures` lists those that are."
    message, suggestion = str(refusal.value).split(" Did you mean ")
    assert message == f"Found measure '{text}', {known}"
    assert str(tr.find_measure(suggestion.split("?")[0] + "@10")) == meant


def test_a_name_like_no_other_gets_no_suggestion() -> None:
    with pytest.raises(tr.MeasureError) as refusal:
        tr.find_measure("xyzzy@10")
    assert str(refusal.value) == (
        "Found measure 'xyzzy@10', which is not known; `toprung measures` lists those that are."
    )


def test_without_ir_measures_the_refusal_says_where_more_measures_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    with pytest.raises(tr.MeasureError, match=r"More measures come with toprung\[ir-measures\]\.$"):
        tr.find_measure("Bpref")


@pytest.mark.parametrize("text", ["Bpref", "Rprec", "SetP", "SetF(beta=2.0)", "IPrec@0.1", "nDCG(judged_only=True)@10"])
def test_what_only_ir_measures_knows_goes_to_it(text: str) -> None:
    pytest.importorskip("ir_measures")
    assert isinstance(tr.find_measure(text), ExternalMeasure)


@pytest.mark.parametrize(
    ("measure", "is_higher_better", "scale"),
    [
        ("AP", True, Scale.ORDINAL),
        ("P@10", True, Scale.INTERVAL),
        ("NumRelRet", True, Scale.RATIO),
        ("ESL@100", False, Scale.RATIO),
        ("thumbs", True, None),
        ("Bpref", True, None),  # of ir_measures', where it is installed
    ],
)
def test_direction_and_scale_are_known_from_the_name(measure: str, is_higher_better: bool, scale: Scale | None) -> None:
    assert (higher_is_better(measure), scale_of(measure)) == (is_higher_better, scale)


@pytest.mark.parametrize("text", ["BPM", "INST", "SetF(beta='x')"])
def test_what_ir_measures_itself_refuses_is_a_measure_error(text: str) -> None:
    pytest.importorskip("ir_measures")  # BPM needs a cutoff, INST its max_rel
    with pytest.raises(tr.MeasureError):
        tr.find_measure(text)


@pytest.mark.parametrize("text", ["alpha_nDCG@20", "ERR_IA@20", "StRecall", "P_IA(rel=2)@5", "map_ia", "α_nDCG@20"])
def test_measures_of_diversity_are_refused_whatever_is_installed(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("pyndeval", "ir_measures"):
        with pytest.raises(tr.MeasureError) as refusal:
            tr.find_measure(text)
        assert str(refusal.value) == (
            f"Found measure '{text}', which needs labels for the subtopics of a query. Toprung reads labels without "
            "subtopics, so the value would be wrong; expected a measure without subtopics, such as nDCG@10."
        )
        monkeypatch.setitem(sys.modules, package, None)


def test_scores_of_a_measure_of_diversity_from_another_tool_can_be_compared() -> None:
    scores = tr.ScoreTable(
        query_ids=("q1", "q2"), runs=("a", "b"), values=np.array([[0.5, 0.25], [0.5, 0.75]]), measure="alpha_nDCG@20"
    )
    assert tr.compare(scores).pairs[0].measure == "alpha_nDCG@20"


def test_a_measure_that_cannot_be_computed_here_is_not_suggested_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    ir_measures = pytest.importorskip("ir_measures")
    monkeypatch.setattr(ir_measures.DefaultPipeline, "supports", lambda _: False)
    with pytest.raises(tr.MeasureError, match="'Bpref', which is not known") as refusal:
        tr.find_measure("Bpref")
    assert "Did you mean" not in str(refusal.value)
