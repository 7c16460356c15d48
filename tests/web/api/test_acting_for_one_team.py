"""A token of one team cannot see or do anything of another: not of others' teams, nor of the person's own others."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from django_ox.testing import run_tasks
from tests.web.api.calling import Program, program_of
from tests.web.cast import Cast, make_team
from tests.web.runs import GOOD, settled

from toprung.web.core.models.boards import BoardRole, Role
from toprung.web.core.models.people import Membership, Scope, Team
from toprung.web.core.models.runs import Submission
from toprung.web.services.results.compute import compute_results

pytestmark = pytest.mark.django_db
SECRET = "hidden-heron"


@pytest.fixture
def second(cast: Cast) -> Team:
    """Another team of the participant, with an anonymous run and one that waits."""
    team = make_team("Heron Group", cast.participant)
    until = timezone.now().date() + timedelta(days=30)
    settled(cast, "kestrel-one", 3)
    settled(cast, SECRET, 2, team=team, description="Of the heron.", anonymous_until=until)
    compute_results(cast.board.pk)
    return team


def test_it_knows_of_its_team_alone(cast: Cast, second: Team) -> None:
    bound = program_of(cast.participant, team=cast.team)
    assert [team["slug"] for team in bound.get("/me")["teams"]] == ["kestrel-lab"]
    assert len(program_of(cast.participant).get("/me")["teams"]) == 2
    assert [run["label"] for run in bound.get("/boards/web-docs/runs")["items"]] == ["R1"]
    assert bound.status("GET", f"/boards/web-docs/runs?team={second.slug}") == 404
    assert bound.status("GET", f"/boards/web-docs/quota?team={second.slug}") == 404


def test_what_is_anonymous_is_so_to_the_persons_other_tokens(cast: Cast, second: Team) -> None:
    bound, other = program_of(cast.participant, team=cast.team), program_of(cast.participant, team=second)
    for path in ("/boards/web-docs/runs/R2", "/boards/web-docs/standings", "/boards/web-docs/claims"):
        assert SECRET not in bound.ask("GET", path).text
        assert "heron" not in bound.ask("GET", path).text.lower()
    assert other.get("/boards/web-docs/runs/R2")["name"] == SECRET
    assert not bound.get("/boards/web-docs/runs/R2")["is_own"]


def test_it_changes_nothing_of_another(cast: Cast, second: Team) -> None:
    bound = program_of(cast.participant, team=cast.team)
    assert bound.status("PATCH", "/boards/web-docs/runs/R2", {"description": "Mine."}) == 404
    assert bound.status("POST", "/boards/web-docs/runs/R2/withdraw") == 404
    assert Submission.objects.get(run_id="R2").card.description == "Of the heron."
    assert Submission.objects.get(run_id="R2").withdrawn_at is None


def test_it_sends_and_submits_for_its_team_alone(cast: Cast, second: Team) -> None:
    bound, other = program_of(cast.participant, team=cast.team), program_of(cast.participant, team=second)
    assert bound.start("web-docs", second.slug, GOOD).status_code == 404
    file_id = other.send("web-docs", second.slug, GOOD)
    run_tasks(max_tasks=1, raise_failures=True)
    assert bound.status("GET", f"/boards/web-docs/files/{file_id}") == 404
    body = {"file": file_id, "name": "taken", "description": "Not mine."}
    assert bound.status("POST", "/boards/web-docs/runs", body) == 404
    assert bound.send_piece("web-docs", file_id, GOOD, 0).status_code == 404
    assert other.status("GET", f"/boards/web-docs/files/{file_id}") == 200


def test_no_team_sees_what_another_sends(cast: Cast) -> None:
    ours, theirs = program_of(cast.participant, team=cast.team), program_of(cast.stranger, team=cast.other_team)
    file_id = ours.send("web-docs", cast.team.slug, GOOD)
    run_tasks(max_tasks=1, raise_failures=True)
    ours.ask("POST", "/boards/web-docs/runs", {"file": file_id, "name": "first", "description": "Ours."})
    for program in (theirs, Program()):
        for method, path in asked_of(file_id):
            assert program.status(method, path, {"description": "Theirs."}) in (401, 404)
    assert Submission.objects.get().card.description == "Ours."


def asked_of(file_id: str) -> list[tuple[str, str]]:
    return [
        ("GET", f"/boards/web-docs/files/{file_id}"),
        ("GET", "/boards/web-docs/runs/R1"),
        ("GET", "/boards/web-docs/runs?team=kestrel-lab"),
        ("GET", "/boards/web-docs/quota?team=kestrel-lab"),
        ("PATCH", "/boards/web-docs/runs/R1"),
        ("POST", "/boards/web-docs/runs/R1/withdraw"),
    ]


def test_an_organiser_with_a_token_of_a_team_is_a_member_like_others(cast: Cast, second: Team) -> None:
    Membership.objects.create(team=cast.team, user=cast.organiser)
    bound = program_of(cast.organiser, Scope.READ, Scope.SUBMIT, team=cast.team)
    assert SECRET not in bound.ask("GET", "/boards/web-docs/runs/R2").text
    assert bound.get("/boards/web-docs/runs/R1")["is_own"]
    organising = program_of(cast.organiser, team=cast.team)
    assert organising.get("/boards/web-docs/runs/R2")["name"] == SECRET


def test_imported_runs_of_others_do_not_count_for_an_organiser(cast: Cast) -> None:
    """Who organises is a fact, also where the token does not act so: the quota is the same as on the page."""
    Membership.objects.create(team=cast.team, user=cast.organiser)
    settled(cast, "imported", 3, team=cast.other_team, user=cast.organiser)
    bound = program_of(cast.organiser, Scope.READ, team=cast.team)
    assert bound.get("/boards/web-docs/quota?team=kestrel-lab")["left"] == 2


def test_a_role_on_a_board_that_is_not_public_stays_with_the_person(cast: Cast) -> None:
    cast.board.is_public = False
    cast.board.save()
    BoardRole.objects.create(board=cast.board, user=cast.participant, role=Role.PARTICIPANT)
    assert program_of(cast.participant, team=cast.team).status("GET", "/boards/web-docs") == 200
    assert program_of(cast.mate, team=cast.team).status("GET", "/boards/web-docs") == 404
