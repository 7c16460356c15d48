"""A page that shows one result: self-contained, without script, light and dark."""

from __future__ import annotations

from html import escape
from importlib.resources import files

from toprung.result import Result
from toprung.version import __version__


def to_page(result: Result) -> str:
    """The result as a page: the sentence first, then the table, then the notes."""
    notes = "".join(f"<li>{escape(note)}</li>" for note in result.notes)
    style = files("toprung.report").joinpath("page.css").read_text(encoding="utf-8")
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Toprung: {escape(result.sentence.split(";")[0])}</title>
<style>
{style}</style>
</head>
<body>
<main>
<h1>{escape(result.sentence)}</h1>
<div class="scroll-x" tabindex="0" role="group" aria-label="Scores">
{result.table.to_html()}
</div>
<ul class="notes">{notes}</ul>
</main>
<footer>Toprung {escape(__version__)}</footer>
</body>
</html>
"""
