"""Are the first documents of a checked text the same as those of the whole text?"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.data.formats.runs import top
from toprung.data.formats.runs.files import place_file
from toprung.data.formats.runs.line_parser import Layout
from toprung.data.formats.runs.table_reader import read_text
from toprung.data.formats.runs.text import RunText
from toprung.data.formats.runs.top import read_top
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import FormatError

needs_compiled = pytest.mark.skipif(top._top_lines is None, reason="THE READER OF TOP LINES WAS NOT BUILT")

scores = st.one_of(
    st.integers(-3, 3).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(0, 1).map(lambda score: f"{score:.3f}"),
    st.sampled_from(["1e-310", "1.0000000000000001", "1", "+1.0", "0.99999999999999999999", "1e300", "-0.0", "1e22"]),
    st.from_regex(r"[0-9]{18,25}\.[0-9]{18,25}", fullmatch=True),
)
blanks = st.sampled_from([" ", "\t", "  "])


@st.composite
def trec_texts(draw: st.DrawFn) -> bytes:
    """Queries that may come back, ids that begin alike, scores in any order, ties, line ends of both kinds."""
    asked = draw(st.lists(st.tuples(st.sampled_from(["q", "q1", "q10", "é"]), scores), min_size=1, max_size=40))
    blank, end = draw(blanks), draw(st.sampled_from(["\n", "\r\n"]))
    lines = [
        blank.join([query, "Q0", f"d{number * 7 % 41}", str(number), score, "tag"])
        for number, (query, score) in enumerate(asked)
    ]
    return (end.join(lines) + draw(st.sampled_from(["", end]))).encode()


@st.composite
def marco_texts(draw: st.DrawFn) -> bytes:
    ranks = draw(st.lists(st.integers(1, 30), min_size=1, max_size=20, unique=True))
    lines = [f"{query}\td{rank}\t{rank}" for query in draw(st.sampled_from([("q",), ("q", "q1")])) for rank in ranks]
    return "\n".join(lines).encode()


def text_of(content: bytes, layout: Layout) -> RunText:
    return RunText(content=content, layout=layout, name="run", source="run.txt")


def facts_of(run: Run) -> tuple[object, ...]:
    return run.to_frame().rows(), run.query_ids, run.starts.tolist(), run.tag, run.n_contradicting_queries


@needs_compiled
@given(trec_texts(), st.integers(1, 12))
def test_the_first_of_a_trec_run_are_those_of_the_whole(content: bytes, depth: int) -> None:
    text = text_of(content, Layout.TREC)
    assert facts_of(read_top(text, depth)) == facts_of(read_text(text, depth=depth))


@needs_compiled
@given(marco_texts(), st.integers(1, 12))
def test_the_first_of_a_run_by_ranks_are_those_of_the_whole(content: bytes, depth: int) -> None:
    text = text_of(content, Layout.MSMARCO)
    assert facts_of(read_top(text, depth)) == facts_of(read_text(text, depth=depth))


@needs_compiled
@given(st.binary(max_size=300), st.sampled_from([3, 6]), st.integers(1, 5))
def test_no_bytes_are_too_odd_for_it(content: bytes, columns: int, depth: int) -> None:
    kept = top._top_lines.top_lines(content, columns, depth)
    lines = content.split(b"\n")
    assert all(line in lines for line in kept.split(b"\n"))


@needs_compiled
def test_lines_that_cannot_be_wanted_are_left_out() -> None:
    lines = [f"q Q0 d{number} {number} {20 - number} t\n".encode() for number in range(20)]
    assert top._top_lines.top_lines(b"".join(lines), 6, 3) == b"".join(lines[:3])
    assert top._top_lines.top_lines(b"q\td1\t4\nq\td2\t3\nr\td3\t12\n", 3, 3) == b"q\td2\t3\n"


@needs_compiled
@pytest.mark.parametrize(("columns", "depth"), [(5, 1), (6, 0), (6, -1), (3, 2_000_000)])
def test_other_columns_and_depths_are_refused(columns: int, depth: int) -> None:
    with pytest.raises(ValueError, match="expected 6 or 3 columns"):
        top._top_lines.top_lines(b"", columns, depth)


def test_without_the_compiled_reader_the_first_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    text = text_of(b"q Q0 a 1 1 t\nq Q0 b 2 3 t\nq Q0 c 3 2 t\n", Layout.TREC)
    found = [facts_of(read_top(text, 2))]
    monkeypatch.setenv("TOPRUNG_SCANNER", "off")
    found.append(facts_of(read_top(text, 2)))
    monkeypatch.delenv("TOPRUNG_SCANNER")
    monkeypatch.setattr(top, "_top_lines", None)
    found.append(facts_of(read_top(text, 2)))
    assert found[0][0] == [("q", "b", 1, 3.0), ("q", "c", 2, 2.0)]
    assert found[0] == found[1] == found[2]


def test_a_run_that_was_read_whole_is_cut() -> None:
    run = Run.from_dict({"q": {"a": 1.0, "b": 2.0}})
    assert read_top(run, 1).to_frame().rows() == [("q", "b", 1, 2.0)]


def test_what_was_read_is_handed_over_only_without_faults(tmp_path: Path) -> None:
    qrels, path = Qrels.from_dict({"q": {"a": 1}}), tmp_path / "x.run"
    loaded: list[RunText | Run] = []
    path.write_text("q Q0 a 1 1 t\nq Q0 a 2 1 t\n")
    with pytest.raises(FormatError):
        place_file(path, qrels, on_loaded=loaded.append)
    assert not loaded
    path.write_text("q Q0 a 1 1 t\n")
    place_file(path, qrels, on_loaded=loaded.append)
    assert [facts_of(read_top(each, 1))[0] for each in loaded] == [[("q", "a", 1, 1.0)]]
