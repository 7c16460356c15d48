"""The index of a run that a board keeps: written once, believed, and never a danger."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.data.formats.runs.test_compiled import facts_of

from toprung.data.formats.content import Limits
from toprung.data.formats.runs import compiled
from toprung.data.formats.runs.files import read_run, write_run, write_stored_run
from toprung.data.formats.runs.stored_index import StoredIndex, find_index
from toprung.data.formats.runs.stored_place import WantedHashes, place_stored
from toprung.data.packed import PackedTexts
from toprung.data.place import place_run
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import FormatError, NoOverlapError, TooLargeError
from toprung.scoring.stored_runs import StoredRun, score_stored

TIED = Run.from_dict({"q2": {"a": 0.5, "b": 0.5, "c": 0.25}, "q1": {"a": 0.25, "b": 0.5, "c": 0.25}})
LABELS = Qrels.from_dict({"q1": {"c": 1, "z": 1}, "q7": {"a": 1}, "q2": {"a": 2}})


@pytest.fixture(autouse=True)
def _needs_scanner(scanner: object) -> None:
    """Without the scanner no index is written."""


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    path = tmp_path / "a.parquet"
    write_stored_run(TIED, path)
    return path


def index_of(path: Path) -> StoredIndex:
    index = find_index(path.read_bytes())
    assert index is not None
    return index


def test_rows_stand_in_ranking_order_with_their_ties(stored: Path) -> None:
    index = index_of(stored)
    docs = pl.Series(["b", "a", "c", "b", "c", "a"])
    assert index.hashes.tolist() == compiled.hash_series(docs).tolist()
    assert index.starts.tolist() == [0, 3, 6]
    assert np.unpackbits(index.is_tied, count=6, bitorder="little").tolist() == [0, 1, 0, 0, 0, 1]
    assert len(index.ranks) == 0
    assert index.query_ids.data == b"q2q1"


def test_any_reader_of_parquet_reads_the_file(stored: Path) -> None:
    assert pl.read_parquet(stored).equals(TIED.to_frame())
    assert read_run(stored).to_frame().equals(TIED.to_frame())


def test_wanted_documents_are_found_with_their_ties(stored: Path) -> None:
    placed = place_stored(index_of(stored), WantedHashes.of(LABELS), name="run")
    # q1: b, then c before a, of the same score; q2: b before a, of the same score.
    assert placed.rank.tolist() == [2, 0, 0, 2]
    assert placed.tie_first.tolist() == [2, 0, 0, 1]
    assert placed.tie_last.tolist() == [3, 0, 0, 2]
    assert placed.retrieved.tolist() == [3, 0, 3]
    assert (placed.n_rows, placed.n_unknown_queries) == (6, 0)


@pytest.mark.parametrize("n_wanted", [1, 4, 5, 300])
def test_few_and_many_wanted_documents_are_found_alike(tmp_path: Path, n_wanted: int) -> None:
    rng = np.random.default_rng(n_wanted)
    run = Run.from_dict({f"q{q}": {f"d{doc}": float(rng.integers(0, 60)) for doc in range(200)} for q in range(5)})
    docs = rng.permutation(400)[:n_wanted].tolist()
    qrels = Qrels.from_dict({f"q{q}": {f"d{doc}": 1 for doc in docs} for q in range(1, 7)})
    write_stored_run(run, tmp_path / "a.parquet")
    found = facts_of(place_stored(index_of(tmp_path / "a.parquet"), WantedHashes.of(qrels), name="run"))
    assert any(found["rank"])
    assert found == facts_of(place_run(run, qrels))


def test_ranks_that_begin_anywhere_are_kept(tmp_path: Path) -> None:
    frame = pl.DataFrame({"query_id": ["q1", "q1", "q2"], "doc_id": ["a", "b", "a"], "rank": [3, 5, 7]})
    write_stored_run(Run.from_frame(frame), tmp_path / "a.parquet")
    index = index_of(tmp_path / "a.parquet")
    assert index.starts.tolist() == [0, 2, 3]
    assert index.ranks.tolist() == [3, 5, 7]
    qrels = Qrels.from_dict({"q1": {"b": 1}, "q2": {"a": 1}})
    assert place_stored(index, WantedHashes.of(qrels), name="run").rank.tolist() == [5, 7]


def test_hashes_stay_what_they_are_for_ever() -> None:
    """They are in the files of boards. A change here makes those files score 0: then the stamp has to change too."""
    texts = ["", "a", "doc7", "12345678", "123456789", "twenty-four bytes of id.", "Zoë"]
    expected = [
        *(7737286077713087374, 8208943494141329982, 11856143541247835864, 18113284795030194698),
        *(14139799642570579067, 5420629476568666483, 16793994712851090949),
    ]
    assert compiled.hash_packed(PackedTexts.of(texts)).tolist() == expected
    assert compiled.hash_series(pl.Series(texts)).tolist() == expected


def test_ids_that_look_alike_have_hashes_of_their_own() -> None:
    numbers = range(60_000)
    styles = ("{}", "d{}", "D{:08}", "msmarco_passage_{:02}_{}", "{}-{}", "FR940104-0-{:05}", "{:x}")
    texts = {style.format(*(number for _ in range(style.count("{")))) for style in styles for number in numbers}
    texts |= {"\0" * n for n in range(40)} | {"7" * n for n in range(1, 40)}
    hashes = compiled.hash_packed(PackedTexts.of(sorted(texts)))
    assert len(np.unique(hashes)) == len(texts) > 300_000


def test_a_file_without_the_stamp_has_no_index(tmp_path: Path, stored: Path) -> None:
    write_run(TIED, tmp_path / "plain.parquet")
    assert find_index((tmp_path / "plain.parquet").read_bytes()) is None
    other = stored.read_bytes().replace(b"toprung run 2", b"toprung run 3")
    assert find_index(other) is None


def test_without_the_scanner_the_columns_are_read(stored: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_index = score_stored(stored, LABELS, "RR", name="R1").value("R1", "RR")
    monkeypatch.setenv("TOPRUNG_SCANNER", "off")
    assert find_index(stored.read_bytes()) is None
    assert score_stored(stored, LABELS, "RR", name="R1").value("R1", "RR") == with_index == pytest.approx(1 / 3)


def test_any_damage_of_the_index_is_refused_or_harmless(stored: Path, tmp_path: Path) -> None:
    data = bytearray(stored.read_bytes())
    stamp = data.index(b"toprung run 2")
    damaged = tmp_path / "damaged.parquet"
    for at in range(stamp - 160, stamp):
        for value in (0, 1, 0x7F, 0xFF):
            damaged.write_bytes(data[:at] + bytes([value]) + data[at + 1 :])
            with suppress(FormatError, NoOverlapError):  # most of these files are fine, and none ends the process
                StoredRun.read(damaged, name="R1").score(LABELS, "RR")


@pytest.mark.parametrize("kept", [0.5, 0.95])
def test_a_stored_run_that_was_cut_short_is_refused(stored: Path, kept: float) -> None:
    stored.write_bytes(stored.read_bytes()[: int(stored.stat().st_size * kept)])
    with pytest.raises(FormatError, match="expected a complete Parquet file"):
        StoredRun.read(stored, name="R1")


def test_the_size_cap_holds_for_stored_runs_too(stored: Path) -> None:
    with pytest.raises(TooLargeError, match="found more than 10 bytes"):
        StoredRun.read(stored, name="R1", limits=Limits(max_bytes=10))
