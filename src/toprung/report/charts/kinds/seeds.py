"""How good is a system over its seeds? A dot for every seed, and the mean with its interval: one row a system."""

from __future__ import annotations

from dataclasses import replace

from toprung.analyses.seeds.find import SeedSpread
from toprung.analyses.seeds.systems import SystemSeeds
from toprung.report.charts.figure import Figure
from toprung.report.charts.svg.axes import draw_x_axis
from toprung.report.charts.svg.drawing import Drawing
from toprung.report.charts.svg.scales import AxisScale, ends_around
from toprung.report.charts.svg.setting import MOST_ROWS, PLAIN, ChartSetting, Subject, say_first_rows
from toprung.report.charts.tokens import INK, INK_2, INK_3, MARK, RULE
from toprung.words.wording import fit, say_count, say_queries, show_confidence, show_interval, show_number

WIDTH, ROW_HEIGHT = 480, 34
NAME_LENGTH = 26
NARROW_WORDS = 18
"""Of a small screen: the line of words over a row."""
MARGIN = 0.06
ABOVE, BELOW = 7, 6
"""Points from the middle of a row up to the seeds, and down to their mean."""


def draw(result: SeedSpread, setting: ChartSetting = PLAIN) -> Figure | None:
    """One row a system, the best mean first; None where every system has one seed."""
    if not any(each.has_spread for each in result.systems):
        return None
    sure = show_confidence(1 - result.alpha)
    alone = "" if all(each.has_spread for each in result.systems) else "One seed alone has no interval. "
    return Figure(
        kind="seeds",
        title="Seeds of one system",
        finding=result.sentence,
        caption=(
            f"Dots: the {result.measure} of single seeds. Tick and bar: their mean with its {sure} interval, on these "
            f"{say_queries(result.n_queries)}. {alone}Whether bars overlap is "
            "not the test: systems are compared over seeds and queries."
            f"{say_first_rows(len(result.systems), 'systems')}"
        ),
        drawing=_draw_systems(replace(result, systems=result.systems[:MOST_ROWS]), setting),
    )


def _draw_systems(result: SeedSpread, setting: ChartSetting) -> Drawing:
    above = NARROW_WORDS if setting.is_narrow else 0
    row_height = ROW_HEIGHT + above
    drawing = Drawing(width=setting.fit(WIDTH), height=row_height * len(result.systems), setting=setting)
    rows = [(each, row_height * place + above + ROW_HEIGHT / 2) for place, each in enumerate(result.systems)]
    x = _score_scale(result, drawing.width)
    title = result.measure if result.higher_is_better else f"{result.measure} (less is better)"
    draw_x_axis(drawing, x, x.ticks(6), title=title, title_at="end", has_grid=True)
    for place in range(1, len(rows)):
        drawing.rule((0, row_height * place), (drawing.width, row_height * place), stroke=RULE)
    for each, middle in rows:
        _draw_system(drawing, x, each, middle, result.measure)
    _draw_texts(drawing, rows, show_confidence(1 - result.alpha))
    return drawing


def _score_scale(result: SeedSpread, width: float) -> AxisScale:
    ends = [end for each in result.systems for end in (*each.scores, *_interval(each))]
    low, high = ends_around(ends, MARGIN)
    return AxisScale(low=low, high=high, start=0, end=width)


def _interval(each: SystemSeeds) -> tuple[float, ...]:
    return (each.mean.low, each.mean.high) if each.has_spread else ()


def _draw_system(drawing: Drawing, x: AxisScale, each: SystemSeeds, middle: float, measure: str) -> None:
    """The seeds above the middle of the row, their mean with its interval below."""
    down = middle + BELOW
    if each.has_spread:
        drawing.rule((x(each.mean.low), down), (x(each.mean.high), down), stroke=INK_2, width=7, opacity=0.22)
    at, facts = x(each.mean.estimate), {"system": each.system, "mean": _say_mean(each)}
    drawing.rule((at, down - 6), (at, down + 6), stroke=INK, width=2.25, facts=facts)
    for run, score in zip(each.runs, each.scores, strict=True):
        facts = {"run": drawing.setting.name_of(run), measure: show_number(score, 4)}
        drawing.point(x(score), middle - ABOVE, size=42, fill=MARK, opacity=0.7, facts=facts, of=Subject("run", run))


def _draw_texts(drawing: Drawing, rows: list[tuple[SystemSeeds, float]], confidence: str) -> None:
    names = [(fit(each.system, NAME_LENGTH), middle) for each, middle in rows]
    if drawing.setting.is_narrow:
        up = ROW_HEIGHT / 2 + NARROW_WORDS / 2 - 4
        drawing.column(((name, middle - up) for name, middle in names), x=0, align="left", colour=INK, limit=140)
        drawing.column(((_say_mean(each), middle - up) for each, middle in rows), x=drawing.width)
        return
    drawing.column(names, x=-12, colour=INK, size=12)
    drawing.column(((_say_mean(each), middle) for each, middle in rows), x=drawing.width + 14, align="left")
    counts = ((say_count(each.mean.n_seeds, "seed"), middle) for each, middle in rows)
    drawing.column(counts, x=drawing.width + 250, colour=INK_3)
    drawing.heading(f"mean ({confidence})", x=drawing.width + 14, above=8, align="left")


def _say_mean(each: SystemSeeds) -> str:
    mean = show_number(each.mean.estimate, 4)
    return f"{mean} ({show_interval(each.mean.low, each.mean.high, 4)})" if each.has_spread else f"{mean}, no interval"
