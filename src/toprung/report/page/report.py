"""What does a whole report look like? One page: the summary first, the leaderboard, then every answer there is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from toprung.analyses.leaderboard.find import Leaderboard
from toprung.report.overview.find import Omission, Overview
from toprung.report.page.exports import files_of, write_download
from toprung.report.page.packed import pack, pack_within, packed_tag
from toprung.report.page.part import WrittenPart, write_part
from toprung.report.page.provenance import write_provenance
from toprung.report.page.shell import asset, write_document
from toprung.report.page.words import prose, words
from toprung.report.writers import to_json

LARGEST_PAGE = 2_500_000
"""Bytes: a page is to be read and sent. It carries the files that fit, and leaves the rest to the command line."""
SPARE = 20_000
"""For the buttons of files and what is written around them."""
NOT_HERE, JSON_FILE = "not-here", "report-json"


def to_report_page(overview: Overview, *, on_progress: Callable[[str], None] = lambda _: None) -> str:
    """The report as one page that needs nothing else: no network, and no script to be read.

    ``on_progress`` is called with the question of each part that is drawn.
    """
    parts = []
    for part in overview.parts:
        is_said = part.result.sentence in overview.sentence
        parts.append(write_part(part.key, part.question, part.result, is_said=is_said))
        on_progress(part.question)
    library = ChartLibrary.load() if any(part.can_be_explored for part in parts) else None
    files = {name: text for part in overview.parts for name, text in files_of(part.key, part.result).items()}
    files[JSON_FILE] = to_json(overview)
    room = LARGEST_PAGE - SPARE - len(_write_page(overview, parts, library, {}).encode())
    return _write_page(overview, parts, library, pack_within(files, room))


@dataclass(frozen=True, kw_only=True)
class ChartLibrary:
    """Vega with all it needs, as vl-convert ships it; of its names the page sees one."""

    script: str
    tag: str
    """The script packed, as the page carries it."""

    @classmethod
    def load(cls) -> ChartLibrary:
        from toprung.extras.pictures import vl_convert

        script = f"(() => {{{vl_convert.javascript_bundle('window.vegaEmbed = vegaEmbed;')}\n}})();"
        return cls(script=script, tag=packed_tag("chart-library", pack(script)))


def _write_page(
    overview: Overview, parts: Sequence[WrittenPart], library: ChartLibrary | None, carried: Mapping[str, str]
) -> str:
    answers = "".join(part.close(carried) for part in parts)
    json_file = write_download(JSON_FILE, carried, name="report.json", label="This report as JSON")
    body = (
        f'<main id="main" class="wrap report">\n{_opening(overview)}{_contents(overview)}'
        f'<div class="parts">\n{answers}{_omitted(overview.omitted)}</div>\n</main>\n'
        f"{write_provenance(overview.provenance, json_file)}"
        f"{library.tag if library else ''}"
    )
    return write_document(
        title=f"{overview.title} – Toprung",
        body=body,
        script=asset("page.js"),
        later_scripts=[library.script] if library else [],
    )


def _opening(overview: Overview) -> str:
    """What a reader takes away who reads no further."""
    board = _find_board(overview)
    verdict = board.verdict if board else overview.sentence
    rest = overview.sentence.removeprefix(verdict).strip()
    facts = "".join(f"<div><dt>{words(name)}</dt><dd>{words(said)}</dd></div>" for name, said in _facts(board))
    notes = "".join(f"<li>{prose(note)}</li>" for note in overview.notes)
    return (
        f'<div class="opening"><h1>{words(overview.title)}</h1>\n'
        f"{f'<dl class="facts">{facts}</dl>' if facts else ''}\n"
        f'<p class="sentence"><b>{words(verdict)}</b></p>\n'
        f"{f'<p class="because">{words(rest)}</p>' if rest else ''}\n"
        f"{f'<ul class="notes">{notes}</ul>' if notes else ''}</div>\n"
    )


def _find_board(overview: Overview) -> Leaderboard | None:
    return next((part.result for part in overview.parts if isinstance(part.result, Leaderboard)), None)


def _facts(board: Leaderboard | None) -> list[tuple[str, str]]:
    if board is None:
        return []
    return [
        ("Runs", f"{len(board.rows):,}"),
        ("Queries", f"{board.n_queries:,}"),
        ("Measure", f"{board.measure}, mean"),
    ]


def _contents(overview: Overview) -> str:
    entries = [(part.key, part.question) for part in overview.parts]
    if overview.omitted:
        entries.append((NOT_HERE, "Not in this report"))
    links = "".join(f'<li><a href="#{key}">{words(name)}</a></li>' for key, name in entries)
    return (
        '<nav class="contents" aria-label="Contents"><details><summary>Contents</summary>'
        f"<ol>{links}</ol></details></nav>\n"
    )


def _omitted(omitted: tuple[Omission, ...]) -> str:
    """What was not asked, and what it would take."""
    if not omitted:
        return ""
    said = "".join(f"<div><dt>{words(each.question)}</dt><dd>{prose(each.reason)}</dd></div>" for each in omitted)
    return (
        f'<section class="part" id="{NOT_HERE}" aria-labelledby="{NOT_HERE}-title">'
        f'<h2 id="{NOT_HERE}-title">Not in this report</h2><dl class="omitted">{said}</dl></section>\n'
    )
