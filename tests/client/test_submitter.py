"""For whom is a run submitted, and may it be?"""

from __future__ import annotations

from typing import Any

import pytest

from toprung.client.record import Record
from toprung.client.submitter import check_may_submit, choose_team, say_quota
from toprung.errors import InputError

ONE = [{"slug": "kestrel-lab", "name": "Kestrel Lab"}]
TWO = [*ONE, {"slug": "norrland-ir", "name": "Norrland IR"}]


def make(**fields: Any) -> Record:
    return Record(fields=fields, source="https://a.org")


def me(teams: list[dict[str, str]], *, team: str | None = None, scopes: tuple[str, ...] = ("read", "submit")) -> Record:
    return make(teams=teams, team=team, scopes=list(scopes))


@pytest.mark.parametrize(
    ("who", "wanted", "team"),
    [
        (me(ONE), "", "kestrel-lab"),
        (me(TWO), "norrland-ir", "norrland-ir"),
        (me(TWO), "Norrland IR", "norrland-ir"),
        (me(TWO, team="kestrel-lab"), "", "kestrel-lab"),
        (me(TWO, team="kestrel-lab"), "kestrel-lab", "kestrel-lab"),
    ],
)
def test_the_team_is_named_or_plain(who: Record, wanted: str, team: str) -> None:
    assert choose_team(who, wanted) == team


@pytest.mark.parametrize(
    ("who", "wanted", "found"),
    [
        (me([]), "", "Found no team of yours; expected one: make it at https://a.org/account/"),
        (me(TWO), "", "Found several teams of yours; expected --team with one of kestrel-lab, norrland-ir"),
        (
            me(ONE),
            "norrland-ir",
            "Found team 'norrland-ir', which you are not in; expected --team with one of kestrel-lab",
        ),
        (me(TWO, team="kestrel-lab"), "norrland-ir", "Found team 'norrland-ir' and a token for 'kestrel-lab' alone"),
        (me(ONE, scopes=("read",)), "", "Found a token that may not submit"),
    ],
)
def test_a_team_that_is_not_meant_is_not_guessed(who: Record, wanted: str, found: str) -> None:
    with pytest.raises(InputError, match=found):
        choose_team(who, wanted)


def quota(left: int, limit: int = 2) -> Record:
    return make(limit=limit, days=30, left=left, next_date="2026-12-01")


def test_the_quota_is_said() -> None:
    assert say_quota(quota(2)) == "2 of 2 submissions in any 30 days are left."
    assert say_quota(quota(1)) == "1 of 2 submissions in any 30 days is left."
    assert say_quota(quota(0, 1)) == "None of 1 submission in any 30 days is left; the next frees on 2026-12-01."


def test_what_cannot_be_submitted_is_said_before_it_is_sent() -> None:
    check_may_submit(make(is_open=True), quota(1))
    for dates, why in (
        ({}, "its page says why"),
        ({"opens_at": "2199-12-01T12:00:00Z", "closes_at": "2199-12-31T00:00:00Z"}, "it opens on 2199-12-01"),
        ({"opens_at": "2020-12-01T12:00:00Z", "closes_at": "2021-12-01T00:00:00Z"}, "it closed on 2021-12-01"),
    ):
        with pytest.raises(InputError, match=f"takes no submissions now: {why}. Nothing was sent"):
            check_may_submit(make(is_open=False, **dates), quota(1))
    with pytest.raises(InputError, match=r"Found no submission left\..*frees on 2026-12-01\. Nothing was sent"):
        check_may_submit(make(is_open=True), quota(0))
