from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import toprung as tr
from toprung.data.qrels import Qrels
from toprung.scoring.measure import Cutoff
from toprung.scoring.measures import NATIVE
from toprung.scoring.ranked_labels import LabelledQueries

Evaluate = Callable[..., tr.Evaluation]

LABELS = "q1 0 a 1\nq2 0 b 2\nq2 0 c 1\nq3 0 d 0\nq4 0 e 1\n"
"""q3 has nothing relevant."""
RUN = "q1 Q0 x 1 2 t\nq1 Q0 a 2 1 t\nq2 Q0 b 1 1 t\nq3 Q0 d 1 1 t\nq5 Q0 z 1 1 t\nq6 Q0 z 1 1 t\n"
"""q4 is missing; q5 and q6 have no labels. RR: q1 1/2, q2 1, q4 0."""


def test_a_query_missing_from_the_run_scores_0_and_is_counted(evaluate_text: Evaluate) -> None:
    evaluation = evaluate_text(LABELS, RUN, "RR")
    assert evaluation.value("run", "RR") == pytest.approx((1 / 2 + 1 + 0) / 3)
    assert "run: 1 labelled query missing." in evaluation.notes
    assert evaluation.to_dict()["runs"][0]["missing_queries"] == 1


def test_queries_of_the_run_without_labels_are_ignored_and_counted(evaluate_text: Evaluate) -> None:
    evaluation = evaluate_text(LABELS, RUN, "RR")
    assert "run: 2 queries without labels ignored." in evaluation.notes
    assert evaluation.to_dict()["runs"][0]["unlabelled_queries"] == 2


def test_queries_without_a_relevant_document_are_left_out_and_counted(evaluate_text: Evaluate) -> None:
    evaluation = evaluate_text(LABELS, RUN, "RR")
    assert evaluation.query_ids == ("q1", "q2", "q4")
    assert "Left out: 1 labelled query with no relevant document." in evaluation.notes
    assert evaluation.to_dict()["provenance"]["queries_without_relevant_documents"] == 1


def test_every_measure_and_grade_is_over_the_same_queries(evaluate_text: Evaluate) -> None:
    evaluation = evaluate_text(LABELS, RUN, "RR", "RR(rel=2)", "nDCG@10", "P(rel=3)@5")
    assert {score.n_queries for score in evaluation.scores} == {3}
    assert evaluation.value("run", "RR(rel=2)") == pytest.approx((0 + 1 + 0) / 3)
    assert evaluation.value("run", "P(rel=3)@5") == 0


def test_a_query_with_a_relevant_document_only_below_the_grade_asked_for_scores_0(evaluate_text: Evaluate) -> None:
    table = evaluate_text(LABELS, RUN, "RR(rel=2)").score_table("RR(rel=2)")
    assert table.query_ids == ("q1", "q2", "q4")
    assert table.values[:, 0].tolist() == [0, 1, 0]


def test_no_query_in_common_is_an_error(evaluate_text: Evaluate) -> None:
    with pytest.raises(tr.NoOverlapError) as refusal:
        evaluate_text("q1 0 a 1\n", "q7 Q0 a 1 1 t\nq8 Q0 a 1 1 t\n", "RR")
    message = str(refusal.value)
    assert "run.txt: found 2 queries, none of them in the labels (" in message
    assert "labels.txt); expected at least one in common." in message


def test_labels_without_any_relevant_document_are_refused(evaluate_text: Evaluate) -> None:
    with pytest.raises(tr.InputError, match="relevant"):
        evaluate_text("q1 0 a 0\nq2 0 b -1\n", "q1 Q0 a 1 1 t\nq1 Q0 b 2 1 t\n", "RR", "nDCG", "RBP")


def test_the_run_s_own_queries_may_be_the_denominator(evaluate_text: Evaluate) -> None:
    evaluation = evaluate_text(LABELS, RUN, "RR", "ESL", "NumRel", denominator="run")
    assert evaluation.value("run", "RR") == pytest.approx((1 / 2 + 1) / 2)  # without q4
    assert evaluation.value("run", "ESL") == (2 + 1) / 2
    assert evaluation.value("run", "NumRel") == 1 + 2
    assert [score.n_queries for score in evaluation.scores] == [2, 2, 2]


def test_a_word_that_denominator_does_not_know_is_refused(evaluate_text: Evaluate) -> None:
    with pytest.raises(tr.InputError, match="denominator"):
        evaluate_text(LABELS, RUN, "RR", denominator="Qrels")


def test_means_over_the_run_s_own_queries_are_never_ranked() -> None:
    # Over all queries b is better (0.75 against 0.5); over its own a seems to be (1 against 0.75).
    labels = {"q1": {"d": 1}, "q2": {"d": 1}}
    runs = {
        "b": {"q1": {"d": 1.0}, "q2": {"x": 2.0, "d": 1.0}},
        "a": {"q1": {"d": 1.0}},
    }
    evaluation = tr.evaluate(labels, runs, "RR", denominator="run")
    assert {score.run: score.value for score in evaluation.scores} == {"a": 1, "b": 0.75}
    assert "highest" not in evaluation.sentence
    assert [score.run for score in evaluation.scores] == ["b", "a"]  # as given


def test_ties_are_broken_by_doc_id_descending(evaluate_text: Evaluate) -> None:
    labels = "q1 0 a 1\n"
    assert evaluate_text(labels, "q1 Q0 a 1 7 t\nq1 Q0 b 2 7 t\n", "RR").value("run", "RR") == 0.5
    assert evaluate_text(labels, "q1 Q0 a 1 7 t\nq1 Q0 A 2 7 t\n", "RR").value("run", "RR") == 1


def test_the_rank_column_of_a_trec_run_is_never_trusted(evaluate_text: Evaluate) -> None:
    evaluation = evaluate_text("q1 0 a 1\n", "q1 Q0 a 1 1 t\nq1 Q0 b 2 7 t\n", "RR")
    assert evaluation.value("run", "RR") == 0.5
    assert "run: the rank column contradicts the scores in 1 query." in evaluation.notes


def test_the_rank_column_of_an_ms_marco_run_decides(evaluate_text: Evaluate) -> None:
    evaluation = evaluate_text("q1 0 a 1\n", "q1\tb\t2\nq1\ta\t1\n", "RR")
    assert evaluation.value("run", "RR") == 1


def test_float32_ties_compares_scores_as_32_bit_numbers(evaluate_text: Evaluate) -> None:
    run = "q1 Q0 a 1 1.00000001 t\nq1 Q0 b 2 1 t\n"
    assert evaluate_text("q1 0 a 1\n", run, "RR").value("run", "RR") == 1
    assert evaluate_text("q1 0 a 1\n", run, "RR", float32_ties=True).value("run", "RR") == 0.5


def test_the_policies_in_force_are_said(evaluate_text: Evaluate) -> None:
    plain = " ".join(evaluate_text(LABELS, RUN, "RR").notes)
    assert "64-bit" in plain
    assert "doc_id descending" in plain
    assert "a labelled query missing from a run scores 0" in plain
    assert "32-bit" in " ".join(evaluate_text(LABELS, RUN, "RR", float32_ties=True).notes)
    other = " ".join(evaluate_text(LABELS, RUN, "RR", denominator="run").notes)
    assert "scores 0" not in other


def test_one_measure_may_be_given_without_a_list_and_the_same_twice_is_one() -> None:
    evaluation = tr.evaluate({"q1": {"a": 1}}, {"q1": {"a": 1.0}}, ["MRR@10", "RR@10", "RR(rel=1)@10"])
    assert [score.measure for score in evaluation.scores] == ["RR@10"]
    alone = tr.evaluate({"q1": {"a": 1}}, {"q1": {"a": 1.0}}, tr.find_measure("RR@10"))
    assert [score.measure for score in alone.scores] == ["RR@10"]


def test_labels_may_be_made_ready_once_for_many_calls() -> None:
    ready = LabelledQueries.of(Qrels.from_dict({"q1": {"a": 1}, "q2": {"b": 0}}))
    for doc, expected in (("a", 1.0), ("b", 0.0)):
        found = tr.evaluate(ready, {"q1": {doc: 1.0}}, "RR")
        assert found.labels is ready
        assert found.value("run1", "RR") == expected


def test_without_measures_the_usual_ones_are_taken() -> None:
    evaluation = tr.evaluate({"q1": {"a": 1}}, {"q1": {"a": 1.0}})
    assert [score.measure for score in evaluation.scores] == ["RR@10", "nDCG@10", "AP", "R@1000"]


def test_an_unknown_measure_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(tr.MeasureError):
        tr.evaluate(tmp_path / "missing", tmp_path / "missing too", "xyzzy")


@pytest.mark.parametrize("names", [["one"], ["one", "two", "three"]])
def test_progress_is_told_for_every_run(names: list[str]) -> None:
    told: list[str] = []
    tr.evaluate({"q1": {"a": 1}}, {name: {"q1": {"a": 1.0}} for name in names}, "RR", on_progress=told.append)
    assert sorted(told) == sorted(names)


def test_the_first_faulty_run_stops_the_evaluation_of_many(tmp_path: Path) -> None:
    for number in range(6):
        (tmp_path / f"good{number}.run").write_text("q1 Q0 a 1 1 t\n")
    (tmp_path / "bad.run").write_text("q1 Q0 a 1 nan t\n")
    with pytest.raises(tr.FormatError, match=r"bad\.run, line 1: found score 'nan'; expected a finite number"):
        tr.evaluate({"q1": {"a": 1}}, sorted(tmp_path.glob("*.run")), "RR")


def test_digests_are_noted_when_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_text("q1 Q0 a 1 1 t\n")
    runs = {"file": path, "held": {"q1": {"a": 1.0}}}
    noted = tr.evaluate({"q1": {"a": 1}}, runs, "RR", with_digests=True).to_dict()["runs"]
    digest = "sha256:" + hashlib.sha256(path.read_bytes()).hexdigest()
    assert {run["run"]: run["digest"] for run in noted} == {"file": digest, "held": None}
    silent = tr.evaluate({"q1": {"a": 1}}, runs, "RR").to_dict()["runs"]
    assert {run["digest"] for run in silent} == {None}


def test_a_file_over_the_size_cap_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_text("q1 Q0 a 1 1 t\n")
    with pytest.raises(tr.TooLargeError, match="more than 5 bytes"):
        tr.evaluate({"q1": {"a": 1}}, path, "RR", limits=tr.Limits(max_bytes=5))


def test_a_named_format_is_taken_at_its_word(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_text("q1 Q0 a 1 1 t\n")
    with pytest.raises(tr.FormatError, match="expected 3 columns: query_id doc_id rank"):
        tr.evaluate({"q1": {"a": 1}}, path, "RR", format="msmarco")


MEASURES = [f"{each.name}@3" if each.cutoff is Cutoff.REQUIRED else each.name for each in NATIVE if not each.needed] + [
    "RR@10"
]
Lines = list[str]


@st.composite
def lines_of_labels_and_runs(draw: st.DrawFn) -> tuple[Lines, list[Lines]]:
    """Labels and two runs with ties, missing and unknown queries, as the lines of their files."""
    keys = st.tuples(st.sampled_from(["q1", "q2", "q10"]), st.sampled_from("abcdefg"))
    grades = draw(st.dictionaries(keys, st.integers(-1, 3), min_size=1)) | {("q1", "a"): 1}
    runs = [{("q1", "b"): 1.5} | draw(st.dictionaries(keys, st.sampled_from([0.1, 0.7, 1.5, -2.0]))) for _ in range(2)]
    return (
        [f"{query_id} 0 {doc_id} {grade}" for (query_id, doc_id), grade in grades.items()],
        [[f"{query_id} Q0 {doc_id} 0 {score} t" for (query_id, doc_id), score in run.items()] for run in runs],
    )


@settings(max_examples=40, deadline=None)
@given(lines=lines_of_labels_and_runs(), seed=st.integers(0, 2**32))
def test_the_order_of_lines_queries_and_runs_changes_no_figure(
    tmp_path_factory: pytest.TempPathFactory, lines: tuple[Lines, list[Lines]], seed: int
) -> None:
    folder = tmp_path_factory.mktemp("order")
    labels, runs = lines

    def figures(order: list[int]) -> list[object]:
        (folder / "labels").write_text("\n".join(labels))
        for number, run in enumerate(runs):
            (folder / f"run{number}").write_text("\n".join(run))
        evaluation = tr.evaluate(folder / "labels", [folder / f"run{number}" for number in order], MEASURES)
        return [evaluation.scores, sorted(evaluation.per_query().rows()), evaluation.sentence, evaluation.table]

    as_given = figures([0, 1])
    shuffle = random.Random(seed).shuffle
    for each in (labels, *runs):
        shuffle(each)
    assert _without_nan(figures([1, 0])) == _without_nan(as_given)


def _without_nan(figures: list[object]) -> str:
    """As text, in which NaN is like itself."""
    return repr(figures)


def test_the_order_of_summation_never_decides_who_stands_first() -> None:
    # Both have 1 + 1/2 + 1/6, added up in another order: one after the other, the sums differ in the last bit.
    ranks = {"a": (1, 2, 6), "b": (2, 6, 1)}
    runs = {
        name: {
            f"q{i}": {("d" if at == rank else f"x{at}"): -float(at) for at in range(1, 7)} for i, rank in enumerate(rs)
        }
        for name, rs in ranks.items()
    }
    evaluation = tr.evaluate({f"q{i}": {"d": 1} for i in range(3)}, runs, "RR")
    assert evaluation.sentence.startswith("a and b have the same highest RR")
    assert math.isclose(evaluation.value("a", "RR"), (1 + 1 / 2 + 1 / 6) / 3)
