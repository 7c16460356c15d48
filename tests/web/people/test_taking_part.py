"""Who may submit: anyone, teams that the organisers approved, whom they invited; and how often all of them together."""

from __future__ import annotations

import pytest
from django.urls import reverse
from tests.web.cast import Cast, even_ranks, make_team, make_user, run_text
from tests.web.runs import accepted
from tests.web.viewing import browse

from toprung.data.run_card import RunCard
from toprung.web.core.access.boards import boards_for_viewer
from toprung.web.core.models.boards import Admission, Board, BoardRole, Role
from toprung.web.core.models.people import Membership, Team, User
from toprung.web.core.store.plan import BoardPlan
from toprung.web.services.boards.defaults import complete
from toprung.web.services.runs.submit import SubmissionRefusedError, submit

pytestmark = pytest.mark.django_db


def let_in(cast: Cast, who: Admission, **rules: object) -> None:
    Board.objects.filter(pk=cast.board.pk).update(who_may_submit=who, **rules)
    cast.board.refresh_from_db()


def try_to_submit(
    cast: Cast, name: str = "first", rank: int = 2, *, by: User | None = None, team: Team | None = None
) -> str:
    """What was said against it; empty where it was taken."""
    user = by or cast.participant
    upload = accepted(cast, run_text(even_ranks(rank), name=name), team=team or cast.team, user=user)
    try:
        submit(upload, RunCard(name=name), by=user)
    except SubmissionRefusedError as refused:
        return str(refused)
    return ""


def ask(cast: Cast, user: User, team: Team) -> None:
    browse(user).post(reverse("ask_to_take_part", args=[cast.board.slug]), {"team": team.slug})


def approve(cast: Cast, team: Team, *people: User) -> int:
    """As the organiser does who was shown these people; the status of the answer."""
    url = reverse("approve_team", args=[cast.board.slug, team.slug])
    return browse(cast.organiser).post(url, {"person": [user.pk for user in people]}).status_code


def see_people(cast: Cast) -> str:
    return browse(cast.organiser).get(reverse("people", args=[cast.board.slug])).text


def test_a_team_cannot_submit_until_the_organisers_approve_it(cast: Cast) -> None:
    let_in(cast, Admission.APPROVED)
    assert "have not approved" in try_to_submit(cast)
    page = browse(cast.participant).get(reverse("submit", args=[cast.board.slug])).text
    assert "Ask to take part with Kestrel Lab" in page

    ask(cast, cast.participant, cast.team)
    role = BoardRole.objects.get(board=cast.board, user=cast.participant)
    assert (role.role, role.team) == (Role.APPLICANT, cast.team)
    waits = try_to_submit(cast)
    assert "asked to take part and waits" in waits
    assert "ask them" not in waits, "that was done"
    assert "Teams that ask to take part" in see_people(cast)
    assert "may ask to take part with a team." in see_people(cast)

    approve(cast, cast.team, cast.participant)
    assert try_to_submit(cast) == ""
    assert "Teams that ask to take part" not in see_people(cast)
    assert cast.board.audit.filter(what=f"Approved team {cast.team.pk} with 1 person").exists()


def test_approving_a_team_approves_who_was_seen_in_it_and_nobody_else(cast: Cast) -> None:
    """The mate was in the team when the organiser looked; who joined a moment later was not."""
    let_in(cast, Admission.APPROVED)
    mate, late = cast.mate, make_user("late")
    ask(cast, cast.participant, cast.team)
    assert "mate@example.org" in see_people(cast)
    Membership.objects.create(team=cast.team, user=late)
    approve(cast, cast.team, cast.participant, mate, cast.stranger)

    assert try_to_submit(cast, by=mate) == ""
    assert "have not approved" in try_to_submit(cast, "second", 3, by=late)
    assert not BoardRole.objects.filter(board=cast.board, user=cast.stranger).exists(), "is not in the team"

    ask(cast, late, cast.team)
    page = see_people(cast)
    assert "late@example.org" in page
    assert "2 of the team take part already" in page
    approve(cast, cast.team, late)
    assert try_to_submit(cast, "third", 4, by=late) == ""


def test_who_judges_or_takes_part_elsewhere_stays_so_when_their_team_is_approved(cast: Cast) -> None:
    let_in(cast, Admission.APPROVED)
    BoardRole.objects.create(board=cast.board, user=cast.stranger, role=Role.PARTICIPANT, team=cast.other_team)
    for user in (cast.assessor, cast.stranger):
        Membership.objects.create(team=cast.team, user=user)
    ask(cast, cast.participant, cast.team)
    assert "2 left out: with another role or team here" in see_people(cast)
    approve(cast, cast.team, cast.participant, cast.assessor, cast.stranger)
    assert BoardRole.objects.get(board=cast.board, user=cast.assessor).role == Role.ASSESSOR
    assert BoardRole.objects.get(board=cast.board, user=cast.stranger).team == cast.other_team


def test_whom_the_organisers_approved_cannot_submit_for_a_second_team(cast: Cast) -> None:
    """A fresh team would have a fresh ladder."""
    let_in(cast, Admission.APPROVED, quota=5)
    ask(cast, cast.participant, cast.team)
    approve(cast, cast.team, cast.participant)
    fresh = make_team("Fresh", cast.participant)
    assert "while you take part here with Kestrel Lab" in try_to_submit(cast, team=fresh)
    ask(cast, cast.participant, fresh)
    assert BoardRole.objects.get(board=cast.board, user=cast.participant).team == cast.team, "asking changes nothing"

    cast.team.membership_set.filter(user=cast.participant).delete()
    ask(cast, cast.participant, fresh)
    assert "asked to take part and waits" in try_to_submit(cast, team=fresh), "who left is approved anew"
    approve(cast, fresh, cast.participant)
    assert try_to_submit(cast, team=fresh) == ""


def test_whom_the_organisers_invited_takes_part_with_the_team_of_their_first_run(cast: Cast) -> None:
    let_in(cast, Admission.INVITED, quota=5)
    assert "was not invited" in try_to_submit(cast)
    BoardRole.objects.create(board=cast.board, user=cast.participant, role=Role.PARTICIPANT)
    assert try_to_submit(cast) == ""
    fresh = make_team("Fresh", cast.participant)
    assert "while you take part here with Kestrel Lab" in try_to_submit(cast, "second", 3, team=fresh)
    assert try_to_submit(cast, "third", 4) == ""


def test_only_a_team_that_asks_can_be_approved_and_only_by_organisers(cast: Cast) -> None:
    let_in(cast, Admission.APPROVED)
    assert approve(cast, cast.team, cast.participant) == 404
    ask(cast, cast.participant, cast.team)
    url = reverse("approve_team", args=[cast.board.slug, cast.team.slug])
    assert browse(cast.participant).post(url, {"person": [cast.participant.pk]}).status_code == 404
    assert "asked to take part and waits" in try_to_submit(cast)


def test_nobody_asks_with_a_team_that_they_are_not_in(cast: Cast) -> None:
    let_in(cast, Admission.APPROVED)
    ask(cast, cast.participant, cast.other_team)
    assert not BoardRole.objects.filter(board=cast.board, user=cast.participant).exists()


def test_asking_twice_asks_once_and_costs_nobody_a_role(cast: Cast) -> None:
    let_in(cast, Admission.APPROVED)
    Membership.objects.create(team=cast.team, user=cast.assessor)
    for _ in range(2):
        ask(cast, cast.participant, cast.team)
        ask(cast, cast.assessor, cast.team)
    assert BoardRole.objects.filter(board=cast.board, role=Role.APPLICANT).count() == 1
    assert BoardRole.objects.get(board=cast.board, user=cast.assessor).role == Role.ASSESSOR


def test_who_only_asked_sees_no_more_of_a_board_that_is_not_public(cast: Cast) -> None:
    let_in(cast, Admission.APPROVED)
    ask(cast, cast.participant, cast.team)
    Board.objects.filter(pk=cast.board.pk).update(is_public=False)
    assert cast.board not in boards_for_viewer(cast.participant)


def test_where_one_is_invited_nobody_can_ask(cast: Cast) -> None:
    let_in(cast, Admission.INVITED)
    ask(cast, cast.participant, cast.team)
    assert not BoardRole.objects.filter(board=cast.board, user=cast.participant).exists()


def test_all_teams_together_may_submit_so_often(cast: Cast) -> None:
    let_in(cast, Admission.ANYONE, board_quota=1, quota=5)
    assert try_to_submit(cast) == ""
    assert "1 of all teams in any 30 days" in try_to_submit(cast, "second", 3)


def test_hidden_labels_ask_for_a_ladder_of_the_board_and_approval() -> None:
    """Without any labels at hand the plan is for public ones; without mail nobody's address is verified."""
    plan = complete(BoardPlan(slug="a", title="A", task="t"), ()).plan
    assert (plan.release, plan.who_may_submit) == ("full", "approved")
    chosen = complete(BoardPlan(slug="a", title="A", task="t", release="rounded:2", who_may_submit="invited"), ()).plan
    assert (chosen.release, chosen.who_may_submit) == ("rounded:2", "invited")
