"""A page that shows one result: self-contained, without script, light and dark."""

from __future__ import annotations

from html import escape
from importlib.resources import files

from toprung.result import Result


def to_page(result: Result) -> str:
    """The result as a page: the sentence first, then the table, then the notes."""
    style = files("toprung.report").joinpath("page.css").read_text(encoding="utf-8")
    provenance = "".join(
        f"<div><dt>{escape(key.replace('_', ' '))}</dt><dd>{escape(str(value))}</dd></div>"
        for key, value in result.provenance.items()
    )
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
<div class="scroll-x" tabindex="0" role="group" aria-label="Figures">
{result.table.to_html()}
</div>
{f'<ul class="notes">{notes}</ul>' if notes else ""}
</main>
<footer><dl>{provenance}</dl></footer>
</body>
</html>
"""
