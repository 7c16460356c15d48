"""A program sends a file, submits it, follows it to the board, edits and withdraws it: by the rules of the pages."""

from __future__ import annotations

import gzip
import io
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from django_ox.testing import run_tasks
from tests.web.api.calling import BASE, Program, program_of
from tests.web.cast import Cast, even_ranks, run_text
from tests.web.runs import GOOD, settled

from toprung.web.core.models.boards import BoardRole, Role
from toprung.web.core.models.people import Scope
from toprung.web.core.models.runs import Charge, MetadataEdit, Submission, Upload

pytestmark = pytest.mark.django_db
WORDS = {"name": "first", "description": "The first of all."}


@pytest.fixture
def program(cast: Cast) -> Program:
    return program_of(cast.participant, Scope.READ, Scope.SUBMIT)


def accepted_file(program: Program, cast: Cast, content: bytes = GOOD) -> str:
    file_id = program.send("web-docs", cast.team.slug, content)
    run_tasks(max_tasks=1, raise_failures=True)
    return file_id


def test_a_run_goes_from_file_to_board(program: Program, cast: Cast) -> None:
    file_id = accepted_file(program, cast, gzip.compress(GOOD))
    found = program.get(f"/boards/web-docs/files/{file_id}")
    assert (found["state"], found["report"]["is_valid"], found["run"]) == ("accepted", True, None)
    assert found["dev_scores"] == {"n_queries": 3, "scores": {"RR@100": 1.0}}
    response = program.ask("POST", "/boards/web-docs/runs", {"file": file_id, **WORDS, "tags": ["dense", "big"]})
    assert (response.status_code, response.json()["state"]) == (201, "queued")
    assert Charge.objects.get().submission.upload == Upload.objects.get()
    run_tasks(raise_failures=True)
    run = program.get("/boards/web-docs/runs/R1")
    assert (run["state"], run["score"], run["place"], run["is_behind"]) == ("done", 0.5, 1, False)
    assert (run["name"], run["team"], run["tags"]) == ("first", "Kestrel Lab", ["dense", "big"])
    assert run["url"].endswith("/b/web-docs/runs/R1/")
    assert program.get(f"/boards/web-docs/files/{file_id}")["run"] == "R1"
    assert [each["label"] for each in program.get("/boards/web-docs/runs")["items"]] == ["R1"]


@pytest.mark.parametrize("said", [[], None])
def test_a_run_without_tags_has_none(program: Program, cast: Cast, said: list[str] | None) -> None:
    """As `toprung submit` sends it, which says every field."""
    body = {"file": accepted_file(program, cast), **WORDS, "tags": said}
    assert program.status("POST", "/boards/web-docs/runs", body) == 201
    assert Submission.objects.get().tags == []
    Submission.objects.update(tags=["dense"])
    assert program.status("PATCH", "/boards/web-docs/runs/R1", {"tags": said}) == 200
    assert Submission.objects.get().tags == []


def test_a_file_with_errors_tells_what_is_wrong_and_costs_nothing(program: Program, cast: Cast) -> None:
    file_id = accepted_file(program, cast, b"q01 Q0 d1 one 1.0 x\n")
    found = program.get(f"/boards/web-docs/files/{file_id}")
    assert found["state"] == "refused"
    assert "error" in {each["severity"] for each in found["report"]["findings"]}
    response = program.ask("POST", "/boards/web-docs/runs", {"file": file_id, **WORDS})
    assert response.status_code == 409
    assert "expected one that was accepted" in response.json()["detail"]
    assert not Charge.objects.exists()


def test_the_quota_counts_as_on_the_page(program: Program, cast: Cast) -> None:
    assert program.get("/boards/web-docs/quota?team=kestrel-lab")["left"] == 2
    for number in range(2):
        file_id = accepted_file(program, cast, run_text(even_ranks(2 + number)))
        body = {"file": file_id, "name": f"run {number}", "description": "Another."}
        assert program.status("POST", "/boards/web-docs/runs", body) == 201
        run_tasks(raise_failures=True)
    quota = program.get("/boards/web-docs/quota?team=kestrel-lab")
    assert quota == {
        "limit": 2,
        "days": 30,
        "left": 0,
        "next_date": (Charge.objects.earliest("at").at.date() + timedelta(days=30)).isoformat(),
    }
    file_id = accepted_file(program, cast, run_text(even_ranks(4)))
    response = program.ask("POST", "/boards/web-docs/runs", {"file": file_id, **WORDS})
    assert response.status_code == 409
    assert "no submission left" in response.json()["detail"]
    assert Submission.objects.count() == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"name": ""}, "name: Found nothing"),
        ({"description": ""}, "description: Found nothing"),
        ({"name": "x" * 81}, "name: Found 81 letters; expected at most 80."),
        ({"paper": "javascript:alert(1)"}, "paper: Found another kind of address"),
        ({"cost": -1}, "cost: Found -1; expected"),
        ({"tags": ["one, two"]}, "tags: Found a comma"),
        ({"tags": ["a", "b", "c", "d", "e", "f"]}, "tags: Found 6 tags"),
        ({"anonymous_until": "1999-01-01"}, "anonymous_until: Found 1999-01-01"),
        ({"name": "half \ud800"}, "name; expected text without half letters"),
        ({"name": "zero \x00"}, "name; expected text without half letters"),
        ({"colour": "blue"}, "Found something at body colour; expected nothing of that name."),
    ],
)
def test_words_are_checked_as_on_the_page(program: Program, cast: Cast, words: dict[str, object], said: str) -> None:
    file_id = accepted_file(program, cast)
    response = program.ask("POST", "/boards/web-docs/runs", {"file": file_id, **WORDS, **words})
    assert response.status_code == 422
    assert said in response.json()["detail"]
    assert not Submission.objects.exists()


def test_an_embargo_is_kept_and_told_to_nobody_else(program: Program, cast: Cast) -> None:
    until = (timezone.now().date() + timedelta(days=30)).isoformat()
    file_id = accepted_file(program, cast)
    body = {"file": file_id, **WORDS, "system": "owl", "anonymous_until": until}
    assert program.status("POST", "/boards/web-docs/runs", body) == 201
    run_tasks(raise_failures=True)
    assert program.get("/boards/web-docs/runs/R1")["name"] == "first"
    for other in (Program(), program_of(cast.stranger)):
        run = other.get("/boards/web-docs/runs/R1")
        assert (run["name"], run["description"], run["system"]) == ("", "", "")
        assert run["team"] == f"Anonymous until {until}"


def test_words_are_edited_and_what_was_not_given_stays(program: Program, cast: Cast) -> None:
    settled(cast, "first", 2, description="As it was.", cost=1.25, tags=("dense",))
    response = program.ask("PATCH", "/boards/web-docs/runs/R1", {"description": "As it is."})
    assert response.status_code == 200
    assert (response.json()["description"], response.json()["cost"]) == ("As it is.", 1.25)
    assert MetadataEdit.objects.get().after == {"description": "As it is."}
    assert program.ask("PATCH", "/boards/web-docs/runs/R1", {"tags": None, "cost": None}).json()["tags"] == []
    assert Submission.objects.get().card.cost is None


def test_a_run_cannot_be_hidden_again(program: Program, cast: Cast) -> None:
    settled(cast, "first", 2, description="As it was.")
    until = (timezone.now().date() + timedelta(days=30)).isoformat()
    response = program.ask("PATCH", "/boards/web-docs/runs/R1", {"anonymous_until": until})
    assert (response.status_code, Submission.objects.get().anonymous_until) == (422, None)


def test_a_run_is_withdrawn_once(program: Program, cast: Cast) -> None:
    settled(cast, "first", 2)
    response = program.ask("POST", "/boards/web-docs/runs/R1/withdraw")
    assert response.status_code == 200
    assert response.json()["withdrawn_at"] is not None
    again = program.ask("POST", "/boards/web-docs/runs/R1/withdraw")
    assert (again.status_code, "withdrawn already" in again.json()["detail"]) == (409, True)


def test_who_is_there_to_judge_sends_nothing(cast: Cast) -> None:
    BoardRole.objects.create(board=cast.board, user=cast.mate, role=Role.VIEWER)
    assert program_of(cast.mate).start("web-docs", cast.team.slug, GOOD).status_code == 404
    assert program_of(cast.assessor).start("web-docs", cast.team.slug, GOOD).status_code == 404


def test_a_run_that_waits_is_there_for_its_team_alone(program: Program, cast: Cast) -> None:
    file_id = accepted_file(program, cast)
    program.ask("POST", "/boards/web-docs/runs", {"file": file_id, **WORDS})
    assert program.get("/boards/web-docs/runs/R1")["state"] == "queued"
    assert program_of(cast.stranger).status("GET", "/boards/web-docs/runs/R1") == 404
    assert Program().status("GET", "/boards/web-docs/runs/R1") == 404
    assert program_of(cast.organiser).get("/boards/web-docs/runs/R1")["state"] == "queued"


class CutLine(io.BytesIO):
    """A body of which the line broke in the middle."""

    def read(self, _: int | None = -1, /) -> bytes:
        raise OSError


@pytest.mark.parametrize("path", ["/boards/web-docs/runs", "/boards/web-docs/files"])
def test_a_body_that_was_cut_short_is_told_to_be_that(program: Program, path: str) -> None:
    sent = Client().generic(
        "POST",
        f"{BASE}{path}",
        b"{",
        content_type="application/json",
        headers={"Authorization": f"Bearer {program.secret}"},
        **{"wsgi.input": CutLine()},
    )
    assert (sent.status_code, sent.json()["detail"]) == (
        400,
        "Found a body that was cut short; expected all of it. Send it again.",
    )
