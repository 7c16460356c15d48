"""What does each run score on each query? One row a run, one column a query, the hardest first."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import numpy as np

from toprung.data.matrices import ScoreTable
from toprung.extras.charts import alt
from toprung.report.charts.by_query.query_columns import QueryColumns, is_higher_better, sort_runs
from toprung.report.charts.by_query.score_steps import ScoreSteps
from toprung.report.charts.data import values
from toprung.report.charts.figure import Figure
from toprung.report.charts.side_texts import axis_room, column, heading
from toprung.report.charts.spans import spans_of
from toprung.report.charts.tokens import INK_3, RAMP
from toprung.scoring.evaluation import QueryScores
from toprung.words.wording import say_count, say_queries, show_number

GRID_WIDTH, WIDEST_CELL = 720, 64
HIGHEST_ROW, LOWEST_ROW, MANY_RUNS = 26, 15, 30
MOST_CELLS_APART = 2_400
"""Up to which every cell is a mark that tells its score; beyond, neighbours of one step are drawn as one."""
MOST_NAMED_QUERIES = 40
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
    width = min(GRID_WIDTH, WIDEST_CELL * n_columns)
    means = ((show_number(mean, 4), row_height * (row + 0.5)) for row, mean in enumerate(grid.means))
    layers = (
        _cells(grid),
        heading("mean", x=width + 56),
        column(means, x=width + 56, color=INK_3),
        axis_room(grid.runs),
    )
    return alt.layer(*layers).resolve_scale(y="independent").properties(width=width, height=row_height * n_runs)


def _cells(grid: QueryColumns) -> alt.Chart:
    steps = ScoreSteps.around(grid.scores)
    n_columns = len(grid.names)
    keys = [str(step) for step in range(len(RAMP))]
    gap = 0.75 if n_columns <= MOST_NAMED_QUERIES else 0
    return (
        alt.Chart(values(_spans(grid, steps)))
        .mark_rect(stroke=RAMP[0], strokeWidth=gap, aria=False)
        .encode(
            x=alt.X("from:Q", scale=alt.Scale(domain=[0, n_columns], zero=False, nice=False), axis=_axis(grid)),
            x2="to:Q",
            y=alt.Y("run:N", sort=list(grid.runs), title=None),
            color=alt.Color(
                "step:N", scale=alt.Scale(domain=keys, range=list(RAMP)), legend=_legend(grid.measure, steps)
            ),
            tooltip=["run:N", "query:N", alt.Tooltip("score:N", title=grid.measure)],
        )
    )


def _legend(measure: str, steps: ScoreSteps) -> alt.Legend:
    return alt.Legend(
        title=measure,
        titleFontWeight="normal",
        titleColor=INK_3,
        symbolType="square",
        columns=len(RAMP),
        labelExpr=f"{json.dumps(steps.names)}[toNumber(datum.label)]",
    )


def _axis(grid: QueryColumns) -> alt.Axis:
    """Under few queries their ids; else what the columns are."""
    n_columns = len(grid.names)
    if grid.has_queries_alone and n_columns <= MOST_NAMED_QUERIES:
        named = f"{json.dumps(grid.names)}[floor(datum.value)]"
        middles = [place + 0.5 for place in range(n_columns)]
        return alt.Axis(
            title=None, values=middles, labelExpr=named, labelAngle=-90, labelLimit=90, domain=False, ticks=False
        )
    said = say_queries(grid.n_queries)
    if not grid.has_queries_alone:
        said += f" in {n_columns:,} groups"
    return alt.Axis(title=f"{said}, the hardest at the left", labels=False, ticks=False, domain=False)


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
