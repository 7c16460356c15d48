"""How are the submissions of teams laid out? A row a team, a column a month, and in each cell a mark a submission."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import accumulate
from typing import NamedTuple

from toprung.report.charts.calendar_columns import CalendarColumns
from toprung.report.charts.svg.drawing import SMALL, Drawing
from toprung.report.charts.svg.marks import Facts
from toprung.report.charts.svg.setting import ChartSetting, Subject
from toprung.report.charts.tokens import ALERT, CONTROL, INK, INK_2, INK_3, RULE
from toprung.words.wording import say_count

MOST_TEAMS = 40
MOST_MARKS = (6, 2)
"""In one cell; more are counted. The second where the first would make the figure too wide."""
WIDEST = 880
MOST_CELLS_WITH_PLACES, MOST_PLACES = 500, 4
"""Up to so many cells, and so many submissions a month, the places that were not used are drawn."""
ROW, MARK_STEP, CELL_GAP, LABEL_ROOM = 24, 11, 10, 28
"""Points."""
MOST_ALL_LABELLED = 12
"""Columns up to which each is wide enough for its name."""
NAME_LIMIT = 280
KEPT, PLACE, BROKE = "kept", "place not used", "broke the policy"


@dataclass(frozen=True, kw_only=True)
class TeamDays:
    """When a team submitted: what kept to the policy, and what broke it."""

    team: str
    kept: tuple[date, ...]
    broke: tuple[date, ...] = ()

    @property
    def n(self) -> int:
        return len(self.kept) + len(self.broke)


class _Mark(NamedTuple):
    """What stands in a slot of a cell: a kind of mark, or a count beside one."""

    kind: str
    text: str = ""
    slots: int = 1


@dataclass(frozen=True, kw_only=True)
class TeamGrid:
    """The teams drawn, the busiest first; ``cells`` are teams × columns."""

    teams: tuple[TeamDays, ...]
    n_left_out: int
    columns: CalendarColumns
    has_places: bool
    """Whether the places are drawn that were not used."""
    cells: tuple[tuple[tuple[_Mark, ...], ...], ...]

    @classmethod
    def of(cls, teams: Sequence[TeamDays], *, places: int = 0) -> TeamGrid:
        """With ``places`` for each team and month; of many teams those that broke the policy or submitted most."""
        chosen = sorted(teams, key=lambda each: (-len(each.broke), -each.n, each.team))[:MOST_TEAMS]
        shown = tuple(sorted(chosen, key=lambda each: (-each.n, each.team)))
        columns = CalendarColumns.over(day for each in teams for day in (*each.kept, *each.broke))
        has_room = columns.months == 1 and len(shown) * columns.n <= MOST_CELLS_WITH_PLACES
        places = places if has_room and places <= MOST_PLACES else 0
        cells = [[tuple(_cells(each, columns, places, most)) for each in shown] for most in MOST_MARKS]
        fitting = [each for each in cells if _lefts(each)[-1] <= WIDEST]
        return cls(
            teams=shown,
            n_left_out=len(teams) - len(shown),
            columns=columns,
            has_places=places > 0,
            cells=tuple((fitting or cells[-1:])[0]),
        )

    @property
    def has_counts(self) -> bool:
        return any(mark.text for cells in self.cells for cell in cells for mark in cell)

    def say_columns(self) -> str:
        return {1: "calendar month", 3: "quarter", 12: "year", 120: "decade", 1200: "century"}[self.columns.months]

    def draw(self, setting: ChartSetting, *, counts_breaches: bool) -> Drawing:
        lefts = _lefts(self.cells)
        drawing = Drawing(width=lefts[-1], height=ROW * len(self.teams), setting=setting)
        for place in range(len(self.teams) + 1):
            drawing.rule((0, ROW * place), (drawing.width, ROW * place), stroke=RULE)
        self._draw_marks(drawing, lefts)
        for heads, above in ((self._headings(lefts), 8), (self._years(lefts), 24)):
            for text, x in heads:
                drawing.heading(text, x=x, above=above, align="left")
        rows = [(each, ROW * (place + 0.5)) for place, each in enumerate(self.teams)]
        for each, middle in rows:
            of = Subject("team", each.team)
            drawing.text(each.team, -12, middle, align="right", colour=INK, limit=NAME_LIMIT, of=of)
        drawing.heading("all", x=drawing.width + 28, above=8)
        drawing.column(((f"{each.n:,}", middle) for each, middle in rows), x=drawing.width + 28)
        if counts_breaches:
            _draw_breaches(drawing, rows)
        return drawing

    def _draw_marks(self, drawing: Drawing, lefts: Sequence[float]) -> None:
        for row, (each, cells) in enumerate(zip(self.teams, self.cells, strict=True)):
            for place, cell in enumerate(cells):
                told = {"team": each.team, "when": self.columns.full_name(place)}
                slots = accumulate((mark.slots for mark in cell), initial=0)
                for mark, slot in zip(cell, slots, strict=False):
                    x, y = lefts[place] + MARK_STEP * (slot + 0.5), ROW * (row + 0.5)
                    _draw_mark(drawing, mark, x, y, told)

    def _headings(self, lefts: Sequence[float]) -> Iterator[tuple[str, float]]:
        """The names of the columns, as many as have room."""
        free_from = 0.0
        for place, left in enumerate(lefts[:-1]):
            if left >= free_from:
                free_from = left + LABEL_ROOM
                yield self.columns.label(place), left

    def _years(self, lefts: Sequence[float]) -> Iterator[tuple[str, float]]:
        """Where each begins; what is left of a first one may be too narrow."""
        years = [(left, self.columns.year(place)) for place, left in enumerate(lefts[:-1]) if self.columns.year(place)]
        for (left, year), (following, _) in zip(years, [*years[1:], (math.inf, "")], strict=True):
            if following - left >= LABEL_ROOM + 6:
                yield year, left


def _lefts(cells: Sequence[Sequence[Sequence[_Mark]]]) -> list[float]:
    """The left edge of every column, and the right one of the last."""
    widest = [max(sum(mark.slots for mark in cell) for cell in months) for months in zip(*cells, strict=True)]
    least = LABEL_ROOM if len(widest) <= MOST_ALL_LABELLED else 0
    return list(accumulate((max(least, MARK_STEP * max(1, slots) + CELL_GAP) for slots in widest), initial=0.0))


def _cells(each: TeamDays, columns: CalendarColumns, places: int, most_marks: int) -> Iterator[tuple[_Mark, ...]]:
    kept, broke = (Counter(map(columns.place, days)) for days in (each.kept, each.broke))
    for place in range(columns.n):
        yield tuple(_cell(kept[place], broke[place], places, most_marks))


def _cell(kept: int, broke: int, places: int, most_marks: int) -> Iterator[_Mark]:
    """From the left: what kept to the policy, the places left, what broke it."""
    if kept + broke <= most_marks:
        yield from [_Mark(KEPT)] * kept + [_Mark(PLACE)] * (places - kept) + [_Mark(BROKE)] * broke
        return
    for kind, n in ((KEPT, kept), (BROKE, broke)):
        if n:
            yield _Mark(kind)
        if n > 1:
            yield _Mark("", f"{n:,}", slots=1 if n < 10 else 2)


def _draw_mark(drawing: Drawing, mark: _Mark, x: float, y: float, told: Facts) -> None:
    """A filled square, an empty one, a cross, or a count."""
    if mark.kind == KEPT:
        drawing.point(x, y, shape="square", size=64, fill=INK_2, facts=told)
    elif mark.kind == PLACE:
        drawing.point(x, y, shape="square", size=49, fill="", stroke=CONTROL, width=1)
    elif mark.kind == BROKE:
        facts = {**told, "kind": BROKE}
        drawing.point(x, y, shape="cross", size=64, fill="", stroke=ALERT, width=2, facts=facts)
    else:
        drawing.text(mark.text, x - 4, y, size=SMALL)


def _draw_breaches(drawing: Drawing, rows: Sequence[tuple[TeamDays, float]]) -> None:
    """How many submissions of each team broke the policy."""
    right = drawing.width + 84
    drawing.heading("broke it", x=right, above=8)
    for each, middle in rows:
        count, colour = (f"{len(each.broke):,}", ALERT) if each.broke else ("–", INK_3)
        drawing.text(count, right, middle, align="right", colour=colour)


def say_more(teams: Sequence[TeamDays], grid: TeamGrid) -> str:
    """What a number in a cell is, and what was not drawn."""
    rest = sum(each.n for each in teams if each not in grid.teams)
    counts = " A number behind a mark counts them." if grid.has_counts else ""
    left_out = f" Not drawn: {say_count(grid.n_left_out, 'team')} with {say_count(rest, 'submission')}." if rest else ""
    return counts + left_out
