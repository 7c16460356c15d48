"""How does one follow a board, and how do its mails stop? A button each; the link in a mail needs no login."""

from __future__ import annotations

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from toprung.web.core.access.viewer import Viewer, get_viewer
from toprung.web.core.models.following import Follow
from toprung.web.services.following import follow as following
from toprung.web.site.account.requests import MemberRequest, next_address

MAIL, FEED, NONE = "mail", "feed", "none"


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def follow_board(request: MemberRequest, slug: str) -> HttpResponse:
    """Posting says how: by mail, without, or not any more."""
    viewer = get_viewer(request.user, slug)
    board, can_be_mailed = viewer.board, following.can_be_mailed(request.user)
    if request.method == "POST":
        how = request.POST.get("how", MAIL if can_be_mailed else FEED)
        if how == NONE:
            following.unfollow(board, request.user)
            messages.success(request, f"You do not follow {board} any more.")
        else:
            followed = following.follow(board, request.user, by_mail=how == MAIL and can_be_mailed)
            messages.success(request, f"You follow {board}{', and get its mails' if followed.by_mail else ''}.")
        return redirect(next_address(request) or reverse("leaderboard", args=[slug]))
    return show_follow(request, viewer)


def show_follow(request: MemberRequest, viewer: Viewer, *, status: int = HTTPStatus.OK, **said: str) -> HttpResponse:
    """The page, with what was said of a webhook just now."""
    board, user = viewer.board, request.user
    context = viewer.frame("follow") | {
        "followed": Follow.objects.filter(board=board, user=user).first(),
        "can_be_mailed": following.can_be_mailed(user),
        "hooks": list(user.hooks.filter(board=board).order_by("pk")),
        "can_have_hooks": following.has_sure_address(user),
        **said,
    }
    return render(request, "share/follow.html", context, status=status)


@csrf_exempt
@never_cache
@require_http_methods(["GET", "POST"])
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Opening the link changes nothing, for mail programs open links; posting stops the mails (RFC 8058).

    The signature in the link stands for who asks, so no cookie is read and no token against forged forms is needed.
    """
    pk = following.read_stop_token(token)
    if pk is None:
        raise Http404("There is no such link.")
    if request.method == "POST":
        following.stop_mails(pk)
    followed = Follow.objects.select_related("board").filter(pk=pk, by_mail=True).first()
    return render(request, "share/stop.html", {"followed": followed})
