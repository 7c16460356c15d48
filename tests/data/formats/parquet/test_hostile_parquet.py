"""Parquet files made to break a reader are refused with a sentence, and nothing is made of what they claim."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from toprung.data.formats.content import looks_like_parquet
from toprung.data.formats.parquet.footer import read_footer
from toprung.data.formats.parquet.thrift import DamagedParquetError, Notes
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
