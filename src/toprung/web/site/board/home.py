"""What is this, which boards are there, and who may be best on each? The front page."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from toprung.web.core.asked import same_for_everyone
from toprung.web.core.models.boards import Board
from toprung.web.services.data.commands import board_address
from toprung.web.services.shown.board.cards import LONGEST_SEARCH, list_board_cards


@require_safe
@same_for_everyone
def list_boards(request: HttpRequest) -> HttpResponse:
    search = request.GET.get("q", "").replace("\0", "").strip()[:LONGEST_SEARCH]
    cards = list_board_cards(request.user, search)
    server = settings.ENVIRONMENT.public_url
    slug = next((each.board.slug for each in cards if each.board.is_open), "BOARD")
    context = {
        "cards": cards,
        "search": search,
        "is_empty": not cards and not Board.objects.exists(),
        "server": server,
        "example": board_address(server, slug),
    }
    return render(request, "boards/boards.html", context)
