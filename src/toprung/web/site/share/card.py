"""What does a link to a board look like in a message? A picture with its sentence, drawn once for each state."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from toprung.report.share.card import CardBar, PreviewCard, draw_card
from toprung.web.core.access.shared import get_board_to_share
from toprung.web.core.access.viewer import Viewer
from toprung.web.services.shown.board.cards import draw_sparks
from toprung.web.services.shown.board.counts import RunCounts
from toprung.web.services.shown.board.listed_verdicts import say_boards
from toprung.web.services.shown.pictures import find_painted, paint
from toprung.web.site.share.keeping import answer_kept
from toprung.words.wording import say_queries


@require_safe
def show_card(request: HttpRequest, slug: str) -> HttpResponse:
    viewer = get_board_to_share(request, slug)
    svg = draw_card(_card_of(viewer))
    return answer_kept(
        request, viewer.board, find_painted(svg, "png", scale=1) or paint(svg, "png", scale=1), "image/png"
    )


def _card_of(viewer: Viewer) -> PreviewCard:
    board, labels, found = viewer.board, viewer.labels(), viewer.result("board")
    said = say_boards([board])[board.pk]
    counts = RunCounts.of(viewer)
    facts = [
        say_queries(labels.n_queries) if labels is not None else "",
        board.official_measure,
        str(counts) if counts.n_runs or counts.n_baselines else "",
        f"{found.computed_at:%Y-%m-%d}" if found is not None else "",
    ]
    bars = [
        CardBar(low=each.low / 100, high=(each.low + each.width) / 100, is_top=each.may_be_best)
        for each in draw_sparks([board]).get(board.pk, [])
    ]
    return PreviewCard(
        title=board.title, bold=said.bold, rest=said.rest, facts=" · ".join(filter(None, facts)), bars=bars
    )
