from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import toprung as tr

Command = Callable[..., Any]

TREC = "q1 Q0 a 1 2.5 good-tag\nq1 Q0 x 2 1.5 good-tag\nq2 Q0 b 1 9.0 good-tag\nq2 Q0 c 2 8.0 good-tag\n"
MSMARCO = "q1\ta\t1\nq1\tx\t2\nq2\tb\t1\nq2\tc\t2\n"
RANKS = [("q1", "a", 1), ("q1", "x", 2), ("q2", "b", 1), ("q2", "c", 2)]


def ranks(path: Path) -> list[tuple[str, str, int]]:
    return tr.read_run(path).to_frame().select("query_id", "doc_id", "rank").rows()


def test_a_trec_run_becomes_an_ms_marco_run(real_toprung: Command, files: Path) -> None:
    outcome = real_toprung("convert", "good.run", "out.tsv")
    assert (outcome.code, outcome.out, outcome.err) == (0, "out.tsv: 4 rows for 2 queries.\n", "")
    assert (files / "out.tsv").read_text() == MSMARCO


@pytest.mark.parametrize("source", ["x.trec", "x.tsv", "x.parquet"])
@pytest.mark.parametrize("target", ["y.trec", "y.tsv", "y.parquet", "y.run.gz", "y.tsv.bz2", "y.txt.zst"])
def test_every_format_becomes_every_other_with_the_same_ranking(
    toprung: Command, files: Path, source: str, target: str
) -> None:
    assert toprung("convert", "good.run", source).code == 0
    assert toprung("convert", source, target).code == 0
    assert ranks(files / target) == RANKS


def test_a_trec_run_keeps_scores_and_tag(toprung: Command, files: Path) -> None:
    toprung("convert", "good.run", "out.trec")
    assert (files / "out.trec").read_text() == TREC


def test_rows_are_written_in_ranking_order(toprung: Command, files: Path) -> None:
    (files / "mixed.run").write_text("q1 Q0 a 1 1 t\nq2 Q0 b 1 1 t\nq1 Q0 c 2 3 t\nq1 Q0 z 3 1 t\n")
    toprung("convert", "mixed.run", "out.tsv")
    assert (files / "out.tsv").read_text() == "q1\tc\t1\nq1\tz\t2\nq1\ta\t3\nq2\tb\t1\n"


def test_a_run_without_scores_gets_one_over_rank(toprung: Command, files: Path) -> None:
    (files / "in.tsv").write_text("q1\ta\t1\nq1\tb\t2\n")
    toprung("convert", "in.tsv", "out.trec")
    assert (files / "out.trec").read_text() == "q1 Q0 a 1 1.0 in\nq1 Q0 b 2 0.5 in\n"


@pytest.mark.parametrize("target", ["out.trec", "out.tsv", "out.parquet"])
def test_depth_keeps_the_first_documents_of_each_query(toprung: Command, files: Path, target: str) -> None:
    outcome = toprung("convert", "good.run", target, "--depth", "1")
    assert outcome.out == f"{target}: 2 rows for 2 queries.\n"
    assert ranks(files / target) == [("q1", "a", 1), ("q2", "b", 1)]


def test_the_format_may_be_named_whatever_the_ending_says(toprung: Command, files: Path) -> None:
    toprung("convert", "good.run", "out.txt", "--to", "msmarco")
    assert (files / "out.txt").read_text() == MSMARCO


@pytest.mark.parametrize("depth", ["0", "-1", "x"])
def test_a_depth_below_1_is_refused(toprung: Command, depth: str) -> None:
    outcome = toprung("convert", "good.run", "out.tsv", "--depth", depth)
    assert outcome.code == 2
    assert "--depth" in outcome.err


def test_a_bad_run_leaves_nothing_behind(toprung: Command, files: Path) -> None:
    (files / "bad.run").write_text("q1 Q0 a 1 nan t\n")
    before = sorted(files.iterdir())
    outcome = toprung("convert", "bad.run", "out.tsv")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("toprung: bad.run, line 1: found score 'nan'")
    assert sorted(files.iterdir()) == before


def test_a_compressed_parquet_file_is_refused(toprung: Command, files: Path) -> None:
    outcome = toprung("convert", "good.run", "out.parquet.gz")
    assert outcome.code == 2
    assert "Parquet is compressed already" in outcome.err
    assert not (files / "out.parquet.gz").exists()


def test_a_converted_run_scores_the_same(toprung: Command) -> None:
    toprung("convert", "poor.run", "poor.parquet")
    as_text = toprung("evaluate", "qrels.txt", "poor.run", "-f", "csv").out
    assert toprung("evaluate", "qrels.txt", "poor.parquet", "-f", "csv").out == as_text


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="no such device here")
def test_a_run_converted_to_the_standard_output_stands_there_alone(real_toprung: Command) -> None:
    outcome = real_toprung("convert", "good.run", "/dev/stdout", "--to", "msmarco")
    assert (outcome.code, outcome.out) == (0, MSMARCO)
    assert outcome.err == "/dev/stdout: 4 rows for 2 queries.\n"


def test_a_dash_for_a_target_makes_no_file_of_that_name(toprung: Command, files: Path) -> None:
    outcome = toprung("convert", "good.run", "-")
    assert outcome.code == 2
    assert "For the standard output say /dev/stdout" in outcome.err
    assert not (files / "-").exists()


@pytest.mark.parametrize("target", ["out.trec", "out.parquet"])
def test_a_target_without_a_folder_is_refused_before_the_run_is_read(toprung: Command, target: str) -> None:
    outcome = toprung("convert", "missing.run", f"nowhere/{target}")
    assert outcome.code == 2
    assert outcome.err == f"toprung: nowhere/{target}: found no folder nowhere; make it, or name another.\n"


@pytest.mark.parametrize("target", ["out.csv", "out.json", "out.xyz", "out.TSV", "out.csv.gz"])
def test_an_ending_that_names_no_run_is_refused(toprung: Command, files: Path, target: str) -> None:
    outcome = toprung("convert", "good.run", target)
    assert outcome.code == 2
    assert f"{target}: found the ending .{target.split('.')[1]}; expected one of .txt, .run, .tsv" in outcome.err
    assert not (files / target).exists()
    assert toprung("convert", "good.run", target, "--to", "trec").code == 0
    assert ranks(files / target) == RANKS


@pytest.mark.parametrize("target", ["out", "out.run", "out.txt.gz", "a.folder/out"])
def test_a_name_without_an_ending_is_of_a_trec_run(toprung: Command, files: Path, target: str) -> None:
    (files / "a.folder").mkdir()
    assert toprung("convert", "good.run", target).code == 0
    assert ranks(files / target) == RANKS
