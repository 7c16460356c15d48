"""The scanner notes of every query what its rows say."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.data.formats.problems import Kind
from toprung.data.formats.runs import compiled, validate
from toprung.data.formats.runs.line_parser import Layout
from toprung.data.formats.runs.query_facts import QueryFacts, facts_of_text
from toprung.data.formats.runs.validate import Validation, validate_run

needs_scanner = pytest.mark.skipif(not compiled.has_scanner(), reason="there is no scanner")
queries = st.sampled_from(["q1", "q2", "q10", "é"])
scores = st.sampled_from(["1", "1.0", "2", "2.5", "-0.0", "0", "16777217", "16777216"])


@st.composite
def a_good_run(draw: st.DrawFn) -> str:
    """Queries together or mixed, ties, ranks that contradict or have gaps; no line is faulty."""
    is_trec, names = draw(st.booleans()), draw(st.lists(queries, min_size=1, max_size=12))
    names = sorted(names) if draw(st.booleans()) else names
    docs = count()
    ranks = iter(draw(st.permutations(range(1, 2 * len(names) + 1))))
    if not is_trec:
        return "".join(f"{name}\td{next(docs)}\t{next(ranks)}\n" for name in names)
    anyhow = st.integers(-2, 4)
    return "".join(f"{name} Q0 d{next(docs)} {draw(anyhow)} {draw(scores)} t\n" for name in names)


def without_scanner(path: Path, **options: Any) -> Validation:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOPRUNG_SCANNER", "off")
        return validate_run(path, **options)


@needs_scanner
@given(text=a_good_run(), depth=st.sampled_from([{}, {"depth": 3}, {"max_depth": 2}]))
def test_a_run_is_found_the_same_with_the_scanner_and_without(
    tmp_path_factory: pytest.TempPathFactory, text: str, depth: dict[str, Any]
) -> None:
    path = tmp_path_factory.getbasetemp() / "facts.run"
    path.write_text(text, encoding="utf-8")
    assert validate_run(path, **depth).to_dict() == without_scanner(path, **depth).to_dict()


@needs_scanner
def test_queries_are_told_in_the_order_of_the_file_with_their_first_lines() -> None:
    text = b"q2 Q0 a 1 2 t\nq1 Q0 a 5 1 t\nq2 Q0 b 2 2 t\nq1 Q0 b 5 0 t\n"
    found = facts_of_text(text, Layout.TREC)
    assert found is not None
    assert (found.names, found.last_rank) == (["q2", "q1"], None)
    assert found.first_line is not None
    assert found.first_line.tolist() == [1, 2]
    assert (found.n_docs.tolist(), found.n_tied.tolist()) == ([2, 2], [2, 0])
    assert found.contradicts.tolist() == [False, True]


@needs_scanner
def test_the_highest_rank_is_told_where_the_rank_decides() -> None:
    found = facts_of_text(b"q1\ta\t7\nq1\tb\t2\n", Layout.MSMARCO)
    assert found is not None
    assert found.last_rank is not None
    assert found.last_rank.tolist() == [7]


@pytest.mark.parametrize("text", [b"", b"q1 Q0 a 1 x t\n", b"q1 Q0 a 1 2 t\nq1 Q0 a 2 1 t\n"])
def test_nothing_is_told_of_a_faulty_run(text: bytes) -> None:
    assert facts_of_text(text, Layout.TREC) is None


@needs_scanner
def test_a_good_run_is_not_read_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the scanner noted is what the warnings are made of."""
    path = tmp_path / "a.run"
    path.write_text("q1 Q0 a 1 0.9 t\n")

    def noted(content: bytes, layout: Layout) -> QueryFacts | None:
        found = facts_of_text(content, layout)
        return found and replace(found, n_tied=found.n_docs)

    monkeypatch.setattr(validate, "facts_of_text", noted)
    assert validate_run(path).findings.counts == {Kind.TIES: 1}
