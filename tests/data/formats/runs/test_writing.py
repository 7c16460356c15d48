"""Runs written to files, whole or not at all."""

from __future__ import annotations

import bz2
import gzip
import os
from collections.abc import Callable
from pathlib import Path
from typing import IO

import polars as pl
import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toprung.data.formats.runs.files import read_run, write_run
from toprung.data.formats.runs.writing import replacing
from toprung.data.run import Run
from toprung.errors import InputError

Write = Callable[[str, str | bytes], Path]

TREC = "q2 Q0 b 1 0.5 tag\nq2 Q0 a 2 0.25 tag\nq1 Q0 a 1 -0.3 tag\n"
MSMARCO = "q2\tb\t2\nq2\ta\t7\nq1\ta\t1\n"
UNPACKERS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.decompress,
    ".bz2": bz2.decompress,
    ".zst": lambda data: zstandard.ZstdDecompressor().decompressobj().decompress(data),
}
however_packed = pytest.mark.parametrize("ending", UNPACKERS)


@however_packed
def test_a_trec_run_is_written_as_it_was_read(write: Write, tmp_path: Path, ending: str) -> None:
    run = read_run(write("in.run", TREC))
    path = tmp_path / f"out.run{ending}"
    write_run(run, path)
    assert UNPACKERS[ending](path.read_bytes()).decode() == TREC


@however_packed
def test_an_msmarco_run_is_written_as_it_was_read(write: Write, tmp_path: Path, ending: str) -> None:
    run = read_run(write("in.tsv", MSMARCO))
    path = tmp_path / f"out.tsv{ending}"
    write_run(run, path)
    assert UNPACKERS[ending](path.read_bytes()).decode() == MSMARCO


@pytest.mark.parametrize("name", ["out.run", "out.txt.gz", "out.bz2", "out.trec.zst", "out.parquet"])
def test_reading_what_was_written_gives_the_same_frame(write: Write, tmp_path: Path, name: str) -> None:
    run = read_run(write("in.run", TREC))
    write_run(run, tmp_path / name)
    again = read_run(tmp_path / name)
    assert again.to_frame().equals(run.to_frame())
    assert again.name == "out"


@pytest.mark.parametrize("name", ["out.tsv", "out.tsv.gz", "out.parquet"])
def test_ranks_with_gaps_survive_being_written(write: Write, tmp_path: Path, name: str) -> None:
    run = read_run(write("in.tsv", MSMARCO))
    write_run(run, tmp_path / name)
    assert read_run(tmp_path / name).to_frame().equals(run.to_frame())


def test_a_scored_run_written_as_msmarco_keeps_its_order(write: Write, tmp_path: Path) -> None:
    write_run(read_run(write("in.run", TREC)), tmp_path / "out.tsv")
    assert (tmp_path / "out.tsv").read_text() == "q2\tb\t1\nq2\ta\t2\nq1\ta\t1\n"


def test_a_run_without_scores_is_written_with_one_over_rank(write: Write, tmp_path: Path) -> None:
    write_run(read_run(write("in.tsv", "q1\ta\t4\nq1\tb\t2\n")), tmp_path / "out.run")
    assert (tmp_path / "out.run").read_text() == "q1 Q0 b 2 0.5 in\nq1 Q0 a 4 0.25 in\n"


def test_a_named_format_wins_over_the_ending(write: Write, tmp_path: Path) -> None:
    run = read_run(write("in.run", TREC))
    write_run(run, tmp_path / "out.parquet", format="trec")
    assert (tmp_path / "out.parquet").read_text() == TREC
    write_run(run, tmp_path / "out.run", format="parquet")
    assert pl.read_parquet(tmp_path / "out.run").equals(run.to_frame())


def test_a_run_without_a_tag_is_tagged_with_its_name(tmp_path: Path) -> None:
    write_run(Run.from_dict({"q1": {"a": 1.0}}, name="my best\trun"), tmp_path / "out.run")
    assert (tmp_path / "out.run").read_text() == "q1 Q0 a 1 1.0 my_best_run\n"


def test_only_the_top_is_written_of_a_run_that_was_cut(write: Write, tmp_path: Path) -> None:
    write_run(read_run(write("in.run", TREC)).top(1), tmp_path / "out.run")
    assert (tmp_path / "out.run").read_text() == "q2 Q0 b 1 0.5 tag\nq1 Q0 a 1 -0.3 tag\n"


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    scores=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=8),
    name=st.sampled_from(["out.run", "out.parquet"]),
)
def test_scores_keep_their_full_precision(tmp_path: Path, scores: list[float], name: str) -> None:
    run = Run.from_dict({"q1": {f"d{i}": score for i, score in enumerate(scores)}})
    write_run(run, tmp_path / name)
    assert read_run(tmp_path / name).to_dict() == run.to_dict()


@pytest.mark.parametrize("doc_id", ["a b", "a\tb", "a\nb", "", " ", "a\x00b"])
@pytest.mark.parametrize("name", ["out.run", "out.tsv"])
def test_an_id_that_no_text_can_hold_is_never_written(tmp_path: Path, doc_id: str, name: str) -> None:
    with pytest.raises(InputError):
        write_run(Run.from_dict({"q1": {doc_id: 1.0}}), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_packed_parquet_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        write_run(Run.from_dict({"q1": {"a": 1.0}}), tmp_path / "out.parquet.gz")
    assert str(caught.value) == ("Found .gz on a Parquet file; Parquet is compressed already: leave it out.")
    assert not list(tmp_path.iterdir())


def test_a_failed_write_keeps_the_old_file_and_leaves_no_half_one(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write("out.run", "the old content")

    def fail_half_way(frame: pl.DataFrame, file: IO[bytes], **options: object) -> None:
        file.write(b"q1 Q0 half")
        raise OSError("No space left on device")

    monkeypatch.setattr(pl.DataFrame, "write_csv", fail_half_way)
    with pytest.raises(OSError, match="No space left"):
        write_run(Run.from_dict({"q1": {"a": 1.0}}), path)
    assert path.read_text() == "the old content"
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_takes_the_place_of_the_old_one_only_at_the_end(write: Write, tmp_path: Path) -> None:
    path = write("out.run", "old")
    with replacing(path) as partial:
        partial.write_text("new")
        assert path.read_text() == "old"
        assert partial.parent == path.parent, "so that it can be moved in one step"
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_and_what_it_leads_to_is_replaced(write: Write, tmp_path: Path) -> None:
    path, link = write("out.run", "old"), tmp_path / "link.run"
    link.symlink_to(path)
    with replacing(link) as partial:
        partial.write_text("new")
    assert link.is_symlink()
    assert path.read_text() == "new"
    assert sorted(tmp_path.iterdir()) == [link, path]


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)  # it waits for no writer
    write_run(Run.from_dict({"q1": {"a": 1.0}}), pipe)
    assert os.read(reader, 1000) == b"q1 Q0 a 1 1.0 run\n"
    os.close(reader)
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_folder_that_is_not_there_is_the_system_s_own_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_run(Run.from_dict({"q1": {"a": 1.0}}), tmp_path / "nowhere" / "out.run")
