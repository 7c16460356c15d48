"""Scores with a row for each run, measure and query are the same matrix as queries × runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import toprung as tr
from toprung.data.formats.tables.long_scores import to_scores_given
from toprung.data.matrices import ScoreTable

LABELS = {"q1": {"a": 1}, "q2": {"b": 1}}
RUNS = {"=one": {"q1": {"a": 2.0}, "q2": {"x": 2.0}}, "two": {"q1": {"y": 3.0, "a": 2.0}, "q2": {"b": 1.0}}}
LONG = "run,measure,query_id,value\nA,RR,q1,1\nA,RR,q2,0.5\nB,RR,q1,0\nB,RR,q2,0.25\n"
RR = [[1.0, 0.0], [0.5, 0.25]]


def read(folder: Path, text: str, name: str = "scores.csv", **options: str) -> tr.ScoreTable:
    (folder / name).write_text(text)
    return tr.read_scores(folder / name, **options)


@pytest.mark.parametrize("ending", ["csv", "json"])
def test_what_an_evaluation_writes_is_read_as_it_was(tmp_path: Path, ending: str) -> None:
    found = tr.evaluate(LABELS, RUNS, ["RR@10", "R@5"])
    found.by_query().save(tmp_path / f"scores.{ending}")
    table = tr.read_scores(tmp_path / f"scores.{ending}", measure="rr@10")
    assert (table.measure, table.query_ids, table.runs) == ("RR@10", ("q1", "q2"), ("=one", "two"))
    assert table.values.tolist() == [[1.0, 0.5], [0.0, 1.0]]


@pytest.mark.parametrize(
    "header",
    ["run,measure,query_id,value", "name,metric,qid,score", "system,measure,query,value", "run\tmeasure\tqid\tvalue"],
)
def test_columns_may_have_the_names_of_other_tools(tmp_path: Path, header: str) -> None:
    text = header + LONG[LONG.index("\n") :]
    table = read(tmp_path, text.replace(",", "\t") if "\t" in header else text)
    assert (table.measure, table.runs, table.values.tolist()) == ("RR", ("A", "B"), RR)


def test_the_frame_of_ir_measures_is_of_one_run(tmp_path: Path) -> None:
    table = read(tmp_path, "query_id,measure,value\nq1,AP,0.5\nq2,AP,1\n")
    assert (table.measure, table.values.tolist()) == ("AP", [[0.5], [1.0]])


def test_a_line_of_json_is_a_score(tmp_path: Path) -> None:
    table = read(tmp_path, '{"qid": 1, "name": "A", "value": 0.5}\n{"qid": 2, "name": "A", "value": 1}\n', "s.jsonl")
    assert (table.query_ids, table.measure, table.values.tolist()) == (("1", "2"), "score", [[0.5], [1.0]])


def test_a_matrix_is_read_as_before(tmp_path: Path) -> None:
    assert read(tmp_path, "query_id,name,B\nq1,1,0\nq2,0.5,0.25\n").values.tolist() == RR
    assert read(tmp_path, "qid\tA\tB\nq1\t1\t0\nq2\t0.5\t0.25\n").values.tolist() == RR


def test_rows_of_means_are_left_out_and_told(tmp_path: Path) -> None:
    table = read(tmp_path, f"{LONG}A,RR,all,0.75\nB,RR,amean,0.125\n")
    assert table.values.tolist() == RR
    assert table.remarks == ("Left out: 2 rows of means over queries.",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{LONG}A,AP,q1,1\n", r"found scores of RR and AP; expected one measure\. Say which by --measure"),
        (f"{LONG}B,RR,q2,1\n", r"line 6: found query 'q2' of run 'B' twice; expected one score"),
        (LONG.replace("B,RR,q1,0\n", ""), r"found no score for query 'q1' of 'B'; expected one for each query"),
        (LONG.replace("0.25", "much"), r"line 5: found score 'much'; expected a finite number"),
        (LONG.replace("0.25", "nan"), r"line 5: found score 'nan'; expected a finite number"),
        ('{"sentence": "hello"}', r"found 'sentence' in record 1; expected the JSON of"),
        ("[1, 2", r"found text that is not JSON"),
        ("[1, 2]", r"found '1' in record 1"),
        ('[{"qid": {}, "run": "A", "value": 1}]', r"found an id that is no text in record 1"),
        ("run,measure,query_id,value\nA,RR,all,1\n", r"found no scores of queries"),
    ],
)
def test_what_cannot_be_a_matrix_is_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(tr.FormatError, match=said):
        read(tmp_path, text)


def test_a_measure_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(tr.FormatError, match=r"found scores of RR; expected AP among them"):
        read(tmp_path, LONG, measure="AP")


SCORES = {"A": {"q1": 1.0, "q2": 0.5}, "B": {"q1": 0.0, "q2": 0.25}}
WIDE = {"query_id": ["q1", "q2"], "A": [1.0, 0.5], "B": [0.0, 0.25]}
PYTERRIER = {
    "name": ["A", "A", "B", "B"],
    "qid": ["q1", "q2"] * 2,
    "measure": ["RR"] * 4,
    "value": [1.0, 0.5, 0.0, 0.25],
}


@pytest.mark.parametrize(
    "given",
    [
        SCORES,
        pd.DataFrame(SCORES),
        pd.DataFrame(WIDE),
        pl.DataFrame(WIDE),
        pd.DataFrame(PYTERRIER),
        pl.DataFrame(PYTERRIER),
    ],
    ids=["dicts", "index", "pandas", "polars", "long-pandas", "long-polars"],
)
def test_an_analysis_takes_scores_in_any_form(given: object) -> None:
    expected = ScoreTable(query_ids=("q1", "q2"), runs=("A", "B"), values=np.array(RR), measure="RR")
    assert tr.significance(given, measure="RR").to_dict() == tr.significance(expected).to_dict()


def test_an_array_may_have_names_for_its_runs() -> None:
    named = to_scores_given(np.array(RR), ["A", "B"])
    assert (named.runs, named.query_ids, named.values.tolist()) == (("A", "B"), ("1", "2"), RR)
    assert to_scores_given(np.array(RR)).runs == ("run1", "run2")
    assert tr.significance(np.array(RR), ["A", "B"]).to_dict() == tr.significance(named).to_dict()
    with pytest.raises(tr.InputError, match="Found 2 columns of scores and 3 names of runs; expected as many"):
        to_scores_given(np.array(RR), ["A", "B", "C"])


def test_labels_without_runs_are_no_scores() -> None:
    with pytest.raises(
        tr.InputError, match=r"^scores as \{run: \{query: score\}\}: found no score for query 'd1' of 'q2'"
    ):
        tr.significance({"q1": {"d1": 1}, "q2": {"d2": 1}})


QUERY_NAMES = ["query_id", "qid", "query-id", "query", "topic", "topic_id", "q", "Topic_ID", "", "Unnamed: 0", "index"]
IDS = [301, 302]


@pytest.mark.parametrize("name", QUERY_NAMES)
@pytest.mark.parametrize("kind", [pd, pl], ids=["pandas", "polars"])
def test_a_column_that_names_queries_is_no_run(tmp_path: Path, name: str, kind: Any) -> None:
    wide = kind.DataFrame({name: IDS, "A": [1.0, 0.5], "B": [0.0, 0.25]})
    long = kind.DataFrame({name: IDS * 2, "run": ["A", "A", "B", "B"], "value": [1.0, 0.5, 0.0, 0.25]})
    rows = "".join(f"{query},{run},{value}\n" for query, run, value in long.to_numpy().tolist())
    tables = [
        to_scores_given(wide),
        to_scores_given(long),
        read(tmp_path, f"{name},A,B\n301,1,0\n302,0.5,0.25\n"),
        read(tmp_path, f"{name},run,value\n{rows}"),
    ]
    for table in tables:
        assert (table.query_ids, table.runs, table.values.tolist()) == (("301", "302"), ("A", "B"), RR)


def test_the_row_numbers_that_pandas_writes_are_no_run(tmp_path: Path) -> None:
    frame = pd.DataFrame({"qid": IDS, "A": [1.0, 0.5], "B": [0.0, 0.25]})
    frame.to_csv(tmp_path / "wide.csv")
    for table in (tr.read_scores(tmp_path / "wide.csv"), to_scores_given(pd.read_csv(tmp_path / "wide.csv"))):
        assert (table.query_ids, table.runs) == (("301", "302"), ("A", "B"))


@pytest.mark.parametrize("index", ["qid", ["qid", "name"]], ids=["one", "two"])
def test_an_index_that_names_queries_is_a_column(index: str | list[str]) -> None:
    table = to_scores_given(pd.DataFrame(PYTERRIER).set_index(index))
    assert (table.query_ids, table.runs, table.values.tolist()) == (("q1", "q2"), ("A", "B"), RR)


@pytest.mark.parametrize("header", ["A,qid,B", "qid,topic,B"])
def test_a_query_column_among_the_runs_is_refused(tmp_path: Path, header: str) -> None:
    said = f"found column '{header.split(',')[1]}' among the runs; expected one column of queries, as the first"
    rows = [["301", "302", "0.5"], ["302", "303", "1"]]
    with pytest.raises(tr.FormatError, match=said):
        read(tmp_path, "\n".join([header, *map(",".join, rows)]))
    with pytest.raises(tr.FormatError, match=said):
        to_scores_given(pd.DataFrame([[float(cell) for cell in row] for row in rows], columns=header.split(",")))


NUMBERED = {"number": [301, 302, 303], "A": [1.0, 0.5, 0.25], "B": [0.0, 0.25, 1.0]}


def test_a_column_of_ids_with_another_name_is_refused(tmp_path: Path) -> None:
    said = (
        r"found 301 to 303 as scores of 'number', beside scores from 0 to 1; expected scores of runs\. "
        "Call a column of query ids query_id"
    )
    pd.DataFrame(NUMBERED).to_csv(tmp_path / "wide.csv", index=False)
    as_dicts = pd.DataFrame(NUMBERED).to_dict()
    for given in (pd.DataFrame(NUMBERED), pl.DataFrame(NUMBERED), as_dicts):
        with pytest.raises(tr.FormatError, match=said):
            to_scores_given(given)
    with pytest.raises(tr.FormatError, match=said):
        tr.read_scores(tmp_path / "wide.csv")
    with pytest.raises(tr.FormatError, match=said.replace("number", "run1")):
        to_scores_given(pd.DataFrame(NUMBERED).to_numpy())


def test_counts_and_shares_are_no_ids() -> None:
    for a, b in (
        ([3, 5, 4], [2, 7, 1]),
        ([1, 2, 2], [0, 1, 1]),
        ([0.5, 2, 3], [0, 1, 1]),
        ([1.0, 0.0, 0.5], [0, 1, 0]),
    ):
        assert to_scores_given(pd.DataFrame({"A": a, "B": b})).runs == ("A", "B")


@pytest.mark.parametrize("kind", [pd, pl], ids=["pandas", "polars"])
def test_texts_are_no_scores_of_a_frame(kind: Any) -> None:
    with pytest.raises(tr.FormatError, match="of run 'number': found '301'; expected a finite number"):
        to_scores_given(kind.DataFrame({"number": ["301", "302"], "A": [1.0, 0.5]}))


def test_scores_in_memory_are_told_by_query_and_run() -> None:
    said = r"^query '2' of run 'a': found nan; expected a finite number\.$"
    array = np.array([[1.0, 0.5], [np.nan, 0.25]])
    frame = pd.DataFrame(array, columns=["a", "b"], index=[1, 2])
    long = pd.DataFrame({"qid": [1, 2], "run": ["a", "a"], "value": [1.0, np.nan]})
    for given, names in ((array, ["a", "b"]), (frame, None), (long, None)):
        with pytest.raises(tr.FormatError, match=said):
            to_scores_given(given, names)


FORMS = r"Give a matrix of queries × runs, or columns query_id, run, measure, value\."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("model,task,ndcg_at_10\nA,one,0.5\n", f"line 2: found score 'A'; expected a finite number. {FORMS}$"),
        ("qid;A;B\n1;0.5;1\n", f"line 2: found score '1;0.5;1'; .* {FORMS} Commas or tabs part columns"),
        ("map   \t301\t0.5\nP_10  \t301\t0.25\n", f"line 2: found score 'P_10'; .* {FORMS}$"),
    ],
    ids=["names", "semicolons", "trec_eval"],
)
def test_a_table_of_another_form_is_told_which_are_read(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(tr.FormatError, match=said):
        read(tmp_path, text)


def test_a_frame_of_another_form_is_told_which_are_read() -> None:
    with pytest.raises(
        tr.FormatError, match=f"^query '0' of run 'model': found 'A'; expected a finite number. {FORMS}$"
    ):
        to_scores_given(pd.DataFrame({"model": ["A"], "ndcg_at_10": [0.5]}))


def test_two_runs_without_a_column_of_runs_are_told_what_tells_them_apart(tmp_path: Path) -> None:
    with pytest.raises(tr.FormatError, match=r"query '1' of run 'run' twice; .* a column run or name tells runs apart"):
        read(tmp_path, "query_id,measure,value\n1,AP,0.5\n1,AP,1\n")
