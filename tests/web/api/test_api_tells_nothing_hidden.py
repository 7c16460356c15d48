"""Hidden means hidden, also to programs: no answer tells a hidden label, a private or exact score, who is anonymous, or
what another team sent; under every release policy alike.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.web.api.asking import ask_api
from tests.web.api.calling import program_of
from tests.web.api.matrix import API_LINES, Question, find_question
from tests.web.api.programmed import Programmed
from tests.web.busy_boards import NOT_RELEASED, PLANS
from tests.web.hidden_things import KESTREL, NORRLAND, Secrets, find_leaks
from tests.web.matrix import ROLES

from toprung.web.core.models.people import Scope
from toprung.web.services.runs.pieces import LARGEST_PIECE

pytestmark = [pytest.mark.django_db, pytest.mark.figures]
NOT_ORGANISERS = ROLES[:-1]
LOOKS = [
    *(("ladder", role) for role in NOT_ORGANISERS),
    *((slug, role) for slug in ("full", "rounded") for role in ("anonymous", "participant", "stranger")),
]
OWN_SIZES = ("an exact count: size", "an exact count: received")
"""Of a file, to who sent it."""
LIMIT = f"an exact count: chunk_bytes {LARGEST_PIECE}"
"""Of the server, the same for all."""


@pytest.mark.parametrize(("slug", "role"), LOOKS)
def test_no_answer_tells_what_is_hidden(programmed: Programmed, slug: str, role: str) -> None:
    secrets, leaks = Secrets.of(programmed.world, programmed.world.boards[slug], role), []
    for question in questions(programmed, slug):
        response = ask_api(programmed.programs[role], question)
        found = find_leaks(response, secrets, quotes_own_file=is_of_own_file(question, role))
        told = [leak for leak in found if leak != LIMIT and not leak.startswith(OWN_SIZES)]
        leaks += [f"{question.method} {question.url}: {leak}" for leak in told]
    assert leaks == []


def questions(programmed: Programmed, slug: str) -> Iterator[Question]:
    """Those of the table, every run, and more pairs and pages."""
    busy = programmed.world.boards[slug]
    yield from (find_question(programmed.world, busy, line) for line in API_LINES)
    base = f"/api/v1/boards/{slug}"
    yield from (Question(method="GET", url=f"{base}/runs/{label}") for label in (*PLANS, "R9", "R10"))
    yield from (Question(method="GET", url=f"{base}/standings?limit=3&offset={offset}") for offset in range(0, 9, 3))
    for b, a in (("R4", "R1"), ("R6", "R4"), ("R8", "R4"), ("R5", "R4"), ("R1", "R4")):
        yield from (Question(method=method, url=f"{base}/compare?b={b}&a={a}") for method in ("GET", "POST"))


def is_of_own_file(question: Question, role: str) -> bool:
    return "/files" in question.url and role in (*KESTREL, *NORRLAND)


def test_organisers_are_told(programmed: Programmed) -> None:
    """So that the test above can fail."""
    secrets = Secrets.of(programmed.world, programmed.world.boards["ladder"], "viewer")
    told = set()
    for question in questions(programmed, "ladder"):
        response = ask_api(programmed.programs["organiser"], question)
        told |= {leak.partition(":")[0] for leak in find_leaks(response, secrets)}
    assert told >= {"a hidden word", "an exact score", "an exact count", "a number with more than 4 decimals"}


def test_an_organisers_token_without_the_scope_is_told_nothing_either(programmed: Programmed) -> None:
    secrets, leaks = Secrets.of(programmed.world, programmed.world.boards["ladder"], "viewer"), []
    program = program_of(programmed.world.cast.organiser, Scope.READ, Scope.SUBMIT)
    secrets_of_others = Secrets(**(vars(secrets) | {"words": secrets.words - {programmed.world.cast.organiser.email}}))
    for question in questions(programmed, "ladder"):
        leaks += find_leaks(ask_api(program, question), secrets_of_others)
    assert leaks == []


@pytest.mark.parametrize("role", NOT_ORGANISERS)
def test_a_run_that_is_not_released_has_a_name_and_nothing_else(programmed: Programmed, role: str) -> None:
    program = programmed.programs[role]
    rows = {row["run"]: row for row in program.get("/boards/ladder/standings")["items"]}
    named = {"run", "name", "team", "status", "date", "tags", "url"}
    for label in ("R3", "R8"):
        assert {key for key, value in rows[label].items() if value} == named
        run = program.get(f"/boards/ladder/runs/{label}")
        figures = ("score", "interval", "rank_low", "rank_high", "place", "labels_version")
        assert {run[name] for name in figures} == {None}
        assert run["claim"] is None or (run["claim"]["p"], run["claim"]["verdict"]) == (None, "")
    for kind in ("stability", "significance"):
        told = program.ask("GET", f"/boards/ladder/{kind}").text
        assert not any(f'"{label}"' in told for label in NOT_RELEASED)


@pytest.mark.parametrize("role", [role for role in NOT_ORGANISERS if role not in KESTREL])
def test_nothing_joins_an_anonymous_run_with_its_team(programmed: Programmed, role: str) -> None:
    for slug in programmed.world.boards:
        run = programmed.programs[role].ask("GET", f"/boards/{slug}/runs/R6").text
        assert "kestrel" not in run.lower()
    assert "kestrel" in programmed.programs["mate"].ask("GET", "/boards/full/runs/R6").text.lower()
