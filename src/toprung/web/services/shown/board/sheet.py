"""What is on the sheet of a view? The page of the table that is shown there, with its sentence and where it is from."""

from __future__ import annotations

from toprung.report.share.sheet import Sheet
from toprung.web.core.addresses import address_of
from toprung.web.services.shown.board.counts import RunCounts
from toprung.web.services.shown.board.export import export_page
from toprung.web.services.shown.board.listing import list_runs
from toprung.web.services.shown.board.page import BoardPage


def sheet_of(page: BoardPage) -> Sheet:
    """The rows of one page, however many the view has: a sheet is for reading, and what it costs is bounded."""
    listing = list_runs(page.viewer, page.view, RunCounts.of(page.viewer))
    shown, verdict = export_page(page, listing), page.verdict.text
    board, made_from = page.viewer.board, shown.provenance
    here = address_of("leaderboard", board.slug) + page.view.address
    left_out = listing.n_listed + len(listing.baselines) - len(shown.rows) - len(listing.not_shown)
    more = [f"Page {listing.page:,} of {listing.n_pages:,}; CSV and JSON have every run."] if left_out else []
    return Sheet(
        title=f"{board.title} · {page.content['measure']}",
        sentence=verdict.sentence,
        because=[verdict.because],
        table=shown.table,
        shaded=frozenset(place for place, run in enumerate(shown.rows) if run.row.top_group),
        notes=[*more, *shown.notes, f"{made_from['labels']} · computed {made_from['computed_at']} · {here}"],
    )
