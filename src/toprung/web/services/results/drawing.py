"""Draws the figures of a result as texts for pages, in a child process: no database, no Django."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from toprung.report.charts.figure import Figure
from toprung.report.charts.svg.setting import PHONE, PLAIN, ChartSetting
from toprung.report.page.figures import as_image
from toprung.result import Result

type Draw[R: Result] = Callable[[R, ChartSetting], Figure | None]


def draw_figures[R: Result](
    result: R, draws: Sequence[Draw[R]], remarks: Mapping[str, str], has_narrow: bool
) -> list[dict[str, str]]:
    """Each figure in words and as SVG, without those that have nothing to see.

    ``remarks`` are added to the words, by the kind of a figure. With ``has_narrow`` each is drawn for phones too.
    """
    return [found for draw in draws for found in _draw(result, draw, remarks, has_narrow=has_narrow)]


def _draw[R: Result](
    result: R, draw: Draw[R], remarks: Mapping[str, str], *, has_narrow: bool
) -> Iterator[dict[str, str]]:
    figure = draw(result, PLAIN)
    narrow = draw(result, ChartSetting(width=PHONE)) if has_narrow else figure
    if figure is None or narrow is None:
        return
    said = say_figure(figure, remarks.get(figure.kind, ""))
    shown = said | {"svg": as_image(figure.to_inline_svg(), figure.kind, said["finding"])}
    small = {"narrow": as_image(narrow.to_inline_svg(), f"{narrow.kind}-narrow", narrow.finding)}
    yield shown | small if has_narrow else shown


def say_figure(figure: Figure, remark: str = "") -> dict[str, str]:
    """The words of a figure without its drawing."""
    finding, caption = (f"{text} {remark}".rstrip() for text in (figure.finding, figure.caption))
    return {"kind": figure.kind, "title": figure.title, "finding": finding, "caption": caption}
