"""A table is placed alike by the scanner, by Polars, and as the text that says the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.data.formats.runs.test_compiled import facts_of

from toprung.data.formats.parquet.table import open_table
from toprung.data.formats.runs import compiled, parquet
from toprung.data.formats.runs.files import place_file
from toprung.data.formats.runs.place_table import place_dict, place_frame
from toprung.data.formats.runs.writing import replacing
from toprung.data.place import place_run
from toprung.data.placement import Placement
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import FormatError, ToprungError

QUERIES = ["q0", "q1", "", "another-query-of-some-length", "ü\x00", "unknown"]
DOCS = ["", "d", "d0", "d1", "twelve-bytes", "thirteen-byte", "\x00", "\x00\x00", "Zoë", "日本語のながい文書", "d" * 70]
QRELS = Qrels.from_dict({query: dict.fromkeys(DOCS[::2], 1) for query in QUERIES[:-1]})
SCORES = [0.0, -0.0, 1.0, 1.0 + 2**-30, 1.0 + 2**-29, -3.5, 1e300, -1e300, 5e-324]

scores = st.sampled_from(SCORES) | st.floats(allow_nan=False, allow_infinity=False)
ranks = st.integers(1, 40) | st.sampled_from([2**31 - 1])
rows = st.tuples(st.sampled_from(QUERIES), st.sampled_from(DOCS), scores, ranks)
tables = st.lists(rows, min_size=1, max_size=40)


def to_frame(table: list[tuple[str, str, float, int]], order: str) -> pl.DataFrame:
    schema = {"query_id": pl.String, "doc_id": pl.String, "score": pl.Float64, "rank": pl.Int64}
    return pl.DataFrame(table, schema=schema, orient="row").select("query_id", "doc_id", order)


def without_repeats(table: list[tuple[str, str, float, int]]) -> list[tuple[str, str, float, int]]:
    by_doc = {(row[0], row[1]): row for row in table}
    return list({(row[0], row[3]): row for row in by_doc.values()}.values())


def outcome_of(place: Callable[[], Placement], scanner: str) -> dict[str, Any] | str:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOPRUNG_SCANNER", scanner)
        try:
            return facts_of(place())
        except ToprungError as error:
            return str(error)


def assert_alike(place: Callable[[], Placement]) -> dict[str, Any] | str:
    by_scanner = outcome_of(place, "on")
    assert by_scanner == outcome_of(place, "off")
    return by_scanner


@pytest.fixture(autouse=True)
def _needs_scanner(scanner: object) -> None:
    """Nothing here says anything without the scanner."""


@settings(max_examples=300)
@given(tables, st.sampled_from(["score", "rank"]), st.booleans(), st.booleans())
@example([("q0", "d", 1.0, 1), ("q1", "d", 1.0, 1), ("q0", "d", 2.0, 2)], "score", False, False)
def test_any_frame_is_placed_or_refused_alike(
    table: list[tuple[str, str, float, int]], order: str, is_grouped: bool, float32_ties: bool
) -> None:
    if is_grouped:
        table = sorted(table, key=lambda row: row[0])
    frame = to_frame(table, order)
    assert_alike(lambda: place_frame(frame, QRELS, name="run", float32_ties=float32_ties))


@settings(max_examples=200)
@given(tables.map(without_repeats), st.sampled_from(["score", "rank"]), st.booleans(), st.booleans())
def test_a_faultless_frame_is_placed_by_the_scanner_itself(
    table: list[tuple[str, str, float, int]], order: str, is_grouped: bool, float32_ties: bool
) -> None:
    if is_grouped:
        table = sorted(table, key=lambda row: row[0])
    frame = to_frame(table, order)
    if not is_grouped:
        placed = compiled.place_columns([frame], QRELS, name="run", float32_ties=float32_ties, are_mixed=True)
    else:
        placed = compiled.place_columns([frame], QRELS, name="run", float32_ties=float32_ties)
    assert isinstance(placed, Placement)
    assert facts_of(placed) == outcome_of(
        lambda: place_frame(frame, QRELS, name="run", float32_ties=float32_ties), "off"
    )


@settings(max_examples=60)
@given(tables, st.sampled_from(["score", "rank"]), st.integers(1, 60), st.booleans())
def test_pages_change_nothing(
    tmp_path_factory: pytest.TempPathFactory,
    table: list[tuple[str, str, float, int]],
    order: str,
    bytes_per_page: int,
    is_sound: bool,
) -> None:
    table = sorted(without_repeats(table) if is_sound else table, key=lambda row: row[0])
    path = tmp_path_factory.mktemp("batches") / "run.parquet"
    frame = to_frame(table, order)
    frame.write_parquet(path, row_group_size=5, data_page_size=bytes_per_page)
    batches, by_rank = parquet.read_parquet_batches(open_table(path.read_bytes(), source="run"))
    placed = compiled.place_pages(batches, QRELS, name="run", by_rank=by_rank)
    by_frame = compiled.place_columns([frame], QRELS, name="run")
    assert isinstance(placed, Placement) == isinstance(by_frame, Placement) >= is_sound
    if isinstance(placed, Placement) and isinstance(by_frame, Placement):
        assert facts_of(placed) == facts_of(by_frame)


@pytest.mark.parametrize(
    ("columns", "found"),
    [
        ({"query_id": ["q0", "q0"], "doc_id": ["a", "b"], "score": [1.0, float("nan")]}, "score nan in row 2"),
        ({"query_id": ["q0", "q0"], "doc_id": ["a", "b"], "score": [float("-inf"), 1.0]}, "score -inf in row 1"),
        ({"query_id": ["q0", "q1", "q0"], "doc_id": ["a", "a", "a"], "score": [1.0] * 3}, "document 'a' of query 'q0'"),
        ({"query_id": ["q0", "q0"], "doc_id": ["a", "b"], "rank": [3, 3]}, "rank '3' of query 'q0' twice"),
        ({"query_id": ["q0", "q0"], "doc_id": ["a", "b"], "rank": [0, 3]}, "ranks from 0 to 3"),
        ({"query_id": ["q0", None], "doc_id": ["a", "b"], "score": [1.0, 1.0]}, "query_id of type String with 1"),
        ({"query_id": ["q0", "q0"], "doc_id": ["a", "b"], "score": [None, 1.0]}, "score of type Float64 with 1"),
        ({"query_id": [], "doc_id": [], "score": []}, ""),
        ({"query_id": ["q0"], "doc_id": ["a"], "grade": [1]}, "the columns query_id, doc_id, grade"),
    ],
)
def test_faults_of_a_parquet_file_are_told_as_ever(tmp_path: Path, columns: dict[str, list[Any]], found: str) -> None:
    path = tmp_path / "run.parquet"
    pl.DataFrame(columns).write_parquet(path)
    message = assert_alike(lambda: place_file(path, QRELS))
    assert isinstance(message, str)
    assert found in message


def test_missing_values_are_counted_in_the_whole_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run.parquet"
    pl.DataFrame({"query_id": ["q0", None, None], "doc_id": ["a", "b", "c"], "score": [1.0] * 3}).write_parquet(path)
    with pytest.raises(FormatError, match="with 2 missing values"):
        place_file(path, QRELS)


def test_ids_that_are_numbers_are_texts_here_too(tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    pl.DataFrame({"qid": [7, 7], "docno": [1, 2], "score": [1, 2]}).write_parquet(path)
    found = place_file(path, Qrels.from_dict({"7": {"1": 1, "2": 1}}))
    assert found.rank.tolist() == [2, 1]


def test_columns_that_are_not_needed_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run.parquet"
    frame = pl.DataFrame({"query_id": ["q0"], "doc_id": ["d"], "score": [1.0], "rank": [1], "text": ["long"]})
    frame.write_parquet(path)
    read = []
    monkeypatch.setattr(
        "toprung.data.formats.parquet.columns.read_pages", lambda *given, **_: read.append(given[2]) or []
    )
    with pytest.raises(FormatError):
        place_file(path, QRELS)
    assert {wanted.note.name for wanted in read} == {"query_id", "doc_id", "score"}


def test_text_and_table_say_the_same(tmp_path: Path) -> None:
    lines = [f"q{i % 3} Q0 d{i % 11} {i} {(i * 7) % 5 / 4} t" for i in range(33)]
    with replacing(tmp_path / "run.txt") as target:
        target.write_text("\n".join(lines) + "\n")
    table = [line.split() for line in lines]
    frame = pl.DataFrame(
        [(q, d, float(s)) for q, _, d, _, s, _ in table], schema=["query_id", "doc_id", "score"], orient="row"
    )
    qrels = Qrels.from_dict({f"q{q}": {f"d{d}": 1 for d in range(11)} for q in range(3)})
    by_text, by_table = (
        facts_of(place_file(tmp_path / "run.txt", qrels)),
        facts_of(place_frame(frame, qrels, name="run")),
    )
    assert by_text.pop("contradicting") == 3
    assert by_table.pop("contradicting") == 0, "a table's ranks are not read where it has scores"
    assert by_text == by_table


dicts = st.dictionaries(
    st.sampled_from(QUERIES),
    st.dictionaries(st.sampled_from(DOCS), scores | st.sampled_from([1, float("nan"), float("inf")]), max_size=8),
    max_size=5,
)


@settings(max_examples=200)
@given(dicts, st.booleans())
@example({"q0": {"d": 1}, "q1": {"d0": 0.5}}, False)
@example({"q0": {}}, False)
def test_any_dict_is_placed_or_refused_alike(run: dict[str, dict[str, float]], float32_ties: bool) -> None:
    by_scanner = assert_alike(lambda: place_dict(run, QRELS, name="run", float32_ties=float32_ties))
    if isinstance(by_scanner, dict):
        held = Run.from_dict(run, name="run")
        assert by_scanner == outcome_of(lambda: place_run(held, QRELS, float32_ties=float32_ties), "off")


@pytest.mark.parametrize("odd", [{1: {"d": 1.0}}, {"q0": {2: 1.0}}, {"q0": {"d": "high"}}, {"q0": {"d": None}}])
def test_a_dict_of_other_things_is_refused_as_ever(odd: Any) -> None:
    assert isinstance(assert_alike(lambda: place_dict(odd, QRELS, name="run", float32_ties=False)), str)


def test_a_dict_of_floats_is_placed_by_the_scanner_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Run, "from_dict", None)
    found = place_dict({"q0": {"d": 0.5, "": 0.75}}, QRELS, name="run", float32_ties=False)
    assert found.rank.tolist()[0] == 1
    assert found.n_rows == 2
