"""A faulty text is told of query by query, and what is told is what is told of all of it at once."""

from __future__ import annotations

import random
from pathlib import Path

import polars as pl
import pytest
from tests.fuzz.run_lines import make_run

from toprung.data.formats.runs import checked_lines
from toprung.data.formats.runs.checked_lines import check_lines
from toprung.data.formats.runs.checked_queries import QueriesMixedError, check_queries, whole_queries
from toprung.data.formats.runs.line_parser import Layout
from toprung.data.formats.runs.validate import validate_run


def rows_of(*query_ids: str) -> pl.DataFrame:
    return pl.DataFrame({"query_id": pl.Series(query_ids, dtype=pl.String), "line": range(len(query_ids))})


def test_a_query_waits_for_the_piece_in_which_it_may_go_on() -> None:
    pieces = [rows_of("a", "a", "b"), rows_of("b"), rows_of(), rows_of("b", "c", "d"), rows_of("d")]
    found = [frame["query_id"].to_list() for frame in whole_queries(pieces)]
    assert found == [["a", "a"], ["b", "b", "b", "c"], ["d", "d"]]
    assert list(whole_queries([])) == []


@pytest.mark.parametrize("pieces", [[rows_of("a", "b", "a")], [rows_of("a", "b"), rows_of("c", "a")]])
def test_a_query_that_comes_back_is_noticed(pieces: list[pl.DataFrame]) -> None:
    with pytest.raises(QueriesMixedError):
        list(whole_queries(pieces))


@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize("pieces", [(1, 1), (40, 20), (1 << 22, 1 << 18)])
@pytest.mark.parametrize("is_mixed", [False, True])
def test_whatever_the_text_it_is_told_of_as_at_once(
    monkeypatch: pytest.MonkeyPatch, layout: Layout, pieces: tuple[int, int], is_mixed: bool
) -> None:
    monkeypatch.setattr(checked_lines, "PIECES", pieces)
    rng = random.Random(f"{layout.name}{pieces}{is_mixed}")
    for _ in range(60):
        lines = b"".join(make_run(rng) for _ in range(rng.randint(1, 4))).split(b"\n")
        if not is_mixed:
            lines.sort(key=lambda line: line.split()[:1])
        text = b"\n".join(lines)
        told, log = check_queries(text, layout, lambda frame: frame.rows())
        at_once = check_lines(text, layout)
        assert [row for rows in told for row in rows] == ([] if at_once.frame is None else at_once.frame.rows()), text
        assert (dict(log.counts), log.first) == (dict(at_once.problems.counts), at_once.problems.first), text


def test_too_many_documents_are_counted_once_though_queries_are_mixed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(checked_lines, "PIECES", (40, 20))
    lines = [f"{query} Q0 d{number} 1 {9 - number} t" for query in ("q1", "q2", "q3") for number in range(3)]
    path = tmp_path / "mixed.run"
    path.write_text("\n".join([*lines, "q1 Q0 d9 1 0 t", "not a line"]))
    found = validate_run(path, max_depth=2)
    assert {kind.name: n for kind, n in found.findings.counts.items() if kind.is_error} == {"COLUMNS": 1, "TOO_MANY": 3}
    assert (found.n_rows, found.n_queries) == (10, 3)
