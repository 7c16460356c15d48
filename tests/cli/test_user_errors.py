"""Every kind of slip is answered in at most three lines that say what was found, and ends with 2."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]


def zipped() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("good.run", "q1 Q0 a 1 2.5 t\n" * 9)
    return packed.getvalue()


FILES: dict[str, bytes] = {
    "tag.run": b"q1 Q0 a 1 2.5 my tag\n",
    "blank.run": b"q1 Q0 a 1 2.5 t\n\nq2 Q0 b 1 2.5 t\n",
    "text.run": b"q1 Q0 a 1 much t\n",
    "nan.run": b"q1 Q0 a 1 nan t\n",
    "twice.run": b"q1 Q0 a 1 2 t\nq1 Q0 a 2 1 t\n",
    "latin.run": b"q1 Q0 caf\xe9 1 2 t\n",
    "other.run": b"q8 Q0 a 1 2 t\n",
    "empty.run": b"",
    "run.zip": zipped(),
    "cut.gz": b"\x1f\x8b\x08\x00\x00\x00",
    "grade.txt": b"q1 0 a high\n",
    "scores.csv": b"query_id,good,poor\nq1,1,x\n",
    "one.csv": b"query_id,good\nq1,1\nq2,0\n",
}

ERRORS: dict[str, tuple[tuple[str, ...], str]] = {
    "a command mistyped": (("evluate",), "No such command 'evluate'. Did you mean 'evaluate'"),
    "a command below labels mistyped": (("labels", "pol"), "No such command 'pol'. Did you mean 'pool'?"),
    "a command below host mistyped": (("host", "creat"), "No such command 'creat'. Did you mean 'create'?"),
    "a kind of figure mistyped": (("plot", "stabilty"), "No such command 'stabilty'. Did you mean 'stability'?"),
    "a command unlike any": (("xyzzy",), "No such command 'xyzzy'."),
    "an option mistyped": (("evaluate", "qrels.txt", "good.run", "--mesure", "RR"), "Did you mean '--measure'?"),
    "an option without its value": (("evaluate", "qrels.txt", "good.run", "-m"), "Option '-m' requires an argument."),
    "a choice that is none": (("evaluate", "qrels.txt", "good.run", "-f", "xml"), "'xml' is not one of 'table'"),
    "a number out of its range": (("power", "--scores", "scores.csv", "--alpha", "5"), "5.0 is not in the range"),
    "a text for a number": (("convert", "good.run", "x.tsv", "--depth", "ten"), "'ten' is not a valid integer"),
    "arguments missing": (("evaluate",), "Missing argument 'QRELS'."),
    "an argument too many": (("convert", "good.run", "x.tsv", "y.tsv"), "unexpected extra argument (y.tsv)"),
    "no runs": (("compare", "qrels.txt"), "Found no runs; expected QRELS RUN..."),
    "a run that is not there": (("evaluate", "qrels.txt", "no.run"), "no.run: No such file or directory."),
    "labels that are not there": (("compare", "no.txt", "good.run", "poor.run"), "no.txt: No such file or directory."),
    "an output in no folder": (
        ("compare", "no.txt", "no.run", "-o", "far/off/x"),
        "far/off/x: found no folder far/off;",
    ),
    "a folder as a run": (("evaluate", "qrels.txt", "."), ".: Is a directory."),
    "labels and run exchanged": (("evaluate", "good.run", "qrels.txt"), "Six columns are a run, not labels."),
    "labels as a run": (("evaluate", "qrels.txt", "qrels.txt"), "Four columns are labels, not a run."),
    "a tag with blanks": (("evaluate", "qrels.txt", "tag.run"), "Ids and tags must not contain blanks"),
    "a blank line inside": (("evaluate", "qrels.txt", "blank.run"), "blank.run, line 2: found a blank line;"),
    "a score that is a text": (("evaluate", "qrels.txt", "text.run"), "text.run, line 1: found score 'much';"),
    "a score that is not finite": (("evaluate", "qrels.txt", "nan.run"), "nan.run, line 1: found score 'nan';"),
    "a document twice": (("evaluate", "qrels.txt", "twice.run"), "line 2: found document 'a' of query 'q1' again"),
    "not UTF-8": (("evaluate", "qrels.txt", "latin.run"), "found byte 0xe9 at position 10 of the line;"),
    "no query in common": (("evaluate", "qrels.txt", "other.run"), "none of them in the labels (qrels.txt);"),
    "an empty run": (("evaluate", "qrels.txt", "empty.run"), "empty.run: found an empty file;"),
    "nothing on stdin": (("evaluate", "qrels.txt", "-"), "Found nothing to read for - (stdin);"),
    "a zip": (("evaluate", "qrels.txt", "run.zip"), "run.zip: found a zip archive; expected one file"),
    "a packed file cut short": (("evaluate", "qrels.txt", "cut.gz"), "cut.gz: found a compressed file that cannot"),
    "a grade that is a text": (("evaluate", "grade.txt", "good.run"), "grade.txt, line 1: found grade 'high';"),
    "a measure mistyped": (("evaluate", "qrels.txt", "good.run", "-m", "nDGC@10"), "Did you mean nDCG?"),
    "a measure's parameter unknown": (
        ("evaluate", "qrels.txt", "good.run", "-m", "RR(depth=3)"),
        "RR has: rel, mth, ties.",
    ),
    "the same run twice": (("evaluate", "qrels.txt", "good.run", "good.run"), "Found two runs called"),
    "one run to compare": (("compare", "qrels.txt", "good.run"), "Found 1 run; expected at least two"),
    "a cell that is a text": (("compare", "--scores", "scores.csv"), "scores.csv, line 2: found"),
    "scores and ranks at once": (("compare", "--scores", "one.csv", "--ranks", "one.csv"), "both --ranks and --scores"),
    "a run that the matrix has not": (
        ("compare", "--scores", "one.csv", "good", "best"),
        "Found no run 'best'; expected one of good.",
    ),
    "a measure beside ranks": (("compare", "--ranks", "one.csv", "-m", "AP"), "ranks give only RR"),
    "a format that the file is not in": (("evaluate", "qrels.txt", "good.run", "--from", "msmarco"), "expected 3 col"),
    "an ending that no figure has": (
        ("plot", "scores", "qrels.txt", "good.run", "-o", "x.doc"),
        "ends in .svg, .png, .pdf",
    ),
    "a server for a participant without a token": (("status", "http://127.0.0.1:9/b/x"), "toprung login"),
}


@pytest.mark.parametrize(("arguments", "said"), ERRORS.values(), ids=ERRORS)
def test_a_slip_is_answered_in_three_lines_at_most(
    toprung: Command, files: Path, own_folder: Path, arguments: tuple[str, ...], said: str
) -> None:
    for name, content in FILES.items():
        (files / name).write_bytes(content)
    outcome = toprung(*arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert said in outcome.err
    assert 1 <= len(outcome.err.splitlines()) <= 3
    assert outcome.err.startswith("toprung: ")


def test_the_table_holds_the_kinds_that_were_promised() -> None:
    assert len(ERRORS) >= 25
