"""What is a figure? A drawing, what it shows in words, and how it is written: SVG, PNG, PDF, HTML, CSV or JSON."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from toprung.data.formats.runs.writing import replacing
from toprung.data.formats.whole_files import check_folder, refuse_input
from toprung.report.charts.svg.drawing import MOST_MARKS, Drawing
from toprung.report.charts.svg.writing import write_file, write_inline, write_legends
from toprung.report.charts.tokens import TOKENS
from toprung.report.csv_rows import write_rows
from toprung.report.render import check_ending
from toprung.words.visible import in_one_line
from toprung.words.wording import list_names

PNG_SCALE = 2
"""Pixels for each point: sharp on a screen of today, and in print at half a column."""
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<figure>
{svg}<figcaption><b>{title}.</b> {finding} {caption}</figcaption>
</figure>
</body>
</html>
"""
LOOK = (
    "body{{font:15px/1.5 Inter,system-ui,sans-serif;background:{paper};color:{ink};margin:1.5rem}}"
    "figure{{margin:0;max-width:75rem}}svg{{max-width:100%;height:auto}}figcaption{{max-width:50rem}}"
)


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One chart, ready to be shown or written; a notebook shows it as it is."""

    kind: str
    """Such as ``stability``: what ``toprung plot`` calls it."""
    title: str
    """What is drawn, short enough for a heading."""
    finding: str
    """What it shows, in a sentence: for who cannot see it, and for who looks before reading."""
    caption: str
    """How to read it."""
    drawing: Drawing

    def __post_init__(self) -> None:
        if n_left_out := self.drawing.thin():
            said = f"Not drawn: {n_left_out:,} marks, for a figure holds at most {MOST_MARKS:,}."
            object.__setattr__(self, "caption", f"{self.caption} {said}".lstrip())

    @property
    def rows(self) -> list[dict[str, object]]:
        """What its marks tell: the data of the figure."""
        return [dict(mark.facts) for mark in self.drawing.marks if mark.facts]

    def to_svg(self, *, dark: bool = False) -> str:
        """A picture on its own paper, light unless its reader's screen is dark; always dark if asked."""
        return write_file(self.drawing, title=self.finding, dark=dark or None)

    def to_inline_svg(self, *, has_legend: bool = True) -> str:
        """For a page: see-through, in the light values, which the page's stylesheet turns into its tokens."""
        return write_inline(self.drawing, has_legend=has_legend)

    @property
    def legends(self) -> str:
        """For a page, below the drawing."""
        return write_legends(self.drawing)

    def to_png(self, *, dark: bool = False, scale: float = PNG_SCALE) -> bytes:
        from toprung.extras.pictures import paint_png

        return paint_png(write_file(self.drawing, title=self.finding, dark=dark), scale=scale)

    def to_pdf(self, *, dark: bool = False) -> bytes:
        from toprung.extras.pictures import paint_pdf

        return paint_pdf(write_file(self.drawing, title=self.finding, dark=dark))

    def to_html(self, *, dark: bool = False) -> str:
        """A page of its own, without script; marks tell their figures to who points at them."""
        style = _look(dark=dark)
        if not dark:
            style += f"@media screen and (prefers-color-scheme:dark){{{_look(dark=True)}}}"
        said = (escape(in_one_line(text)) for text in (self.title, self.finding, self.caption))
        title, finding, caption = said
        return PAGE.format(style=style, svg=self.to_svg(dark=dark), title=title, finding=finding, caption=caption)

    def to_csv(self) -> str:
        """What its marks tell, a row each."""
        names = list(dict.fromkeys(name for row in self.rows for name in row))
        return write_rows([names]) + write_rows([row.get(name, "") for name in names] for row in self.rows)

    def to_json(self) -> str:
        """What it shows in words, and what its marks tell."""
        told = {"kind": self.kind, "title": self.title, "finding": self.finding, "caption": self.caption}
        return json.dumps({**told, "rows": self.rows}, ensure_ascii=False, indent=2) + "\n"

    def save(self, path: str | os.PathLike[str], *, dark: bool = False, scale: float = PNG_SCALE) -> None:
        """To a file that is there whole or not at all; its ending says how."""
        target = Path(path)
        check_ending(target, tuple(WRITERS))
        check_folder(target)
        refuse_input(target)
        content = WRITERS[target.suffix.lower()](self, dark, scale)
        with replacing(target) as partial:
            partial.write_bytes(content.encode() if isinstance(content, str) else content)

    def _repr_svg_(self) -> str:
        return write_file(self.drawing, title=self.finding, dark=False)

    def _repr_html_(self) -> str:
        title, caption = (escape(in_one_line(text)) for text in (self.title, self.caption))
        return f"<figure>{self._repr_svg_()}<figcaption><b>{title}.</b> {caption}</figcaption></figure>"


type Writer = Callable[[Figure, bool, float], str | bytes]

WRITERS: dict[str, Writer] = {
    ".svg": lambda figure, dark, _: figure.to_svg(dark=dark),
    ".png": lambda figure, dark, scale: figure.to_png(dark=dark, scale=scale),
    ".pdf": lambda figure, dark, _: figure.to_pdf(dark=dark),
    ".html": lambda figure, dark, _: figure.to_html(dark=dark),
    ".csv": lambda figure, *_: figure.to_csv(),
    ".json": lambda figure, *_: figure.to_json(),
}
"""By the ending of a file; each takes whether it is dark, and the pixels for each point."""


def say_endings() -> str:
    return list_names(list(WRITERS), most=len(WRITERS)).replace(" and ", " or ")


def _look(*, dark: bool) -> str:
    colours: dict[str, Any] = {name: TOKENS[name].dark if dark else TOKENS[name].light for name in ("paper", "ink")}
    return LOOK.format(**colours)
