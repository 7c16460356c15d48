"""``irds:DATASET``, with datasets registered from local files: nothing is downloaded."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toprung.data.formats.irds import read_irds_qrels, read_irds_run
from toprung.data.formats.qrels_files import read_qrels
from toprung.data.formats.runs.files import place_file, read_run
from toprung.data.qrels import Qrels
from toprung.errors import FormatError, InputError, MissingPackageError

Register = Callable[..., str]


class LocalFile:
    """What ir_datasets asks of a download, for a file that is already here."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def stream(self) -> Any:
        return self._path.open("rb")

    def path(self) -> str:
        return str(self._path)


@pytest.fixture
def register(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Register:
    """Register a dataset of literal labels and scored documents; gives its ``irds:`` name."""
    ir_datasets = pytest.importorskip("ir_datasets", reason="ir_datasets IS NOT TESTED: it is not installed")
    from ir_datasets.datasets.base import Dataset
    from ir_datasets.formats import TrecQrels, TrecScoredDocs

    def local(name: str, text: str) -> LocalFile:
        path = tmp_path / name
        path.write_text(text)
        return LocalFile(path)

    def add(*, qrels: str | None = None, scoreddocs: str | None = None) -> str:
        parts = []
        if qrels is not None:
            parts.append(TrecQrels(local("qrels", qrels), {0: "not relevant", 1: "relevant"}))
        if scoreddocs is not None:
            parts.append(TrecScoredDocs(local("scoreddocs", scoreddocs)))
        monkeypatch.setitem(ir_datasets.registry._registered, "toy/dev", Dataset(*parts))
        return "irds:toy/dev"

    return add


def test_the_labels_of_a_dataset_are_read(register: Register) -> None:
    source = register(qrels="q2 0 d9 1\nq1 0 d1 0\nq2 0 d3 -2\n")
    qrels = read_qrels(source)
    assert qrels.to_dict() == {"q2": {"d9": 1, "d3": -2}, "q1": {"d1": 0}}
    assert qrels.source == "irds:toy/dev"


def test_the_ranking_of_a_dataset_is_read(register: Register) -> None:
    source = register(scoreddocs="q1 Q0 a 1 0.25 t\nq1 Q0 b 2 0.5 t\n")
    run = read_run(source)
    assert run.name == "toy/dev"
    assert run.to_frame().rows() == [("q1", "b", 1, 0.5), ("q1", "a", 2, 0.25)]
    assert read_run(source, name="first stage").name == "first stage"


def test_documents_are_placed_in_the_ranking_of_a_dataset(register: Register) -> None:
    source = register(scoreddocs="q1 Q0 a 1 0.25 t\nq1 Q0 b 2 0.5 t\n")
    placed = place_file(source, Qrels.from_dict({"q1": {"a": 1, "c": 1}}))
    assert placed.rank.tolist() == [2, 0]


def test_scores_equal_only_in_32_bits_tie_when_asked_to(register: Register) -> None:
    source = register(scoreddocs="q1 Q0 a 1 0.100000001 t\nq1 Q0 b 2 0.1 t\n")
    qrels = Qrels.from_dict({"q1": {"a": 1, "b": 1}})
    assert place_file(source, qrels, float32_ties=True).rank.tolist() == [2, 1]
    assert read_run(source).to_ordered(float32_ties=True).frame["doc_id"].to_list() == ["b", "a"]


def test_a_dataset_without_labels_is_refused(register: Register) -> None:
    source = register(scoreddocs="q1 Q0 a 1 0.5 t\n")
    with pytest.raises(InputError) as caught:
        read_qrels(source)
    assert str(caught.value) == (
        "irds:toy/dev: found a dataset without labels; expected one with qrels, such as irds:vaswani."
    )


def test_a_dataset_without_a_ranking_is_refused(register: Register) -> None:
    source = register(qrels="q1 0 d1 1\n")
    with pytest.raises(InputError) as caught:
        read_run(source)
    assert str(caught.value) == (
        "irds:toy/dev: found a dataset without scored documents; expected one with a ranking to re-rank."
    )


def test_a_document_judged_twice_in_a_dataset_is_refused(register: Register) -> None:
    source = register(qrels="q1 0 d1 1\nq1 0 d1 0\n")
    with pytest.raises(FormatError, match="irds:toy/dev: found document 'd1' of query 'q1' twice"):
        read_qrels(source)


def test_an_unknown_dataset_is_refused_by_name() -> None:
    pytest.importorskip("ir_datasets", reason="ir_datasets IS NOT TESTED: it is not installed")
    for read in (read_qrels, read_run):
        with pytest.raises(InputError) as caught:
            read("irds:no-such-dataset")
        assert str(caught.value) == (
            "Found no dataset 'no-such-dataset' in ir_datasets; its catalogue lists the names it knows."
        )


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    for read in (read_irds_qrels, lambda source: read_irds_run(source, name=None)):
        with pytest.raises(MissingPackageError) as caught:
            read("irds:vaswani")
        assert str(caught.value) == (
            "irds:vaswani needs the package ir_datasets, which is not installed. Install toprung[ir-measures], "
            "or give a file."
        )


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (RuntimeError("All download sources failed", []), "no source of it could be reached"),
        (ConnectionError("no route"), "no source of it could be reached"),
        (OSError("disk " * 99), f"OSError: {'disk ' * 37}disk …"),
    ],
)
def test_what_cannot_be_downloaded_is_said_in_a_sentence(
    fault: Exception, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ir_datasets = pytest.importorskip("ir_datasets")

    def load(_name: str) -> object:
        ir_datasets.log.easy().info("download error: HTTPConnectionPool(host=")
        raise fault

    monkeypatch.setattr(ir_datasets, "load", load)
    with pytest.raises(InputError) as told:
        read_irds_qrels("irds:far/away")
    assert capsys.readouterr().err == ""
    assert str(told.value) == (
        f"irds:far/away: ir_datasets could not read it ({said}). Is there a network? Else give a file."
    )
