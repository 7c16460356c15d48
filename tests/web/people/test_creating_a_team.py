"""Founding a team: a name of its own, not one that can be taken for another's."""

from __future__ import annotations

import pytest
from django.test import Client
from tests.web.cast import Cast

from toprung.web.core.models.people import Team
from toprung.web.core.names import LONGEST, clean_name
from toprung.web.services.people.teams import TeamRefusedError, create_team


def test_the_founder_owns_the_team(client: Client, cast: Cast) -> None:
    client.force_login(cast.assessor)
    response = client.post("/teams/new/", {"name": "Oslo Search"})
    team = Team.objects.get(name="Oslo Search")
    assert response.url == "/teams/oslo-search/"
    assert team.membership_set.get().user == cast.assessor
    assert team.membership_set.get().is_owner


def test_it_takes_an_account(client: Client, db: None) -> None:
    assert client.get("/teams/new/").url == "/accounts/login/?next=/teams/new/"


@pytest.mark.parametrize(
    "imitation",
    [
        "Kestrel Lab",
        "KESTREL LAB",
        " kestrel   lab ",
        "Kestrel-Lab",
        "Kestrél Lab",
        "Kestrel\u200b Lab",  # a space of no width
        "\u202eKestrel Lab",  # turned round
        "Ｋｅｓｔｒｅｌ Lab",  # wide letters
        "𝐊𝐞𝐬𝐭𝐫𝐞𝐥 Lab",  # mathematical letters
        "Кestrel Lab",  # a Cyrillic К
        "Kеstrеl Lаb",  # Cyrillic е and а
        "Kestrel Lαb",  # a Greek α
        "KestreI Lab",  # a capital i
        "Kestre1 Lab",  # a one
        "Kestrel\u3164Lab",  # a letter drawn as nothing
    ],
)
def test_a_name_that_imitates_another_is_refused(client: Client, cast: Cast, imitation: str) -> None:
    client.force_login(cast.assessor)
    page = client.post("/teams/new/", {"name": imitation})
    assert "which is the name of a team or can be taken for one" in page.text
    assert Team.objects.count() == 2


@pytest.mark.parametrize("name", ["Kestrel Lab 2", "Kestrels", "京都大学", "कि", "Équipe Lumière", "🦅"])
def test_a_name_of_its_own_is_taken(client: Client, cast: Cast, name: str) -> None:
    client.force_login(cast.assessor)
    client.post("/teams/new/", {"name": name})
    assert Team.objects.filter(name=name).exists()


@pytest.mark.parametrize("name", ["Organisers", "0rganisers", "Anonymous until 2027-05-01", "Аnonymous", "toprung"])
def test_names_that_boards_use_are_refused(client: Client, cast: Cast, name: str) -> None:
    client.force_login(cast.assessor)
    assert "which boards use for something else" in client.post("/teams/new/", {"name": name}).text


def test_a_name_is_stored_in_its_one_written_form() -> None:
    assert clean_name(" Ｋestrel\u202e \u200b Lab\n") == "Kestrel Lab"


def test_a_name_that_grows_when_it_is_written_out_is_refused(client: Client, cast: Cast) -> None:
    client.force_login(cast.assessor)
    assert f"expected {LONGEST} at most" in client.post("/teams/new/", {"name": "\ufdfa" * 100}).text


def test_names_without_latin_letters_get_addresses_of_their_own(cast: Cast) -> None:
    slugs = [create_team(name, by=cast.mate).slug for name in ("京都大学", "東京大学", "new")]
    assert slugs == ["team", "team-2", "new-2"]


def test_a_name_taken_meanwhile_is_refused_without_a_trace(cast: Cast) -> None:
    with pytest.raises(TeamRefusedError, match="which another team just took"):
        create_team("kestrel lab", by=cast.assessor)
    assert not cast.assessor.teams.exists()


def test_teams_cannot_be_founded_without_end(client: Client, cast: Cast) -> None:
    client.force_login(cast.assessor)
    statuses = [client.post("/teams/new/", {"name": f"Team {number}"}).status_code for number in range(2, 8)]
    assert statuses == [302, 302, 302, 302, 302, 429]


@pytest.mark.parametrize(("target", "to"), [("/b/web-docs/", "/b/web-docs/"), ("//evil.example", "/teams/oslo/")])
def test_next_leads_back_to_where_the_team_was_needed(client: Client, cast: Cast, target: str, to: str) -> None:
    client.force_login(cast.assessor)
    assert client.post("/teams/new/", {"name": "Oslo", "next": target}).url == to


def test_script_in_a_name_is_escaped(client: Client, cast: Cast) -> None:
    client.force_login(cast.assessor)
    page = client.post("/teams/new/", {"name": "<script>alert(1)</script>"}, follow=True)
    assert "<script>alert(1)" not in page.text
    assert "<h1>&lt;script&gt;alert(1)&lt;/script&gt;</h1>" in page.text
