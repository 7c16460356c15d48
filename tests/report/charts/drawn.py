"""What a figure holds, for tests to look at."""

from __future__ import annotations

from typing import Any

from toprung.report.charts.figure import Figure


def rows_with(figure: Figure, *fields: str) -> list[dict[str, Any]]:
    """The rows of the first data in a figure that have these fields."""
    sets = figure.to_spec()["datasets"].values()
    return next(rows for rows in sets if rows and all(field in rows[0] for field in fields))


def all_rows(figure: Figure) -> list[dict[str, Any]]:
    """Every row of every data in a figure."""
    return [row for rows in figure.to_spec()["datasets"].values() for row in rows]


def texts_of(figure: Figure) -> list[str]:
    """Everything written in its plot, its axes aside."""
    layers = figure.to_spec()["layer"]
    said = [text for layer in layers if layer["mark"].get("text") for text in layer["mark"]["text"]]
    return [*said, *(row["text"] for row in all_rows(figure) if "text" in row)]
