"""What does each run score on each query? One row a run, one column a query, the hardest first."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import numpy as np

from toprung.data.matrices import ScoreTable
from toprung.extras.charts import alt
from toprung.report.charts.by_query.query_columns import QueryColumns, is_higher_better, sort_runs
from toprung.report.charts.by_query.score_steps import ScoreSteps
from toprung.report.charts.data import fixed, values
from toprung.report.charts.figure import Figure
from toprung.report.charts.label_placement import text_width
from toprung.report.charts.side_texts import axis_room, column, heading
from toprung.report.charts.spans import spans_of
from toprung.report.charts.tokens import INK_3, RAMP
from toprung.scoring.evaluation import QueryScores
from toprung.words.visible import in_one_line
from toprung.words.wording import say_count, say_queries, show_number

GRID_WIDTH, WIDEST_CELL = 720, 64
HIGHEST_ROW, LOWEST_ROW, MANY_RUNS = 26, 15, 30
MOST_CELLS_APART = 2_400
"""Up to which every cell is a mark that tells its score; beyond, neighbours of one step are drawn as one."""
MOST_NAMED_QUERIES = 40
NAME_LIMIT = 90
"""Points, of the id of a query."""
KIND = "query-scores"


def draw(result: QueryScores) -> Figure:
    """A panel for each measure."""
    found = result.evaluation
    return draw_tables([found.score_table(str(measure)) for measure in found.measures])


def draw_tables(tables: Sequence[ScoreTable]) -> Figure:
    """A panel for each table; the runs stand in the order of the first."""
    runs = sort_runs(tables[0])
    grids = [QueryColumns.of(table, runs=runs) for table in tables]
    panels = [_heatmap(grid) for grid in grids]
    chart = panels[0] if len(panels) == 1 else alt.vconcat(*panels).resolve_scale(color="independent")
    return Figure(
        kind=KIND,
        title=f"{' and '.join(grid.measure for grid in grids)} query by query",
        finding=_say_finding(tables[0], runs, grids[0].means[0]),
        caption=(
            f"A row is a run, the best mean first; a column is {_say_column(grids[0])}. At the left stand the queries "
            "that are hardest for all runs together. A light cell in a dark column: a query that this run fails and "
            "others answer. Whether runs differ beyond chance is not tested here."
        ),
        chart=chart,
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


def _heatmap(grid: QueryColumns) -> alt.LayerChart:
    n_runs, n_columns = len(grid.runs), len(grid.names)
    row_height = LOWEST_ROW if n_runs >= MANY_RUNS else HIGHEST_ROW
    width, height = min(GRID_WIDTH, WIDEST_CELL * n_columns), row_height * n_runs
    means = ((show_number(mean, 4), row_height * (row + 0.5)) for row, mean in enumerate(grid.means))
    layers = (
        _cells(grid),
        *_query_names(grid, height),
        heading("mean", x=width + 56),
        column(means, x=width + 56, color=INK_3),
        axis_room(grid.runs),
    )
    return alt.layer(*layers).resolve_scale(y="independent").properties(width=width, height=height)


def _cells(grid: QueryColumns) -> alt.Chart:
    steps = ScoreSteps.around(grid.scores)
    keys = [str(step) for step in range(len(RAMP))]
    gap = 0.75 if len(grid.names) <= MOST_NAMED_QUERIES else 0
    scale = alt.Scale(domain=[0, len(grid.names)], zero=False, nice=False)
    axis = alt.Axis(title=_say_axis(grid), labels=False, ticks=False, domain=False)
    return (
        alt.Chart(values(_spans(grid, steps)))
        .mark_rect(stroke=RAMP[0], strokeWidth=gap, aria=False)
        .encode(
            x=alt.X("from:Q", scale=scale, axis=axis),
            x2=alt.X2("to:Q"),
            y=alt.Y("run:N", sort=list(grid.runs), title=None),
            color=alt.Color("step:N", scale=alt.Scale(domain=keys, range=list(RAMP)), legend=_legend(grid, steps)),
            tooltip=[alt.Tooltip("run:N"), alt.Tooltip("query:N"), alt.Tooltip("score:N", title=grid.measure)],
        )
    )


def _legend(grid: QueryColumns, steps: ScoreSteps) -> alt.Legend:
    below = max(map(_name_height, grid.names)) if _are_named(grid) else 0
    return alt.Legend(
        title=grid.measure,
        titleFontWeight="normal",
        titleColor=INK_3,
        symbolType="square",
        columns=len(RAMP),
        offset=18 + below,
        labelExpr=f"{json.dumps(steps.names)}[toNumber(datum.label)]",
    )


def _are_named(grid: QueryColumns) -> bool:
    return grid.has_queries_alone and len(grid.names) <= MOST_NAMED_QUERIES


def _name_height(name: str) -> float:
    return min(text_width(in_one_line(name)), NAME_LIMIT)


def _query_names(grid: QueryColumns, height: int) -> Iterator[alt.Chart]:
    """Under few queries their ids: as marks, since what an id holds is no expression."""
    if not _are_named(grid):
        return
    rows = ({"query": name, "from": place + 0.5} for place, name in enumerate(grid.names))
    names = alt.Chart(values(rows)).mark_text(
        angle=270, align="right", baseline="middle", limit=NAME_LIMIT, fontSize=11.5, color=INK_3, aria=False
    )
    yield names.encode(x=alt.X("from:Q"), y=fixed(alt.YValue, height + 6), text=alt.Text("query:N"))


def _say_axis(grid: QueryColumns) -> str | None:
    """What the columns are, where they are not named."""
    if _are_named(grid):
        return None
    groups = "" if grid.has_queries_alone else f" in {len(grid.names):,} groups"
    return f"{say_queries(grid.n_queries)}{groups}, the hardest at the left"


def _spans(grid: QueryColumns, steps: ScoreSteps) -> Iterator[dict[str, object]]:
    are_apart = grid.scores.size <= MOST_CELLS_APART
    for run, scores in zip(grid.runs, grid.scores.tolist(), strict=True):
        looks = [
            (-1 if np.isnan(score) else steps.step_of(score), place if are_apart else 0)
            for place, score in enumerate(scores)
        ]
        for start, end, (step, _) in spans_of(looks):
            if step >= 0:
                is_one = end == start + 1
                yield {
                    "run": run,
                    "from": start,
                    "to": end,
                    "query": grid.names[start] if is_one else f"columns {start + 1}–{end}",
                    "score": show_number(scores[start], 4) if is_one else steps.names[step],
                    "step": str(step),
                }
