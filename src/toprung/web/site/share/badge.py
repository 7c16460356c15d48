"""What does a badge say of a board or a run? A few words for a page elsewhere, as everyone may know them."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from toprung.report.share.badge import draw_badge
from toprung.web.core.access.shared import get_board_to_share
from toprung.web.core.access.viewer import Viewer
from toprung.web.core.models.runs import RunState
from toprung.web.services.shown.board.listed_verdicts import say_state
from toprung.web.services.shown.run.outcomes import say_place
from toprung.web.site.share.keeping import answer_kept

SVG = "image/svg+xml"
NOT_SHOWN = "no score shown"


@require_safe
def show_board_badge(request: HttpRequest, slug: str) -> HttpResponse:
    viewer = get_board_to_share(request, slug)
    found = viewer.result("board")
    drawn = draw_badge(viewer.board.title, say_state(viewer.board, None if found is None else found.content))
    return answer_kept(request, viewer.board, drawn.encode(), SVG)


@require_safe
def show_run_badge(request: HttpRequest, slug: str, label: str) -> HttpResponse:
    """Of a run that is on the board; under an embargo it has no more of a name here than there."""
    viewer = get_board_to_share(request, slug)
    words, is_top = _say_run(viewer, label)
    return answer_kept(request, viewer.board, draw_badge(viewer.board.title, words, is_top=is_top).encode(), SVG)


def _say_run(viewer: Viewer, label: str) -> tuple[str, bool]:
    run = viewer.board.submissions.filter(run_id=label, state=RunState.DONE, withdrawn_at=None).first()
    if run is None:
        raise Http404("There is no such run.")
    name, found = viewer.namer.name(run).name, viewer.result("board")
    standing = viewer.standings().filter(submission=run).first()
    if standing is None or found is None:
        return f"{name}: {NOT_SHOWN}", False
    return f"{name} {say_place(standing.content, found.content)}", standing.top_group
