"""Who am I, with this token, and what became of my runs?"""

from __future__ import annotations

from django.conf import settings
from ninja import Router

from toprung.web.api.callers import ApiRequest, Bearer
from toprung.web.api.schemas.people import MeOut, OwnRunOut, TeamOut
from toprung.web.api.schemas.problems import problems
from toprung.web.core.access.rights import teams_of
from toprung.web.core.models.people import Scope
from toprung.web.services.mine.find_runs import find_own_runs
from toprung.web.services.mine.own_runs import OwnRun

router = Router(tags=["you"])


@router.get(
    "/me",
    response={200: MeOut, **problems()},
    summary="Who you are",
    url_name="api_me",
    auth=Bearer(is_needed=True),  # any token may ask what it is
)
def show_me(request: ApiRequest) -> MeOut:
    """The person whose token it is, the teams that it acts for, what it may do, and, if it may read, their runs."""
    caller = request.auth
    user, token = caller.user, caller.token
    assert token is not None  # noqa: S101 - for the type checker: the route needs one
    return MeOut(
        name=str(user),
        email=user.email,
        teams=[TeamOut(slug=team.slug, name=team.name) for team in teams_of(user)],
        scopes=token.scopes,
        team=None if token.team is None else token.team.slug,
        expires_at=token.expires_at,
        runs=[_tell(each) for each in find_own_runs(user)] if Scope.READ in token.scopes else None,
    )


def _tell(run: OwnRun) -> OwnRunOut:
    """In the words of the home page."""
    return OwnRunOut(
        board=run.board.slug,
        run=run.run_id or None,
        name=run.name,
        team=run.team,
        at=run.at,
        state=run.state,
        outcome=run.outcome,
        score=run.score,
        rank=run.rank,
        may_be_best=run.may_be_best,
        needs_you=run.needs_you,
        url=f"{settings.ENVIRONMENT.public_url}{run.path}",
    )
