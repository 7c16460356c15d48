"""Organisers read what was done to their board, check that nobody changed it since, and take it along."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from tests.web.cast import Cast
from tests.web.reading import folded

from toprung.web.core.store.audit import digest_of, record
from toprung.web.core.store.locks import lock_board

pytestmark = pytest.mark.postgres

PAGE = "/b/web-docs/organise/audit/"


@pytest.fixture
def organiser(client: Client, cast: Cast) -> Client:
    with lock_board(cast.board.pk) as board:
        for number in range(1, 61):
            record(board, cast.organiser, f"Thing {number}", number=number)
    client.force_login(cast.organiser)
    return client


def test_only_organisers_of_the_board_read_it(client: Client, cast: Cast) -> None:
    for person in (cast.participant, cast.assessor, cast.other_organiser):
        client.force_login(person)
        for url in (PAGE, "/b/web-docs/organise/audit.json"):
            assert client.get(url).status_code == 404
        assert client.post(f"{PAGE}check/").status_code == 404


def test_the_latest_comes_first_page_by_page(organiser: Client) -> None:
    first = folded(organiser.get(PAGE).content.decode())
    assert "60 entries on record." in first
    assert first.index("Thing 60") < first.index("Thing 59")
    assert "Thing 10 <" not in first
    assert "Thing 10 <" in folded(organiser.get(f"{PAGE}?page=2").content.decode())


def test_a_chain_that_holds_is_said_to_hold(organiser: Client) -> None:
    page = organiser.post(f"{PAGE}check/", follow=True).content.decode()
    assert "The chain holds: 60 entries" in page


def test_a_changed_entry_is_found(organiser: Client, cast: Cast) -> None:
    cast.board.audit.filter(number=7).update(what="Nothing at all")
    page = organiser.post(f"{PAGE}check/", follow=True).content.decode()
    assert "The chain breaks at entry 7" in page


def test_a_missing_entry_is_found(organiser: Client, cast: Cast) -> None:
    cast.board.audit.filter(number=7).delete()
    assert "The chain breaks at entry 7" in organiser.post(f"{PAGE}check/", follow=True).content.decode()


@pytest.mark.parametrize("kept", [59, 30, 0])
def test_a_tail_that_was_cut_off_is_found(organiser: Client, cast: Cast, kept: int) -> None:
    cast.board.audit.filter(number__gt=kept).delete()
    page = organiser.post(f"{PAGE}check/", follow=True).content.decode()
    assert f"The chain breaks at entry {kept + 1}" in page


def test_the_log_goes_on_without_hiding_the_cut(organiser: Client, cast: Cast) -> None:
    cast.board.audit.filter(number__gt=30).delete()
    with lock_board(cast.board.pk) as board:
        record(board, cast.organiser, "Went on")
    assert "The chain breaks at entry 31" in organiser.post(f"{PAGE}check/", follow=True).content.decode()


def test_an_entry_put_behind_the_last_by_another_way_is_found(organiser: Client, cast: Cast) -> None:
    last = cast.board.audit.get(number=60)
    last.pk, last.number, last.previous = None, 61, last.digest
    last.digest = digest_of(last)
    last.save()
    assert "The chain breaks at entry 61" in organiser.post(f"{PAGE}check/", follow=True).content.decode()


def test_the_export_has_all_that_the_digests_are_made_of(organiser: Client, cast: Cast) -> None:
    response = organiser.get("/b/web-docs/organise/audit.json")
    assert response.headers["Content-Disposition"] == 'attachment; filename="web-docs-audit.json"'
    entries = json.loads(response.content)["entries"]
    assert [entry["number"] for entry in entries] == list(range(1, 61))
    assert [entry["previous"] for entry in entries[1:]] == [entry["digest"] for entry in entries[:-1]]
    assert entries[0]["who"] == cast.organiser.reference, "by number: it says nothing once the person is forgotten"


def test_people_are_called_by_the_names_they_go_by_now(organiser: Client, cast: Cast) -> None:
    assert "Organiser" in organiser.get(PAGE).content.decode()
    cast.organiser.name = "Mira Alder"
    cast.organiser.save()
    assert "Mira Alder" in organiser.get(PAGE).content.decode()
