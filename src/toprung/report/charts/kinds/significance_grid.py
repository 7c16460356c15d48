"""Which runs differ beyond chance? A square of all pairs, the best mean first; neighbours that agree are one block.

Blocks in the place of cells keep the figure of a hundred runs small: nothing is drawn for pairs that cannot be told
apart, and a row that is better than twenty others is one rectangle.
"""

from __future__ import annotations

from toprung.analyses.significance.find import SignificanceGrid
from toprung.report.charts.figure import Figure
from toprung.report.charts.spans import spans_of
from toprung.report.charts.svg.drawing import SMALL, Drawing
from toprung.report.charts.svg.legend import Entry
from toprung.report.charts.svg.setting import PLAIN, ChartSetting, Subject
from toprung.report.charts.svg.text_width import text_width
from toprung.report.charts.tokens import INK_2, INK_3, ONLY_OTHER, ONLY_THIS, PAPER, RULE
from toprung.words.wording import list_names, say_queries, show_number

WIDEST_CELL, NARROWEST_CELL, GRID_WIDTH = 40, 7, 800
LOWEST_ROW, HIGHEST_ROW = 15, 28
"""Points a row needs to hold the name of its run, and the most it takes."""
LEAST_NUMBERED_CELL = 20
"""Points a column needs to hold its number; of narrower ones every fifth has it."""
NAME_LIMIT = 260
MEAN_AT = 16
"""Points from the grid to the means."""
MOST_RUNS = 120
NARROW_NAMES, NARROW_MEANS = 96, 48
"""What names and means take of a small screen."""
BETTER, WORSE, TIED = "is better", "is worse", "cannot be told apart"
COLOURS = {BETTER: ONLY_THIS, WORSE: ONLY_OTHER, TIED: RULE}


def draw(result: SignificanceGrid, setting: ChartSetting = PLAIN) -> Figure:
    """Who is better than whom, all compared at once."""
    n_runs = len(result.runs)
    left_out = f" Shown are the first {MOST_RUNS} of {n_runs:,} runs." if n_runs > MOST_RUNS else ""
    return Figure(
        kind="significance",
        title="Which runs differ beyond chance",
        finding=result.sentence,
        caption=(
            f"Runs by mean {result.measure}, the best first, down and across. Blue: the run of the row is better than "
            "that of the column, beyond chance; orange: it is worse; pale: the two cannot be told apart. All compared "
            f"at once, at {result.alpha:g}, over {say_queries(result.n_queries)}.{left_out}"
        ),
        drawing=_SignificanceLayout(result, setting).draw(),
    )


class _SignificanceLayout:
    """The places of rows and columns in points; the best run stands at 0."""

    def __init__(self, result: SignificanceGrid, setting: ChartSetting) -> None:
        self.result = result
        self.runs = result.ordered_runs[:MOST_RUNS]
        self.names = [setting.name_of(run) for run in self.runs]
        self.n_runs = len(self.runs)
        usual = max(NARROWEST_CELL, min(WIDEST_CELL, GRID_WIDTH // self.n_runs))
        self.cell = setting.fit(usual * self.n_runs, NARROW_NAMES + NARROW_MEANS) / self.n_runs
        self.row = min(max(LOWEST_ROW, self.cell), HIGHEST_ROW)
        self.name_limit = NARROW_NAMES - 34 if setting.is_narrow else NAME_LIMIT
        self.drawing = Drawing(width=self.cell * self.n_runs, height=self.row * self.n_runs, setting=setting)

    def draw(self) -> Drawing:
        self._draw_squares()
        self._draw_lines()
        self._draw_row_labels()
        self._draw_column_labels()
        self.drawing.explain(Entry(kind, fill=colour) for kind, colour in COLOURS.items())
        return self.drawing

    def _draw_squares(self) -> None:
        """Neighbours in a row to which its run is the same, in one; nothing for those it cannot be told apart from."""
        drawing = self.drawing
        drawing.rect(0, 0, drawing.width, drawing.height, fill=COLOURS[TIED])
        for row, relations in enumerate(self.result.relations[: self.n_runs, : self.n_runs].tolist()):
            for start, end, relation in spans_of(relations):
                if relation:
                    self._draw_block(row, start, end, BETTER if relation > 0 else WORSE)
        for place in range(self.n_runs):
            self._draw_rect(place, place, place + 1, fill=PAPER)

    def _draw_block(self, row: int, start: int, end: int, kind: str) -> None:
        others = list_names(self.names[start:end])
        facts = {"run": self.names[row], "kind": f"{kind} than {others}"}
        of = Subject("pair", self.runs[row], self.runs[start]) if end == start + 1 else None
        left, right, top = self.cell * start, self.cell * end, self.row * row
        self.drawing.rect(left, top, right, top + self.row, fill=COLOURS[kind], facts=facts, of=of)

    def _draw_rect(self, row: int, start: int, end: int, *, fill: str) -> None:
        self.drawing.rect(self.cell * start, self.row * row, self.cell * end, self.row * (row + 1), fill=fill)

    def _draw_lines(self) -> None:
        """Between the cells, so that a block can be counted."""
        for place in range(1, self.n_runs):
            x, y = self.cell * place, self.row * place
            self.drawing.rule((x, 0), (x, self.drawing.height), stroke=PAPER)
            self.drawing.rule((0, y), (self.drawing.width, y), stroke=PAPER)

    def _draw_row_labels(self) -> None:
        middles = [self.row * (row + 0.5) for row in range(self.n_runs)]
        numbers = [] if self._has_named_columns else [(f"{row + 1}", middle) for row, middle in enumerate(middles)]
        self.drawing.column(numbers, x=-8, colour=INK_3)
        rows = zip(self.runs, middles, strict=True)
        self.drawing.names(rows, x=-34 if numbers else -8, limit=self.name_limit, colour=INK_2)
        means = ((self._show_mean(row), middle) for row, middle in enumerate(middles))
        means_at = self.drawing.width + (4 if self.drawing.setting.is_narrow else MEAN_AT)
        self.drawing.column(means, x=means_at, align="left", colour=INK_3)
        if not self.drawing.setting.is_narrow:
            self.drawing.heading(f"mean {self.result.measure}", x=means_at, above=4, align="left")

    def _show_mean(self, row: int) -> str:
        return show_number(float(self.result.means[self.result.order[row]]), self.result.score_decimals)

    @property
    def _has_named_columns(self) -> bool:
        """Whether every name fits above its column; else rows and columns are numbered."""
        return all(text_width(name, SMALL) <= self.cell - 4 for name in self.names)

    def _draw_column_labels(self) -> None:
        every = 1 if self._has_named_columns or self.cell >= LEAST_NUMBERED_CELL else 5
        for column, name in enumerate(self.names):
            if column == 0 or (column + 1) % every == 0:
                text = name if self._has_named_columns else f"{column + 1}"
                self.drawing.text(text, self.cell * (column + 0.5), -10, align="center", colour=INK_3)
