"""Every address as every role: each gets what the table in ``matrix.py`` says, and a refusal does not tell why."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoDbBlocker
from tests.web.api.matrix import API_LINES
from tests.web.asking import Address, ask, body_of, find, say, undone
from tests.web.busy_boards import CLOSED, World
from tests.web.matrix import (
    ALLAUTH_LINES,
    ANSWERS,
    BOARD_LINES,
    OUTSIDE_CLOSED,
    OWN_LINES,
    ROLES,
    SITE_LINES,
    Line,
    list_addresses,
)

OPEN = "ladder"
NOWHERE = Address(url="/no/such/page/")
METHODS = ("GET", "POST")
pytestmark = pytest.mark.django_db
type Look = tuple[bytes, dict[str, str]]
type Nowhere = dict[tuple[str, str], Look]


@pytest.fixture(scope="module")
def nowhere(world: World, django_db_blocker: DjangoDbBlocker) -> Nowhere:
    """How an address that never was looks to each role, by method."""
    with django_db_blocker.unblock():
        pairs = product(ROLES, METHODS)
        return {(role, method): look_of(ask(world, role, NOWHERE, method)) for role, method in pairs}


@pytest.mark.parametrize("slug", [OPEN, CLOSED])
@pytest.mark.parametrize("line", BOARD_LINES, ids=str)
def test_each_role_gets_of_a_board_what_is_theirs(world: World, nowhere: Nowhere, line: Line, slug: str) -> None:
    assert answers(world, nowhere, line, slug) == expected(line, slug)


@pytest.mark.parametrize("line", [*SITE_LINES, *ALLAUTH_LINES], ids=str)
def test_each_role_gets_what_is_theirs(world: World, nowhere: Nowhere, line: Line) -> None:
    assert answers(world, nowhere, line, OPEN) == expected(line, OPEN)


def test_every_address_is_in_the_table() -> None:
    """A new page is entered there before it is served; those of the API are in a table of their own."""
    assert sorted(set(list_addresses())) == sorted({line.name for line in (*OWN_LINES, *ALLAUTH_LINES, *API_LINES)})


@pytest.mark.parametrize("line", OWN_LINES, ids=str)
def test_no_other_method_does_anything(world: World, line: Line) -> None:
    address = find(world, world.boards[OPEN], line)
    for role in ("anonymous", "participant", "organiser"):
        answers = {method: say(ask(world, role, address, method)) for method in ("HEAD", "PUT", "PATCH", "DELETE")}
        assert answers.pop("HEAD") in (line.get[role], "x"), role
        assert set(answers.values()) <= {"x", "in", "not"}, role


@pytest.mark.parametrize("line", ALLAUTH_LINES, ids=str)
def test_allauth_answers_every_method(world: World, line: Line) -> None:
    """Its views, class-based ones of Django, take PUT for POST and send others on before they look at the method."""
    address = find(world, world.boards[OPEN], line)
    for method in ("HEAD", "PUT", "PATCH", "DELETE"):
        assert ask(world, "participant", address, method).status_code < 500


@pytest.mark.parametrize("line", [*OWN_LINES, *ALLAUTH_LINES], ids=str)
def test_nothing_is_taken_from_a_page_of_another_site(world: World, line: Line) -> None:
    """Without the token that our own forms carry nothing is done, whoever is signed in."""
    if set(line.post.values()) <= {"x", "in", "not"}:
        return
    address, client = find(world, world.boards[OPEN], line), Client(enforce_csrf_checks=True)
    with undone():
        client.force_login(world.cast.participant)
        assert client.post(address.url, {}).status_code in (ANSWERS["no"], ANSWERS["moved"])


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("role", ROLES)
def test_a_withdrawn_run_is_compared_as_little_as_one_that_never_was(world: World, role: str, method: str) -> None:
    pages = []
    for label in ("R7", "R99"):
        address = Address(url=f"/b/{OPEN}/compare/?b={label}&a=R4", data={"b": label, "a": "R4"})
        pages.append(strip_token(ask(world, role, address, method).text).replace(label, "…"))
    assert pages[0] == pages[1]


@pytest.mark.parametrize("line", BOARD_LINES, ids=str)
def test_a_board_that_is_not_public_takes_as_much_work_as_none(world: World, line: Line) -> None:
    """So that the time of a refusal does not tell either."""
    address = find(world, world.boards[CLOSED], line)
    nowhere = replace(address, url=address.url.replace(f"/b/{CLOSED}/", "/b/no-such-board/"))
    for role in OUTSIDE_CLOSED:
        assert count_queries(world, role, address) == count_queries(world, role, nowhere), role


@pytest.mark.parametrize("role", OUTSIDE_CLOSED)
def test_a_board_that_is_not_public_is_in_no_list(world: World, role: str) -> None:
    pages = [ask(world, role, Address(url=url)).text for url in ("/", "/boards/", f"/teams/{world.cast.team.slug}/")]
    assert all(CLOSED not in page for page in pages)
    assert all(f"The {OPEN} board" in page for page in pages)


def count_queries(world: World, role: str, address: Address) -> int:
    with CaptureQueriesContext(connection) as queries:
        ask(world, role, address)
    return len(queries)


def strip_token(page: str) -> str:
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page)


def expected(line: Line, slug: str) -> dict[str, dict[str, str]]:
    line = line.on_closed_board() if slug == CLOSED else line
    return {"GET": dict(line.get), "POST": dict(line.post)}


def answers(world: World, nowhere: Nowhere, line: Line, slug: str) -> dict[str, dict[str, str]]:
    """What each role gets, as the table writes it."""
    address, said = find(world, world.boards[slug], line), {}
    for method in METHODS:
        said[method] = {role: answer(ask(world, role, address, method), nowhere[role, method]) for role in ROLES}
    return said


def answer(response: HttpResponse, nowhere: Look) -> str:
    """One answer; a page that is not there must look like any address that never was."""
    said = say(response)
    is_page_of_all = said == "not" and not says_so_itself(response.wsgi_request.get_full_path())
    return "tells" if is_page_of_all and look_of(response) != nowhere else said


def look_of(response: HttpResponse) -> Look:
    """All that came, but for the one header that is drawn anew for every request."""
    return body_of(response), {name: value for name, value in response.headers.items() if name != "X-Request-Id"}


def says_so_itself(url: str) -> bool:
    """Links that are used up, and pairs that cannot be compared: on a page of their own, the same for all reasons."""
    return url.startswith(("/join/", "/link/")) or "/compare/?" in url
