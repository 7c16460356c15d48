from __future__ import annotations

from collections.abc import Callable

import pytest

import toprung as tr
from toprung.scoring.external import external_names

pytest.importorskip("ir_measures")
Score = Callable[..., dict[str, float]]

# Ranking: n1 (grade 0), a (1), n2 (0), b (1), x (no label); the relevant c was not found.
LABELS = "q1 0 a 1\nq1 0 b 1\nq1 0 c 1\nq1 0 n1 0\nq1 0 n2 0\n"
RUN = "q1 Q0 n1 1 5 t\nq1 Q0 a 2 4 t\nq1 Q0 n2 3 3 t\nq1 Q0 b 4 2 t\nq1 Q0 x 5 1 t\n"


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        # of R = 3 relevant: a has 1 of min(R, N) = 2 judged bad ones above it, b has 2, c was not found
        ("Bpref", ((1 - 1 / 2) + (1 - 2 / 2) + 0) / 3),
        ("Rprec", 1 / 3),  # among the first R = 3 documents only a
        ("SetP", 2 / 5),  # two of the five retrieved
        ("SetR", 2 / 3),
    ],
)
def test_ir_measures_computes_what_toprung_does_not(score: Score, measure: str, expected: float) -> None:
    assert score(measure, LABELS, RUN)["q1"] == pytest.approx(expected)


def test_ir_measures_gets_toprung_s_ranking_of_ties(score: Score) -> None:
    labels = "q1 0 a 1\n"
    run = "q1 Q0 a 1 7 t\nq1 Q0 b 2 7 t\n"  # a and b tie, so b stands first, whatever the file says
    assert score("Rprec", labels, run) == {"q1": 0}
    assert score("Success@1", labels, run) == {"q1": 0}


@pytest.mark.parametrize("kind", ["file", "object"])
def test_ir_measures_gets_toprung_s_ranking_of_32_bit_ties(
    evaluate_text: Callable[..., tr.Evaluation], kind: str
) -> None:
    run = "q1 Q0 a 1 1.000000001 t\nq1 Q0 b 2 1 t\n"  # as 32-bit numbers a and b tie, so b stands first
    if kind == "file":
        evaluation = evaluate_text("q1 0 a 1\n", run, "Rprec", "Success@1", float32_ties=True)
    else:
        held = {"run": tr.Run.from_dict({"q1": {"a": 1.000000001, "b": 1.0}})}
        evaluation = tr.evaluate({"q1": {"a": 1}}, held, ["Rprec", "Success@1"], float32_ties=True)
    assert [evaluation.value("run", measure) for measure in ("Success@1", "Rprec")] == [0, 0]


def test_runs_ordered_by_their_ranks_go_to_ir_measures_in_that_order(score: Score) -> None:
    assert score("Rprec", "q1 0 a 1\n", "q1\tb\t2\nq1\ta\t1\n") == {"q1": 1}


def test_a_query_missing_from_the_run_scores_0_there_too(score: Score) -> None:
    assert score("SetP", "q1 0 a 1\nq2 0 a 1\n", "q2 Q0 a 1 1 t\n") == {"q1": 0, "q2": 1}


def test_queries_without_relevant_documents_are_left_out_there_too(score: Score) -> None:
    assert score("SetP", "q1 0 a 0\nq2 0 a 1\n", "q1 Q0 a 1 1 t\nq2 Q0 a 1 1 t\n") == {"q2": 1}


def test_sums_of_ir_measures_are_added_up(evaluate_text: Callable[..., tr.Evaluation]) -> None:
    evaluation = evaluate_text("q1 0 a 1\nq2 0 a 1\n", "q1 Q0 a 1 1 t\nq2 Q0 a 1 1 t\n", "NumQ")
    assert evaluation.value("run", "NumQ") == 2


def test_how_far_ties_could_move_an_external_measure_is_not_known(
    evaluate_text: Callable[..., tr.Evaluation],
) -> None:
    evaluation = evaluate_text("q1 0 a 1\n", "q1 Q0 a 1 7 t\nq1 Q0 b 2 7 t\n", "Rprec", "RR")
    rprec, rr = evaluation.scores
    assert (rprec.tie_low, rprec.tie_high) == (None, None)
    assert (rr.tie_low, rr.tie_high) == (0.5, 1)


def test_without_ties_an_external_measure_cannot_be_moved(evaluate_text: Callable[..., tr.Evaluation]) -> None:
    (rprec,) = evaluate_text("q1 0 a 1\n", "q1 Q0 a 1 8 t\nq1 Q0 b 2 7 t\n", "Rprec").scores
    assert (rprec.tie_low, rprec.tie_high) == (1, 1)


def test_the_names_ir_measures_knows_are_listed() -> None:
    assert {"Bpref", "Rprec", "SetP", "infAP"} <= set(external_names())
