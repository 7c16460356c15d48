"""Other names of measures lead to the measure that ir_measures means by them."""

from __future__ import annotations

import pytest

import toprung as tr
from toprung.scoring.names import CUT, WHOLE, from_trec_eval, is_ir_measure, split_names

ir_measures = pytest.importorskip("ir_measures")
LABELS = {"q1": {"a": 2, "b": 1}, "q2": {"c": 1}}
RUN = {"q1": {"x": 3.0, "a": 2.0, "b": 1.0}, "q2": {"y": 2.0, "c": 1.0}}
NUMBERED = [f"{name}_{number}" for name in CUT if name != "iprec_at_recall" for number in (5, 10, 1000)]
ALSO_CALLED = {"SetF(beta=1.0)": "SetF", "NumRet(rel=1)": "NumRelRet"}


@pytest.mark.parametrize("name", [*WHOLE, *NUMBERED, "P.10", "iprec_at_recall_0.10", "Rprec", "infAP"])
def test_names_of_trec_eval_are_what_ir_measures_takes_them_for(name: str) -> None:
    pytest.importorskip("pytrec_eval")
    (expected, *_) = ir_measures.parse_trec_measure(name)
    assert tr.find_measure(from_trec_eval(name)) == tr.find_measure(ALSO_CALLED.get(str(expected), expected))


def test_a_name_of_trec_eval_is_shown_by_its_own() -> None:
    found = tr.evaluate(LABELS, RUN, ["ndcg_cut_10", "recip_rank", "map", "P_10", "recall_1000", "success_5"])
    assert [str(measure) for measure in found.measures] == ["nDCG@10", "RR", "AP", "P@10", "R@1000", "Success@5"]
    assert found.value("run1", "recip_rank") == 0.5
    assert found.value("run1", "map") == pytest.approx(((1 / 2 + 2 / 3) / 2 + 1 / 2) / 2)


def test_objects_of_ir_measures_are_measures_alone_or_among_names() -> None:
    one = ir_measures.RR @ 10
    assert tr.evaluate(LABELS, RUN, one).value("run1", one) == 0.5
    several = tr.evaluate(LABELS, RUN, [one, "AP", ir_measures.P(rel=2) @ 5, ir_measures.Bpref])
    assert [str(measure) for measure in several.measures] == ["RR@10", "AP", "P(rel=2)@5", "Bpref"]
    assert several.score_table(ir_measures.P(rel=2) @ 5).values.tolist() == [[0.2], [0.0]]
    assert str(tr.find_measure(ir_measures.nDCG(dcg="exp-log2") @ 10)) == "nDCG(dcg='exp-log2')@10"


def test_analyses_take_them_too() -> None:
    runs = {"one": RUN, "other": {"q1": {"a": 1.0}, "q2": {"c": 1.0}}}
    assert tr.leaderboard(LABELS, runs, ir_measures.nDCG @ 10).measure == "nDCG@10"


def test_what_is_no_measure_is_not_taken_for_one() -> None:
    assert not is_ir_measure("RR")
    with pytest.raises(tr.MeasureError, match="Found 3 as a measure"):
        tr.evaluate(LABELS, RUN, 3)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nDCG@10,RR@10", ["nDCG@10", "RR@10"]),
        ("RR(rel=2, mth=1)@10 , AP", ["RR(rel=2, mth=1)@10", "AP"]),
        ("map", ["map"]),
    ],
)
def test_commas_outside_parentheses_part_measures(text: str, expected: list[str]) -> None:
    assert split_names([text]) == expected
    assert len(tr.evaluate(LABELS, RUN, text).measures) == len(expected)


def test_nothing_between_two_commas_is_refused() -> None:
    with pytest.raises(tr.MeasureError, match="Found measure ''"):
        tr.evaluate(LABELS, RUN, "AP,,RR")
