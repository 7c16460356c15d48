"""What does a link to a board look like in a message? A picture with its sentence, drawn once for each state."""

from __future__ import annotations

import base64
import hashlib

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from toprung.report.share.card import CardBar, PreviewCard, draw_card
from toprung.web.core.access.shared import get_board_to_share
from toprung.web.core.access.viewer import Viewer
from toprung.web.services.shown.board.cards import draw_sparks
from toprung.web.services.shown.board.counts import RunCounts
from toprung.web.services.shown.board.listed_verdicts import say_boards
from toprung.web.site.share.keeping import answer_kept
from toprung.words.wording import say_queries

KEPT_DAYS = 30


@require_safe
def show_card(request: HttpRequest, slug: str) -> HttpResponse:
    viewer = get_board_to_share(request, slug)
    return answer_kept(request, viewer.board, _find_or_draw(draw_card(_card_of(viewer))), "image/png")


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


def _find_or_draw(svg: str) -> bytes:
    """By the digest of the drawing: turned into a picture once, however often it is asked for."""
    key = f"card:{hashlib.sha256(svg.encode()).hexdigest()}"
    kept: str | None = cache.get(key)
    if kept is None:
        from vl_convert import svg_to_png

        kept = base64.b64encode(svg_to_png(svg)).decode()
        cache.set(key, kept, KEPT_DAYS * 24 * 3600)
    return base64.b64decode(kept)
