"""How does a drawing become SVG? Marks of one look share a group, and figures are as short as a screen can show.

Colours are written in the light values: a page's stylesheet turns each into its token, and a file carries the rules
that turn them in the dark.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby

from toprung.report.charts.svg.drawing import SMALL, Drawing
from toprung.report.charts.svg.label_placement import Box
from toprung.report.charts.svg.legend import GAP, ROW, SWATCH, Entry, Legend
from toprung.report.charts.svg.legend import SIZE as LEGEND_SIZE
from toprung.report.charts.svg.marks import (
    AnyMark,
    Facts,
    LineMark,
    Look,
    PointMark,
    RectMark,
    RuleMark,
    StrokesMark,
    TextMark,
    radius,
)
from toprung.report.charts.svg.setting import MARGIN, ChartSetting
from toprung.report.charts.tokens import DARK_OF, INK_2, INK_3, PAPER
from toprung.words.visible import in_one_line

FONT = "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
BASELINE = 0.35
"""Of the size of a text: from its middle down to its baseline."""
ANCHORS = {"left": "", "center": ' text-anchor="middle"', "right": ' text-anchor="end"'}
BARE_FIGURE = tuple("0123456789−+<>")
TELLING = "when"
"""A date needs no name before it."""


def number(value: float) -> str:
    """To a hundredth, without what says nothing.

    >>> number(12.0), number(3.14159), number(-0.001)
    ('12', '3.14', '0')
    """
    shown = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if shown == "-0" else shown


def write_inline(drawing: Drawing, *, has_legend: bool) -> str:
    """For a page: see-through, coloured by its stylesheet; the page names it."""
    box, marks = _laid_out(drawing, has_legend=has_legend)
    return f'<svg class="marks" {_view(box)}>{_write_marks(marks, drawing.setting)}</svg>'


def write_file(drawing: Drawing, *, title: str, dark: bool | None = None) -> str:
    """For a file: on its own paper, with its legend; light or dark, or with None as its reader's screen is."""
    box, marks = _laid_out(drawing, has_legend=True)
    paper = f'<rect x="{number(box.left)}" y="{number(box.top)}" width="100%" height="100%" fill="{PAPER}"/>'
    style = f"<style>{_dark_rules()}</style>" if dark is None else ""
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" class="marks" {_view(box)} font-family="{FONT}" role="img">'
    drawn = f"<title>{_said(title)}</title>{style}{paper}{_write_marks(marks, drawing.setting)}</svg>\n"
    return opening + (in_dark(drawn) if dark else drawn)


def in_dark(markup: str) -> str:
    """The same in the dark values.

    >>> in_dark('<rect fill="#00685f"/>')
    '<rect fill="#58c9b9"/>'
    """
    for light, dark in DARK_OF.items():
        markup = markup.replace(f'="{light}"', f'="{dark}"')
    return markup


def _dark_rules() -> str:
    rules = "".join(
        f'.marks [{paint}="{light}"]{{{paint}:{dark}}}'
        for light, dark in DARK_OF.items()
        for paint in ("fill", "stroke")
    )
    return f"@media screen and (prefers-color-scheme:dark){{{rules}}}"


def _view(box: Box) -> str:
    wide, high = number(box.right - box.left), number(box.bottom - box.top)
    return (
        f'viewBox="{number(box.left)} {number(box.top)} {wide} {high}" width="{wide}" height="{high}" '
        f'font-size="{number(SMALL)}"'
    )


def _laid_out(drawing: Drawing, *, has_legend: bool) -> tuple[Box, Sequence[AnyMark]]:
    """All its marks and what they take; with a legend below them if wanted."""
    box, marks = drawing.box, list(drawing.marks)
    for legend in drawing.legends if has_legend else ():
        key = Drawing(width=0, height=0)
        _draw_legend(key, legend, box)
        marks += key.marks
        boxes = [mark.box for mark in key.marks]
        right, bottom = max(each.right for each in boxes), max(each.bottom for each in boxes)
        box = Box(box.left, box.top, max(box.right, right + MARGIN), bottom + MARGIN)
    return box, marks


def _draw_legend(drawing: Drawing, legend: Legend, box: Box) -> None:
    """Below all, in rows as wide as the drawing."""
    left, top = box.left + 4, box.bottom + ROW
    if legend.title:
        drawing.text(legend.title, left, top, colour=INK_3, size=LEGEND_SIZE)
    for row, entries in enumerate(legend.rows(box.right - box.left - 8)):
        for entry, across in entries:
            x, y = left + across, top + ROW * row
            draw_swatch(drawing, entry, x, y)
            drawing.text(entry.words, x + entry.swatch_width + GAP, y, colour=INK_2, size=LEGEND_SIZE)


def draw_swatch(drawing: Drawing, entry: Entry, left: float, middle: float) -> None:
    if entry.is_line:
        ends = (left, middle), (left + entry.swatch_width, middle)
        drawing.rule(*ends, stroke=entry.stroke, width=2, dash=entry.dash)
        return
    size = min(entry.size, 100)
    drawing.point(
        left + SWATCH / 2, middle, shape=entry.shape, size=size, fill=entry.fill, stroke=entry.stroke, width=1.5
    )


def write_legends(drawing: Drawing) -> str:
    """For a page: below the figure, where they wrap."""
    return "".join(map(_write_legend, drawing.legends))


def _write_legend(legend: Legend) -> str:
    lead = f'<span class="lead">{_said(legend.title)}</span>' if legend.title else ""
    return f'<p class="legend">{lead}{"".join(map(_write_entry, legend.entries))}</p>'


def _write_entry(entry: Entry) -> str:
    swatch = Drawing(width=entry.swatch_width, height=SWATCH)
    draw_swatch(swatch, entry, 0, SWATCH / 2)
    wide, high = number(entry.swatch_width), number(SWATCH)
    drawn = _write_marks(swatch.marks, swatch.setting)
    return (
        f'<span><svg class="marks" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}" aria-hidden="true">'
        f"{drawn}</svg>{_said(entry.words)}</span>"
    )


def _write_marks(marks: Iterable[AnyMark], setting: ChartSetting) -> str:
    return "".join(_write_group(look, list(alike), setting) for look, alike in groupby(marks, key=_attributes))


def _write_group(attributes: str, marks: list[AnyMark], setting: ChartSetting) -> str:
    if len(marks) == 1:
        return _write_mark(marks[0], setting, attributes)
    return f"<g{attributes}>{''.join(_write_mark(mark, setting) for mark in marks)}</g>"


def _attributes(mark: AnyMark) -> str:
    look = mark.look
    shared = "".join(_paint(look))
    if not isinstance(mark, TextMark):
        return shared
    shared += "" if mark.size == SMALL else f' font-size="{number(mark.size)}"'
    shared += ' font-weight="bold"' if mark.bold else ""
    shared += ANCHORS[mark.align] if not mark.upright else ' text-anchor="end"'
    halo = f' stroke="{PAPER}" stroke-width="4" stroke-linejoin="round" paint-order="stroke"' if mark.halo else ""
    return shared + halo


def _paint(look: Look) -> Iterator[str]:
    yield f' fill="{look.fill or "none"}"'
    if look.stroke:
        yield f' stroke="{look.stroke}"'
        if look.width != 1:
            yield f' stroke-width="{number(look.width)}"'
    if look.dash:
        yield f' stroke-dasharray="{look.dash}"'
    if look.opacity != 1:
        yield f' opacity="{number(look.opacity)}"'


def _write_mark(mark: AnyMark, setting: ChartSetting, attributes: str = "") -> str:
    said = _said(say_facts(mark.facts))
    title = f"<title>{said}</title>" if said else ""
    element = _element(mark, attributes, title)
    address = setting.address_of(mark.of) if mark.of is not None else None
    if address is None:
        return element
    row = f' data-row="{escape(address.row)}"' if address.row else ""
    whole = _said(_whole_text(mark, setting)) if isinstance(mark, TextMark) else ""
    uncut = f"<title>{whole}</title>" if isinstance(mark, TextMark) and whole != _said(mark.text) else ""
    return f'<a href="{escape(address.href)}"{row} aria-label="{said or whole}">{uncut}{element}</a>'


def _whole_text(mark: TextMark, setting: ChartSetting) -> str:
    """The name of a run, which may have been cut for want of room."""
    return setting.name_of(mark.of.key) if mark.of is not None and mark.of.kind == "run" else mark.text


def say_facts(facts: Facts) -> str:
    """In a line; a bare figure gets its name before it.

    >>> say_facts({"run": "bm25", "RR": "0.2500", "claim": ""})
    'bm25, RR 0.2500'
    """
    shown = ((name, str(value)) for name, value in facts.items() if value not in ("", None))
    return ", ".join(
        f"{name} {value}" if place and name != TELLING and value.startswith(BARE_FIGURE) else value
        for place, (name, value) in enumerate(shown)
    )


def _said(text: str) -> str:
    return escape(in_one_line(text))


def _element(mark: AnyMark, attributes: str, title: str) -> str:
    match mark:
        case TextMark():
            return _write_text(mark, attributes)
        case PointMark():
            return _write_point(mark, attributes, title)
        case RectMark():
            wide, high = number(mark.right - mark.left), number(mark.bottom - mark.top)
            place = f'x="{number(mark.left)}" y="{number(mark.top)}" width="{wide}" height="{high}"'
            return f"<rect {place}{attributes}>{title}</rect>" if title else f"<rect {place}{attributes}/>"
        case _:
            return _with_title("path", f'd="{_path(mark)}"', attributes, title)


def _with_title(name: str, place: str, attributes: str, title: str) -> str:
    return f"<{name} {place}{attributes}>{title}</{name}>" if title else f"<{name} {place}{attributes}/>"


def _path(mark: RuleMark | LineMark | StrokesMark) -> str:
    match mark:
        case RuleMark():
            start = f"M{number(mark.x)} {number(mark.y)}"
            if mark.y == mark.y2:
                return f"{start}H{number(mark.x2)}"
            return f"{start}V{number(mark.y2)}" if mark.x == mark.x2 else f"{start}L{number(mark.x2)} {number(mark.y2)}"
        case StrokesMark():
            return "".join(f"M{number(left)} {number(down)}H{number(right)}" for left, right, down in mark.pieces)
        case LineMark():
            return f"M{'L'.join(f'{number(x)} {number(y)}' for x, y in mark.points)}{'Z' if mark.is_closed else ''}"


def _write_point(mark: PointMark, attributes: str, title: str) -> str:
    r = radius(mark.shape, mark.size)
    x, y = mark.x, mark.y
    if mark.shape == "circle":
        return _with_title("circle", f'cx="{number(x)}" cy="{number(y)}" r="{number(r)}"', attributes, title)
    if mark.shape == "square":
        place = f'x="{number(x - r)}" y="{number(y - r)}" width="{number(2 * r)}" height="{number(2 * r)}"'
        return _with_title("rect", place, attributes, title)
    n = number
    paths = {
        "diamond": f"M{n(x)} {n(y - r)}L{n(x + r)} {n(y)}L{n(x)} {n(y + r)}L{n(x - r)} {n(y)}Z",
        "triangle-up": f"M{n(x)} {n(y - r)}L{n(x + r)} {n(y + r)}L{n(x - r)} {n(y + r)}Z",
        "cross": f"M{n(x - r)} {n(y - r)}L{n(x + r)} {n(y + r)}M{n(x + r)} {n(y - r)}L{n(x - r)} {n(y + r)}",
    }
    return _with_title("path", f'd="{paths[mark.shape]}"', attributes, title)


def _write_text(mark: TextMark, attributes: str) -> str:
    x, y = number(mark.x), number(mark.y + BASELINE * mark.size)
    if not mark.upright:
        return f'<text x="{x}" y="{y}"{attributes}>{_said(mark.text)}</text>'
    x = number(mark.x + BASELINE * mark.size)
    turned = f' transform="rotate(-90 {x} {number(mark.y)})"'
    return f'<text x="{x}" y="{number(mark.y)}"{turned}{attributes}>{_said(mark.text)}</text>'
