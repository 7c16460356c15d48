"""Are Toprung's values trec_eval's? Held to values recorded by tests/reference/make_trec_eval_values.py."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import toprung as tr

REFERENCE = Path(__file__).parents[1] / "reference"
RECORDED = json.loads((REFERENCE / "trec_eval_values.json").read_text())
TREC_EVAL_NAMES = {
    "RR": "recip_rank",
    "nDCG": "ndcg",
    "nDCG@5": "ndcg_cut_5",
    "nDCG@10": "ndcg_cut_10",
    "AP": "map",
    "AP@5": "map_cut_5",
    "P@5": "P_5",
    "P@10": "P_10",
    "R@5": "recall_5",
    "R@20": "recall_20",
    "Success@1": "success_1",
    "Success@5": "success_5",
    "Success@10": "success_10",
    "NumRet": "num_ret",
    "NumRel": "num_rel",
    "NumRelRet": "num_rel_ret",
}
TREC_EVAL_NAMES_FROM_GRADE_2 = {
    "RR(rel=2)": "recip_rank",
    "AP(rel=2)": "map",
    "AP(rel=2)@5": "map_cut_5",
    "P(rel=2)@5": "P_5",
    "P(rel=2)@10": "P_10",
    "R(rel=2)@5": "recall_5",
    "R(rel=2)@20": "recall_20",
    "Success(rel=2)@1": "success_1",
    "Success(rel=2)@10": "success_10",
    "NumRel(rel=2)": "num_rel",
    "NumRelRet(rel=2)": "num_rel_ret",
}
IN_BOTH = {"q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8", "q9"}
"""q10 has no relevant document, q11 is missing from the run, q12 from the labels."""


def by_query(evaluation: tr.Evaluation, measure: str) -> dict[str, float]:
    table = evaluation.score_table(measure)
    return dict(zip(table.query_ids, table.values[:, 0].tolist(), strict=True))


def recorded(level: str, measure: str, query_ids: set[str]) -> dict[str, float]:
    return {query_id: RECORDED[level][query_id][measure] for query_id in query_ids}


@pytest.fixture(scope="module", params=["scanner", "off"])
def evaluation(request: pytest.FixtureRequest) -> tr.Evaluation:
    """The recorded run, read with the compiled scanner and without."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOPRUNG_SCANNER", request.param)
        measures = [*TREC_EVAL_NAMES, *TREC_EVAL_NAMES_FROM_GRADE_2]
        return tr.evaluate(REFERENCE / "qrels.txt", REFERENCE / "run.txt", measures)


def test_trec_eval_and_toprung_score_the_same_queries_but_for_the_three_odd_ones(evaluation: tr.Evaluation) -> None:
    assert set(RECORDED["level 1"]) == IN_BOTH | {"q10"}  # trec_eval takes what run and labels share
    assert set(evaluation.query_ids) == IN_BOTH | {"q11"}  # Toprung every query with a relevant document


@pytest.mark.parametrize(("measure", "trec_eval_name"), TREC_EVAL_NAMES.items())
def test_every_query_has_trec_eval_s_value(evaluation: tr.Evaluation, measure: str, trec_eval_name: str) -> None:
    values = by_query(evaluation, measure)
    found = {query_id: values[query_id] for query_id in IN_BOTH}
    assert found == pytest.approx(recorded("level 1", trec_eval_name, IN_BOTH), abs=1e-6)


@pytest.mark.parametrize(("measure", "trec_eval_name"), TREC_EVAL_NAMES_FROM_GRADE_2.items())
def test_rel_is_trec_eval_s_relevance_level(evaluation: tr.Evaluation, measure: str, trec_eval_name: str) -> None:
    values = by_query(evaluation, measure)
    found = {query_id: values[query_id] for query_id in IN_BOTH}
    assert found == pytest.approx(recorded("level 2", trec_eval_name, IN_BOTH), abs=1e-6)


def test_the_query_missing_from_the_run_scores_0(evaluation: tr.Evaluation) -> None:
    assert by_query(evaluation, "RR")["q11"] == by_query(evaluation, "nDCG@10")["q11"] == 0


@pytest.mark.parametrize(("measure", "trec_eval_name"), TREC_EVAL_NAMES.items())
def test_float32_ties_gives_trec_eval_s_value_where_scores_tie_as_32_bit_numbers(
    measure: str, trec_eval_name: str
) -> None:
    evaluation = tr.evaluate(REFERENCE / "float32_qrels.txt", REFERENCE / "float32_run.txt", measure, float32_ties=True)
    queries = set(RECORDED["32-bit"])
    assert by_query(evaluation, measure) == pytest.approx(recorded("32-bit", trec_eval_name, queries), abs=1e-6)


def test_without_float32_ties_that_run_is_ranked_otherwise() -> None:
    evaluation = tr.evaluate(REFERENCE / "float32_qrels.txt", REFERENCE / "float32_run.txt", "AP")
    with_float32 = recorded("32-bit", "map", set(RECORDED["32-bit"]))
    assert by_query(evaluation, "AP") != pytest.approx(with_float32, abs=1e-4)


def test_an_in_memory_run_is_ranked_with_32_bit_scores_like_the_same_file() -> None:
    run = tr.read_run(REFERENCE / "float32_run.txt")
    evaluation = tr.evaluate(REFERENCE / "float32_qrels.txt", run, "nDCG", float32_ties=True)
    expected = recorded("32-bit", "ndcg", set(RECORDED["32-bit"]))
    assert by_query(evaluation, "nDCG") == pytest.approx(expected, abs=1e-6)
