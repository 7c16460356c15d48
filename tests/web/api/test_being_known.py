"""Who is it? The owner of the token while it works; nobody by cookie; and each token reaches as far as it says."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings
from tests.web.api.calling import BASE, Program, program_of
from tests.web.cast import Cast
from tests.web.viewing import Viewed

from toprung.web.core.models.people import ApiToken, Scope
from toprung.web.services.mine.find_runs import find_own_runs
from toprung.web.services.people.leaving import delete_account, leave_team
from toprung.web.services.people.tokens import make_token

pytestmark = pytest.mark.django_db


def test_a_token_tells_whose_it_is(cast: Cast) -> None:
    token, secret = make_token(cast.participant, name="laptop", scopes=[Scope.READ], days=30)
    assert Program(secret=secret).get("/me") == {
        "name": "Participant",
        "email": "participant@example.org",
        "teams": [{"slug": "kestrel-lab", "name": "Kestrel Lab"}],
        "scopes": ["read"],
        "team": None,
        "expires_at": token.expires_at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "runs": [],
    }


def test_a_token_that_may_read_tells_what_became_of_the_runs_as_the_home_page_does(viewed: Viewed) -> None:
    stranger = viewed.cast.stranger
    runs = program_of(stranger, Scope.READ).get("/me")["runs"]
    second = next(each for each in runs if (each["board"], each["run"]) == ("web-docs", "R2"))
    assert second["outcome"] == "May be best, with 1 other. It proved an improvement over kestrel-xl."
    assert (second["state"], second["score"], second["rank"], second["may_be_best"]) == ("scored", "0.417", "1–2", True)
    assert second["url"].endswith("/b/web-docs/runs/R2/")
    kept = next(each for each in runs if (each["board"], each["run"]) == ("ladder", "R3"))
    assert (kept["state"], kept["score"]) == ("not shown", "")
    assert kept["outcome"] == "It shows no score by the release policy of this board."
    assert [each["outcome"] for each in runs] == [each.outcome for each in find_own_runs(stranger)]
    assert {each["team"] for each in runs} == {str(viewed.cast.other_team)}
    assert program_of(stranger, Scope.JUDGE).get("/me")["runs"] is None


def test_a_program_without_a_token_is_nobody(cast: Cast) -> None:
    response = Program().ask("GET", "/me")
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"].startswith("Bearer")
    assert response.json()["detail"].startswith("Found no token; expected one")


def test_who_is_signed_in_by_cookie_is_nobody_here(cast: Cast) -> None:
    """So no page of another site can have a browser do anything."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.organiser)
    assert client.get(f"{BASE}/me").status_code == 401
    assert client.get(f"{BASE}/boards/web-docs/audit").status_code == 401
    response = client.post(f"{BASE}/boards/web-docs/files", {}, content_type="application/json")
    assert response.status_code == 401
    assert "no-store" not in client.get(f"{BASE}/boards").headers.get("Cache-Control", "")


@pytest.mark.parametrize(
    "header",
    [
        *("", "Token x", "Bearer", "Bearer ", "Bearer nonsense"),
        *("Bearer trt_" + "x" * 43, "Bearer trt_\u00e9" + "x" * 42),
        "Basic cGFydGljaXBhbnRAZXhhbXBsZS5vcmc6eA==",
    ],
)
def test_a_token_that_is_none_is_refused_also_for_what_everyone_sees(cast: Cast, header: str) -> None:
    response = Client().get(f"{BASE}/boards/web-docs", headers={"Authorization": header})
    assert response.status_code == 401
    assert "trt_" not in response.text


def test_a_token_works_until_its_time_is_over(cast: Cast) -> None:
    program = program_of(cast.participant)
    assert program.status("GET", "/me") == 200
    ApiToken.objects.update(expires_at=timezone.now())
    assert program.status("GET", "/me") == 401


def test_a_token_that_was_revoked_does_not_work(cast: Cast) -> None:
    program = program_of(cast.participant)
    ApiToken.objects.update(revoked_at=timezone.now())
    assert program.status("GET", "/me") == 401
    assert program.status("GET", "/boards") == 401


def test_a_token_of_a_closed_account_does_not_work(cast: Cast) -> None:
    program, held = program_of(cast.mate), program_of(cast.stranger)
    delete_account(cast.mate)
    assert program.status("GET", "/me") == 401
    cast.stranger.is_active = False
    cast.stranger.save()
    assert held.status("GET", "/me") == 401


def test_a_token_of_a_team_ends_with_the_membership(cast: Cast) -> None:
    bound, free = program_of(cast.mate, team=cast.team), program_of(cast.mate)
    assert bound.get("/me")["team"] == "kestrel-lab"
    leave_team(cast.team.membership_set.get(user=cast.mate))
    assert bound.status("GET", "/me") == 401
    assert free.get("/me")["teams"] == []


def test_its_last_use_is_noted_once_a_minute(cast: Cast) -> None:
    program = program_of(cast.participant)
    program.get("/me")
    first = ApiToken.objects.get().last_used_at
    assert first is not None
    program.get("/me")
    assert ApiToken.objects.get().last_used_at == first
    ApiToken.objects.update(last_used_at=first - timedelta(minutes=2))
    program.get("/me")
    assert ApiToken.objects.get().last_used_at > first


def test_what_was_made_for_a_token_is_not_kept_by_anyone(cast: Cast) -> None:
    response = program_of(cast.participant).ask("GET", "/boards")
    assert response.headers["Cache-Control"] == "no-store, private"
    assert "Authorization" in response.headers["Vary"]


# ---- scopes ----


def test_without_the_scope_to_read_a_token_knows_itself_alone(cast: Cast) -> None:
    program = program_of(cast.participant, Scope.SUBMIT)
    assert program.status("GET", "/me") == 200
    for path in ("/boards", "/boards/web-docs", "/boards/web-docs/runs", "/boards/no-such-board"):
        response = program.ask("GET", path)
        assert (response.status_code, "scope read" in response.json()["detail"]) == (403, True)


def test_without_the_scope_to_submit_nothing_is_changed(cast: Cast) -> None:
    program = program_of(cast.participant, Scope.READ, Scope.ORGANISE)
    changes = [
        ("POST", "/boards/web-docs/files"),
        ("PATCH", "/boards/web-docs/files/1"),
        ("POST", "/boards/web-docs/runs"),
        ("PATCH", "/boards/web-docs/runs/R1"),
        ("POST", "/boards/web-docs/runs/R1/withdraw"),
    ]
    assert {program.status(method, path, {}) for method, path in changes} == {403}


def test_an_organiser_is_one_only_where_the_token_says_so(cast: Cast) -> None:
    reading, organising = program_of(cast.organiser, Scope.READ), program_of(cast.organiser, Scope.READ, Scope.ORGANISE)
    assert reading.status("GET", "/boards/web-docs/audit") == 403
    assert organising.status("GET", "/boards/web-docs/audit") == 200
    assert organising.status("GET", "/boards/elsewhere/audit") == 404
    assert program_of(cast.participant).status("GET", "/boards/web-docs/audit") == 404


# ---- how often ----


def test_a_program_that_asks_too_often_waits(cast: Cast, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"api": "2/m/key"}
    program, other = program_of(cast.participant), program_of(cast.mate)
    statuses = [program.status("GET", "/me") for _ in range(3)]
    assert statuses == [200, 200, 429]
    assert program.ask("GET", "/me").headers["Retry-After"] == "60"
    assert other.status("GET", "/me") == 200


def test_so_does_who_has_no_token_or_guesses_them(cast: Cast, settings: Settings) -> None:
    limits = {"api_anonymously": "2/m/ip", "api_refused": "2/m/ip"}
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | limits
    assert [Program().status("GET", "/boards") for _ in range(3)] == [200, 200, 429]
    guesses = [Program(secret=f"trt_{number:043}").status("GET", "/boards") for number in range(3)]
    assert guesses == [401, 401, 429]
