from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

import toprung as tr
from toprung.scoring.inputs import Reading, to_named_runs, to_qrels

# b stands first with 2, then a with 1: RR is 1/2 for the label a.
LABELS = {"q1": {"a": 1}}
AS_DICT = {"q1": {"a": 1.0, "b": 2.0}}
AS_TEXT = "q1 Q0 b 1 2.0 the-tag\nq1 Q0 a 2 1.0 the-tag\n"


def names(runs: Any, **options: str) -> list[str]:
    return [run.name for run in to_named_runs(runs, Reading(), **options)]


def file(path: Path, text: str = AS_TEXT) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def as_polars() -> pl.DataFrame:
    return pl.DataFrame({"query_id": ["q1", "q1"], "doc_id": ["a", "b"], "score": [1.0, 2.0]})


def as_pandas() -> pd.DataFrame:
    return pd.DataFrame({"qid": ["q1", "q1"], "docno": ["a", "b"], "score": [1.0, 2.0]})


def one_run(kind: str, tmp_path: Path) -> Any:
    return {
        "path": lambda: file(tmp_path / "x.run"),
        "text of a path": lambda: str(file(tmp_path / "x.run")),
        "Run": lambda: tr.Run.from_dict(AS_DICT, name="held"),
        "dict": lambda: AS_DICT,
        "Polars frame": as_polars,
        "pandas frame": as_pandas,
    }[kind]()


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("path", "x"),
        ("text of a path", "x"),
        ("Run", "held"),
        ("dict", "run1"),
        ("Polars frame", "run1"),
        ("pandas frame", "run1"),
    ],
)
def test_a_run_may_come_in_any_shape_alone_in_a_list_or_under_a_name(tmp_path: Path, kind: str, name: str) -> None:
    run = one_run(kind, tmp_path)
    assert tr.evaluate(LABELS, run, "RR").value(name, "RR") == 0.5
    assert tr.evaluate(LABELS, [run], "RR").value(name, "RR") == 0.5
    assert tr.evaluate(LABELS, {"mine": run}, "RR").value("mine", "RR") == 0.5


def test_runs_of_all_shapes_may_stand_in_one_list(tmp_path: Path) -> None:
    runs = [one_run(kind, tmp_path) for kind in ("Run", "dict", "path", "Polars frame", "pandas frame")]
    evaluation = tr.evaluate(LABELS, (run for run in runs), "RR")
    assert {score.run: score.value for score in evaluation.scores} == {
        "held": 0.5,
        "run2": 0.5,
        "x": 0.5,
        "run4": 0.5,
        "run5": 0.5,
    }


@pytest.mark.parametrize(
    "labels",
    [
        LABELS,
        tr.Qrels.from_dict(LABELS),
        pl.DataFrame({"query_id": ["q1"], "doc_id": ["a"], "grade": [1]}),
        pd.DataFrame({"qid": ["q1"], "docno": ["a"], "label": [1]}),
    ],
    ids=["dict", "Qrels", "Polars frame", "pandas frame"],
)
def test_labels_may_come_in_any_shape(labels: Any) -> None:
    assert to_qrels(labels).to_dict() == LABELS


def test_labels_may_come_from_a_file(tmp_path: Path) -> None:
    path = file(tmp_path / "qrels.txt", "q1 0 a 1\n")
    assert to_qrels(path).to_dict() == to_qrels(str(path)).to_dict() == LABELS


def test_labels_of_no_known_shape_are_refused() -> None:
    with pytest.raises(tr.InputError, match="Found labels of type int; expected a file, Qrels, a dict or a frame"):
        to_qrels(3)


@pytest.mark.parametrize("runs", [3, [3], {"a": 3}, [None]])
def test_a_run_of_no_known_shape_is_refused(runs: Any) -> None:
    with pytest.raises(tr.InputError, match=r"Found a run of type \w+; expected a file, a Run, a dict or a frame"):
        to_named_runs(runs, Reading())


@pytest.mark.parametrize("runs", [[], (), {}], ids=["list", "tuple", "dict"])
def test_no_run_at_all_is_refused(runs: Any) -> None:
    with pytest.raises(tr.InputError, match="Found no run; expected at least one"):
        tr.evaluate(LABELS, runs, "RR")


def test_a_file_names_its_run_without_the_usual_endings(tmp_path: Path) -> None:
    packed = tmp_path / "b.trec.gz"
    packed.write_bytes(gzip.compress(AS_TEXT.encode()))
    assert names([file(tmp_path / "a.run"), packed, file(tmp_path / "c.d.txt"), file(tmp_path / "e")]) == [
        "a",
        "b",
        "c.d",
        "e",
    ]


def test_files_of_the_same_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    paths = [
        file(tmp_path / "2020" / "bm25.run"),
        file(tmp_path / "2021" / "bm25.run"),
        file(tmp_path / "2021" / "other.run"),
    ]
    assert names(paths) == ["2020/bm25", "2021/bm25", "other"]


def test_as_many_folders_are_named_as_it_takes(tmp_path: Path) -> None:
    paths = [file(tmp_path / "x" / "same" / "bm25.run"), file(tmp_path / "y" / "same" / "bm25.run")]
    assert names(paths) == ["x/same/bm25", "y/same/bm25"]


def test_the_same_file_twice_is_refused(tmp_path: Path) -> None:
    path = file(tmp_path / "bm25.run")
    with pytest.raises(tr.InputError, match=r"Found two runs called '.*bm25'; expected a name of its own for each"):
        to_named_runs([path, path], Reading())


def test_two_runs_of_one_name_are_refused() -> None:
    run = tr.Run.from_dict(AS_DICT, name="same")
    with pytest.raises(tr.InputError, match="Found two runs called 'same'; expected a name of its own for each"):
        to_named_runs([run, run], Reading())


def test_names_that_become_the_same_text_are_refused() -> None:
    with pytest.raises(tr.InputError, match="Found two runs called '1'"):
        to_named_runs({1: AS_DICT, "1": AS_DICT}, Reading())


def test_the_tag_may_name_the_run(tmp_path: Path) -> None:
    assert names([file(tmp_path / "x.run")], name_from="tag") == ["the-tag"]


def test_the_tag_of_a_compressed_run_may_name_it(tmp_path: Path) -> None:
    packed = tmp_path / "x.gz"
    packed.write_bytes(gzip.compress(AS_TEXT.encode()))
    assert names([packed], name_from="tag") == ["the-tag"]


def test_two_files_with_one_tag_are_refused(tmp_path: Path) -> None:
    paths = [file(tmp_path / "x.run"), file(tmp_path / "y.run")]
    with pytest.raises(tr.InputError, match="Found two runs called 'the-tag'"):
        names(paths, name_from="tag")


def test_a_run_without_tags_cannot_be_named_by_its_tag(tmp_path: Path) -> None:
    path = file(tmp_path / "x.tsv", "q1\ta\t1\n")
    with pytest.raises(tr.InputError, match=r"x\.tsv: found no tag column; names from the tag need a TREC run"):
        names([path], name_from="tag")


def test_a_word_that_name_from_does_not_know_is_refused(tmp_path: Path) -> None:
    with pytest.raises(tr.InputError, match="name_from"):
        tr.evaluate(LABELS, file(tmp_path / "x.run"), "RR", name_from="folder")  # type: ignore[arg-type]
