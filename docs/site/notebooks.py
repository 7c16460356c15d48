"""How does a notebook look as a page? Its text, its code, and what each cell showed when it was run last."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

FENCE = "`````"


def to_page(notebook: dict[str, Any]) -> str:
    """The Markdown of a page."""
    return "\n".join(part for cell in notebook["cells"] for part in _cell(cell))


def _cell(cell: dict[str, Any]) -> Iterator[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield f"{source}\n"
        return
    yield f"{FENCE}python\n{source}\n{FENCE}\n"
    for output in cell["outputs"]:
        yield _output(output)


def _output(output: dict[str, Any]) -> str:
    """What a cell showed: as HTML where it has some, else as text."""
    data = output.get("data", {})
    if "text/html" in data:
        return f'{FENCE}{{raw}} html\n<div class="shown">{"".join(data["text/html"])}</div>\n{FENCE}\n'
    text = "".join(output["text"] if output["output_type"] == "stream" else data["text/plain"])
    return f"{FENCE}{{code-block}} text\n:class: shown\n\n{text.rstrip()}\n{FENCE}\n"
