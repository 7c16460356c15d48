"""Who am I, with this token?"""

from __future__ import annotations

from ninja import Router

from toprung.web.api.callers import ApiRequest, Bearer
from toprung.web.api.schemas.people import MeOut, TeamOut
from toprung.web.api.schemas.problems import problems
from toprung.web.core.access.rights import teams_of

router = Router(tags=["you"])


@router.get(
    "/me",
    response={200: MeOut, **problems()},
    summary="Who you are",
    url_name="api_me",
    auth=Bearer(is_needed=True),  # any token may ask what it is
)
def show_me(request: ApiRequest) -> MeOut:
    """The person whose token it is, the teams that it acts for, and what it may do. Any token may ask."""
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
    )
