"""What does a whole report look like? One page: the summary first, then every answer there is, folded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from toprung.analyses.leaderboard.find import Leaderboard
from toprung.report.overview.result import Omission, Overview
from toprung.report.page.board import places_of_runs
from toprung.report.page.exports import write_download
from toprung.report.page.opening import write_opening
from toprung.report.page.packed import pack_within
from toprung.report.page.part import WrittenPart, write_folded, write_part
from toprung.report.page.provenance import write_provenance
from toprung.report.page.shell import asset, write_document
from toprung.report.page.words import prose, words
from toprung.report.writers import to_json

LARGEST_PAGE = 2_500_000
"""Bytes: a page is to be read and sent. It carries the files that fit, and leaves the rest to the command line."""
SPARE = 20_000
"""For the buttons of files and what is written around them."""
NOT_HERE, JSON_FILE = "not-here", "report-json"
TOOLS = (
    '<div class="tools" role="search" aria-label="Runs and parts" hidden>'
    '<label for="run-filter">Filter runs</label>'
    '<input id="run-filter" type="search" autocomplete="off" placeholder="Name, team or tag">'
    '<span id="filter-status" role="status"></span>'
    '<button type="button" class="btn" data-fold="open">Open all</button>'
    '<button type="button" class="btn" data-fold="close">Close all</button></div>\n'
)
"""They need a script, and show where one runs."""


def to_report_page(overview: Overview, *, on_progress: Callable[[str], None] = lambda _: None) -> str:
    """The report as one page that needs nothing else: no network, and no script to be read.

    ``on_progress`` is called with the question of each part that is drawn.
    """
    parts, places = [], _find_places(overview)
    for part in overview.parts:
        written = write_part(part.key, part.question, part.result, said_before=overview.said_first, places=places)
        parts.append(written)
        on_progress(part.question)
    files = {name: text for part in parts for name, text in part.files.items()}
    files[JSON_FILE] = to_json(overview)
    room = LARGEST_PAGE - SPARE - len(_write_page(overview, parts, {}).encode())
    return _write_page(overview, parts, pack_within(files, room))


def _find_places(overview: Overview) -> Mapping[str, str]:
    """Where the row of each run is; nowhere in a report without a leaderboard."""
    board = next((part.result for part in overview.parts if isinstance(part.result, Leaderboard)), None)
    return {} if board is None else places_of_runs(board)


def _write_page(overview: Overview, parts: Sequence[WrittenPart], carried: Mapping[str, str]) -> str:
    answers = "".join(part.close(carried) for part in parts)
    json_file = write_download(JSON_FILE, carried, name="report.json", label="This report as JSON")
    body = (
        f'<main id="main" class="wrap report">\n{write_opening(overview)}{_contents(overview)}'
        f'<div class="parts">\n{TOOLS}{answers}{_omitted(overview.omitted)}</div>\n</main>\n'
        f"{write_provenance(overview.provenance, json_file)}"
    )
    return write_document(
        title=f"{overview.title} – Toprung", body=body, script=asset("shared/marks.js") + asset("page.js")
    )


def _contents(overview: Overview) -> str:
    entries = [(part.key, part.question) for part in overview.parts]
    if overview.omitted:
        entries.append((NOT_HERE, "Not in this report"))
    links = "".join(f'<li><a href="#{key}">{words(name)}</a></li>' for key, name in entries)
    return f'<nav class="contents" aria-label="Contents"><ol>{links}</ol></nav>\n'


def _omitted(omitted: tuple[Omission, ...]) -> str:
    """What was not asked, and what it would take."""
    if not omitted:
        return ""
    said = "".join(f"<div><dt>{words(each.question)}</dt><dd>{prose(each.reason)}</dd></div>" for each in omitted)
    return write_folded(NOT_HERE, "Not in this report", f'<dl class="omitted">{said}</dl>\n')
