"""A small analysis with command, figure and part of the report, as a newcomer would add it: one file and one line."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from toprung.analysis import Analysis, FigureOf, Input, Option, Part
from toprung.boards.disclosure.disclosure import Disclosure
from toprung.boards.disclosure.rounding import round_to_grid
from toprung.data.matrices import ScoreTable
from toprung.report.charts.figure import Figure
from toprung.report.charts.svg.drawing import Drawing
from toprung.report.charts.svg.setting import PLAIN, ChartSetting, Subject
from toprung.report.charts.tokens import MARK
from toprung.result import Cell, Column, Result, Rows

HERE = "tests.analyses.one_more"
ANALYSIS = Analysis(
    key="widest",
    question="Which run reaches most?",
    help="Say which run reaches most.",
    answer=f"{HERE}:widest",
    result="Widest",
    inputs={"table": Input.SCORES},
    options=(Option(name="least", help="Reach that is worth a word."),),
    figures=(
        FigureOf(
            kind="reach",
            shows="how far the scores of each run reach",
            draw=f"{HERE}:draw",
            example="--scores scores.csv",
            place=1000,
        ),
    ),
    parts=(Part(key="reach", question="Which run reaches most?", place=15, needs=("two_runs",)),),
)


@dataclass(frozen=True)
class SpreadRow:
    run: str
    reach: float


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Widest(Result):
    FIGURES: ClassVar = (Rows("runs", of="rows", columns=(Column("run", str), Column("reach"))),)

    rows: tuple[SpreadRow, ...]
    least: float
    about: str = ""

    @property
    def sentence(self) -> str:
        widest = max(self.rows, key=lambda row: row.reach)
        if widest.reach < self.least:
            return f"No run reaches by {self.least:g}."
        return f"{widest.run} reaches most, by {self.about}{widest.reach:g}."

    def cells(self) -> list[Cell]:
        return [Cell("run", lambda row: row.run), Cell("reach", lambda row: f"{row.reach:g}", is_number=True)]


def widest(table: ScoreTable, *, least: float = 0.1) -> Widest:
    reaches = (table.values.max(axis=0) - table.values.min(axis=0)).round(6).tolist()
    return Widest(rows=tuple(map(SpreadRow, table.runs, reaches)), least=least)


def in_public(found: Widest, release: Disclosure) -> Widest:
    rows = tuple(SpreadRow(row.run, round_to_grid(row.reach, release.grid)) for row in found.rows)
    return replace(found, rows=rows, about="about ")


def draw(result: Widest, setting: ChartSetting = PLAIN) -> Figure:
    drawing = Drawing(width=setting.fit(400), height=20 * len(result.rows), setting=setting)
    furthest = max(row.reach for row in result.rows)
    for number, row in enumerate(result.rows):
        facts = {"run": setting.name_of(row.run), "reach": f"{row.reach:g}"}
        end, top = drawing.width * row.reach / furthest, 20 * number
        drawing.rect(0, top, end, top + 16, fill=MARK, facts=facts, of=Subject("run", row.run))
        drawing.text(setting.name_of(row.run), 4, top + 8, limit=drawing.width)
    return Figure(kind="reach", title="Reach", finding=result.sentence, caption="A bar a run.", drawing=drawing)
