"""What is new on a board, for feed readers? Atom, with names of entries that stay; nothing that is not for everyone."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.views.decorators.http import require_safe

from toprung.report.page.words import words
from toprung.web.core.access.shared import get_board_to_share
from toprung.web.core.models.boards import Board
from toprung.web.services.following.events import BoardEvent, find_events
from toprung.web.services.shown.board.listed_verdicts import say_boards
from toprung.web.site.board.markdown import render_markdown
from toprung.web.site.share.keeping import answer_kept
from toprung.words.visible import spell_hidden

ATOM = "application/atom+xml; charset=utf-8"


@require_safe
def show_feed(request: HttpRequest, slug: str) -> HttpResponse:
    viewer = get_board_to_share(request, slug)
    feed = _start_feed(viewer.board)
    for event in find_events(viewer):
        _add(feed, viewer.board, event)
    return answer_kept(request, viewer.board, feed.writeString("utf-8").encode(), ATOM)


def _start_feed(board: Board) -> Atom1Feed:
    here = settings.ENVIRONMENT.public_url
    return Atom1Feed(
        title=spell_hidden(f"{board.title} · Toprung"),
        link=here + reverse("leaderboard", args=[board.slug]),
        description=None,
        subtitle=spell_hidden(say_boards([board])[board.pk].sentence),
        feed_url=here + reverse("feed", args=[board.slug]),
        feed_guid=_name(board),
        author_name="Toprung",
    )


def _add(feed: Atom1Feed, board: Board, event: BoardEvent) -> None:
    text = render_markdown(event.text) if event.is_markdown else f"<p>{words(event.text)}</p>"
    feed.add_item(
        title=spell_hidden(event.title),
        link=settings.ENVIRONMENT.public_url + event.path,
        description=text if event.text else "",
        unique_id=f"{_name(board)}/{event.key}",
        pubdate=event.at,
        updateddate=event.updated,
    )


def _name(board: Board) -> str:
    """A tag URI (RFC 4151): the same for good, wherever the board is served from."""
    host = urlsplit(settings.ENVIRONMENT.public_url).hostname or "localhost"
    return f"tag:{host},{board.created_at:%Y-%m-%d}:{board.slug}"
