"""What of a result do pages need? Its words, tables and figures, as JSON holds them; nothing else reaches a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from toprung.report.charts.figure import Figure
from toprung.report.page.figures import as_image
from toprung.result import Explanation, Result, Table, json_safe
from toprung.web.core.models.results import Audience
from toprung.web.core.store.provenance import without_digests

IN_TENS = "Counts are in tens."


def show_result(result: Result, figures: Iterable[Figure], audience: Audience) -> dict[str, Any]:
    """The sentence, the tables, the notes, how it was found, and the figures as SVG."""
    return {
        "sentence": result.sentence,
        "tables": [show_table(table, heading) for heading, table in result.tables],
        "notes": list(result.notes),
        "explanation": show_explanation(result.explanation),
        "figures": [show_figure(each) for each in figures],
        "provenance": show_provenance(result, audience),
    }


def show_provenance(result: Result, audience: Audience) -> dict[str, Any]:
    provenance: dict[str, Any] = json_safe(dict(result.provenance))
    return without_digests(provenance) if audience is Audience.PUBLIC else provenance


def show_table(table: Table, heading: str = "") -> dict[str, Any]:
    return {
        "heading": heading,
        "header": list(table.header),
        "rows": [list(row) for row in table.rows],
        "numeric": sorted(table.numeric),
    }


def to_table(content: dict[str, Any]) -> Table:
    """A stored table as the library knows it."""
    return Table(
        header=tuple(content["header"]),
        rows=tuple(map(tuple, content["rows"])),
        numeric=frozenset(content["numeric"]),
    )


def show_explanation(explanation: Explanation | None) -> dict[str, Any] | None:
    return None if explanation is None else {"how": explanation.how, "assumptions": list(explanation.assumptions)}


def show_figure(figure: Figure, remark: str = "") -> dict[str, str]:
    """One image with one text, ready for a page that has no other figure of this kind."""
    said = say_figure(figure, remark)
    return said | {"svg": as_image(figure.to_inline_svg(), figure.kind, said["finding"])}


def say_figure(figure: Figure, remark: str = "") -> dict[str, str]:
    """Its words alone, of one that is drawn when it is looked at."""
    finding, caption = (f"{text} {remark}".rstrip() for text in (figure.finding, figure.caption))
    return {"kind": figure.kind, "title": figure.title, "finding": finding, "caption": caption}


def show_narrow(figure: Figure) -> str:
    """The same figure drawn for a small screen, as it stands beside the wide one."""
    return as_image(figure.to_inline_svg(), f"{figure.kind}-narrow", figure.finding)


def without_drawings(content: dict[str, Any], leave_out: Sequence[str] = ("svg", "narrow", "drawn")) -> dict[str, Any]:
    """The same as data, for who takes it along."""
    figures = [{key: each[key] for key in each if key not in leave_out} for each in content.get("figures", [])]
    return content | {"figures": figures}
