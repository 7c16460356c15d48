"""A table on a terminal is no wider than it."""

from __future__ import annotations

import pytest

from toprung.result.narrow import LEAST_TEXT, cut_middle, fit_columns
from toprung.result.table import Table

TABLE = Table(
    header=("run", "RR", "remark", "n"),
    rows=(("a-run-with-a-very-long-name-seed-1", "0.25", "none at all", "12"), ("b", "1.00", "", "7")),
    numeric=frozenset({1, 3}),
)
FULL = """\
run                                   RR  remark        n
a-run-with-a-very-long-name-seed-1  0.25  none at all  12
b                                   1.00                7"""


@pytest.mark.parametrize("width", [None, 57, 200])
def test_a_table_that_fits_is_as_it_was(width: int | None) -> None:
    assert TABLE.to_text(width=width) == FULL
    assert TABLE.to_text() == FULL


def test_a_long_name_is_cut_before_a_column_is_left_out() -> None:
    assert TABLE.to_text(width=50).splitlines() == [
        "run                            RR  remark        n",
        "a-run-with-a-…g-name-seed-1  0.25  none at all  12",
        "b                            1.00                7",
    ]


def test_columns_at_the_end_are_left_out_and_named() -> None:
    assert TABLE.to_text(width=30).splitlines() == [
        "run                         RR",
        "a-run-with-a…name-seed-1  0.25",
        "b                         1.00",
        "(not shown, for want of width: remark, n)",
    ]


def test_the_first_column_always_stays() -> None:
    assert fit_columns([90, 4], {1}, within=10) == [LEAST_TEXT]
    assert fit_columns([8, 9], {0, 1}, within=3) == [8]


def test_a_text_is_cut_to_its_width() -> None:
    assert cut_middle("abcdefgh", 5) == "ab…gh"
    assert cut_middle("abcdefgh", 4) == "ab…h"
    assert cut_middle("abcd", 4) == "abcd"
