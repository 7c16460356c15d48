"""How are the submissions of teams laid out? A row a team, a column a month, and in each cell a mark a submission."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import accumulate
from typing import Any, NamedTuple

import altair as alt

from toprung.report.charts.calendar_columns import CalendarColumns
from toprung.report.charts.data import values
from toprung.report.charts.side_texts import across, column, down, edge_column, heading, headings
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
CROSS = "M-0.8,-0.8L0.8,0.8M0.8,-0.8L-0.8,0.8"


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
        return {1: "calendar month", 3: "quarter", 12: "year"}[self.columns.months]

    def draw(self, *, counts_breaches: bool) -> alt.LayerChart:
        lefts = _lefts(self.cells)
        width, height = lefts[-1], ROW * len(self.teams)
        rows = [(each, ROW * (place + 0.5)) for place, each in enumerate(self.teams)]
        totals = ((f"{each.n:,}", middle) for each, middle in rows)
        layers = (
            _hairlines(len(self.teams)),
            *_symbols(list(self._marks(lefts))),
            headings(self._headings(lefts), above=8, align="left"),
            headings(self._years(lefts), above=24, align="left"),
            *edge_column(((each.team, middle) for each, middle in rows), x=-12, color=INK, limit=NAME_LIMIT),
            heading("all", x=width + 28, above=8),
            column(totals, x=width + 28),
            *(_breaches(rows, width + 84) if counts_breaches else ()),
        )
        return alt.layer(*layers).resolve_scale(y="independent").properties(width=width, height=height)

    def _marks(self, lefts: Sequence[float]) -> Iterator[dict[str, object]]:
        for row, (each, cells) in enumerate(zip(self.teams, self.cells, strict=True)):
            for place, cell in enumerate(cells):
                slots = accumulate((mark.slots for mark in cell), initial=0)
                for mark, slot in zip(cell, slots, strict=False):
                    yield {
                        "team": each.team,
                        "kind": mark.kind,
                        "text": mark.text,
                        "x": lefts[place] + MARK_STEP * (slot + 0.5),
                        "down": ROW * (row + 0.5),
                    }

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


def _symbols(marks: Sequence[dict[str, object]]) -> Iterator[alt.Chart]:
    at = {"x": across("x"), "y": down("down")}
    looks: tuple[tuple[str, dict[str, Any]], ...] = (
        (KEPT, {"shape": "square", "filled": True, "color": INK_2, "size": 64}),
        (PLACE, {"shape": "square", "filled": False, "stroke": CONTROL, "strokeWidth": 1, "size": 49}),
        (BROKE, {"shape": CROSS, "filled": False, "stroke": ALERT, "strokeWidth": 2, "size": 36}),
    )
    for kind, look in looks:
        rows = [mark for mark in marks if mark["kind"] == kind]
        if rows:
            symbol = alt.Chart(values(rows)).mark_point(aria=False, **look)
            yield symbol.encode(**at)
    counts = [mark for mark in marks if mark["text"]]
    if counts:
        text = alt.Chart(values(counts)).mark_text(align="left", baseline="middle", dx=-4, fontSize=11.5, aria=False)
        yield text.encode(**at, text=alt.Text("text:N"))


def _hairlines(n_teams: int) -> alt.Chart:
    rows = values({"down": ROW * place} for place in range(n_teams + 1))
    return alt.Chart(rows).mark_rule(color=RULE, aria=False).encode(y=down("down"))


def _breaches(rows: Sequence[tuple[TeamDays, float]], right: float) -> Iterator[alt.Chart]:
    """How many submissions of each team broke the policy."""
    yield heading("broke it", x=right, above=8)
    yield column(((f"{len(each.broke):,}", middle) for each, middle in rows if each.broke), x=right, color=ALERT)
    yield column((("–", middle) for each, middle in rows if not each.broke), x=right, color=INK_3)


def say_more(teams: Sequence[TeamDays], grid: TeamGrid) -> str:
    """What a number in a cell is, and what was not drawn."""
    rest = sum(each.n for each in teams if each not in grid.teams)
    counts = " A number behind a mark counts them." if grid.has_counts else ""
    left_out = f" Not drawn: {say_count(grid.n_left_out, 'team')} with {say_count(rest, 'submission')}." if rest else ""
    return counts + left_out
