"""A page that shows one result: self-contained, without script, light and dark."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from importlib.resources import files

from toprung.result import Result, Table


def to_page(result: Result) -> str:
    """The result as a page: the sentence first, then the tables, then the notes."""
    style = files("toprung.report").joinpath("page.css").read_text(encoding="utf-8")
    provenance = "".join(
        f"<div><dt>{escape(_words(key))}</dt><dd>{escape(_say(value))}</dd></div>"
        for key, value in result.provenance.items()
    )
    shown = "\n".join(_scrolled(heading, table) for heading, table in result.tables)
    notes = "".join(f"<li>{escape(note)}</li>" for note in result.notes)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(result.sentence)} – Toprung</title>
<style>
{style}</style>
</head>
<body>
<main>
<h1>{escape(result.sentence)}</h1>
{shown}
{f'<ul class="notes">{notes}</ul>' if notes else ""}
</main>
<footer><dl>{provenance}</dl></footer>
</body>
</html>
"""


def _scrolled(heading: str, table: Table) -> str:
    """A table of its own width, which a reader without a mouse can reach and scroll too."""
    label = escape(heading or "Figures")
    return f'<div class="scroll-x" tabindex="0" role="group" aria-label="{label}">\n{table.to_html(heading)}\n</div>'


def _say(value: object) -> str:
    """A value of the provenance, also where it is a list or has parts."""
    if isinstance(value, Mapping):
        return ", ".join(f"{_words(str(key))} {_say(each)}" for key, each in value.items() if each != "")
    if isinstance(value, list | tuple):
        return "; ".join(map(_say, value))
    return str(value)


def _words(key: str) -> str:
    return key.replace("_", " ")
