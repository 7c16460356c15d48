"""Who of a bundle is who here? Teams by their names, people by a name alone: nobody gets into an account or a team."""

from __future__ import annotations

from collections.abc import Iterable

from toprung.boards.archive.rows import Row
from toprung.errors import InputError
from toprung.web.core.models.boards import Board
from toprung.web.core.models.people import Team, User
from toprung.web.core.names import check_team_name, clean_name, look_of
from toprung.web.services.bundle.fields import decode
from toprung.web.services.bundle.people import NAMELESS
from toprung.web.services.people.teams import RESERVED_SLUGS

LONGEST_NAME = 120
MOST_OF_A_NAME = 10_000


def make_people(board: Board, rows: Iterable[Row]) -> dict[str, User]:
    """For each person an account that nobody can enter, so that what they did is not on record as another's."""
    made = {}
    for number, row in enumerate(rows, start=1):
        name = clean_name(row.text("name"))[:LONGEST_NAME] or NAMELESS
        user = User(email=f"imported-{board.pk}-{number}@invalid.invalid", name=name, is_active=False)
        user.set_unusable_password()
        made[row.text("who")] = user
    User.objects.bulk_create(made.values(), batch_size=200)
    return made


def make_teams(rows: Iterable[Row], *, joins: bool) -> tuple[dict[str, Team], list[str]]:
    """Each team of the bundle by its slug there; and what was renamed, in words.

    A team of the same name that has members here may be other people: it gets nothing, unless who imports says that
    it is the same (``joins``). One without members was founded for runs of the past, and gets these too.
    """
    made, renamed = {}, []
    for row in rows:
        team = decode(Team, row)
        try:
            team.name = check_team_name(team.name)
        except InputError as error:
            row.refuse(f"a team's name that cannot be used ({error})", "a name")
        slug, name = team.slug, team.name
        same = Team.objects.filter(look=look_of(team.name)).first()
        if same is not None and (joins or _waits_for_members(same)):
            made[slug] = same
            continue
        team.name, team.slug = _free_name(name), _free_slug(slug)
        team.save()
        made[slug] = team
        if team.name != name:
            renamed.append(f"{name} is called {team.name} here, for another team has its name")
    return made, renamed


def _waits_for_members(team: Team) -> bool:
    """One that was closed had some, and takes none any more."""
    return team.closed_at is None and not team.membership_set.exists()


def _free_name(name: str) -> str:
    for number in range(1, MOST_OF_A_NAME):
        suffix = "" if number == 1 else f" ({number})"
        tried = name[: LONGEST_NAME - len(suffix)] + suffix
        if not Team.objects.filter(look=look_of(tried)).exists():
            return tried
    raise InputError(f"Found too many teams called '{name}'; expected fewer.")


def _free_slug(slug: str) -> str:
    for number in range(1, MOST_OF_A_NAME):
        suffix = "" if number == 1 else f"-{number}"
        tried = slug[: 60 - len(suffix)] + suffix
        if tried not in RESERVED_SLUGS and not Team.objects.filter(slug=tried).exists():
            return tried
    raise InputError(f"Found too many teams at '{slug}'; expected fewer.")
