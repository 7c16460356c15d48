"""Whoever opened hidden texts or voted takes part only for a reason of the organisers, and that is on record."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone
from tests.web.cast import Cast, even_ranks, run_text
from tests.web.judging.walking import Walker
from tests.web.judging.world import make_campaign
from tests.web.runs import accepted

from toprung.data.run_card import RunCard
from toprung.web.core.access.texts import has_inside_knowledge
from toprung.web.core.models.boards import Admission, Board, BoardRole, Role
from toprung.web.core.models.data import TextAccess
from toprung.web.core.models.judging import AssessorSeat, CampaignAccess
from toprung.web.core.models.people import Membership
from toprung.web.core.store.audit import find_break
from toprung.web.services.boards.roles import ConflictError, change_role, give_role, remove_role
from toprung.web.services.boards.teams import approve_team, teams_that_ask
from toprung.web.services.runs.admission import ask_to_take_part
from toprung.web.services.runs.submit import SubmissionRefusedError, submit

PAGE = "/b/web-docs/organise/people/"
REASON = "The labels were remade since."
SAID = "with a conflict of interest: they opened hidden texts of this board or voted on it"


def open_texts(cast: Cast) -> BoardRole:
    """The role of the assessor, who has read a hidden text."""
    TextAccess.objects.create(board=cast.board, user=cast.assessor, what="Read texts of 1 query", reason="Judging: a")
    return BoardRole.objects.get(board=cast.board, user=cast.assessor)


def submit_as(cast: Cast, name: str = "assessor") -> None:
    user = getattr(cast, name)
    upload = accepted(cast, run_text(even_ranks(2), name=name), team=cast.team, user=user)
    submit(upload, RunCard(name=name), by=user)


def test_an_assessor_who_did_nothing_becomes_participant(cast: Cast) -> None:
    role = BoardRole.objects.get(board=cast.board, user=cast.assessor)
    assert change_role(role, Role.PARTICIPANT, by=cast.organiser).role == Role.PARTICIPANT
    assert SAID not in cast.board.audit.get().what


@pytest.mark.parametrize("to", [Role.PARTICIPANT, Role.APPLICANT])
def test_one_who_opened_hidden_texts_does_not(cast: Cast, to: Role) -> None:
    role = open_texts(cast)
    with pytest.raises(ConflictError, match="who opened hidden texts of this board or voted on it"):
        change_role(role, to, by=cast.organiser)
    assert change_role(role, Role.VIEWER, by=cast.organiser).role == Role.VIEWER


def test_one_who_opened_texts_at_the_desk_or_voted_does_not_either(cast: Cast) -> None:
    world = make_campaign(cast, access=CampaignAccess.INVITED)
    walker = Walker(world.campaign)
    walker.client.force_login(cast.assessor)
    page = walker.begin()
    assert AssessorSeat.objects.get().user == cast.assessor
    assert has_inside_knowledge(cast.board, cast.assessor), "the task showed hidden texts"
    TextAccess.objects.all().delete()  # as where the texts are public
    assert not has_inside_knowledge(cast.board, cast.assessor), "nothing was answered yet"
    walker.choose("left", page)
    assert has_inside_knowledge(cast.board, cast.assessor)
    assert not has_inside_knowledge(cast.other_board, cast.assessor)
    assert not has_inside_knowledge(cast.board, cast.stranger)


def test_nor_by_a_role_that_is_taken_first_and_given_again(cast: Cast) -> None:
    remove_role(open_texts(cast), by=cast.organiser)
    with pytest.raises(ConflictError):
        give_role(cast.board, cast.assessor.email, Role.PARTICIPANT, by=cast.organiser)
    with pytest.raises(ConflictError, match="expected from 10 to"):
        give_role(cast.board, cast.assessor.email, Role.PARTICIPANT, by=cast.organiser, reason="short")
    assert not cast.board.roles.filter(user=cast.assessor).exists()
    give_role(cast.board, cast.assessor.email, Role.PARTICIPANT, by=cast.organiser, reason=REASON)
    entry = cast.board.audit.last()
    assert entry is not None
    assert entry.what == f"Gave {cast.assessor.reference} the role of participant, {SAID}"
    assert entry.details["reason"] == REASON


def test_the_organiser_is_asked_for_a_reason_which_the_log_shows(client: Client, cast: Cast) -> None:
    role = open_texts(cast)
    client.force_login(cast.organiser)
    change = f"{PAGE}{role.pk}/change/"
    page = client.post(change, {"role": "participant"})
    assert page.status_code == 422
    assert "Reason, for the audit log" in page.text
    assert f'action="{change}"' in page.text
    role.refresh_from_db()
    assert role.role == Role.ASSESSOR
    assert client.post(change, {"role": "participant", "reason": REASON}).status_code == 302
    role.refresh_from_db()
    assert role.role == Role.PARTICIPANT
    log = client.get("/b/web-docs/organise/audit/").text
    assert SAID in log
    assert REASON in log
    assert find_break(cast.board) is None


def test_the_form_that_gives_a_role_asks_too(client: Client, cast: Cast) -> None:
    remove_role(open_texts(cast), by=cast.organiser)
    client.force_login(cast.organiser)
    fields = {"email": cast.assessor.email, "role": "participant"}
    page = client.post(PAGE, fields)
    assert (page.status_code, f'value="{cast.assessor.email}"' in page.text) == (422, True)
    assert client.post(PAGE, fields | {"reason": REASON}).status_code == 302


@pytest.mark.parametrize("who", [Admission.ANYONE, Admission.APPROVED])
def test_without_a_role_they_cannot_submit_either(cast: Cast, who: Admission) -> None:
    """Where anyone may submit, a role that was taken would else be enough."""
    Board.objects.filter(pk=cast.board.pk).update(who_may_submit=who)
    cast.board.refresh_from_db()
    remove_role(open_texts(cast), by=cast.organiser)
    Membership.objects.create(team=cast.team, user=cast.assessor)
    with pytest.raises(SubmissionRefusedError, match="opened hidden texts of this board or voted on it"):
        submit_as(cast)
    give_role(cast.board, cast.assessor.email, Role.PARTICIPANT, by=cast.organiser, reason=REASON)
    submit_as(cast)


def test_a_team_is_not_approved_with_them(cast: Cast) -> None:
    Board.objects.filter(pk=cast.board.pk).update(who_may_submit=Admission.APPROVED)
    cast.board.refresh_from_db()
    remove_role(open_texts(cast), by=cast.organiser)
    Membership.objects.create(team=cast.team, user=cast.assessor)
    for user in (cast.participant, cast.assessor):
        ask_to_take_part(cast.board, user, cast.team)
    (asking,) = teams_that_ask(cast.board)
    assert (asking.people, asking.n_others) == ([cast.participant, cast.mate], 1)
    approved = approve_team(cast.board, cast.team, [cast.participant.pk, cast.assessor.pk], by=cast.organiser)
    assert approved == [cast.participant]


def test_a_team_that_they_joined_submits_with_the_conflict_on_record_once(cast: Cast) -> None:
    open_texts(cast)
    Membership.objects.create(team=cast.team, user=cast.assessor)
    Board.objects.filter(pk=cast.board.pk).update(quota=5)
    said = f"{cast.assessor.reference} is in team {cast.team.pk}, which takes part, {SAID}"
    submit_as(cast, "participant")
    upload = accepted(cast, run_text(even_ranks(3), name="again"), team=cast.team, user=cast.mate)
    submit(upload, RunCard(name="again"), by=cast.mate)
    assert cast.board.audit.filter(what=said).count() == 1
    assert cast.board.audit.filter(what__contains="conflict of interest").count() == 1


def test_an_organiser_who_looked_at_hidden_labels_is_such_a_person(cast: Cast) -> None:
    labels = cast.board.label_sets.get(use="official")
    cast.board.label_accesses.create(label_set=labels, user=cast.mate, what="Opened", reason="x", at=timezone.now())
    assert has_inside_knowledge(cast.board, cast.mate)


def test_an_organiser_who_looked_submits_without_a_reason_and_the_conflict_is_on_record(cast: Cast) -> None:
    TextAccess.objects.create(board=cast.board, user=cast.organiser, what="Read texts of 1 query", reason="Looking: a")
    Membership.objects.create(team=cast.team, user=cast.organiser)
    submit_as(cast, "organiser")
    said = f"{cast.organiser.reference} is in team {cast.team.pk}, which takes part, {SAID}"
    assert cast.board.audit.filter(what=said).count() == 1
