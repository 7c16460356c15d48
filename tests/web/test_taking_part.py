"""Who may submit: anyone, whom the organisers approved, whom they invited; and how often all of them together."""

from __future__ import annotations

import pytest
from django.urls import reverse
from tests.web.cast import Cast, even_ranks, run_text
from tests.web.runs import accepted
from tests.web.viewing import browse

from toprung.data.run_card import RunCard
from toprung.web.core.access.boards import boards_for_viewer
from toprung.web.core.models.boards import Admission, Board, BoardRole, Role
from toprung.web.core.store.plan import BoardPlan
from toprung.web.services.boards.defaults import complete
from toprung.web.services.boards.roles import change_role
from toprung.web.services.runs.submit import SubmissionRefusedError, submit

pytestmark = pytest.mark.django_db


def let_in(cast: Cast, who: Admission, **rules: object) -> None:
    Board.objects.filter(pk=cast.board.pk).update(who_may_submit=who, **rules)
    cast.board.refresh_from_db()


def try_to_submit(cast: Cast, name: str = "first", rank: int = 2) -> str:
    """What was said against it; empty where it was taken."""
    try:
        submit(accepted(cast, run_text(even_ranks(rank), name=name)), RunCard(name=name), by=cast.participant)
    except SubmissionRefusedError as refused:
        return str(refused)
    return ""


def test_whom_the_organisers_do_not_know_cannot_submit_until_they_approve(cast: Cast) -> None:
    let_in(cast, Admission.APPROVED)
    assert "have not approved" in try_to_submit(cast)
    page = browse(cast.participant).get(reverse("submit", args=[cast.board.slug])).text
    assert "Ask to take part" in page

    browse(cast.participant).post(reverse("ask_to_take_part", args=[cast.board.slug]))
    role = BoardRole.objects.get(board=cast.board, user=cast.participant)
    assert role.role == Role.APPLICANT
    assert "you asked" in try_to_submit(cast)
    assert "asks to take part" in browse(cast.organiser).get(reverse("people", args=[cast.board.slug])).text

    change_role(role, Role.PARTICIPANT, by=cast.organiser)
    assert try_to_submit(cast) == ""


def test_asking_twice_asks_once_and_costs_nobody_a_role(cast: Cast) -> None:
    let_in(cast, Admission.APPROVED)
    for _ in range(2):
        browse(cast.participant).post(reverse("ask_to_take_part", args=[cast.board.slug]))
        browse(cast.assessor).post(reverse("ask_to_take_part", args=[cast.board.slug]))
    assert BoardRole.objects.filter(board=cast.board, role=Role.APPLICANT).count() == 1
    assert BoardRole.objects.get(board=cast.board, user=cast.assessor).role == Role.ASSESSOR


def test_who_only_asked_sees_no_more_of_a_board_that_is_not_public(cast: Cast) -> None:
    let_in(cast, Admission.APPROVED)
    browse(cast.participant).post(reverse("ask_to_take_part", args=[cast.board.slug]))
    Board.objects.filter(pk=cast.board.pk).update(is_public=False)
    assert cast.board not in boards_for_viewer(cast.participant)


def test_where_one_is_invited_nobody_can_ask(cast: Cast) -> None:
    let_in(cast, Admission.INVITED)
    assert "was not invited" in try_to_submit(cast)
    browse(cast.participant).post(reverse("ask_to_take_part", args=[cast.board.slug]))
    assert not BoardRole.objects.filter(board=cast.board, user=cast.participant).exists()
    BoardRole.objects.create(board=cast.board, user=cast.participant, role=Role.PARTICIPANT)
    assert try_to_submit(cast) == ""


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
