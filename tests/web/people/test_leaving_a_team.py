"""Leaving a team: its runs stay, and it keeps an owner or is closed."""

from __future__ import annotations

import pytest
from django.test import Client
from tests.web.cast import Cast, even_ranks, make_upload, run_text

from toprung.data.run_card import RunCard
from toprung.web.core.models.people import Invitation, Membership
from toprung.web.core.models.runs import Submission
from toprung.web.services.people.leaving import leave_team
from toprung.web.services.people.teams import TeamRefusedError
from toprung.web.services.runs.check import check_upload
from toprung.web.services.runs.submit import submit

LEAVE = "/teams/kestrel-lab/leave/"


def place_of(cast: Cast, person: str) -> Membership:
    return cast.team.membership_set.get(user=getattr(cast, person))


def test_a_member_leaves(client: Client, cast: Cast) -> None:
    client.force_login(cast.mate)
    assert "Leave Kestrel Lab" in client.get(LEAVE).text
    assert client.post(LEAVE).url == "/account/"
    assert list(cast.team.members.all()) == [cast.participant]
    assert client.get(LEAVE).status_code == 404


def test_the_last_owner_says_who_owns_it_next(client: Client, cast: Cast) -> None:
    client.force_login(cast.participant)
    page = client.post(LEAVE)
    assert "This field is required." in page.text
    assert cast.team.members.contains(cast.participant)
    client.post(LEAVE, {"next_owner": place_of(cast, "mate").pk})
    assert list(cast.team.membership_set.values_list("user", "is_owner")) == [(cast.mate.pk, True)]


def test_the_heir_must_be_in_the_team(client: Client, cast: Cast) -> None:
    elsewhere = cast.other_team.membership_set.get()
    client.force_login(cast.participant)
    client.post(LEAVE, {"next_owner": elsewhere.pk})
    assert cast.team.members.contains(cast.participant)
    with pytest.raises(TeamRefusedError, match="would have no owner"):
        leave_team(place_of(cast, "participant"), heir=elsewhere)


def test_the_last_owner_closes_it(client: Client, cast: Cast) -> None:
    _, secret = Invitation.invite(cast.team, by=cast.participant)
    client.force_login(cast.participant)
    client.post(LEAVE, {"next_owner": "close"})
    cast.team.refresh_from_db()
    assert cast.team.closed_at is not None
    assert not cast.team.members.exists()
    client.force_login(cast.stranger)
    assert client.post(f"/join/{secret}/").status_code == 404


def test_nobody_but_the_last_owner_closes_it(client: Client, cast: Cast) -> None:
    client.force_login(cast.mate)
    client.post(LEAVE, {"next_owner": "close"})
    leave_team(cast.other_team.membership_set.create(user=cast.mate), closes=True)
    for team in (cast.team, cast.other_team):
        team.refresh_from_db()
        assert team.closed_at is None
        assert team.members.count() == 1


def test_the_only_member_closes_it_and_its_runs_stay(client: Client, cast: Cast) -> None:
    upload = make_upload(cast.board, cast.other_team, cast.stranger, run_text(even_ranks(2)))
    check_upload(upload.pk)
    run = submit(upload, RunCard(name="first"), by=cast.stranger)
    client.force_login(cast.stranger)
    assert "Leave and close it" in client.get("/teams/norrland-ir/leave/").text
    client.post("/teams/norrland-ir/leave/")
    assert Submission.objects.get(pk=run.pk).team == cast.other_team
    cast.other_team.refresh_from_db()
    assert cast.other_team.closed_at is not None


def test_an_owner_leaves_freely_where_there_is_another(client: Client, cast: Cast) -> None:
    client.force_login(cast.participant)
    client.post(f"/teams/kestrel-lab/members/{place_of(cast, 'mate').pk}/own/")
    client.post(LEAVE)
    assert list(cast.team.membership_set.values_list("user", "is_owner")) == [(cast.mate.pk, True)]


def test_an_owner_removes_a_member(client: Client, cast: Cast) -> None:
    place = place_of(cast, "mate").pk
    client.force_login(cast.participant)
    assert "Remove Mate?" in client.get(f"/teams/kestrel-lab/members/{place}/remove/").text
    assert cast.team.members.contains(cast.mate)
    client.post(f"/teams/kestrel-lab/members/{place}/remove/")
    assert not cast.team.members.contains(cast.mate)


@pytest.mark.parametrize("action", ["remove", "own"])
@pytest.mark.parametrize(
    ("person", "other"),
    [
        ("mate", "participant"),
        ("mate", "mate"),
        ("stranger", "mate"),
        ("organiser", "mate"),
        ("participant", "participant"),
    ],
)
def test_nobody_else_removes_or_raises(client: Client, cast: Cast, person: str, other: str, action: str) -> None:
    client.force_login(getattr(cast, person))
    place = place_of(cast, other)
    assert client.post(f"/teams/kestrel-lab/members/{place.pk}/{action}/").status_code == 404
    assert list(cast.team.membership_set.values_list("user", "is_owner")) == [
        (cast.participant.pk, True),
        (cast.mate.pk, False),
    ]
