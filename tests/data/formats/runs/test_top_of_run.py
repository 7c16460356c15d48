"""The first documents of a run as hashes."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from toprung.data.formats.runs.files import hash_and_place
from toprung.data.formats.runs.top_of_run import TopOfRun
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import InputError

RUN = Run.from_dict({"q2": {"a": 3.0, "b": 2.0, "c": 1.0}, "q1": {"b": 1.0}})


@pytest.fixture(params=["on", "off"], autouse=True)
def scanner(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOPRUNG_SCANNER", request.param)


def test_queries_come_in_the_order_of_their_letters() -> None:
    top = TopOfRun.of(RUN, 2)
    assert top.query_ids == ("q1", "q2")
    assert top.lengths.tolist() == [1, 2]
    assert top.hashes[0, 0] == top.hashes[1, 1]
    assert top.hashes[0, 0] != top.hashes[0, 1]


def test_where_all_queries_are_as_long_as_asked_for_it_is_the_same() -> None:
    other = Run.from_dict({"q1": {"b": 3.0, "x": 2.0}, "q2": {"a": 9.0, "b": 2.0}})
    top, cut = TopOfRun.of(other, 2), TopOfRun.of(RUN, 2)
    assert top.hashes[:, 1].tolist() == cut.hashes[:, 1].tolist()
    assert top.lengths.tolist() == [2, 2]


def test_fewer_documents_can_be_taken_of_what_was_kept() -> None:
    deep, shallow = TopOfRun.of(RUN, 3).to_depth(1), TopOfRun.of(RUN, 1)
    assert deep.hashes.tolist() == shallow.hashes.tolist()
    assert deep.lengths.tolist() == shallow.lengths.tolist() == [1, 1]


def test_more_documents_than_were_kept_are_refused() -> None:
    with pytest.raises(InputError, match="depth: found 4; expected 1 to 3, the documents that were kept"):
        TopOfRun.of(RUN, 3).to_depth(4)


def test_runs_of_the_same_queries_share_their_ids(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOPRUNG_SCANNER", "on")
    paths = [tmp_path / f"{name}.gz" for name in "ab"]
    for path in paths:
        path.write_bytes(gzip.compress(b"q2 Q0 z 1 1 t\nq1 Q0 x 1 2 t\n"))
    qrels = Qrels.from_dict({"q1": {"x": 1}})
    (one, _), (other, _) = (hash_and_place(path, qrels, depth=3) for path in paths)
    assert one.query_ids is other.query_ids
