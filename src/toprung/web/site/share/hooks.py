"""How does a person have a board call their program? By an address on the page where the board is followed."""

from __future__ import annotations

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from toprung.web.core.access.rate_limits import limit
from toprung.web.core.access.viewer import get_viewer
from toprung.web.services.following.hooks import HookRefusedError, add_hook, remove_hook
from toprung.web.site.account.requests import MemberRequest
from toprung.web.site.share.follow import show_follow


@login_required
@never_cache
@require_POST
@limit("add_hook")
def add(request: MemberRequest, slug: str) -> HttpResponse:
    """Its secret is on this answer and nowhere else."""
    viewer, address = get_viewer(request.user, slug), request.POST.get("address", "").strip()
    try:
        _, secret = add_hook(viewer.board, request.user, address)
    except HookRefusedError as refused:
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return show_follow(request, viewer, status=status, refused=str(refused), address=address)
    return show_follow(request, viewer, secret=secret)


@login_required
@never_cache
@require_POST
def remove(request: MemberRequest, slug: str, pk: int) -> HttpResponse:
    viewer = get_viewer(request.user, slug)
    if not remove_hook(viewer.board, request.user, pk):
        raise Http404("There is no such webhook.")
    messages.success(request, "The webhook was removed; it is not called any more.")
    return redirect("follow", slug)
