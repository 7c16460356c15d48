"""Which runs differ beyond chance? A square of all pairs, the best mean first; neighbours that agree are one block.

Blocks in the place of cells keep the figure of a hundred runs small: nothing is drawn for pairs that cannot be told
apart, and a row that is better than twenty others is one rectangle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import altair as alt

from toprung.analyses.significance.find import SignificanceGrid
from toprung.report.charts.data import fixed, values
from toprung.report.charts.figure import Figure
from toprung.report.charts.label_placement import text_width
from toprung.report.charts.side_texts import heading, room
from toprung.report.charts.spans import spans_of
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
BETTER, WORSE, TIED = "is better", "is worse", "cannot be told apart"
COLOURS = {BETTER: ONLY_THIS, WORSE: ONLY_OTHER, TIED: RULE}


def draw(result: SignificanceGrid) -> Figure:
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
        chart=_SignificanceLayout(result).chart(),
    )


class _SignificanceLayout:
    """The places of rows and columns; a cell has the size 1, and the best run stands at 0."""

    def __init__(self, result: SignificanceGrid) -> None:
        self.result = result
        self.runs = result.ordered_runs[:MOST_RUNS]
        self.n_runs = len(self.runs)
        self.cell = max(NARROWEST_CELL, min(WIDEST_CELL, GRID_WIDTH // self.n_runs))
        self.width = self.cell * self.n_runs
        self.height = min(max(LOWEST_ROW, self.cell), HIGHEST_ROW) * self.n_runs
        self.x = alt.X("left:Q", scale=alt.Scale(domain=[0, self.n_runs], nice=False), axis=None)
        self.y = alt.Y("top:Q", scale=alt.Scale(domain=[0, self.n_runs], reverse=True, nice=False), axis=None)

    def chart(self) -> alt.LayerChart:
        layers = (*self._squares(), *self._lines(), *self._row_labels(), *self._column_labels())
        return alt.LayerChart(layer=list(layers)).properties(width=self.width, height=self.height)

    def _squares(self) -> Iterator[alt.Chart]:
        whole = {"left": 0, "right": self.n_runs, "top": 0, "bottom": self.n_runs, "kind": TIED}
        scale = alt.Scale(domain=list(COLOURS), range=list(COLOURS.values()))
        yield self._rectangles([whole, *self._blocks()]).encode(
            color=alt.Color("kind:N", scale=scale),
            tooltip=[alt.Tooltip("run:N"), alt.Tooltip("kind:N"), alt.Tooltip("others:N", title="than")],
        )
        own = [{"left": i, "right": i + 1, "top": i, "bottom": i + 1} for i in range(self.n_runs)]
        yield self._rectangles(own, color=PAPER)

    def _rectangles(self, rows: Sequence[Mapping[str, object]], **look: Any) -> alt.Chart:
        mark = alt.Chart(values(rows)).mark_rect(aria=False, **look)
        return mark.encode(x=self.x, x2=alt.X2("right:Q"), y=self.y, y2=alt.Y2("bottom:Q"))

    def _blocks(self) -> Iterator[dict[str, object]]:
        """Neighbours in a row to which its run is the same, in one; those it cannot be told apart from are left out."""
        for row, relations in enumerate(self.result.relations[: self.n_runs, : self.n_runs].tolist()):
            for start, end, relation in spans_of(relations):
                if relation:
                    yield {
                        "left": start,
                        "right": end,
                        "top": row,
                        "bottom": row + 1,
                        "kind": BETTER if relation > 0 else WORSE,
                        "run": self.runs[row],
                        "others": list_names(list(self.runs[start:end])),
                    }

    def _lines(self) -> Iterator[alt.Chart]:
        """Between the cells, so that a block can be counted."""
        between = alt.Chart(values({"left": i, "top": i} for i in range(1, self.n_runs)))
        yield between.mark_rule(color=PAPER, aria=False).encode(x=self.x)
        yield between.mark_rule(color=PAPER, aria=False).encode(y=self.y)

    def _row_labels(self) -> Iterator[alt.Chart]:
        rows = [
            {"top": row + 0.5, "run": run, "number": f"{row + 1}", "mean": self._show_mean(row)}
            for row, run in enumerate(self.runs)
        ]
        base = alt.Chart(values(rows)).encode(y=self.y)
        look: dict[str, Any] = {"baseline": "middle", "fontSize": 11.5, "color": INK_3, "aria": False}
        name_at = -8
        if not self._has_named_columns:
            name_at = -34
            yield base.mark_text(align="right", **look).encode(x=fixed(alt.XValue, -8), text=alt.Text("number:N"))
        yield base.mark_text(align="right", limit=NAME_LIMIT, **{**look, "color": INK_2}).encode(
            x=fixed(alt.XValue, name_at), text=alt.Text("run:N")
        )
        yield room(self.runs, x=name_at, limit=NAME_LIMIT)
        yield base.mark_text(align="left", **look).encode(
            x=fixed(alt.XValue, self.width + MEAN_AT), text=alt.Text("mean:N")
        )
        head = f"mean {self.result.measure}"
        yield heading(head, x=self.width + MEAN_AT, above=4, align="left")
        yield room([head], x=self.width + MEAN_AT, align="left")

    def _show_mean(self, row: int) -> str:
        return show_number(float(self.result.means[self.result.order[row]]), self.result.score_decimals)

    @property
    def _has_named_columns(self) -> bool:
        """Whether every name fits above its column; else rows and columns are numbered."""
        return all(text_width(run) <= self.cell for run in self.runs)

    def _column_labels(self) -> Iterator[alt.Chart]:
        every = 1 if self._has_named_columns or self.cell >= LEAST_NUMBERED_CELL else 5
        rows = [
            {"left": column + 0.5, "text": run if self._has_named_columns else f"{column + 1}"}
            for column, run in enumerate(self.runs)
            if column == 0 or (column + 1) % every == 0
        ]
        mark = alt.Chart(values(rows)).mark_text(baseline="middle", fontSize=11.5, color=INK_3, aria=False)
        yield mark.encode(x=self.x, y=fixed(alt.YValue, -10), text=alt.Text("text:N"))
