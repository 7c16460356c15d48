"""The first documents of every run, read ahead or when asked for."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from toprung.boards.similarity import Similarity, compare_tops
from toprung.data.formats.runs.top_of_run import TopOfRun
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import FormatError
from toprung.report.overview.tops import Top, keep_top, read_ahead
from toprung.scoring.inputs import NamedRun, Reading, to_named_runs
from toprung.workers import Workers

RUN = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"a": 1.0}}
both_ways = pytest.mark.parametrize("count", [1, 3])


def named(*runs: Run | str) -> list[NamedRun]:
    return to_named_runs(list(runs), Reading())


def texts_of(tops: dict[str, Top]) -> dict[str, Run]:
    return {name: top for name, top in tops.items() if isinstance(top, Run)}


def first_documents(run: Run) -> list[tuple[str, str]]:
    return [(row[0], row[1]) for row in run.to_frame().rows()]


@both_ways
def test_files_and_runs_are_cut_to_their_first_ranks(tmp_path: Path, count: int) -> None:
    path = tmp_path / "file.run"
    path.write_text("q1 Q0 x 1 2 t\nq1 Q0 y 2 1 t\n")
    runs = named(str(path), Run.from_dict(RUN, name="held"))
    with read_ahead(runs, tops={}, with_ids=True, depth=1, workers=Workers(count=count)) as top_lists:
        found = texts_of(top_lists())
    assert list(found) == ["file", "held"]
    assert first_documents(found["file"]) == [("q1", "x")]
    assert first_documents(found["held"]) == [("q1", "a"), ("q2", "a")]


@both_ways
def test_each_run_is_read_once_and_told_of_once(count: int) -> None:
    read, told = [], []

    def load() -> Run:
        read.append("x")
        return Run.from_dict(RUN, name="x")

    (one,) = named(Run.from_dict(RUN, name="x"))
    run = NamedRun("x", place=one.place, load=load)
    with read_ahead(
        [run], tops={}, with_ids=True, depth=1, workers=Workers(count=count), on_progress=told.append
    ) as top_lists:
        assert top_lists() is top_lists()
    assert read == ["x"]
    assert told == ["top of x"]


@both_ways
def test_a_faulty_file_is_refused_when_it_is_asked_for(tmp_path: Path, count: int) -> None:
    path = tmp_path / "bad.run"
    path.write_text("q1 Q0 x\n")
    with (
        read_ahead(named(str(path)), tops={}, with_ids=True, depth=1, workers=Workers(count=count)) as top_lists,
        pytest.raises(FormatError, match=r"bad\.run"),
    ):
        top_lists()


def test_with_one_worker_nothing_is_read_unless_asked_for(tmp_path: Path) -> None:
    with read_ahead(named(str(tmp_path / "missing.run")), tops={}, with_ids=True, depth=1, workers=Workers(count=1)):
        pass


@both_ways
def test_what_is_kept_while_placing_is_not_read_again(tmp_path: Path, count: int) -> None:
    path = tmp_path / "file.run"
    path.write_text("q2 Q0 z 1 1 t\nq1 Q0 x 1 2 t\nq1 Q0 y 2 1 t\n")
    tops: dict[str, Top] = {}
    (run,) = (keep_top(each, tops, with_ids=True, depth=1) for each in named(str(path)))
    assert run.place(Qrels.from_dict({"q1": {"y": 1}})).rank.tolist() == [2]
    path.unlink()
    with read_ahead([run], tops=tops, with_ids=True, workers=Workers(count=count)) as top_lists:
        assert first_documents(texts_of(top_lists())["file"]) == [("q2", "z"), ("q1", "x")]


@both_ways
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_what_is_only_compared_is_the_same_however_it_was_come_by(
    tmp_path: Path, count: int, pack: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "file.run"
    path.write_bytes(pack(b"q2 Q0 z 1 1 t\nq1 Q0 x 1 2 t\nq1 Q0 y 2 1 t\n"))
    tops: dict[str, Top] = {}
    (kept,) = (keep_top(each, tops, with_ids=False) for each in named(str(path)))
    held = named(Run.from_dict({"q1": {"x": 2.0, "y": 1.0}, "q2": {"z": 1.0}}))
    assert kept.place(Qrels.from_dict({"q1": {"y": 1}})).rank.tolist() == [2]
    path.unlink()
    with read_ahead([kept, *held], tops=tops, with_ids=False, workers=Workers(count=count)) as top_lists:
        a, b = top_lists().values()
    assert isinstance(a, TopOfRun)
    assert isinstance(b, TopOfRun)
    assert compare_tops(a, b) == Similarity(rbo=1.0, identical=1.0, n_queries=2)
