"""Where do chosen runs stand under other conditions: another measure, other queries, other labels?

After figure 4 of Craswell et al. 2021: for each run and condition the ranks it takes when queries are drawn anew, with
the mean of them and the confidence interval of its true rank.
"""

from __future__ import annotations

from dataclasses import dataclass

from toprung.analyses.stability.board import BoardStability
from toprung.analyses.stability.find import Stability
from toprung.analyses.stability.words import say_run
from toprung.report.charts.figure import Figure
from toprung.report.charts.share_steps import STEP_NAMES, step_of
from toprung.report.charts.spans import spans_of
from toprung.report.charts.svg.axes import draw_top_axis
from toprung.report.charts.svg.drawing import Drawing
from toprung.report.charts.svg.legend import Entry
from toprung.report.charts.svg.scales import AxisScale, Tick
from toprung.report.charts.svg.setting import PLAIN, ChartSetting, Subject
from toprung.report.charts.tokens import INK, INK_2, PAPER, RAMP
from toprung.words.wording import list_names, say_count, say_queries, show_confidence, show_number, show_rank_range

MOST_DRAWN = 20
HEADING, ROW, GAP, STRIP = 24, 22, 10, 11
"""Points: the name of a run, a row for each condition, the space before the next run, and the strip of its ranks."""
NARROWEST, WIDEST, WIDTH_OF_RANK = 260, 640, 26
NAME_LIMIT = 320
NARROW_WORDS = 16
"""Of a small screen: the line of a condition over its strip."""
STOP = 5
"""The height of the stops at the ends of an interval."""


@dataclass(frozen=True, kw_only=True)
class _PositionRow:
    """One run under one condition; ``centre`` is how far down its strip lies."""

    board: BoardStability
    place: int
    centre: float

    @property
    def expected(self) -> float:
        return float(self.board.expected_ranks[self.place])

    @property
    def low(self) -> int:
        return int(self.board.intervals.low[self.place])

    @property
    def high(self) -> int:
        return int(self.board.intervals.high[self.place])

    @property
    def condition(self) -> str:
        return f"{self.board.name} ({say_queries(self.board.n_queries)})"


def draw(result: Stability, setting: ChartSetting = PLAIN) -> Figure | None:
    """The runs followed, each with a strip for every condition; None where there is only one."""
    if len(result.boards) < 2:
        return None
    runs = result.followed[:MOST_DRAWN]
    confidence = show_confidence(result.boards[0].intervals.confidence)
    left_out = f" Drawn: the first {MOST_DRAWN} of {len(result.followed)}." if len(result.followed) > MOST_DRAWN else ""
    return Figure(
        kind="conditions",
        title="Rank positions under other conditions",
        finding=say_run(result.boards, next((run for run in result.runs if run in runs), runs[0])),
        caption=(
            f"For {list_names(list(runs))}: the ranks taken in {say_count(result.trials, 'bootstrap sample')}, the "
            f"darker the oftener. Dot: their mean. Line below: {confidence} interval of the true rank, for all runs of "
            f"a condition at once.{left_out}"
        ),
        drawing=_draw_strips(result, runs, setting),
    )


def _draw_strips(result: Stability, runs: tuple[str, ...], setting: ChartSetting) -> Drawing:
    step = ROW + (NARROW_WORDS if setting.is_narrow else 0)
    block = HEADING + step * len(result.boards) + GAP
    rows = [
        _PositionRow(
            board=board, place=board.row(run), centre=block * number + HEADING + step * (condition + 1) - ROW / 2
        )
        for number, run in enumerate(runs)
        for condition, board in enumerate(result.boards)
    ]
    n_runs = len(result.runs)
    drawing = Drawing(
        width=setting.fit(min(WIDEST, max(NARROWEST, WIDTH_OF_RANK * n_runs))),
        height=block * len(runs) - GAP,
        setting=setting,
    )
    x = AxisScale(low=0.5, high=n_runs + 0.5, start=0, end=drawing.width)
    shown = [rank for rank in range(1, n_runs + 1) if rank == 1 or rank % (1 if n_runs <= 20 else 5) == 0]
    draw_top_axis(drawing, x, [Tick(rank, str(rank)) for rank in shown], title="rank")
    for row in rows:
        _draw_row(drawing, x, row)
    names = ((run, block * number + HEADING - 8) for number, run in enumerate(runs))
    drawing.names(names, x=0, align="left", colour=INK, bold=True, limit=drawing.width, halo=True)
    _draw_texts(drawing, rows)
    entries = (Entry(name, fill=colour) for name, colour in zip(STEP_NAMES, RAMP, strict=True))
    drawing.explain(entries, title="share of samples")
    return drawing


def _draw_row(drawing: Drawing, x: AxisScale, row: _PositionRow) -> None:
    """The strip, in which neighbouring ranks of one step are one mark; the mean; below, the interval."""
    top, bottom = row.centre - STRIP / 2, row.centre + STRIP / 2
    for start, end, step in spans_of(map(step_of, row.board.mass[row.place].tolist())):
        drawing.rect(x(start + 0.5), top, x(end + 0.5), bottom, fill=RAMP[step])
    low, high, down = x(row.low), x(row.high), bottom + 3
    drawing.rule((low, down), (high, down), stroke=INK_2, width=1.5)
    for stop in (low, high):
        drawing.rule((stop, down - STOP / 2), (stop, down + STOP / 2), stroke=INK_2, width=1.5)
    run = row.board.runs[row.place]
    facts = {
        "run": drawing.setting.name_of(run),
        "condition": row.board.name,
        "expected rank": show_number(row.expected, 1),
        "interval": _show_interval(row),
    }
    of = Subject("run", run)
    drawing.point(x(row.expected), row.centre, size=42, fill=INK, stroke=PAPER, width=1.5, facts=facts, of=of)


def _draw_texts(drawing: Drawing, rows: list[_PositionRow]) -> None:
    """Conditions at the left, or over their strips; the mean rank and the interval of each row at the right."""
    if drawing.setting.is_narrow:
        for row in rows:
            over, said = (
                row.centre - ROW / 2 - NARROW_WORDS / 2 + 2,
                f"{show_number(row.expected, 1)}, {_show_interval(row)}",
            )
            drawing.text(row.condition, 0, over, limit=drawing.width - 90)
            drawing.text(said, drawing.width, over, align="right")
        return
    drawing.column(((row.condition, row.centre) for row in rows), x=-10, limit=NAME_LIMIT)
    right_of_mean, right_of_interval = drawing.width + 64, drawing.width + 128
    drawing.heading("expected", "rank", x=right_of_mean)
    drawing.column(((show_number(row.expected, 1), row.centre) for row in rows), x=right_of_mean)
    drawing.heading(show_confidence(rows[0].board.intervals.confidence), "interval", x=right_of_interval)
    drawing.column(((_show_interval(row), row.centre) for row in rows), x=right_of_interval)


def _show_interval(row: _PositionRow) -> str:
    return show_rank_range(row.low, row.high)
