from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import toprung as tr

# RR: good has 1 and 1/2, poor has 1/3 and nothing.
LABELS = {"q2": {"b": 1}, "q1": {"a": 2, "n": 0}}
GOOD = {"q1": {"a": 9.0, "n": 8.0}, "q2": {"x": 2.0, "b": 1.0}}
POOR = {"q1": {"x": 3.0, "y": 2.0, "a": 1.0}, "q2": {"x": 1.0}}
RUNS = {"poor": POOR, "good": GOOD}


@pytest.fixture
def evaluation() -> tr.Evaluation:
    return tr.evaluate(LABELS, RUNS, ["RR", "ESL", "NumRet"])


def test_the_best_run_by_the_first_measure_stands_first(evaluation: tr.Evaluation) -> None:
    assert [(score.run, score.measure) for score in evaluation.scores] == [
        ("good", "RR"),
        ("good", "ESL"),
        ("good", "NumRet"),
        ("poor", "RR"),
        ("poor", "ESL"),
        ("poor", "NumRet"),
    ]


def test_by_a_measure_that_is_better_when_lower_the_lowest_stands_first() -> None:
    evaluation = tr.evaluate(LABELS, RUNS, ["ESL"])
    assert [(score.run, score.value) for score in evaluation.scores] == [("good", 1.5), ("poor", 3)]
    assert evaluation.sentence.startswith("good has the lowest ESL, 1.5000")


def test_runs_with_the_same_figure_stand_by_name() -> None:
    evaluation = tr.evaluate(LABELS, {"z": GOOD, "a": GOOD, "k": POOR}, "RR")
    assert [score.run for score in evaluation.scores] == ["a", "z", "k"]


def test_a_run_without_a_figure_stands_last() -> None:
    evaluation = tr.evaluate(LABELS, {"nothing": {"q1": {"x": 1.0}}, "poor": POOR}, "ESL")
    assert [score.run for score in evaluation.scores] == ["poor", "nothing"]


def test_a_figure_is_looked_up_by_run_and_measure(evaluation: tr.Evaluation) -> None:
    assert evaluation.value("good", "RR") == 0.75
    assert evaluation.value("good", "MRR") == 0.75
    with pytest.raises(tr.InputError, match="Found no score of 'bad' under 'RR'; expected runs poor, good"):
        evaluation.value("bad", "RR")
    with pytest.raises(tr.InputError, match=r"Found no score of 'good' under 'AP'.*measures RR, ESL, NumRet"):
        evaluation.value("good", "AP")


def test_the_frame_is_tidy(evaluation: tr.Evaluation) -> None:
    frame = evaluation.to_frame()
    assert frame.schema == {
        "run": pl.String,
        "measure": pl.String,
        "value": pl.Float64,
        "tie_low": pl.Float64,
        "tie_high": pl.Float64,
        "n_queries": pl.Int64,
    }
    assert frame.row(0) == ("good", "RR", 0.75, 0.75, 0.75, 2)
    assert frame.row(4) == ("poor", "ESL", 3, 3, 3, 1)


def test_the_frame_has_the_same_types_where_no_tie_bound_is_known() -> None:
    frame = tr.evaluate(LABELS, RUNS, "RR", denominator="run").to_frame()
    assert frame["tie_low"].to_list() == [None, None]
    assert frame.schema["tie_low"] == frame.schema["tie_high"] == pl.Float64


def test_the_frame_holds_many_runs_of_which_only_the_last_has_known_tie_bounds() -> None:
    pytest.importorskip("ir_measures")
    tied = {"q1": {"a": 1.0, "x": 1.0}}
    runs = {f"tied{number:03}": tied for number in range(101)} | {"z": {"q1": {"a": 1.0}}}
    frame = tr.evaluate({"q1": {"a": 1}}, runs, "SetR").to_frame()
    assert frame["tie_low"].to_list() == [None] * 101 + [1]


def test_pandas_gets_the_same_frame(evaluation: tr.Evaluation) -> None:
    frame = evaluation.to_pandas()
    assert frame.columns.tolist() == evaluation.to_frame().columns
    assert frame["run"].tolist() == ["good"] * 3 + ["poor"] * 3
    assert frame["value"].tolist() == [0.75, 1.5, 4, pytest.approx(1 / 6), 3, 4]


def test_the_frame_per_query_is_tidy_and_leaves_out_what_is_not_there(evaluation: tr.Evaluation) -> None:
    frame = evaluation.per_query()
    assert frame.columns == ["run", "measure", "query_id", "value"]
    poor = frame.filter(run="poor").select("measure", "query_id", "value").rows()
    assert poor == [
        ("RR", "q1", pytest.approx(1 / 3)),
        ("RR", "q2", 0),
        ("ESL", "q1", 3),  # no ESL of q2, where nothing was found
        ("NumRet", "q1", 3),
        ("NumRet", "q2", 1),
    ]


def test_the_score_table_has_queries_by_runs_and_nan_where_there_is_nothing(evaluation: tr.Evaluation) -> None:
    table = evaluation.score_table("ESL")
    assert (table.query_ids, table.runs, table.measure) == (("q1", "q2"), ("poor", "good"), "ESL")
    np.testing.assert_array_equal(table.values, [[3, 1], [math.nan, 2]])


def test_a_score_table_of_a_measure_that_was_not_computed_is_refused(evaluation: tr.Evaluation) -> None:
    with pytest.raises(tr.InputError, match="Found no scores under 'AP'; expected one of RR, ESL, NumRet"):
        evaluation.score_table("AP")


def test_first_ranks_has_queries_by_runs_and_0_where_nothing_was_found(evaluation: tr.Evaluation) -> None:
    ranks = evaluation.first_ranks()
    assert (ranks.query_ids, ranks.runs, ranks.cutoff) == (("q1", "q2"), ("poor", "good"), None)
    assert ranks.values.tolist() == [[3, 1], [0, 2]]
    assert ranks.values.dtype == np.int32


def test_first_ranks_beyond_the_cutoff_are_not_found(evaluation: tr.Evaluation) -> None:
    ranks = evaluation.first_ranks(2)
    assert ranks.values.tolist() == [[0, 1], [0, 2]]
    assert ranks.cutoff == 2


def test_first_ranks_of_a_higher_grade_are_of_the_same_queries(evaluation: tr.Evaluation) -> None:
    ranks = evaluation.first_ranks(rel=2)
    assert ranks.query_ids == evaluation.first_ranks().query_ids
    assert ranks.values.tolist() == [[3, 1], [0, 0]]
    assert (ranks.rel, ranks.mth, ranks.measure) == (2, 1, "RR(rel=2)")


def test_the_second_relevant_document_has_a_rank_of_its_own() -> None:
    labels = {"q1": {"a": 1, "b": 1}, "q2": {"a": 1}, "q3": {"a": 1, "b": 2}}
    run = {"q1": {"a": 3.0, "x": 2.0, "b": 1.0}, "q2": {"a": 1.0}, "q3": {"b": 2.0, "x": 1.0}}
    ranks = tr.evaluate(labels, {"mine": run}, "RR").first_ranks(mth=2)
    assert ranks.query_ids == ("q1", "q3")  # q2 has only one relevant document
    assert ranks.values.tolist() == [[3], [0]]  # q3: the other one was not retrieved
    with pytest.raises(tr.InputError, match="Found no query with 3 documents of grade 1 or more"):
        tr.evaluate(labels, {"mine": run}, "RR").first_ranks(mth=3)


@pytest.mark.parametrize(("measure", "cutoff"), [("RR", None), ("RR@2", 2)])
def test_rr_is_one_over_the_first_ranks(measure: str, cutoff: int | None) -> None:
    evaluation = tr.evaluate(LABELS, RUNS, measure)
    ranks = evaluation.first_ranks(cutoff).values
    expected = np.divide(1, ranks, out=np.zeros(ranks.shape), where=ranks > 0)
    np.testing.assert_array_equal(evaluation.score_table(measure).values, expected)


def test_the_dict_is_fit_for_json_with_null_where_there_is_no_value() -> None:
    evaluation = tr.evaluate(LABELS, {"nothing": {"q1": {"x": 1.0}}}, ["ESL", "RR"])
    read = json.loads(json.dumps(evaluation.to_dict(), allow_nan=False))
    assert read["scores"][0] == {
        "run": "nothing",
        "measure": "ESL",
        "value": None,
        "tie_low": None,
        "tie_high": None,
        "value_32_bit": None,
        "n_queries": 0,
    }
    assert read["scores"][1]["value"] == 0


def test_the_dict_says_what_was_counted_which_policies_held_and_where_it_came_from() -> None:
    labels = LABELS | {"q0": {"z": 0}}
    run = {"q1": {"a": 1.0, "b": 0.5}, "unknown": {"a": 1.0}}
    said = tr.evaluate(labels, {"r": run}, "RR").to_dict()
    assert said["runs"] == [
        {
            "run": "r",
            "rows": 3,
            "missing_queries": 1,
            "unlabelled_queries": 1,
            "queries_with_contradicting_ranks": 0,
            "digest": None,
        }
    ]
    assert said["policies"]["denominator"] == "qrels"
    assert "64-bit" in said["policies"]["ties"]
    assert said["provenance"]["n_queries"] == 2
    assert said["provenance"]["queries_without_relevant_documents"] == 1
    assert said["provenance"]["toprung"] == tr.__version__
    assert said["provenance"]["labels_digest"].startswith("sha256:")


def test_the_digest_of_the_labels_changes_with_a_grade() -> None:
    def digest(grade: int) -> str:
        said = tr.evaluate({"q1": {"a": grade}}, {"q1": {"a": 1.0}}, "RR").to_dict()
        return str(said["provenance"]["labels_digest"])

    assert digest(1) == digest(1) != digest(2)


def test_the_dict_per_query_holds_each_value(evaluation: tr.Evaluation) -> None:
    said = json.loads(json.dumps(evaluation.by_query().to_dict(), allow_nan=False))
    assert said["per_query"][0] == {
        "run": "poor",
        "measure": "RR",
        "query_id": "q1",
        "value": pytest.approx(1 / 3),
    }
    assert len(said["per_query"]) == 4 + 3 + 4  # RR, ESL (one query unanswered) and NumRet of two runs
    assert said["scores"] == evaluation.to_dict()["scores"]


def test_the_sentence_of_one_run_is_its_first_figure() -> None:
    assert tr.evaluate(LABELS, {"good": GOOD}, ["RR", "AP"]).sentence == "good has RR 0.7500 over 2 queries."


def test_the_sentence_of_several_runs_names_the_best_its_lead_and_what_was_not_tested(
    evaluation: tr.Evaluation,
) -> None:
    assert evaluation.sentence.startswith("good has the highest RR, 0.7500 over 2 queries, 0.5833 ")  # 3/4 - 1/6
    assert evaluation.sentence.endswith("poor; whether that is more than chance is not tested here.")


def test_the_sentence_tells_of_a_tie() -> None:
    two = tr.evaluate(LABELS, {"b": GOOD, "a": GOOD, "c": POOR}, "RR").sentence
    assert two == "a and b have the same highest RR, 0.7500 over 2 queries."
    three = tr.evaluate(LABELS, {"b": GOOD, "a": GOOD, "c": GOOD}, "RR").sentence
    assert three == "a and 2 others have the same highest RR, 0.7500 over 2 queries."


def test_the_sentence_crowns_no_run_when_none_has_a_figure() -> None:
    nothing = {"q1": {"x": 1.0}}
    sentence = tr.evaluate(LABELS, {"a": nothing, "b": nothing}, "ESL").sentence
    assert "lowest" not in sentence
    assert "–" not in sentence


def test_the_sentence_tells_no_lead_over_a_run_without_a_figure() -> None:
    sentence = tr.evaluate(LABELS, {"a": {"q1": {"x": 1.0}}, "poor": POOR}, "ESL").sentence
    assert "poor" in sentence
    assert "–" not in sentence


def test_the_table_shows_four_decimals_whole_sums_and_a_dash_for_nothing() -> None:
    table = tr.evaluate(LABELS, {"good": GOOD, "nothing": {"q1": {"x": 1.0}}}, ["RR", "ESL", "NumRet"]).table
    assert table.header == ("run", "RR", "ESL", "NumRet")
    assert table.rows == (("good", "0.7500", "1.5000", "4"), ("nothing", "0.0000", "–", "1"))
    assert table.numeric == {1, 2, 3}


def test_the_text_begins_with_the_sentence_and_ends_with_the_notes(evaluation: tr.Evaluation) -> None:
    text = str(evaluation)
    assert text.startswith(evaluation.sentence + "\n\nrun ")
    assert text.endswith("\n".join(evaluation.notes))


def test_the_table_per_query_has_a_row_for_each_value(evaluation: tr.Evaluation) -> None:
    table = evaluation.by_query().table
    assert table.header == ("run", "measure", "query_id", "value")
    assert table.rows[0] == ("poor", "RR", "q1", "0.3333")
    assert len(table.rows) == 11
    assert evaluation.by_query().sentence == evaluation.sentence
    assert evaluation.by_query().notes == evaluation.notes


def test_html_escapes_every_text() -> None:
    evil = "<script>alert('1')</script>"
    runs = {evil: GOOD | {"unknown": {"a": 1.0}}, "b & <b>": POOR}
    html = tr.evaluate(LABELS, runs, "RR")._repr_html_()
    assert "<script" not in html
    assert "<b>" not in html
    assert html.count("&lt;script&gt;alert(&#x27;1&#x27;)&lt;/script&gt;") == 3  # sentence, table, note
    assert "b &amp; &lt;b&gt;" in html


def test_html_has_the_table_and_marks_its_numbers(evaluation: tr.Evaluation) -> None:
    html = evaluation._repr_html_()
    assert '<p class="finding">good has the highest RR' in html
    assert '<tr><th scope="row">good</th><td class="num">0.7500</td>' in html
    assert "<li>" in html


def test_notes_say_how_far_ties_alone_could_move_each_mean() -> None:
    tied = {"q1": {"a": 1.0, "x": 1.0}, "q2": {"b": 1.0}}
    evaluation = tr.evaluate(LABELS, {"tied": tied}, ["RR", "NumRet"])
    # a stands at 1 or 2: RR (1/2 + 1) / 2 to (1 + 1) / 2
    assert "Ties alone could move tied's RR from 0.7500 to 1.0000." in evaluation.notes
    assert sum("Ties" in note for note in evaluation.notes) == 1  # nothing could move NumRet


def test_the_note_on_ties_names_the_widest_and_counts_all() -> None:
    tied = {"q1": {"a": 1.0, "x": 1.0, "y": 1.0}, "q2": {"b": 1.0}}
    evaluation = tr.evaluate(LABELS, {"tied": tied}, ["RR", "AP", "P@1", "Success@1", "nDCG"])
    # Success@1 and P@1 move by 1/2, RR and AP by 1/3, nDCG by 1/4
    assert [note for note in evaluation.notes if "Ties" in note] == [
        "Ties alone could move 5 figures, most of all tied's P@1 from 0.5000 to 1.0000; JSON output lists them all."
    ]


def test_ties_that_move_nothing_a_reader_sees_are_not_told() -> None:
    # Found at rank 30,000 or 30,001: RR 0.0000333 to 0.0000333 over one query.
    docs = {f"d{number:05}": float(-number) for number in range(1, 30_000)} | {"x": -30_000.0, "y": -30_000.0}
    found = tr.evaluate({"q": {"x": 1}}, {"deep": {"q": docs}}, "RR")
    assert found.scores[0].tie_low is not None
    assert found.scores[0].tie_low < found.scores[0].value + 1e-9 < 1e-4
    assert found.scores[0].tie_low != found.scores[0].tie_high
    assert not [note for note in found.notes if "Ties" in note]


def test_what_is_true_of_many_runs_is_said_once() -> None:
    missing = {"q1": {"a": 1.0}}
    notes = tr.evaluate(LABELS, {f"r{number}": missing for number in range(9)}, "RR").notes
    assert [note for note in notes if "missing." in note] == []
    assert "1 labelled query missing in 9 runs." in notes


def test_it_says_briefly_what_it_holds(evaluation: tr.Evaluation) -> None:
    assert repr(evaluation) == "Evaluation(2 runs, 3 measures, 2 queries)"
    alone = tr.evaluate({"q1": {"a": 1}}, {"mine": {"q1": {"a": 1.0}}}, "RR")
    assert repr(alone) == "Evaluation(1 run, 1 measure, 1 query)"


def test_what_it_holds_cannot_be_changed(evaluation: tr.Evaluation) -> None:
    with pytest.raises(AttributeError):
        evaluation.runs = ()  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        evaluation.first_ranks().values[0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        evaluation.score_table("RR").values[0, 0] = 1


@pytest.mark.parametrize("cutoff", [0, -1, 1.5])
def test_a_cutoff_of_first_ranks_is_a_whole_number_from_one(evaluation: tr.Evaluation, cutoff: float) -> None:
    with pytest.raises(tr.InputError, match="cutoff: found"):
        evaluation.first_ranks(cutoff)


def test_a_run_read_from_a_file_is_held_to_the_policy_of_the_evaluation(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_text("q1 Q0 a 1 16777217 t\nq1 Q0 b 2 16777216 t\n")  # the same as 32-bit numbers
    labels, run = {"q1": {"a": 1}}, tr.read_run(path)
    for given in (run, path):
        assert tr.evaluate(labels, given, "RR").value("a", "RR") == 1.0
        assert tr.evaluate(labels, given, "RR", float32_ties=True).value("a", "RR") == 0.5


def test_a_grade_too_large_for_an_exponential_gain_is_refused() -> None:
    with pytest.raises(tr.MeasureError, match="Found grade 2000; expected at most 500"):
        tr.evaluate({"q1": {"a": 2000}}, {"q1": {"a": 1.0}}, "nDCG(dcg='exp-log2')@10")


def test_something_that_is_no_name_is_no_measure() -> None:
    with pytest.raises(tr.MeasureError, match="Found 5 as a measure"):
        tr.evaluate({"q1": {"a": 1}}, {"q1": {"a": 1.0}}, ["RR", 5])
