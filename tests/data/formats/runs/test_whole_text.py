"""A whole run is read alike by the scanner and by Polars, down to any depth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.data.formats.runs.test_compiled import QRELS, a_text

from toprung.data.formats.runs import compiled, table_reader
from toprung.data.formats.runs.line_parser import Layout
from toprung.data.formats.runs.text import RunText
from toprung.data.formats.runs.whole_text import read_and_place_text, read_text
from toprung.data.run import Run
from toprung.errors import ToprungError


@pytest.fixture(autouse=True)
def _needs_scanner(scanner: object) -> None:
    """Nothing here says anything without the scanner."""


def facts_of(run: Run) -> dict[str, Any]:
    return {
        "rows": run.to_frame().rows(),
        "queries": run.query_ids,
        "starts": run.starts.tolist(),
        "ranks": run.ranks.tolist(),
        "scores": None if run.scores is None else run.scores.tolist(),
        "tag": run.tag,
        "contradicting": run.n_contradicting_queries,
    }


def outcome_of(read: Callable[[], Run]) -> dict[str, Any] | str:
    try:
        return facts_of(read())
    except ToprungError as error:
        return str(error)


@settings(max_examples=300)
@given(text=a_text())
def test_any_text_is_read_or_refused_alike(text: RunText) -> None:
    assert outcome_of(lambda: read_text(text)) == outcome_of(lambda: table_reader.read_text(text))


@settings(max_examples=100)
@given(text=a_text(), depth=st.integers(1, 5))
def test_a_run_is_cut_alike(text: RunText, depth: int) -> None:
    found = outcome_of(lambda: read_text(text, depth=depth))
    expected = outcome_of(lambda: table_reader.read_text(text, depth=depth))
    for each in (found, expected):
        if isinstance(each, dict):  # whether ranks contradict is told of what is kept, or of all
            each.pop("contradicting")
    assert found == expected


def test_long_and_odd_ids_come_out_as_they_went_in() -> None:
    docs = ["d", "seven77", "eight888", "sixteen-bytes-16", "seventeen-bytes-17", "Zoë" * 50]
    lines = "".join(f"q Q0 {doc} 1 {9 - at} t\n" for at, doc in enumerate(docs))
    run = read_text(RunText(lines.encode(), Layout.TREC, name="run", source="my.run"))
    assert run.doc_ids.to_list() == docs


def test_arrays_that_do_not_fit_are_refused() -> None:
    scanner = compiled._scan
    with pytest.raises(ValueError, match="do not fit together"):
        scanner.read(b"q Q0 d 1 1 t", 6, 9, *(bytearray(8) for _ in range(6)))
    with pytest.raises(MemoryError):
        scanner.read(
            b"q Q0 d 1 1 t", 6, 9, bytearray(0), bytearray(0), bytearray(8), bytearray(9), bytearray(8), bytearray(0)
        )
    with pytest.raises(ValueError, match="the starts do not fit"):
        scanner.texts(bytearray(b"\0" * 8 + b"\x09" + b"\0" * 7), b"12345678")


@settings(max_examples=200)
@given(text=a_text(), depth=st.integers(1, 5))
def test_one_pass_keeps_and_places_what_two_do(text: RunText, depth: int) -> None:
    """Also where 32-bit scores would tie, which puts rows into another order to find out."""
    apart = outcome_of(lambda: read_text(text, depth=depth))
    if isinstance(apart, str):
        assert outcome_of(lambda: read_and_place_text(text, QRELS, depth=depth)[0]) == apart
        return
    run, placed = read_and_place_text(text, QRELS, depth=depth)
    alone = compiled.place_text(replace(text, float32_ties=False), QRELS)
    assert facts_of(run) == apart
    for name in ("rank", "tie_first", "tie_last", "retrieved", "rank_32_bit"):
        found, expected = getattr(placed, name), getattr(alone, name)
        assert (None if found is None else found.tolist()) == (None if expected is None else expected.tolist())
    assert (placed.n_rows, placed.n_unknown_queries) == (alone.n_rows, alone.n_unknown_queries)
    assert placed.n_contradicting_queries == alone.n_contradicting_queries


def test_arrays_of_labels_that_do_not_fit_are_refused() -> None:
    text = RunText(b"q1 Q0 d1 1 2.0 t\n", Layout.TREC, name="a", source="a")
    rows = [bytearray(8), bytearray(4), bytearray(16), bytearray(17), bytearray(16), bytearray(16)]
    with pytest.raises(ValueError, match="do not fit"):
        compiled._scan.read(text.content, 6, 1, *rows, *[b"", b"", b"", b"", b"", *(bytearray() for _ in range(5))])
    with pytest.raises(TypeError):
        compiled._scan.read(text.content, 6, 1, *rows, b"")
