"""Lines that are read in pieces, with however many faults, say what they say one by one."""

from __future__ import annotations

import random

import pytest
from tests.data.plain_reader import read_plainly
from tests.fuzz.run_lines import make_run

from toprung.data.formats.problems import ProblemLog
from toprung.data.formats.runs import checked_lines
from toprung.data.formats.runs.checked_lines import check_lines
from toprung.data.formats.runs.line_parser import Layout


def facts_of(log: ProblemLog) -> tuple[dict[object, int], list[object]]:
    return dict(log.counts), sorted((problem for kept in log.first.values() for problem in kept), key=repr)


@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize("pieces", [(1, 1), (40, 20), (1 << 24, 1 << 18)])
def test_any_text_gives_the_same_rows_and_problems(
    monkeypatch: pytest.MonkeyPatch, layout: Layout, pieces: tuple[int, int]
) -> None:
    monkeypatch.setattr(checked_lines, "PIECES", pieces)
    rng = random.Random(layout.name + str(pieces))
    for _ in range(100):
        text = b"".join(make_run(rng) for _ in range(rng.randint(1, 4)))
        plain, found = read_plainly(text, layout), check_lines(text, layout)
        assert facts_of(found.problems) == facts_of(plain.problems), text
        rows = [] if found.frame is None else found.frame.select("line", "query_id", "doc_id", "rank").rows()
        expected = [
            (line, row.query_id, row.doc_id, row.rank) for line, row in zip(plain.lines, plain.rows, strict=True)
        ]
        assert rows == expected, text


def test_a_reader_that_stops_meets_the_first_problem_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checked_lines, "PIECES", (40, 20))
    text = b"q1 Q0 a 1 1 t\nq1 Q0 b 1 1 t\nq1 Q0 a 1 1 t\nq1 Q0 c 1 x t\nq1 Q0 d 1 nan t\n" * 5
    stopped = check_lines(text, Layout.TREC, stop_at_first=True)
    assert stopped.problems.earliest().line == 3
    assert sum(stopped.problems.counts.values()) < sum(check_lines(text, Layout.TREC).problems.counts.values())


def test_only_the_first_problems_are_kept_and_all_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checked_lines, "PIECES", (4000, 400))
    log = check_lines(b"q1 Q0 a 1 1 t\n" + b"short\nq1 Q0 a 1 1 t\n" * 1000, Layout.TREC).problems
    assert [(count, len(log.first[kind])) for kind, count in log.counts.items()] == [(1000, 20), (1000, 20)]
    assert [kept[0].line for kept in log.first.values()] == [2, 3]
