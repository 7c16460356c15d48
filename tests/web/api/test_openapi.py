"""The API says what it does: every route with its words, what it may answer, and what it may refuse with."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from toprung.web.api.app import api

BASE = "/api/v1"

SENDS_A_FILE = ("GET /api/v1/boards/{slug}/data/files/", "GET /api/v1/boards/{slug}/campaigns/{name}/export/")
"""Routes that answer with a file, which has no form."""


@pytest.fixture(scope="module")
def description() -> dict[str, Any]:
    response = Client().get(f"{BASE}/openapi.json")
    assert response.status_code == 200
    found: dict[str, Any] = response.json()
    return found


def operations(description: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [
        (f"{method.upper()} {path}", operation)
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    ]


def test_every_route_says_what_it_does(description: dict[str, Any]) -> None:
    tags = {tag["name"] for tag in description["tags"]}
    assert len(operations(description)) == 39
    for name, operation in operations(description):
        assert operation["summary"], name
        assert len(operation["description"]) > 20, name
        assert set(operation["tags"]) <= tags, name
        assert operation["security"], name


def test_every_answer_and_refusal_has_a_form(description: dict[str, Any]) -> None:
    for name, operation in operations(description):
        answers = operation["responses"]
        assert {"400", "401", "403", "429"} <= set(answers), name
        assert any(status.startswith("2") for status in answers), name
        assert ("404" in answers) == ("{slug}" in name), name
        for status, answer in answers.items():
            if name.startswith(SENDS_A_FILE) and status == "200":
                continue
            form = answer["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
            assert form in description["components"]["schemas"], name
            assert (form in ("ProblemOut", "WrongPlaceOut")) == (status >= "400"), name


def test_every_parameter_is_described(description: dict[str, Any]) -> None:
    for name, operation in operations(description):
        for parameter in operation["parameters"]:
            assert parameter.get("description"), f"{name} {parameter['name']}"


def test_who_changes_something_must_say_who_they_are(description: dict[str, Any]) -> None:
    for name, operation in operations(description):
        needs_token = {} not in operation["security"]
        is_asking = name.startswith("GET") or name.endswith("/compare")
        assert needs_token or is_asking, name
        if "requestBody" in operation:
            assert {"413", "415"} <= set(operation["responses"]), name


def test_it_is_described_once_however_often_it_is_asked_for(
    description: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "get_openapi_schema", lambda **_: {})
    assert Client().get(f"{BASE}/openapi.json").json() == description


def test_nothing_is_fetched_from_elsewhere() -> None:
    """No interactive page, which would want scripts of another host."""
    assert Client().get(f"{BASE}/docs").status_code == 404


@pytest.mark.parametrize("path", ["/api/v1", "/api/v1/", "/api/v2/boards", "/api/v1/no/such/thing"])
def test_what_is_not_there_is_said_in_json(path: str, db: None) -> None:
    response = Client().get(path)
    assert response.status_code == 404
    assert response.json()["detail"].startswith("Found nothing here")
