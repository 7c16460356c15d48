"""What needs me, what became of my runs, and what is new? A participant's home."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from toprung.web.core.access.rights import teams_of
from toprung.web.core.models.people import User
from toprung.web.services.following.follow import can_be_mailed
from toprung.web.services.mine.find_runs import find_own_runs
from toprung.web.services.mine.needs import (
    announcements_for,
    find_needs,
    judged_boards,
    open_invitations_of,
    organised_boards,
)
from toprung.web.services.mine.own_runs import OwnRun
from toprung.web.services.mine.runs_left import find_runs_left
from toprung.web.services.people.teams import TeamRefusedError, accept_invitation
from toprung.web.site.account.requests import MemberRequest
from toprung.web.site.board.markdown import render_markdown
from toprung.web.site.me.words import say_own_runs
from toprung.web.site.run.requests import LiveRequest, live_login_required

FILTERS: dict[str, tuple[str, Callable[[OwnRun], bool]]] = {
    "needs": ("Needs you", lambda run: run.needs_you),
    "running": ("Running", lambda run: run.is_running),
    "top": ("May be best", lambda run: run.may_be_best),
}
"""By what the address says: a name, and which runs it keeps."""


@live_login_required
@never_cache
@require_safe
def show_me(request: LiveRequest) -> HttpResponse:
    """A page that follows runs under way gets only what it has not seen."""
    runs, judged = find_own_runs(request.user), [board.title for board in judged_boards(request.user)]
    organised = organised_boards(request.user)
    asked = request.GET.get("show", "")
    seen = _mark_of(runs)
    if request.htmx and request.GET.get("seen") == seen:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    keeps = FILTERS[asked][1] if asked in FILTERS else None
    context = {
        "sentence": say_own_runs(runs, judged, [board.title for board in organised]),
        "is_assessor": bool(judged),
        "organised": organised,
        "needs": find_needs(request.user, runs),
        "runs": runs if keeps is None else [run for run in runs if keeps(run)],
        "n_runs": len(runs),
        "asked": asked if asked in FILTERS else "",
        "filters": [(key, name, sum(map(keep, runs))) for key, (name, keep) in FILTERS.items()],
        "is_moving": any(run.is_running for run in runs),
        "seen": seen,
    }
    return render(request, "me/live.html" if request.htmx else "me/me.html", context | _beside(request.user, runs))


def _mark_of(runs: Sequence[OwnRun]) -> str:
    """Another one as soon as any of them stands otherwise."""
    stands = [(run.path, run.state, run.took, run.outcome, run.score, run.rank) for run in runs]
    return sha256(repr(stands).encode()).hexdigest()[:16]


def _beside(user: User, runs: Sequence[OwnRun]) -> dict[str, object]:
    """What stands beside the runs."""
    return {
        "teams": teams_of(user),
        "runs_left": find_runs_left(user),
        "follows": list(user.follows.select_related("board").order_by("board__title")),
        "can_be_mailed": can_be_mailed(user),
        "announcements": [(each, render_markdown(each.text)) for each in announcements_for(user, runs)],
        "n_anonymous": sum(run.is_anonymous for run in runs),
    }


@login_required
@require_POST
def join_invited(request: MemberRequest, pk: int) -> HttpResponse:
    """By an invitation that was mailed to the person's own, verified address."""
    invitation = get_object_or_404(open_invitations_of(request.user), pk=pk)
    try:
        membership = accept_invitation(invitation, user=request.user)
    except TeamRefusedError as error:
        messages.error(request, str(error))
        return redirect("me")
    if membership is None:
        messages.error(request, "Found an invitation that was used or withdrawn; ask for another.")
        return redirect("me")
    messages.success(request, f"You are in {membership.team}.")
    return redirect("me")
