"""No text has the character zero in it: asked for, it is refused by every page alike, on either database."""

from __future__ import annotations

import pytest
from django.test import Client
from tests.web.cast import Cast

pytestmark = pytest.mark.postgres


@pytest.mark.parametrize(
    "address",
    [
        "/b/web-docs/?q=%00",
        "/b/web-docs/?per=best&q=a%00b",
        "/b/web-docs/runs/%00/",
        "/b/web-docs/compare/?a=%00&b=R1",
        "/teams/a%00b/",
        "/no-such-page/%00",
    ],
)
def test_an_address_with_it_is_a_bad_request(client: Client, cast: Cast, address: str) -> None:
    assert client.get(address).status_code == 400


def test_the_api_says_so_as_it_says_everything(client: Client, cast: Cast) -> None:
    response = client.get("/api/v1/boards/web-docs/runs/%00")
    assert (response.status_code, response.json()) == (400, {"detail": "Found the character zero; expected text."})


@pytest.mark.parametrize("field", ["a", "b"])
def test_a_form_with_it_is_never_a_fault_of_the_server(client: Client, cast: Cast, field: str) -> None:
    """SQLite looks for it and finds nothing; PostgreSQL does not even look."""
    client.force_login(cast.participant)
    sent = {"a": "R1", "b": "R2"} | {field: "R\x00"}
    assert client.post("/b/web-docs/compare/", sent).status_code in (400, 404, 422)
