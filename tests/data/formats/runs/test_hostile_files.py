"""Files made to do harm: each is refused, or read the same by both readers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from toprung.data.formats.content import Limits
from toprung.data.formats.runs.files import place_file, read_run
from toprung.data.formats.runs.validate import validate_run
from toprung.data.qrels import Qrels
from toprung.errors import FormatError, TooLargeError

Write = Callable[[str, str | bytes], Path]
QRELS = Qrels.from_dict({"q1": {"d1": 1}})


@pytest.mark.parametrize("switch", ["on", "off"])
def test_a_second_byte_order_mark_is_part_of_the_id_for_both_readers(
    write: Write, monkeypatch: pytest.MonkeyPatch, switch: str
) -> None:
    monkeypatch.setenv("TOPRUNG_SCANNER", switch)
    path = write("a.run", b"\xef\xbb\xbf\xef\xbb\xbfq1 Q0 d1 1 1 t\nq1 Q0 d0 2 0.5 t\n")
    placed = place_file(path, QRELS)
    assert placed.n_unknown_queries == 1
    assert placed.rank.tolist() == [0]
    assert read_run(path).query_ids == ("\ufeffq1", "q1")


@pytest.mark.parametrize("zeros", [5000, 100_000])
def test_a_rank_with_thousands_of_leading_zeros_is_just_a_number(write: Write, zeros: int) -> None:
    line = f"q1 Q0 d1 {'0' * zeros}1 1 t\n"
    assert read_run(write("good.run", line)).to_frame().rows() == [("q1", "d1", 1, 1.0)]
    twice = write("bad.run", line * 2)
    with pytest.raises(FormatError, match="line 2: found document 'd1' of query 'q1' again, first on line 1"):
        place_file(twice, QRELS)
    assert not validate_run(twice).is_valid


def test_a_damaged_parquet_file_is_refused_whatever_byte_is_hit(tmp_path: Path) -> None:
    whole = tmp_path / "a.parquet"
    rows = 50
    pl.DataFrame(
        {"query_id": ["q1"] * rows, "doc_id": [f"d{i}" for i in range(rows)], "score": np.arange(rows) / 7}
    ).write_parquet(whole)
    content = whole.read_bytes()
    rng = np.random.default_rng(0)
    damaged = tmp_path / "damaged.parquet"
    for _ in range(200):
        bad = bytearray(content)
        for at in rng.integers(5, len(content) - 8, 3):
            bad[at] = rng.integers(0, 256)
        damaged.write_bytes(bytes(bad))
        try:
            read_run(damaged)
        except FormatError as error:
            assert str(error).startswith(f"{damaged}: found")  # noqa: PT017 - some damage leaves a readable file


def test_validation_holds_parquet_to_the_size_cap_too(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    n = 200_000
    pl.DataFrame({"query_id": ["q"] * n, "doc_id": [f"d{i}" for i in range(n)], "score": [1.0] * n}).write_parquet(path)
    with pytest.raises(TooLargeError):
        read_run(path, limits=Limits(max_bytes=2_000_000))
    report = validate_run(path, limits=Limits(max_bytes=2_000_000))
    assert not report.is_valid


@pytest.mark.parametrize(
    "starts", [np.array([0, 10**9]), np.array([0, 1], dtype=np.int32), np.array([0]), np.array([1, 1])]
)
def test_labels_whose_arrays_do_not_fit_are_refused(starts: np.ndarray) -> None:
    with pytest.raises(FormatError, match="found arrays that do not fit together"):
        Qrels(query_ids=("q1",), starts=starts, doc_ids=("d1",), grades=np.array([1], dtype=np.int32))


def test_the_scanner_refuses_buffers_that_do_not_fit() -> None:
    scanner = pytest.importorskip("toprung.data.formats._scan", reason="NO SCANNER")
    ends, out = np.array([2], dtype=np.int64), np.zeros(1, dtype=np.int32)
    with pytest.raises(ValueError, match="do not fit together"):
        scanner.scan(b"x", 6, False, b"q1", ends, b"d1", ends, np.array([0, 9]), out, out, out, out, out)
    with pytest.raises(ValueError, match="neither 6 nor 3"):
        scanner.scan(b"x", 5, False, b"q1", ends, b"d1", ends, np.array([0, 1]), out, out, out, out, out)


def test_reading_stops_at_the_first_fault(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOPRUNG_SCANNER", "off")
    seen = []
    from toprung.data.formats.runs import checked_lines, line_parser

    monkeypatch.setattr(checked_lines, "PIECES", (200, 100))
    parse_line = line_parser.parse_line
    monkeypatch.setattr(line_parser, "parse_line", lambda *given: seen.append(1) or parse_line(*given))
    path = write("a.run", "q1 Q0 d0 1 high t\n" + "".join(f"q1 Q0 e{i} 1 1 t\n" for i in range(1000)))
    with pytest.raises(FormatError, match="line 1: found score 'high'"):
        place_file(path, QRELS)
    assert len(seen) < 20
