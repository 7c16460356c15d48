"""Every route with values that no page sends: too large, too long, of another kind. Refused or read, never a fault."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from http import HTTPStatus

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from tests.web.viewing import Viewed

pytestmark = pytest.mark.django_db
NUMBERS = ("99999999999999999999999999", "9223372036854775808", "0")
WORDS = ("x" * 3_000, "..", "%2e%2e%2f", "R99999999999999999999", "é", "a b", "-1", "1e400", "\U0001f600", "R1", "B1")
VALUES = (
    *NUMBERS,
    *("", "-5", "1e999", "nan", "\u202e", "9" * 400, "2026-02-30", "0000-00-00T00:00", "[]", "{", "a,b,c"),
    *("٣", "²", "1_000", " 1 ", "%", "\\", "'", "\n", "home", "//elsewhere.org/"),
)
FIELDS = (
    *(
        "upload",
        "team",
        "name",
        "q",
        "page",
        "b",
        "a",
        "labels",
        "sort",
        "cols",
        "tag",
        "against",
        "per",
        "query",
        "reason",
    ),
    *(
        "digest",
        "show",
        "as",
        "limit",
        "offset",
        "query_id",
        "file",
        "how",
        "address",
        "email",
        "kind",
        "choice",
        "slot",
    ),
    *(
        "assignment",
        "answer_id",
        "ms",
        "seen",
        "next",
        "role",
        "user",
        "changes",
        "seed",
        "alpha",
        "quota",
        "closes_at",
    ),
)
LEFT_OUT = re.compile(r"accounts/logout|account/delete|readyz|^metrics")
"""What ends the session, and what says that no worker is there."""


def routes(resolver: URLResolver, before: str = "") -> Iterator[str]:
    for each in resolver.url_patterns:
        where = before + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from routes(each, where)
        elif isinstance(each, URLPattern) and not LEFT_OUT.search(where):
            yield where


def fill(route: str, slug: str, drawn: random.Random) -> str:
    """An address of the route, on a board that is there."""
    path = route.replace("^", "").replace("$", "").replace("\\.", ".")
    path = re.sub(r"\(\?P<slug>[^)]*\)|<slug:slug>|<str:slug>|<slug>", slug, path)
    path = re.sub(r"\(\?P<\w+>([-a-z|]+)\)", lambda found: drawn.choice(found[1].split("|")), path)
    path = re.sub(r"\(\?P<\w+>[^)]*\)|<slug:\w+>", lambda _: drawn.choice(("places", "kestrel-lab", "x" * 200)), path)
    path = re.sub(r"<int:\w+>", lambda _: drawn.choice(NUMBERS), path)
    return "/" + re.sub(r"<(\w+:)?\w+>", lambda _: drawn.choice((*WORDS, *NUMBERS)), path)


@pytest.mark.parametrize("who", ["participant", "organiser"])
def test_no_value_in_no_route_is_a_fault_of_the_server(viewed: Viewed, who: str) -> None:
    drawn, client = random.Random(19), Client(raise_request_exception=False)
    client.force_login(getattr(viewed.cast, who))
    for route in routes(get_resolver()):
        url = fill(route, viewed.board.slug, drawn)
        asked = {field: drawn.choice(VALUES) for field in drawn.sample(FIELDS, 8)}
        for send in (client.get, client.post):
            status = send(url, asked).status_code
            assert status < HTTPStatus.INTERNAL_SERVER_ERROR, f"{send.__name__} {url} {asked}"


@pytest.mark.parametrize("following", ["-5", "home", "no-such-view", "//elsewhere.org/", "https://elsewhere.org/"])
def test_where_one_goes_next_is_an_address_of_this_board(viewed: Viewed, following: str) -> None:
    """A single word was taken for the name of a view, and was a fault where there is none."""
    client = Client()
    client.force_login(viewed.cast.participant)
    answer = client.post("/b/web-docs/follow/", {"how": "none", "next": following})
    assert (answer.status_code, answer["Location"]) == (HTTPStatus.FOUND, "/b/web-docs/")
    answer = client.post("/b/web-docs/follow/", {"how": "none", "next": "/me/"})
    assert answer["Location"] == "/me/"
