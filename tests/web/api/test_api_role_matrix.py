"""Every route of the API as every role: each gets what the table in ``matrix.py`` says; a refusal does not tell why."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import resolve
from tests.web.api.asking import ask_api, say_status
from tests.web.api.calling import Program, program_of
from tests.web.api.matrix import API_LINES, SITE, ApiLine, Question, find_question
from tests.web.api.programmed import Programmed
from tests.web.busy_boards import CLOSED
from tests.web.matrix import OUTSIDE_CLOSED, ROLES, list_addresses

from toprung.web.api.errors import NOTHING_THERE
from toprung.web.core.models.people import Scope

OPEN = "ladder"
pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("slug", [OPEN, CLOSED])
@pytest.mark.parametrize("line", API_LINES, ids=str)
def test_each_role_gets_of_the_api_what_is_theirs(programmed: Programmed, line: ApiLine, slug: str) -> None:
    question = question_of(programmed, line, slug)
    said = {role: answer(program, question) for role, program in programmed.programs.items()}
    assert said == (line.on_closed_board() if slug == CLOSED else line).cells


def test_every_route_is_in_the_table() -> None:
    routes = {name for name in list_addresses() if name.startswith("api_")} - {"api_openapi", "api_page"}
    assert {line.name for line in API_LINES} == routes


@pytest.mark.parametrize("scope", Scope)
@pytest.mark.parametrize("line", API_LINES, ids=str)
def test_a_token_reaches_as_far_as_its_scopes(programmed: Programmed, line: ApiLine, scope: Scope) -> None:
    """With one scope alone: refused before anything is looked up, whoever it is, unless that is all it takes."""
    question = question_of(programmed, line, OPEN)
    for role in ("participant", "organiser"):
        person = programmed.world.person(role)
        assert person is not None
        said = answer(program_of(person, scope), question)
        if not line.scopes <= {scope}:
            assert said == "no"
        else:  # an organiser without the scope sees as a stranger to the board would
            assert said == line.cells["viewer" if role == "organiser" else role]


@pytest.mark.parametrize("line", API_LINES, ids=str)
def test_no_other_method_does_anything(programmed: Programmed, line: ApiLine) -> None:
    question = question_of(programmed, line, OPEN)
    route = route_of(question)
    known = {other.method for other in API_LINES if route_of(question_of(programmed, other, OPEN)) == route}
    for method in {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"} - known:
        response = ask_api(programmed.programs["organiser"], question, method)
        assert response.status_code == 405
        assert set(response.headers["Allow"].split(", ")) >= known


@pytest.mark.parametrize("line", API_LINES, ids=str)
def test_a_token_that_does_not_work_gets_nothing(programmed: Programmed, line: ApiLine) -> None:
    response = ask_api(Program(secret="trt_" + "x" * 43), question_of(programmed, line, OPEN))
    assert response.status_code == 401


@pytest.mark.parametrize("role", OUTSIDE_CLOSED)
@pytest.mark.parametrize("line", [line for line in API_LINES if line.name not in SITE], ids=str)
def test_a_board_that_is_not_public_takes_as_much_work_as_none(
    programmed: Programmed, line: ApiLine, role: str
) -> None:
    """So that the time of a refusal does not tell either."""
    question = question_of(programmed, line, CLOSED)
    counts = []
    for url in (question.url, question.url.replace(f"/boards/{CLOSED}", "/boards/no-such-board")):
        with CaptureQueriesContext(connection) as queries:
            ask_api(programmed.programs[role], replace(question, url=url))
        counts.append(len(queries))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("role", ROLES)
def test_a_withdrawn_run_is_compared_as_little_as_one_that_never_was(programmed: Programmed, role: str) -> None:
    said = []
    for label in ("R7", "R99"):
        question = Question(method="GET", url=f"/api/v1/boards/{OPEN}/compare?b={label}&a=R4")
        said.append(ask_api(programmed.programs[role], question).text.replace(label, "…"))
    assert said[0] == said[1]


@pytest.mark.parametrize("role", OUTSIDE_CLOSED)
def test_a_board_that_is_not_public_is_in_no_list(programmed: Programmed, role: str) -> None:
    listed = [board["slug"] for board in programmed.programs[role].get("/boards")["items"]]
    assert CLOSED not in listed
    assert OPEN in listed


def question_of(programmed: Programmed, line: ApiLine, slug: str) -> Question:
    return find_question(programmed.world, programmed.world.boards[slug], line)


def answer(program: Program, question: Question) -> str:
    """One answer; what is not there must look like a board that never was."""
    response = ask_api(program, question)
    said = say_status(response)
    if said == "not" and "/compare?" not in question.url and response.json() != {"detail": NOTHING_THERE}:
        return "tells"
    return said


def route_of(question: Question) -> str:
    return resolve(question.url.partition("?")[0]).route
