"""Parquet files made to break a reader are refused with a sentence, and nothing is made of what they claim."""

from __future__ import annotations

import gzip
import random
import shutil
import subprocess
import sys
import time
import zlib
from pathlib import Path

import polars as pl
import pytest

from toprung.data.formats.content import DEFAULT_LIMITS, looks_like_parquet
from toprung.data.formats.parquet.footer import ColumnNote, Footer, read_footer
from toprung.data.formats.parquet.table import ParquetTable, _refuse_columns
from toprung.data.formats.parquet.thrift import DamagedParquetError, Notes
from toprung.data.formats.parquet.unpacking import unpack_page
from toprung.data.formats.qrels_files import read_qrels
from toprung.data.formats.runs.files import place_file, read_run
from toprung.data.formats.runs.validate import validate_run
from toprung.data.qrels import Qrels
from toprung.errors import FormatError

HOSTILE = Path(__file__).parents[3] / "hostile_files"
SENTENCES = {"abort": "found a file that cannot be read (", "bomb": "found the nested column 'x'; expected columns of"}
QRELS = Qrels.from_dict({"q1": {"d1": 1}})


@pytest.mark.parametrize("name", SENTENCES)
@pytest.mark.parametrize("scanner", ["on", "off"])
def test_hostile_files_are_refused_by_every_reader(name: str, scanner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOPRUNG_SCANNER", scanner)
    path = HOSTILE / f"{name}.parquet"
    for read in (read_run, lambda file: place_file(file, QRELS)):
        with pytest.raises(FormatError) as caught:
            read(path)
        assert SENTENCES[name] in str(caught.value)
    assert not validate_run(path).is_valid


@pytest.mark.parametrize("name", SENTENCES)
@pytest.mark.parametrize("command", ["validate", "evaluate"])
def test_commands_end_with_two_and_a_sentence(name: str, command: str, tmp_path: Path) -> None:
    (tmp_path / "q.txt").write_text("q1 0 d1 1\n")
    shutil.copy(HOSTILE / f"{name}.parquet", tmp_path / "a.parquet")
    labels = [str(tmp_path / "q.txt")] if command == "evaluate" else []
    given = [sys.executable, "-m", "toprung", command, *labels, str(tmp_path / "a.parquet")]
    result = subprocess.run(given, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert SENTENCES[name] in result.stdout + result.stderr
    assert "Traceback" not in result.stderr


def good_file(path: Path, *, n: int = 40) -> bytes:
    frame = pl.DataFrame(
        {
            "query_id": [f"q{i // 8}" for i in range(n)],
            "doc_id": [f"d{i}" for i in range(n)],
            "score": [1.0 * i for i in range(n)],
        }
    )
    frame.write_parquet(path)
    return path.read_bytes()


@pytest.mark.parametrize("seed", range(4))
def test_changed_bytes_give_a_run_or_a_sentence(tmp_path: Path, seed: int, scanner: object) -> None:
    path = tmp_path / "a.parquet"
    whole, rng, n_refused = good_file(path), random.Random(seed), 0
    for _ in range(60):
        changed = bytearray(whole)
        for _ in range(rng.randint(1, 4)):
            changed[rng.randrange(len(changed))] = rng.choice([0, 1, 127, 128, 255, rng.randrange(256)])
        path.write_bytes(changed)
        is_valid = validate_run(path).is_valid
        try:
            read_run(path)
        except FormatError as error:
            n_refused += 1
            assert str(error).startswith(str(path))  # noqa: PT017 - some changes leave a readable file
            assert not is_valid
        else:
            assert is_valid
    assert n_refused > 5


@pytest.mark.parametrize("at", [0, 4])
def test_a_parquet_file_with_a_damaged_beginning_is_told_to_be_one(tmp_path: Path, at: int) -> None:
    path = tmp_path / "a.parquet"
    content = bytearray(good_file(path))
    content[at] ^= 0xFF
    path.write_bytes(content)
    for read in (read_run, read_qrels):
        if at == 0:
            with pytest.raises(FormatError, match="its mark PAR1 is not at both ends"):
                read(path)
    assert looks_like_parquet(content)


def test_a_text_may_begin_with_the_mark() -> None:
    assert not looks_like_parquet(b"PAR1 Q0 d1 1 2.5 tag\n")
    assert not looks_like_parquet(b"q1 Q0 d1 1 2.5 PAR1")
    assert looks_like_parquet(b"PAR1\x15\x04\x15")


def test_notes_that_nest_without_end_are_refused() -> None:
    with pytest.raises(DamagedParquetError, match="too deep"):
        Notes(b"\x1c" * 1000, 0, 1000).skip(12)


def test_a_list_that_claims_more_than_there_are_bytes_is_refused() -> None:
    with pytest.raises(DamagedParquetError, match="leads out of the file"):
        Notes(b"\xf8\xff\xff\xff\xff\x0f", 0, 6).skip(9)


def test_rows_that_do_not_add_up_are_refused(tmp_path: Path) -> None:
    data = bytearray(good_file(tmp_path / "a.parquet"))
    start = read_footer(bytes(data)).start
    at = data.index(b"\x16\x50", start)  # 40 rows, as a signed number of 64 bits
    data[at + 1] = 0x52
    with pytest.raises(DamagedParquetError, match="do not add up"):
        read_footer(bytes(data))


def test_a_page_of_many_empty_members_takes_time_by_its_size_alone() -> None:
    """4 MB of 200,000 members that hold nothing: to copy what is left behind each would take 400 GB of copying."""
    packed = memoryview(gzip.compress(b"", mtime=0) * 200_000 + gzip.compress(b"q1"))
    began = time.process_time()
    assert bytes(unpack_page(2, packed, 2)) == b"q1"
    assert time.process_time() - began < 5


def test_a_page_of_several_members_is_read_to_its_end_and_no_further() -> None:
    text = random.Random(0).randbytes(300_000)
    packed = memoryview(gzip.compress(text[:100]) + zlib.compress(text[100:200_000]) + gzip.compress(text[200_000:]))
    assert bytes(unpack_page(2, packed, len(text))) == text
    for size in (len(text) - 1, len(text) + 1):
        with pytest.raises(DamagedParquetError, match="that should have"):
            unpack_page(2, packed, size)


def test_ten_thousand_columns_are_looked_through_once() -> None:
    columns = [ColumnNote(name=f"c{number}", type=2) for number in range(10_000)]
    began = time.process_time()
    _refuse_columns(ParquetTable(b"", Footer(start=0, columns=columns), "a.parquet", DEFAULT_LIMITS))
    assert time.process_time() - began < 1
    twice = Footer(start=0, columns=[*columns, columns[7]])
    with pytest.raises(FormatError, match="two columns 'c7'"):
        _refuse_columns(ParquetTable(b"", twice, "a.parquet", DEFAULT_LIMITS))


RED, LONG = "d\x1b[31m\x1b]0;title\x07\nerror: none", "d" * 3_000_000
NAMES = {
    "a document twice": pl.DataFrame({"query_id": ["q1", "q1"], "doc_id": [RED, RED], "score": [1.0, 0.5]}),
    "a long document twice": pl.DataFrame({"query_id": ["q1", "q1"], "doc_id": [LONG, LONG], "score": [1.0, 0.5]}),
    "a score": pl.DataFrame({"query_id": [RED], "doc_id": [LONG], "score": [float("nan")]}),
    "a column": pl.DataFrame({"query_id": ["q1"], "doc_id": ["d1"], "score": [1.0], RED + LONG: [[1]]}),
    "no column": pl.DataFrame({RED: ["q1"], LONG: ["d1"], "score": [1.0]}),
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("command", ["validate", "evaluate"])
def test_what_a_file_says_drives_no_terminal_and_is_cut(name: str, command: str, tmp_path: Path) -> None:
    (tmp_path / "q.txt").write_text("q1 0 d1 1\n")
    NAMES[name].write_parquet(tmp_path / "a.parquet")
    labels = [str(tmp_path / "q.txt")] if command == "evaluate" else []
    given = [sys.executable, "-m", "toprung", command, *labels, str(tmp_path / "a.parquet")]
    result = subprocess.run(given, capture_output=True, text=True, check=False)
    said = result.stdout + result.stderr
    assert result.returncode == 2
    assert said.replace("\n", "").isprintable()
    assert "\nerror: none" not in said
    assert len(said) < 2_000
