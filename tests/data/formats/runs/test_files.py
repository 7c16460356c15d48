"""Runs read from files of every format, in ranking order."""

from __future__ import annotations

import bz2
import gzip
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
import zstandard

from toprung.data.formats.content import Limits
from toprung.data.formats.qrels_files import read_qrels
from toprung.data.formats.runs.files import format_for, names_for, place_file, read_run, run_name, write_run
from toprung.data.formats.runs.recognise import RunFormat
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import FormatError, InputError, TooLargeError

Write = Callable[[str, str | bytes], Path]

PACKERS = {"plain": bytes, "gz": gzip.compress, "bz2": bz2.compress, "zst": zstandard.compress}
plain_or_packed = pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)

TREC = "q2 Q0 a 1 0.25 tag\nq2 Q0 b 2 0.5 tag\nq1 Q0 a 1 -3e-1 tag\n"
TREC_ROWS = [("q2", "b", 1, 0.5), ("q2", "a", 2, 0.25), ("q1", "a", 1, -0.3)]
MSMARCO = "q2\ta\t7\nq2\tb\t2\nq1\ta\t1\n"
MSMARCO_ROWS = [("q2", "b", 2), ("q2", "a", 7), ("q1", "a", 1)]
WRITTEN = {
    "as it is": lambda text: text,
    "tabs": lambda text: text.replace(" ", "\t"),
    "blanks": lambda text: text.replace("\t", " "),
    "repeated": lambda text: text.replace(" ", "  ").replace("\t", " \t"),
    "leading and trailing": lambda text: " " + text.replace("\n", " \t\n  ").rstrip(),
    "windows lines": lambda text: text.replace("\n", "\r\n"),
    "no final line end": lambda text: text.removesuffix("\n"),
    "windows lines, no final one": lambda text: text.replace("\n", "\r\n").removesuffix("\r\n"),
    "byte-order mark": lambda text: "\ufeff" + text,
}
however_written = pytest.mark.parametrize("rewrite", WRITTEN.values(), ids=WRITTEN)


def rows_of(run: Run) -> list[tuple[object, ...]]:
    return run.to_frame().rows()


@plain_or_packed
@however_written
def test_a_trec_run_is_read(write: Write, rewrite: Callable[[str], str], pack: Callable[[bytes], bytes]) -> None:
    run = read_run(write("my.run", pack(rewrite(TREC).encode())))
    assert rows_of(run) == TREC_ROWS
    assert (run.name, run.tag) == ("my", "tag")


@plain_or_packed
@however_written
def test_an_msmarco_run_is_read_in_the_order_of_its_rank_column(
    write: Write, rewrite: Callable[[str], str], pack: Callable[[bytes], bytes]
) -> None:
    run = read_run(write("my.tsv", pack(rewrite(MSMARCO).encode())))
    assert rows_of(run) == MSMARCO_ROWS
    assert run.scores is None


@pytest.mark.parametrize("scanner_switch", ["on", "off"])
@plain_or_packed
@however_written
def test_documents_are_placed_in_a_file_however_it_is_written(
    write: Write,
    monkeypatch: pytest.MonkeyPatch,
    rewrite: Callable[[str], str],
    pack: Callable[[bytes], bytes],
    scanner_switch: str,
) -> None:
    monkeypatch.setenv("TOPRUNG_SCANNER", scanner_switch)
    qrels = Qrels.from_dict({"q1": {"a": 1, "b": 1}, "q2": {"a": 1, "b": 0}})
    trec = place_file(write("my.run", pack(rewrite(TREC).encode())), qrels)
    assert (trec.run, trec.rank.tolist(), trec.retrieved.tolist()) == ("my", [1, 0, 2, 1], [1, 2])
    msmarco = place_file(write("my.tsv", pack(rewrite(MSMARCO).encode())), qrels)
    assert msmarco.rank.tolist() == [1, 0, 7, 2], "gaps count as they are written"
    assert msmarco.tie_first.tolist() == msmarco.tie_last.tolist() == [1, 0, 7, 2], "ranks cannot tie"


def test_lines_of_different_queries_may_be_mixed_up(write: Write) -> None:
    path = write("a.run", "q1 Q0 a 1 0.1 t\nq2 Q0 a 1 0.9 t\nq1 Q0 b 2 0.2 t\nq2 Q0 b 2 0.8 t\n")
    run = read_run(path)
    assert rows_of(run) == [("q1", "b", 1, 0.2), ("q1", "a", 2, 0.1), ("q2", "a", 1, 0.9), ("q2", "b", 2, 0.8)]
    placed = place_file(path, Qrels.from_dict({"q1": {"a": 1}, "q2": {"b": 1}}))
    assert placed.rank.tolist() == [2, 2]


def test_a_score_decides_and_the_rank_column_does_not(write: Write) -> None:
    path = write("a.run", "q1 Q0 a 1 0.1 t\nq1 Q0 b 2 0.3 t\nq1 Q0 c 3 0.2 t\nq2 Q0 a 1 2 t\nq2 Q0 b 2 1 t\n")
    run = read_run(path)
    assert [row[1] for row in rows_of(run)] == ["b", "c", "a", "a", "b"]
    assert run.n_contradicting_queries == 1


def test_equal_scores_are_ordered_by_document_descending_bytewise(write: Write) -> None:
    ids = ["a", "B", "10", "9", "é", "z", "ｄ", "😀", "aa"]
    path = write("a.run", "".join(f"q1 Q0 {doc_id} 1 0.5 t\n" for doc_id in ids))
    # In UTF-8 "é" is c3a9, "ｄ" efbd84 and "😀" f09f9880; as UTF-16 "😀" would stand below "ｄ".
    expected = ["😀", "ｄ", "é", "z", "aa", "a", "B", "9", "10"]
    assert [row[1] for row in rows_of(read_run(path))] == expected
    placed = place_file(path, Qrels.from_dict({"q1": dict.fromkeys(expected, 1)}))
    assert placed.rank.tolist() == list(range(1, 10))
    assert placed.tie_first.tolist() == [1] * 9
    assert placed.tie_last.tolist() == [9] * 9


# 0.1 and 0.100000001 are one number in 32 bits and two in 64.
NEARLY_EQUAL = "q1 Q0 a 1 0.100000001 t\nq1 Q0 b 2 0.1 t\n"


@pytest.mark.parametrize(("float32_ties", "order"), [(False, ["a", "b"]), (True, ["b", "a"])])
def test_scores_equal_only_in_32_bits_are_ordered_by_document_when_asked_to(
    write: Write, float32_ties: bool, order: list[str]
) -> None:
    run = read_run(write("a.run", NEARLY_EQUAL))
    assert run.to_ordered(float32_ties=float32_ties).frame["doc_id"].to_list() == order
    assert run.to_dict() == {"q1": {"a": 0.100000001, "b": 0.1}}, "the scores themselves stay as they were"


@pytest.mark.parametrize("scanner_switch", ["on", "off"])
def test_scores_equal_only_in_32_bits_tie_when_asked_to(
    write: Write, monkeypatch: pytest.MonkeyPatch, scanner_switch: str
) -> None:
    monkeypatch.setenv("TOPRUNG_SCANNER", scanner_switch)
    path, qrels = write("a.run", NEARLY_EQUAL), Qrels.from_dict({"q1": {"a": 1, "b": 1}})
    in_64_bits = place_file(path, qrels)
    assert in_64_bits.rank.tolist() == [1, 2]
    assert not in_64_bits.has_ties
    in_32_bits = place_file(path, qrels, float32_ties=True)
    assert in_32_bits.rank.tolist() == [2, 1]
    assert (in_32_bits.tie_first.tolist(), in_32_bits.tie_last.tolist()) == ([1, 1], [2, 2])


@pytest.mark.parametrize("scanner_switch", ["on", "off"])
def test_scores_beyond_32_bits_are_all_equally_infinite_there(
    write: Write, monkeypatch: pytest.MonkeyPatch, scanner_switch: str
) -> None:
    monkeypatch.setenv("TOPRUNG_SCANNER", scanner_switch)
    path = write("a.run", "q1 Q0 a 1 1e300 t\nq1 Q0 b 2 1e299 t\n")
    placed = place_file(path, Qrels.from_dict({"q1": {"a": 1, "b": 1}}), float32_ties=True)
    assert placed.rank.tolist() == [2, 1]


def test_a_parquet_run_with_nearly_equal_scores_ties_when_asked_to(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    write_run(Run.from_dict({"q1": {"a": 0.100000001, "b": 0.1}}), path)
    qrels = Qrels.from_dict({"q1": {"a": 1, "b": 1}})
    assert place_file(path, qrels).rank.tolist() == [1, 2]
    assert place_file(path, qrels, float32_ties=True).rank.tolist() == [2, 1]
    assert place_file(path, qrels, float32_ties=True).tie_last.tolist() == [2, 2]


def test_a_parquet_run_is_placed_like_the_text_it_came_from(write: Write, tmp_path: Path) -> None:
    qrels = Qrels.from_dict({"q1": {"a": 1}, "q2": {"a": 1, "b": 0}})
    for text, name in ((TREC, "a.run"), (MSMARCO, "a.tsv")):
        path = write(name, text)
        write_run(read_run(path), tmp_path / "a.parquet")
        from_text, from_parquet = place_file(path, qrels), place_file(tmp_path / "a.parquet", qrels)
        assert from_parquet.rank.tolist() == from_text.rank.tolist()
        assert from_parquet.retrieved.tolist() == from_text.retrieved.tolist()


def test_the_name_given_is_the_run_s_name(write: Write) -> None:
    path = write("a.run", TREC)
    assert read_run(path, name="mine").name == "mine"
    assert place_file(path, Qrels.from_dict({"q1": {"a": 1}}), name="mine").run == "mine"


def test_a_path_may_be_text_or_a_path(write: Write) -> None:
    path = write("a.run", TREC)
    assert rows_of(read_run(str(path))) == rows_of(read_run(path))


def test_a_named_format_is_not_guessed_again(write: Write) -> None:
    path = write("a.run", TREC)
    with pytest.raises(FormatError, match=r"line 1: found 6 columns, .* expected 3 columns: query_id doc_id rank\."):
        read_run(path, format="msmarco")
    with pytest.raises(FormatError, match=r"line 1: found 6 columns"):
        place_file(path, Qrels.from_dict({"q1": {"a": 1}}), format=RunFormat.MSMARCO)


def test_the_size_cap_holds_for_every_way_to_read_a_text(write: Write) -> None:
    path = write("a.run", TREC)
    limits = Limits(max_bytes=10)
    with pytest.raises(TooLargeError, match="found more than 10 bytes"):
        read_run(path, limits=limits)
    with pytest.raises(TooLargeError, match="found more than 10 bytes"):
        place_file(path, Qrels.from_dict({"q1": {"a": 1}}), limits=limits)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("runs/bm25.run.gz", "bm25"),
        ("bm25", "bm25"),
        ("bm25.txt", "bm25"),
        ("bm25.trec.bz2", "bm25"),
        ("bm25.tsv.zst", "bm25"),
        ("bm25.parquet", "bm25"),
        ("bm25.gz", "bm25"),
        ("run.bm25.dev.tsv.gz", "run.bm25.dev"),
        ("bm25.v1.2", "bm25.v1.2"),
        ("bm25.csv", "bm25.csv"),
        ("bm25.txt.run", "bm25.txt"),
        (".run", ".run"),
        (Path("deep/er/monoT5.run"), "monoT5"),
    ],
)
def test_a_run_is_named_by_its_file_without_the_usual_endings(path: str | Path, name: str) -> None:
    assert run_name(path) == name


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["a/x.run", "a/y.run"], ["x", "y"]),
        (["a/x.run", "b/x.run.gz", "b/y.run"], ["a/x", "b/x", "y"]),
        (["2023/a/x.run", "2024/a/x.run"], ["2023/a/x", "2024/a/x"]),
        (["a/b/x.run", "c/b/x.run", "c/d/x.run"], ["a/b/x", "c/b/x", "d/x"]),
        ([], []),
    ],
)
def test_clashing_names_are_told_apart_by_their_folders(paths: list[str], names: list[str]) -> None:
    assert list(names_for(paths)) == names


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.parquet", RunFormat.PARQUET),
        ("a.tsv", RunFormat.MSMARCO),
        ("a.tsv.gz", RunFormat.MSMARCO),
        ("a.run", RunFormat.TREC),
        ("a.txt.zst", RunFormat.TREC),
        ("a", RunFormat.TREC),
        ("tsv", RunFormat.TREC),
    ],
)
def test_the_ending_of_a_name_decides_what_is_written(path: str, expected: RunFormat) -> None:
    assert format_for(path) is expected


def test_a_real_run_contradicts_its_rank_column_in_every_query(shared_data: Path) -> None:
    folder = shared_data / "trec-covid-r1"
    path = folder / "SFDC-23April-run1.gz"
    assert read_run(path).n_contradicting_queries == 30
    assert place_file(path, read_qrels(folder / "qrels.covid-round1.txt")).n_contradicting_queries == 30


def test_a_real_run_survives_being_written_and_read_again(shared_data: Path, tmp_path: Path) -> None:
    run = read_run(shared_data / "trec-covid-r1" / "BERT.gz")
    for name in ("again.run.zst", "again.parquet"):
        write_run(run, tmp_path / name)
        assert read_run(tmp_path / name).to_frame().equals(run.to_frame())


def test_a_missing_file_is_the_system_s_own_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nowhere\.run"):
        read_run(tmp_path / "nowhere.run")


def test_an_unknown_format_to_write_is_refused(tmp_path: Path) -> None:
    run = Run.from_frame(pl.DataFrame({"query_id": ["q1"], "doc_id": ["a"], "rank": [1]}))
    with pytest.raises(InputError, match=r"Found format 'csv'; expected one of trec, msmarco, parquet\."):
        write_run(run, tmp_path / "a.csv", format="csv")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("name", "text"), [("run.trec", TREC), ("run.tsv", MSMARCO)])
@pytest.mark.parametrize("depth", [1, 2, 100])
def test_only_the_first_ranks_are_kept_if_asked(write: Write, name: str, text: str, depth: int) -> None:
    path = write(name, text)
    whole, top = read_run(path), read_run(path, depth=depth)
    assert top.to_frame().rows() == [row for row in whole.to_frame().rows() if row[2] <= depth]
    assert (top.name, top.tag) == (whole.name, whole.tag)


def test_parquet_is_cut_to_the_first_ranks_too(tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    write_run(Run.from_dict({"q": {"a": 2.0, "b": 1.0}}), path)
    assert [row[1] for row in read_run(path, depth=1).to_frame().rows()] == ["a"]
