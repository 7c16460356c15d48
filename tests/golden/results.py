"""What does every result give out, in every format? And the report of all of them."""

from __future__ import annotations

from tests.every_result import make_overview, make_results
from tests.golden.part import Part
from tests.golden.varying import SCRIPT, STYLE, fold, settle, settle_page, undrawn

from toprung.report.overview.result import Overview
from toprung.report.page.report import to_report_page
from toprung.report.render import OutputFormat, render
from toprung.result import Result

DIGESTED = (OutputFormat.CSV, OutputFormat.JSON, OutputFormat.MARKDOWN, OutputFormat.LATEX)


def make_results_part() -> Part:
    overview = make_overview()
    results = {**make_results(), "overview": overview}
    shown = "\n".join(f"######## {name}\n\n{settle(f'{result}')}\n" for name, result in results.items())
    forms = {name: _forms_of(result) for name, result in results.items()} | {"report": _report_forms(overview)}
    return Part(name="results", whole={"results.txt": shown}, digested=forms)


def _forms_of(result: Result) -> dict[str, str | list[str]]:
    with undrawn():
        notebook = result._repr_html_()
    with undrawn() as specs:
        page = render(result, OutputFormat.HTML)
    return {
        **{each.value: settle(render(result, each)) for each in DIGESTED},
        "html": settle_page(page),
        "figures": "".join(specs),
        "notebook": settle(fold(notebook)),
        "repr": [settle(repr(result))],
        "schema": [f"{name}: {kind}" for name, kind in result.to_frame().schema.items()],
    }


def _report_forms(overview: Overview) -> dict[str, str | list[str]]:
    """The page, and the stylesheet and script that every page of a result has."""
    with undrawn():
        page = to_report_page(overview)
    script, style = SCRIPT.search(page), STYLE.search(page)
    assert script is not None
    assert style is not None
    return {"html": settle_page(page), "style": style[0], "script": script[0]}
