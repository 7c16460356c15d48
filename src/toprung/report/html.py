"""A page that shows one result: self-contained, without script, light and dark."""

from __future__ import annotations

from toprung.report.charts.catalogue import figures_of
from toprung.report.charts.svg.setting import PHONE, ChartSetting
from toprung.report.overview.result import Overview
from toprung.report.page.figures import write_figure
from toprung.report.page.part import write_evidence
from toprung.report.page.provenance import write_provenance
from toprung.report.page.report import to_report_page
from toprung.report.page.shell import write_document
from toprung.report.page.words import words
from toprung.result import Result


def to_page(result: Result) -> str:
    """The result as a page: the sentence first, then figures, tables, how it was found and the notes."""
    if isinstance(result, Overview):
        return to_report_page(result)
    drawn = zip(figures_of(result), figures_of(result, ChartSetting(width=PHONE)), strict=True)
    figures = [write_figure(figure, f"figure-{number}", small) for number, (figure, small) in enumerate(drawn, start=1)]
    body = (
        f'<main id="main" class="wrap">\n<h1 class="sentence">{words(result.sentence)}</h1>\n'
        f"{write_evidence(result, figures, result.notes)}</main>\n"
        f"{write_provenance(result.provenance)}"
    )
    return write_document(title=f"{result.sentence} – Toprung", body=body)
