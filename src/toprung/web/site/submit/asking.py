"""How does a person ask to take part, with a team, in a board whose organisers approve who submits?"""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from toprung.web.core.access.boards import get_board_for_viewer
from toprung.web.core.access.runs import get_team_to_submit_for
from toprung.web.services.runs.admission import NotAskedError, ask_to_take_part
from toprung.web.site.account.requests import MemberRequest
from toprung.web.site.submit.files import submit_url


@login_required
@require_POST
def ask(request: MemberRequest, slug: str) -> HttpResponse:
    board = get_board_for_viewer(request.user, slug)
    team = get_team_to_submit_for(board, request.user, request.POST.get("team", ""))
    try:
        ask_to_take_part(board, request.user, team)
    except NotAskedError as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, f"The organisers were asked; once they approve, you can submit for {team} here.")
    return redirect(submit_url(board, team=team.slug))
