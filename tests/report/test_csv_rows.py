"""Very many rows are written by compiled code, and look as if Python's csv had written them."""

from __future__ import annotations

import csv
import io
import math
import struct
from array import array

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toprung.report import csv_rows
from toprung.report.csv_rows import write_rows
from toprung.result.block_rows import Block, BlockRows
from toprung.words.visible import spell_hidden

pytestmark = pytest.mark.skipif(csv_rows._rows is None, reason="NO WRITER OF ROWS: it was not built")

NUMBERS = [0.0, -0.0, 1.0, 0.5, 1 / 3, 0.1 + 0.2, 1e22, 1e16, 123456789012345680.0, 5e-324, 1.7976931348623157e308]
NAMES = [
    "q1",
    "",
    "a,b",
    'say "no"',
    "two\nlines",
    "=1+1",
    "-q",
    " @x",
    "é",
    "\u202e",
    "\udcff",
    "\u3164",
    "a;=b",
    "\t",
]


def test_rows_are_those_of_a_hand_written_file() -> None:
    rows = BlockRows(
        ["q1", "q2"], [Block(("bm25", "RR"), array("d", [0.5, math.nan])), Block(("x", "P@1"), np.ones(2))]
    )
    assert write_rows(rows) == "bm25,RR,q1,0.5\nx,P@1,q1,1.0\nx,P@1,q2,1.0\n"


@settings(max_examples=80, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(NAMES) | st.text(max_size=5), st.sampled_from(NUMBERS) | st.floats()), max_size=30
    ),
    st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)),
)
def test_compiled_rows_are_those_of_python(rows: list[tuple[str, float]], cells: tuple[str, str]) -> None:
    blocks = BlockRows([text for text, _ in rows], [Block(cells, array("d", [number for _, number in rows]))])
    assert write_rows(blocks) == write_rows(list(blocks))


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(0, 2**64 - 1), min_size=200, max_size=400))
def test_every_number_comes_back_as_it_was(bits: list[int]) -> None:
    numbers = [
        number for each in bits for number in struct.unpack("d", struct.pack("Q", each)) if not math.isnan(number)
    ]
    rows = write_rows(BlockRows(["q"] * len(numbers), [Block(("run",), array("d", numbers))]))
    assert [line.split(",")[2] for line in rows.splitlines()] == [repr(number) for number in numbers]


def test_names_are_read_back_as_csv() -> None:
    written = write_rows(BlockRows(NAMES, [Block(("run",), array("d", [1.0] * len(NAMES)))]))
    names = [row[1] for row in csv.reader(io.StringIO(written, newline=""))]
    assert [name.replace("'", "") for name in names] == [spell_hidden(name).replace("'", "") for name in NAMES]


def test_buffers_that_do_not_fit_are_refused() -> None:
    one = array("q", [1])
    assert csv_rows._rows.write(b"a,", b"q", one, array("d", [2.0])) == b"a,q,2.0\n"
    for ends, numbers in (
        (one, array("d")),
        (array("q", [2]), array("d", [2.0])),
        (array("q", [-1]), array("d", [2.0])),
    ):
        with pytest.raises(ValueError, match="do not fit together"):
            csv_rows._rows.write(b"", b"q", ends, numbers)
    with pytest.raises(ValueError, match="do not fit together"):
        csv_rows._rows.write(b"", b"q", array("q", [1, 0]), array("d", [1.0, 2.0]))


def test_texts_that_come_again_are_spelt_the_same_however_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_rows, "MOST_KEPT", 1)
    rows = [(text, 0.5, None, True) for text in ("=1+1", "-q", "=1+1", "bm25", "-q")]
    assert write_rows(rows) == "".join(f"{text},0.5,,True\n" for text in ("'=1+1", "'-q", "'=1+1", "bm25", "'-q"))
