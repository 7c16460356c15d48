"""A run that several threads read says what it says to one."""

from __future__ import annotations

import random

import pytest
from tests.data.formats.runs.test_compiled import QRELS, facts_of
from tests.fuzz.run_lines import make_run

from toprung.data.formats.runs import compiled, parts
from toprung.data.formats.runs.line_parser import Layout
from toprung.data.formats.runs.parts import cut, end_of_query
from toprung.data.formats.runs.text import RunText
from toprung.errors import ToprungError


@pytest.fixture(autouse=True)
def _cuts_small_texts(scanner: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "LEAST_BYTES", 1)


def outcome_of(content: bytes, threads: int) -> object:
    layout = Layout.TREC if b"Q0" in content else Layout.MSMARCO
    try:
        return facts_of(compiled.place_text(RunText(content, layout, name="run", source="run"), QRELS, threads=threads))
    except ToprungError as error:
        return str(error)


def grouped(n_queries: int, *, step: int = 1) -> list[bytes]:
    """Six lines of each query."""
    queries = range(n_queries)
    return [b"q%d Q0 d%d %d %d.5 t\n" % (query, doc * step % 7, doc, 9 - doc) for query in queries for doc in range(6)]


@pytest.mark.parametrize("threads", [2, 3, 8, 1000])
def test_however_many_threads_the_placement_is_the_same(threads: int) -> None:
    content = b"".join(grouped(20))
    assert compiled.place_parts(RunText(content, Layout.TREC, name="run", source="run"), QRELS, threads) is not None
    assert outcome_of(content, threads) == outcome_of(content, 1)


@pytest.mark.parametrize("seed", range(100))
def test_any_text_is_placed_or_refused_alike(seed: int) -> None:
    rng = random.Random(seed)
    lines = grouped(rng.randint(1, 6), step=rng.randint(1, 2))
    if rng.random() < 0.5:
        rng.shuffle(lines)  # then queries come back
    if rng.random() < 0.5:
        lines.insert(rng.randrange(len(lines) + 1), make_run(rng) + b"\n")
    content = b"".join(lines)
    assert outcome_of(content, rng.randint(2, 9)) == outcome_of(content, 1)


def test_a_document_that_stands_twice_in_a_query_of_two_parts_is_found() -> None:
    lines = grouped(6)
    again = lines[0].replace(b" 0 9.5", b" 9 0.5")
    said = outcome_of(b"".join([*lines, again]), 4)
    assert (
        said == "run, line 37: found document 'd0' of query 'q0' again, first on line 1; expected each document at "
        "most once in a query. Keep one of the two lines."
    )


def test_an_unknown_query_of_two_parts_is_counted_once() -> None:
    lines = [b"x Q0 a 1 1 t\n", *grouped(6), b"x Q0 b 2 0.5 t\n"]
    assert outcome_of(b"".join(lines), 4) == outcome_of(b"".join(lines), 1)


def test_parts_end_where_queries_do() -> None:
    content = b"".join(grouped(5))
    spans = cut(content, 3)
    assert [content[start:end].split()[0] for start, end in spans] == [b"q0", b"q2", b"q4"]
    assert b"".join(content[start:end] for start, end in spans) == content


def test_a_query_without_end_is_not_looked_through() -> None:
    content = b"q1 Q0 a 1 1 t\n" * 50 + b"q2 Q0 a 1 1 t\n"
    assert end_of_query(content, 0, most_lines=10) == len(content)
    assert end_of_query(content, 0, most_lines=100) == 50 * 14


def test_a_small_text_is_not_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "LEAST_BYTES", 1000)
    assert len(cut(b"".join(grouped(5)), 8)) == 1
