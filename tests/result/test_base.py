from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

import toprung as tr
from toprung.result import Result, Table

if TYPE_CHECKING:
    import polars as pl

TABLE = Table(
    header=("run", "RR"),
    rows=(("bm25", "0.5000"), ("a long name", "10.2500")),
    numeric=frozenset({1}),
)


def test_a_text_table_has_texts_at_the_left_and_numbers_at_the_right() -> None:
    assert TABLE.to_text() == "run               RR\nbm25          0.5000\na long name  10.2500"


def test_a_text_table_has_no_blanks_at_the_end_of_a_line() -> None:
    table = Table(header=("a", "b"), rows=(("1", "long"), ("2", "")))
    assert table.to_text() == "a  b\n1  long\n2"


def test_an_empty_table_is_its_header() -> None:
    assert Table(header=("run", "RR"), rows=()).to_text() == "run  RR"


class Answer(Result):
    """A result of two tables, the second with a heading."""

    sentence = "So it is."
    table = Table(header=("run",), rows=(("a",),))
    notes = ("Mind that.",)

    @property
    def tables(self) -> tuple[tuple[str, Table], ...]:
        return (("", self.table), ("Teams <b>", Table(header=("team",), rows=(("T",),))))

    @property
    def provenance(self) -> dict[str, object]:
        return {"private_sets": [{"name": "x", "n_queries": 3}, {"name": "<y>", "n_queries": 4}], "seed": 0}

    def to_frame(self) -> pl.DataFrame:
        raise AssertionError("nobody asks for this here")

    def to_dict(self) -> dict[str, Any]:
        raise AssertionError("nobody asks for this here")


def test_a_result_is_its_sentence_all_tables_under_their_headings_and_the_notes() -> None:
    assert str(Answer()) == "So it is.\n\nrun\na\n\nTeams <b>:\nteam\nT\n\nMind that."


def test_a_console_shows_the_sentence() -> None:
    assert repr(Answer()) == "<Answer: So it is.>"


def test_one_table_alone_has_no_heading() -> None:
    class Plain(Answer):
        tables = Result.tables

    assert str(Plain()) == "So it is.\n\nrun\na\n\nMind that."


def test_a_missing_pandas_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    found = tr.evaluate({"q1": {"d1": 1}}, {"q1": {"d1": 1.0}}, "RR")
    with pytest.raises(tr.MissingPackageError, match="Found no package pandas, which to_pandas needs; expected"):
        found.to_pandas()
