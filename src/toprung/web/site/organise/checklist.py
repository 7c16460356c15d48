"""What is to be done on this board? What is missing, what waits for someone, and where everything else is."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from toprung.web.services.boards.checklist import find_needs, list_items, say_missing
from toprung.web.services.shown.organiser import organise_at
from toprung.web.site.account.requests import MemberRequest


@never_cache
@login_required
@require_safe
def show_checklist(request: MemberRequest, slug: str) -> HttpResponse:
    organiser_page = organise_at(request.user, slug)
    board = organiser_page.board
    items = list_items(board)
    first = next((item for item in items if not item.is_done), None)
    context = organiser_page.frame("organise") | {
        "work_trouble": (),  # said among what waits
        "items": [(item, _address(item.page, slug), item is first) for item in items],
        "said": say_missing(board, items),
        "needs": [(need, _address(need.page, slug)) for need in find_needs(board)],
        "n_entries": board.audit.count(),
    }
    return render(request, "organise/checklist.html", context)


def _address(page: str, slug: str) -> str:
    return reverse(page, args=[slug]) if page else ""
