"""What is a figure? A chart, what it shows in words, and how it is written: SVG, PNG, PDF, HTML or Vega-Lite."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any

from toprung.report.charts.theme import THEME
from toprung.report.charts.tokens import PAPER, in_dark
from toprung.words.visible import in_one_line

if TYPE_CHECKING:
    import altair as alt

    type Chart = alt.Chart | alt.LayerChart | alt.HConcatChart | alt.VConcatChart

ANGLE = "\ue000"
"""Stands for ``<`` until a page is made: vl-convert writes texts into a script as they are, and a name may end one."""
PNG_SCALE = 2
"""Pixels for each point: sharp on a screen of today, and in print at half a column."""


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One chart, ready to be shown or written."""

    kind: str
    """Such as ``stability``: what ``toprung plot`` calls it."""
    title: str
    """What is drawn, short enough for a heading."""
    finding: str
    """What it shows, in a sentence: for who cannot see it, and for who looks before reading."""
    caption: str
    """How to read it."""
    chart: Chart

    def to_chart(self) -> Chart:
        """The Altair chart, with the theme, to show, to save or to change: it fetches and runs nothing."""
        from toprung.extras.charts import alt
        from toprung.report.charts.offline_chart import to_offline

        chart = self.chart.copy(deep=False)
        chart.config = alt.Config.from_dict(THEME)
        chart.description = self.finding
        return to_offline(chart)

    def to_spec(self, *, dark: bool = False) -> dict[str, Any]:
        """The Vega-Lite specification, with its data, its description and the theme."""
        spec = {**self._drawn, "config": THEME, "description": in_one_line(self.finding)}
        return in_dark(spec) if dark else spec

    @cached_property
    def _drawn(self) -> dict[str, Any]:
        """What Altair makes of the chart, unchecked: to check every value takes longer than to draw them."""
        drawn: dict[str, Any] = _in_one_line(self.chart.to_dict(validate=False))
        return drawn

    def to_svg(self, *, dark: bool = False) -> str:
        from toprung.extras.pictures import vl_convert

        return str(vl_convert.vegalite_to_svg(self._on_paper(dark=dark)))

    def to_inline_svg(self) -> str:
        """For a page: see-through, in the light values, which the page's stylesheet turns into its tokens."""
        from toprung.extras.pictures import vl_convert

        return str(vl_convert.vega_to_svg(self.vega))

    @cached_property
    def vega(self) -> dict[str, Any]:
        """The specification in Vega, which a page and a browser draw at once; compiled once for both.

        What Vega-Lite has to remark on a chart is nothing for its readers.
        """
        from toprung.extras.pictures import vl_convert

        compiled: dict[str, Any] = vl_convert.vegalite_to_vega(self.to_spec())
        return compiled

    def to_png(self, *, dark: bool = False, scale: float = PNG_SCALE) -> bytes:
        from toprung.extras.pictures import vl_convert

        return bytes(vl_convert.vegalite_to_png(self._on_paper(dark=dark), scale=scale))

    def to_pdf(self, *, dark: bool = False) -> bytes:
        from toprung.extras.pictures import vl_convert

        return bytes(vl_convert.vegalite_to_pdf(self._on_paper(dark=dark)))

    def to_html(self, *, dark: bool = False) -> str:
        """A page of its own: interactive, with the library inside, so that nothing is fetched."""
        from toprung.extras.pictures import vl_convert

        spec = _mapped(self._on_paper(dark=dark), lambda text: text.replace("<", ANGLE))
        page = str(vl_convert.vegalite_to_html(spec, bundle=True)).replace(ANGLE, r"\u003c")
        paper = spec["config"]["background"]
        head = f"<title>{escape(self.title)}</title><style>body {{ background: {paper} }}</style>"
        return page.replace("<html>", '<html lang="en">', 1).replace("<title>Chart</title>", head, 1)

    def to_json(self, *, dark: bool = False) -> str:
        """The specification as text, with title and caption under ``usermeta``, which Vega-Lite leaves alone."""
        spec = self.to_spec(dark=dark) | {"usermeta": {"kind": self.kind, "title": self.title, "caption": self.caption}}
        return json.dumps(spec, ensure_ascii=False, indent=2) + "\n"

    def _on_paper(self, *, dark: bool) -> dict[str, Any]:
        """Written to a file, a figure brings its paper along."""
        spec = self.to_spec()
        spec["config"] = {**THEME, "background": PAPER}
        return in_dark(spec) if dark else spec


def _in_one_line(value: Any) -> Any:
    """Names in data, orders and labels alike without line ends, which no expression of Vega's may hold, and without
    what nobody sees, which no SVG may.
    """
    return _mapped(value, in_one_line)


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    """The same with every text changed."""
    if isinstance(value, dict):
        return {key: _mapped(each, change) for key, each in value.items()}
    if isinstance(value, list):
        return [_mapped(each, change) for each in value]
    return change(value) if isinstance(value, str) else value
