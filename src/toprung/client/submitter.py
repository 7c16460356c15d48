"""For whom is a run submitted, and may it be? The team, the scope of the token, the dates and the quota of the board.

All of it is asked before a file is sent; the server asks it again when the run is submitted, and its word holds.
"""

from __future__ import annotations

from datetime import UTC, datetime

from toprung.client.connection import TOKENS_PAGE, Connection
from toprung.client.record import Record
from toprung.errors import InputError
from toprung.words.wording import say_count


def choose_team(me: Record, wanted: str) -> str:
    """The slug of the team: the one that is named, or that the token is for, or the only one."""
    teams = {team.text("slug"): team.text("name") for team in me.records("teams")}
    bound = me.text("team")
    if "submit" not in me.texts("scopes"):
        raise InputError(
            f"Found a token that may not submit; expected one with the scope submit: make it at "
            f"{me.source}{TOKENS_PAGE}"
        )
    if wanted and wanted not in teams and wanted in teams.values():
        wanted = next(slug for slug, name in teams.items() if name == wanted)
    if bound:
        if wanted not in ("", bound):
            raise InputError(f"Found team '{wanted}' and a token for '{bound}' alone; expected the same.")
        return bound
    if not teams:
        raise InputError(f"Found no team of yours; expected one: make it at {me.source}/account/")
    if wanted in teams:
        return wanted
    if not wanted and len(teams) == 1:
        return next(iter(teams))
    found = f"team '{wanted}', which you are not in" if wanted else "several teams of yours"
    raise InputError(f"Found {found}; expected --team with one of {', '.join(teams)}.")


def read_quota(connection: Connection, board: str, team: str) -> Record:
    return connection.ask(f"boards/{board}/quota", query={"team": team})


def say_quota(quota: Record) -> str:
    """What is left.

    >>> say_quota(Record(fields={"limit": 2, "days": 30, "left": 1}, source=""))
    '1 of 2 submissions in any 30 days is left.'
    """
    left = quota.whole("left")
    of = f"of {say_count(quota.whole('limit'), 'submission')} in any {say_count(quota.whole('days'), 'day')}"
    if left:
        return f"{left:,} {of} {'is' if left == 1 else 'are'} left."
    return f"None {of} is left; the next frees on {quota.text('next_date')}."


def check_may_submit(board: Record, quota: Record) -> None:
    """An InputError where the run could be sent and not be submitted."""
    if not board.claim("is_open"):
        raise InputError(f"Found a board that takes no submissions now: {_say_when(board)}. Nothing was sent.")
    if not quota.whole("left"):
        raise InputError(
            f"Found no submission left. {say_quota(quota)} Nothing was sent; --dry-run still checks a file."
        )


def _say_when(board: Record) -> str:
    opens, closes, today = board.day("opens_at"), board.day("closes_at"), datetime.now(UTC).date()
    if opens is not None and opens > today:
        return f"it opens on {opens}"
    return f"it closed on {closes}" if closes is not None and closes <= today else "its page says why"
