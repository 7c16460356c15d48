"""What a result declares is told in JSON, frame and CSV, in the order of its declaration."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import ClassVar

import numpy as np
import polars as pl
import pytest

from toprung.report.writers import to_csv, to_json
from toprung.result import Arrays, Cell, Column, Fact, Facts, Figure, Result, Rows, columns


class Mood(Enum):
    GOOD = "good"


@dataclass(frozen=True)
class Row:
    run: str
    score: float
    when: date | None = None
    mood: Mood = Mood.GOOD
    rivals: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Answer(Result):
    """A result that declares all there is to declare."""

    FIGURES: ClassVar[tuple[Figure, ...]] = (
        "measure first=first.run",
        Facts("range", ("low high",)),
        Rows(
            "runs",
            of="rows",
            columns=(
                *columns(str, "run mood"),
                Column("score"),
                Column("when", date),
                Column("rivals", list),
                "n_rivals=len(rivals)",
            ),
        ),
        Arrays("pairs", (Column("a", str, "names"), Column("delta", path="deltas"), Column("p", path="nothing"))),
    )
    MADE_FROM = ("n=len(rows)", Fact("test", lambda _: "t"))
    rows: tuple[Row, ...]
    measure: str = "RR"
    low: float = 0.0
    high: float = float("inf")
    names: tuple[str, ...] = ("x",)
    deltas: np.ndarray[tuple[int], np.dtype[np.float64]]
    nothing: None = None

    @property
    def sentence(self) -> str:
        return "So it is."

    @property
    def first(self) -> Row | None:
        return self.rows[0] if self.rows else None

    def cells(self) -> list[Cell]:
        return [Cell("run", lambda row: row.run), Cell("score", lambda row: f"{row.score:.1f}", is_number=True)]


def answer(*rows: Row) -> Answer:
    return Answer(rows=rows, deltas=np.array([np.nan]))


TWO = answer(Row("a", 0.5, date(2021, 5, 1), rivals=("b", "c")), Row("b", float("nan")))


def test_json_has_the_sentence_the_figures_in_order_the_notes_and_the_provenance() -> None:
    assert json.loads(to_json(TWO)) == {
        "sentence": "So it is.",
        "measure": "RR",
        "first": "a",
        "range": {"low": 0.0, "high": None},
        "runs": [
            {"run": "a", "mood": "good", "score": 0.5, "when": "2021-05-01", "rivals": ["b", "c"], "n_rivals": 2},
            {"run": "b", "mood": "good", "score": None, "when": None, "rivals": [], "n_rivals": 0},
        ],
        "pairs": {"a": ["x"], "delta": [None]},
        "notes": [],
        "provenance": {"n": 2, "test": "t", "toprung": TWO.provenance["toprung"]},
    }
    assert list(TWO.to_dict())[:5] == ["sentence", "measure", "first", "range", "runs"]


def test_the_first_rows_are_also_frame_and_csv_and_what_is_no_column_is_in_json_only() -> None:
    assert TWO.to_frame().columns == ["run", "mood", "score", "when", "rivals"]
    assert to_csv(TWO) == "run,mood,score,when,rivals\na,good,0.5,2021-05-01,b; c\nb,good,,,\n"


def test_an_empty_frame_has_its_schema() -> None:
    types = {"run": pl.String, "mood": pl.String, "score": pl.Float64, "when": pl.Date, "rivals": pl.List(pl.String)}
    assert dict(answer().to_frame().schema) == dict(TWO.to_frame().schema) == types


def test_beyond_none_there_is_none() -> None:
    assert answer().to_dict()["first"] is None


def test_people_read_the_cells_of_the_same_rows() -> None:
    assert TWO.table.to_text() == "run  score\na      0.5\nb      nan"


def test_a_frame_keeps_numbers_that_are_not_finite_where_it_is_asked_to() -> None:
    kept = Rows("rows", (Column("score"),), keeps_nan=True)
    assert kept.to_frame(TWO)["score"].is_nan().to_list() == [False, True]
    assert kept.to_json(TWO)[1] == {"score": None}


def test_a_column_that_is_declared_later_is_in_csv_json_and_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = Rows("runs", of="rows", columns=(Column("run", str), Column("double", path=lambda row: 2 * row.score)))
    monkeypatch.setattr(Answer, "FIGURES", (rows,))
    assert to_csv(TWO) == "run,double\na,1.0\nb,\n"
    assert TWO.to_dict()["runs"] == [{"run": "a", "double": 1.0}, {"run": "b", "double": None}]
    assert TWO.to_frame()["double"].to_list() == [1.0, None]


def test_whole_columns_may_be_very_long() -> None:
    many = Answer(rows=(), names=("x",) * 499_500, deltas=np.zeros(499_500))
    assert len(many.to_dict()["pairs"]["a"]) == 499_500


def test_a_misspelt_path_fails() -> None:
    with pytest.raises(AttributeError, match="scoer"):
        Rows("rows", (Column("score", path="scoer"),)).to_json(TWO)
