"""A packed run is placed while it is unpacked: wherever it is cut, as if it had been read as a whole."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.data.formats.runs.test_compiled import QRELS, Place, a_text, facts_of, outcome_of

from toprung.data.formats import content
from toprung.data.formats.runs import compiled
from toprung.data.formats.runs.files import place_file
from toprung.data.formats.runs.line_parser import Layout
from toprung.data.formats.runs.text import RunText
from toprung.data.formats.runs.top_of_run import TopOfRun
from toprung.data.formats.runs.whole_text import (
    hash_and_place_pieces,
    read_and_place_pieces,
    read_and_place_text,
    read_text,
)
from toprung.data.placement import Placement
from toprung.errors import FormatError


def cut(data: bytes, lines_each: int) -> Iterator[bytes]:
    lines = data.splitlines(keepends=True) if b"\r" not in data else data.split(b"\n")
    if b"\r" in data:
        lines = [line + b"\n" for line in lines[:-1]] + [lines[-1]]
    for start in range(0, len(lines), lines_each):
        yield b"".join(lines[start : start + lines_each])


def is_grouped(text: RunText) -> bool:
    queries = [line.split()[0] for line in bytes(text.content).split(b"\n") if line.split()]
    changes = [query for query, above in zip(queries, [b"", *queries], strict=False) if query != above]
    return len(changes) == len(set(changes))


@settings(max_examples=300)
@given(text=a_text(), lines_each=st.integers(1, 6))
def test_wherever_it_is_cut(scanner: Place, text: RunText, lines_each: int) -> None:
    pieces = cut(bytes(text.content), lines_each)
    placed = compiled.place_pieces(pieces, text.layout, QRELS, name="run", float32_ties=text.float32_ties)
    whole = outcome_of(scanner, text)
    if placed is not None:
        assert facts_of(placed) == whole
    else:
        assert isinstance(whole, str) or not is_grouped(text), "refused for a reason"


@settings(max_examples=300)
@given(text=a_text(), lines_each=st.integers(1, 6), depth=st.integers(1, 5))
def test_its_first_rows_are_kept_wherever_it_is_cut(scanner: Place, text: RunText, lines_each: int, depth: int) -> None:
    pieces = cut(bytes(text.content), lines_each)
    both = read_and_place_pieces(pieces, text.layout, QRELS, name=text.name, depth=depth)
    if both is None:
        assert isinstance(outcome_of(scanner, text), str) or not is_grouped(text), "refused for a reason"
        return
    run, placed = both
    expected, alone = read_and_place_text(text, QRELS, depth=depth)
    assert run.to_frame().equals(expected.to_frame())
    assert (run.name, run.tag, run.n_contradicting_queries) == (
        expected.name,
        expected.tag,
        expected.n_contradicting_queries,
    )
    assert facts_of(placed) == facts_of(alone)


@settings(max_examples=300)
@given(text=a_text(), lines_each=st.integers(1, 6), depth=st.integers(1, 5))
def test_hashes_of_its_first_rows_are_those_of_their_texts(
    scanner: Place, text: RunText, lines_each: int, depth: int
) -> None:
    both = hash_and_place_pieces(cut(bytes(text.content), lines_each), text.layout, QRELS, name=text.name, depth=depth)
    if both is None:
        assert isinstance(outcome_of(scanner, text), str) or not is_grouped(text), "refused for a reason"
        return
    top, placed = both
    run, alone = read_and_place_text(text, QRELS, depth=depth)
    expected = TopOfRun.of(run, depth)
    assert top.query_ids == expected.query_ids
    assert top.lengths.tolist() == expected.lengths.tolist()
    assert top.hashes.tolist() == expected.hashes.tolist()
    assert facts_of(placed) == facts_of(alone)


def test_more_rows_ids_and_bytes_are_kept_than_there_was_room_for_at_first(scanner: Place) -> None:
    lines = b"".join(b"query-%0100d Q0 document-%0100d 1 2.5 tag\n" % (at, at) for at in range(5_000))
    text = RunText(lines, Layout.TREC, name="a", source="a")
    both = read_and_place_pieces(cut(lines, 700), Layout.TREC, QRELS, name="a", depth=3)
    assert both is not None
    assert both[0].to_frame().equals(read_text(text).to_frame())
    hashed = hash_and_place_pieces(cut(lines, 700), Layout.TREC, QRELS, name="a", depth=3)
    assert hashed is not None
    assert hashed[0].hashes.tolist() == TopOfRun.of(both[0], 3).hashes.tolist()


PACK = {"gz": gzip.compress, "zst": zstandard.compress}


@pytest.fixture
def whole_reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The readers of whole texts that were asked."""
    asked: list[str] = []
    place_text = compiled.place_text

    def watched(text: RunText, qrels: object, **options: Any) -> Placement:
        asked.append(text.source)
        return place_text(text, QRELS, **options)

    monkeypatch.setattr(compiled, "place_text", watched)
    return asked


@pytest.mark.parametrize("ending", PACK)
def test_a_packed_file_is_not_held_as_a_whole(
    scanner: Place,
    write: Callable[[str, bytes], Path],
    whole_reads: list[str],
    monkeypatch: pytest.MonkeyPatch,
    ending: str,
) -> None:
    monkeypatch.setattr(content, "UNPACKED_PIECE", 100)
    lines = b"".join(b"q%d Q0 d%d %d %.3f tag\n" % (q, d, d + 1, 9 - d / 8) for q in range(5) for d in range(40))
    plain = place_file(write("a.run", lines), QRELS)
    assert whole_reads
    whole_reads.clear()
    assert facts_of(place_file(write(f"a.run.{ending}", PACK[ending](lines)), QRELS)) == facts_of(plain)
    assert not whole_reads


@pytest.mark.parametrize("ending", PACK)
def test_mixed_queries_and_blank_ends_are_read_as_a_whole(
    scanner: Place, write: Callable[[str, bytes], Path], whole_reads: list[str], ending: str
) -> None:
    mixed = b"q0 Q0 d1 1 3 t\nq1 Q0 d1 1 3 t\nq0 Q0 d2 2 2 t\n\n\n"
    found = place_file(write(f"a.run.{ending}", PACK[ending](mixed)), QRELS)
    assert found.retrieved.tolist() == [2, 1, 0]
    assert len(whole_reads) == 1


def test_a_fault_is_told_with_its_line(scanner: Place, write: Callable[[str, bytes], Path]) -> None:
    lines = b"q0 Q0 d1 1 3 t\nq0 Q0 d2 2 2 t\nq0 Q0 d1 3 1 t\n"
    with pytest.raises(FormatError, match=r"a.run.gz, line 3: found document 'd1' of query 'q0' again"):
        place_file(write("a.run.gz", gzip.compress(lines)), QRELS)


def test_msmarco_lines_in_pieces(scanner: Place) -> None:
    pieces = iter([b"q0\td1\t2\n", b"q0\td2\t7\n"])
    placed = compiled.place_pieces(pieces, Layout.MSMARCO, QRELS, name="run")
    assert placed is not None
    assert placed.rank.tolist()[:3] == [0, 2, 7]
