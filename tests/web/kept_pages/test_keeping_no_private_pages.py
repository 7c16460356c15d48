"""Nothing that was made for someone signed in is kept by a browser or a proxy; pages for everyone may be."""

from __future__ import annotations

import pytest
from django.test import Client
from tests.web.cast import Cast


@pytest.mark.parametrize(
    "path", ["/", "/b/web-docs/", "/b/web-docs/history/", "/teams/new/", "/b/web-docs/organise/audit/", "/nowhere/"]
)
def test_pages_for_members_are_not_kept(client: Client, cast: Cast, path: str) -> None:
    client.force_login(cast.organiser)
    assert "no-store" in client.get(path).headers["Cache-Control"]


def test_pages_for_everyone_may_be_kept_and_say_that_they_differ_by_cookie(client: Client, cast: Cast) -> None:
    headers = client.get("/b/web-docs/").headers
    assert "no-store" not in headers.get("Cache-Control", "")
    assert "Cookie" in headers["Vary"]


def test_the_embedded_view_reads_no_cookie_of_a_member(client: Client, cast: Cast) -> None:
    client.force_login(cast.organiser)
    headers = client.get("/b/web-docs/embed/").headers
    assert "Cookie" not in headers.get("Vary", "")
    assert "no-store" not in headers.get("Cache-Control", "")
