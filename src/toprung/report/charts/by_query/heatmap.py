"""What does each run score on each query? One row a run, one column a query, the hardest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from toprung.data.matrices import ScoreTable
from toprung.report.charts.by_query.query_columns import MOST_COLUMNS, QueryColumns, is_higher_better, sort_runs
from toprung.report.charts.by_query.score_steps import ScoreSteps
from toprung.report.charts.figure import Figure
from toprung.report.charts.spans import spans_of
from toprung.report.charts.svg.drawing import Drawing, in_rows
from toprung.report.charts.svg.legend import Entry
from toprung.report.charts.svg.scales import AxisScale
from toprung.report.charts.svg.setting import MOST_ROWS, PLAIN, ChartSetting, Subject, say_first_rows
from toprung.report.charts.tokens import INK_2, INK_3, RAMP
from toprung.scoring.evaluation import QueryScores
from toprung.words.wording import say_count, say_queries, show_number

GRID_WIDTH, WIDEST_CELL = 720, 64
HIGHEST_ROW, LOWEST_ROW, MANY_RUNS = 26, 15, 30
MOST_CELLS_APART = 2_400
"""Up to which every cell is a mark that tells its score; beyond, neighbours of one step are drawn as one."""
MOST_CELLS, LEAST_COLUMNS = 24_000, 20
"""Up to so many cells a query has a column; beyond, neighbouring queries share one, in no less columns than these."""
MOST_NAMED_QUERIES = 40
NAME_LIMIT, RUN_LIMIT = 90, 420
"""Points, of the id of a query, and of the name of a run."""
NARROW_NAME, NARROW_CELL = 16, 14
"""Of a small screen: the line of a name over a row, and the height of its cells."""
KIND = "query-scores"


def draw(result: QueryScores, setting: ChartSetting = PLAIN) -> Figure:
    """A panel for each measure."""
    found = result.evaluation
    return draw_tables([found.score_table(str(measure)) for measure in found.measures], setting)


def draw_tables(tables: Sequence[ScoreTable], setting: ChartSetting = PLAIN) -> Figure:
    """A panel for each table; the runs stand in the order of the first."""
    ordered = sort_runs(tables[0])
    runs = ordered[:MOST_ROWS]
    most = min(MOST_COLUMNS, MOST_CELLS // (len(runs) * len(tables)))
    grids = [QueryColumns.of(table, runs=runs, most=max(most, LEAST_COLUMNS)) for table in tables]
    panels = [_QueryGrid(grid, setting).draw() for grid in grids]
    return Figure(
        kind=KIND,
        title=f"{' and '.join(grid.measure for grid in grids)} query by query",
        finding=_say_finding(tables[0], runs, grids[0].means[0]),
        caption=(
            f"A row is a run, the best mean first; a column is {_say_column(grids[0])}. At the left stand the queries "
            "that are hardest for all runs together. A light cell in a dark column: a query that this run fails and "
            "others answer. Whether runs differ beyond chance is not tested here."
            f"{say_first_rows(len(ordered), 'runs')}"
        ),
        drawing=panels[0] if len(panels) == 1 else in_rows(panels, columns=1),
    )


def _say_finding(table: ScoreTable, runs: Sequence[str], best: float) -> str:
    can_fail, is_alone = is_higher_better(table.measure), len(runs) == 1
    mean, queries = show_number(best, 4), say_queries(len(table.query_ids))
    most = "highest" if can_fail else "lowest"
    what = f"a mean {table.measure} of {mean}" if is_alone else f"the {most} mean {table.measure}, {mean},"
    said = f"{runs[0]} has {what} over {queries}"
    if not can_fail:
        return f"{said}."
    n_failed = int(np.count_nonzero((np.nan_to_num(table.values, nan=0.0) == 0).all(axis=1)))
    return f"{said}; {'it scores' if is_alone else 'every run scores'} 0 on {n_failed:,} of them."


def _say_column(grid: QueryColumns) -> str:
    if grid.has_queries_alone:
        return "a query"
    return f"one of {say_count(len(grid.names), 'group')} of queries that are about as hard, with the mean of each run"


class _QueryGrid:
    """Rows and columns in points; on a small screen a name stands over its row."""

    def __init__(self, grid: QueryColumns, setting: ChartSetting) -> None:
        self.grid, self.steps = grid, ScoreSteps.around(grid.scores)
        n_runs, n_columns = len(grid.runs), len(grid.names)
        self.above = NARROW_NAME if setting.is_narrow else 0
        self.cell_height = NARROW_CELL if setting.is_narrow else LOWEST_ROW if n_runs >= MANY_RUNS else HIGHEST_ROW
        self.row_height = self.cell_height + self.above
        width = setting.fit(min(GRID_WIDTH, WIDEST_CELL * n_columns))
        self.drawing = Drawing(width=width, height=self.row_height * n_runs, setting=setting)
        self.x = AxisScale(low=0, high=n_columns, start=0, end=width)

    def draw(self) -> Drawing:
        for row in range(len(self.grid.runs)):
            self._draw_row(row)
        self._draw_texts()
        if _are_named(self.grid):
            for place, name in enumerate(self.grid.names):
                x, of = self.x(place + 0.5), Subject("query", name)
                below = self.drawing.height + 6
                self.drawing.text(name, x, below, upright=True, limit=NAME_LIMIT, colour=INK_3, of=of)
        else:
            self.drawing.text(_say_axis(self.grid), 0, self.drawing.height + 14, colour=INK_3)
        entries = (Entry(name, fill=colour) for name, colour in zip(self.steps.names, RAMP, strict=True))
        self.drawing.explain(entries, title=self.grid.measure)
        return self.drawing

    def _draw_row(self, row: int) -> None:
        run, top = self.drawing.setting.name_of(self.grid.runs[row]), self.row_height * row + self.above
        gap = 0.75 if len(self.grid.names) <= MOST_NAMED_QUERIES else 0
        for start, end, step, query, score in _spans(self.grid, self.steps, self.grid.scores[row].tolist()):
            facts = {"run": run, "query": query, self.grid.measure: score}
            self.drawing.rect(
                self.x(start), top, self.x(end), top + self.cell_height,
                fill=RAMP[step], stroke=RAMP[0] if gap else "", width=gap, facts=facts,
            )  # fmt: skip

    def _draw_texts(self) -> None:
        """What is shown, names, and the means at the right."""
        self.drawing.heading(self.grid.measure, x=0, align="left")
        is_narrow, width = self.drawing.setting.is_narrow, self.drawing.width
        offset = NARROW_NAME / 2 if is_narrow else self.row_height / 2
        middles = [self.row_height * row + offset for row in range(len(self.grid.runs))]
        rows = zip(self.grid.runs, middles, strict=True)
        if is_narrow:
            self.drawing.names(rows, x=0, align="left", colour=INK_2, limit=width - 70)
        else:
            self.drawing.names(rows, x=-6, colour=INK_2, limit=RUN_LIMIT)
            self.drawing.heading("mean", x=width + 56)
        means = (show_number(mean, 4) for mean in self.grid.means)
        self.drawing.column(zip(means, middles, strict=True), x=width if is_narrow else width + 56, colour=INK_3)


def _are_named(grid: QueryColumns) -> bool:
    return grid.has_queries_alone and len(grid.names) <= MOST_NAMED_QUERIES


def _say_axis(grid: QueryColumns) -> str:
    """What the columns are, where they are not named."""
    groups = "" if grid.has_queries_alone else f" in {len(grid.names):,} groups"
    return f"{say_queries(grid.n_queries)}{groups}, the hardest at the left"


def _spans(grid: QueryColumns, steps: ScoreSteps, scores: list[float]) -> Iterator[tuple[int, int, int, str, str]]:
    """Of a row: where each look begins and ends, its step, the query or columns, and the score in words."""
    are_apart = grid.scores.size <= MOST_CELLS_APART
    looks = [
        (-1 if np.isnan(score) else steps.step_of(score), place if are_apart else 0)
        for place, score in enumerate(scores)
    ]
    for start, end, (step, _) in spans_of(looks):
        if step >= 0:
            is_one = end == start + 1
            query = grid.names[start] if is_one else f"columns {start + 1}–{end}"
            yield start, end, step, query, show_number(scores[start], 4) if is_one else steps.names[step]
