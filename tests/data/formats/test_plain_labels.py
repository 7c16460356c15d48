"""Labels read all at once are those that are read line by line; whatever is unusual is left to that reader."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toprung.data.formats import qrels_files
from toprung.data.formats.plain_labels import read_plain
from toprung.data.formats.qrels_files import read_qrels
from toprung.data.qrels import Qrels
from toprung.errors import FormatError

NAMES = qrels_files.COLUMNS[qrels_files.QrelsFormat.TREC]
PIECES = st.sampled_from(
    [
        *(
            "q1",
            "q2",
            "0",
            "d1",
            "d2",
            "1",
            "-1",
            "+2",
            "007",
            "1.5",
            "1234567890",
            " ",
            "  ",
            "\t",
            "\n",
            "\n",
            "\r\n",
        ),
        *("\r", "\x0b", "\x0c", "\x1c", "\x00", "\x7f", "\x85", "\xa0", "\u2028", "é", "q1 0 d1 1\n", "q2 0 d2 0\n"),
    ]
)


def read(text: bytes) -> Qrels | None:
    return read_plain(text, NAMES, has_header=False, source="mine")


def outcome(path: Path) -> object:
    try:
        return read_qrels(path, format="trec").to_dict()
    except FormatError as error:
        return str(error)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=30).map("".join))
def test_files_are_taken_and_refused_as_line_by_line(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "labels.txt"
    path.write_bytes(text.encode())
    quick = outcome(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(qrels_files, "read_plain", lambda *_, **__: None)
        assert outcome(path) == quick


def test_a_plain_file_is_read_at_once() -> None:
    found = read(b"q2 0 d9 1\nq1\t0  d1 +0 \nq2 0 d3 -2\n")
    assert found is not None
    assert found.to_dict() == {"q2": {"d9": 1, "d3": -2}, "q1": {"d1": 0}}


@pytest.mark.parametrize(
    "text",
    [
        *("", "\n", "q1 0 d1 1\n\nq1 0 d2 1\n", "q1 0 d1\n", "q1 0 d1 1 9\nq1 0 d1\n", "q1 0 d1 1\r\n", "q1 0 é 1\n"),
        *("q1 0 d1 1\nq1 0 d1 1\n", "q1 0 d1 1.0\n", "q1 0 d1 1234567890\n", "q1 0 d\x0b1 1\n"),
    ],
)
def test_what_is_unusual_is_left_to_the_reader_of_lines(text: str) -> None:
    assert read(text.encode()) is None
