"""Organisers say who is what on their board; it is never left without one, and nobody's account is taken over."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from tests.web.cast import Cast, make_team, make_upload, make_user

from toprung.web.core.models.boards import BoardRole, Role
from toprung.web.core.models.people import LoginLink, Membership, User
from toprung.web.core.models.runs import RunState, Submission
from toprung.web.core.store.audit import find_break
from toprung.web.services.boards.roles import RoleRefusedError, change_role, give_role, invite_to_team, remove_role
from toprung.web.services.people.login_links import LinkRefusedError, give_login_link

PAGE = "/b/web-docs/organise/people/"


@pytest.fixture
def organiser(client: Client, cast: Cast) -> Client:
    client.force_login(cast.organiser)
    return client


def role_of(cast: Cast, user: User) -> BoardRole:
    return BoardRole.objects.get(board=cast.board, user=user)


def test_only_organisers_of_the_board_see_and_change_roles(client: Client, cast: Cast) -> None:
    pk = role_of(cast, cast.assessor).pk
    for person in (cast.participant, cast.assessor, cast.other_organiser):
        client.force_login(person)
        assert client.get(PAGE).status_code == 404
        for url, fields in (
            (PAGE, {"email": "stranger@example.org", "role": "organiser"}),
            (f"{PAGE}{pk}/change/", {"role": "organiser"}),
            (f"{PAGE}{pk}/remove/", {}),
            (f"{PAGE}{pk}/link/", {}),
            (f"{PAGE}teams/kestrel-lab/invite/", {}),
        ):
            assert client.post(url, fields).status_code == 404, url
    assert cast.board.roles.count() == 2
    assert not LoginLink.objects.exists()


def test_a_role_is_given_by_address(organiser: Client, cast: Cast) -> None:
    response = organiser.post(PAGE, {"email": "Stranger@example.org", "role": "viewer"}, follow=True)
    assert "Stranger is viewer now." in response.content.decode()
    assert role_of(cast, cast.stranger).role == Role.VIEWER
    assert cast.board.audit.get().what == f"Gave user {cast.stranger.pk} the role of viewer"
    log = organiser.get("/b/web-docs/organise/audit/").content.decode()
    assert "Gave Stranger the role of viewer" in log
    assert find_break(cast.board) is None


def test_who_has_no_account_gets_one_that_a_link_opens(organiser: Client, cast: Cast) -> None:
    organiser.post(PAGE, {"email": "new@example.org", "role": "assessor"})
    user = User.objects.get(email="new@example.org")
    assert not user.has_usable_password()
    page = organiser.post(f"{PAGE}{role_of(cast, user).pk}/link/").content.decode()
    (link,) = re.findall(r"http://localhost:8000(/link/[^<\s]+)", page)
    newcomer = Client()
    assert newcomer.post(link).status_code == 302
    assert newcomer.get("/account/").status_code == 200
    assert newcomer.post(link).status_code == 404, "once"
    assert organiser.get(PAGE).content.decode().count("/link/") == organiser.get(PAGE).content.decode().count(
        'link/">'
    ), "the link itself is shown on one page only"


def test_a_second_role_is_refused(cast: Cast) -> None:
    with pytest.raises(RoleRefusedError, match="who has a role already"):
        give_role(cast.board, "assessor@example.org", Role.VIEWER, by=cast.organiser)


def test_a_role_is_changed_and_taken(organiser: Client, cast: Cast) -> None:
    pk = role_of(cast, cast.assessor).pk
    organiser.post(f"{PAGE}{pk}/change/", {"role": "organiser"})
    assert role_of(cast, cast.assessor).role == Role.ORGANISER
    organiser.post(f"{PAGE}{pk}/remove/")
    assert not cast.board.roles.filter(user=cast.assessor).exists()
    said = [entry.what for entry in cast.board.audit.order_by("number")]
    reference = cast.assessor.reference
    assert said == [f"Made {reference} organiser, who was assessor", f"Took the role of organiser from {reference}"]


def test_a_role_that_is_none_is_refused(organiser: Client, cast: Cast) -> None:
    pk = role_of(cast, cast.assessor).pk
    page = organiser.post(f"{PAGE}{pk}/change/", {"role": "emperor"}, follow=True).content.decode()
    assert "expected another choice" in page
    assert organiser.post(PAGE, {"email": "x", "role": "viewer"}).status_code == 422
    assert role_of(cast, cast.assessor).role == Role.ASSESSOR


def test_the_last_organiser_stays(organiser: Client, cast: Cast) -> None:
    own = role_of(cast, cast.organiser)
    for refused in (
        lambda: remove_role(own, by=cast.organiser),
        lambda: change_role(own, Role.VIEWER, by=cast.organiser),
    ):
        with pytest.raises(RoleRefusedError, match="Found the last organiser"):
            refused()
    page = organiser.post(f"{PAGE}{own.pk}/remove/", follow=True).content.decode()
    assert "Found the last organiser" in page
    assert role_of(cast, cast.organiser).role == Role.ORGANISER
    assert not cast.board.audit.exists()


def test_an_organiser_whose_account_is_closed_does_not_count(cast: Cast) -> None:
    closed = make_user("closed", is_active=False)
    BoardRole.objects.create(board=cast.board, user=closed, role=Role.ORGANISER)
    with pytest.raises(RoleRefusedError, match="Found the last organiser"):
        remove_role(role_of(cast, cast.organiser), by=cast.organiser)


def test_who_takes_their_own_role_leaves_the_page(organiser: Client, cast: Cast) -> None:
    BoardRole.objects.filter(user=cast.assessor).update(role=Role.ORGANISER)
    response = organiser.post(f"{PAGE}{role_of(cast, cast.organiser).pk}/remove/")
    assert response.url == "/"
    assert organiser.get(PAGE).status_code == 404


def test_no_link_leads_into_an_organisers_account(organiser: Client, cast: Cast) -> None:
    response = organiser.post(f"{PAGE}{role_of(cast, cast.organiser).pk}/link/", follow=True)
    assert "organisers are helped on the server" in response.content.decode()
    assert not LoginLink.objects.exists()


@pytest.mark.parametrize("by", ["role", "file", "team"])
def test_giving_someone_a_role_does_not_open_their_account_elsewhere(cast: Cast, by: str) -> None:
    """Else whoever organises a board could enter any account, by giving it a role first."""
    victim = make_user("victim")
    if by == "role":
        BoardRole.objects.create(board=cast.other_board, user=victim, role=Role.VIEWER)
    elif by == "file":
        make_upload(cast.other_board, cast.other_team, victim, b"run")
    else:
        Membership.objects.create(team=cast.other_team, user=victim)
        make_upload(cast.other_board, cast.other_team, cast.stranger, b"run")
    give_role(cast.board, victim.email, Role.VIEWER, by=cast.organiser)
    with pytest.raises(LinkRefusedError, match="on other boards too"):
        give_login_link(victim, by=cast.organiser, board=cast.board)
    assert not LoginLink.objects.exists()


def test_the_first_who_comes_to_a_team_of_imported_runs_owns_it(organiser: Client, cast: Cast) -> None:
    team = make_team("Old Guard")
    upload = make_upload(cast.board, team, cast.organiser, b"run")
    Submission.objects.create(
        board=cast.board,
        number=1,
        run_id="R1",
        name="old",
        team=team,
        user=cast.organiser,
        upload=upload,
        state=RunState.DONE,
    )
    page = organiser.get(PAGE).content.decode()
    assert "Old Guard" in page
    page = organiser.post(f"{PAGE}teams/old-guard/invite/").content.decode()
    (link,) = re.findall(r"http://localhost:8000(/join/[^<\s]+)", page)
    newcomer = Client()
    newcomer.force_login(cast.stranger)
    assert newcomer.post(link).status_code == 302
    assert team.membership_set.get().is_owner
    assert organiser.post(f"{PAGE}teams/old-guard/invite/").status_code == 404, "it has someone now"
    assert organiser.post(f"{PAGE}teams/kestrel-lab/invite/").status_code == 404, "it has its own owner"


def test_nobody_comes_by_one_board_to_a_team_with_runs_on_another(cast: Cast) -> None:
    """Who organises a board can name any team in what they import; its members see and change all its runs."""
    team = make_team("Old Guard")
    for board in (cast.board, cast.other_board):
        upload = make_upload(board, team, cast.organiser, b"run")
        Submission.objects.create(
            board=board, number=1, run_id="R1", name="old", team=team, user=cast.organiser, upload=upload
        )
    with pytest.raises(RoleRefusedError, match="on a board that you do not organise"):
        invite_to_team(cast.other_board, team, by=cast.other_organiser)
    assert not team.invitations.exists()
    BoardRole.objects.create(board=cast.board, user=cast.other_organiser, role=Role.ORGANISER)
    assert invite_to_team(cast.other_board, team, by=cast.other_organiser)


def test_hostile_names_come_out_as_text(organiser: Client, cast: Cast) -> None:
    hostile = make_user("x")
    hostile.name = "<script>alert(1)</script>"
    hostile.save()
    organiser.post(PAGE, {"email": hostile.email, "role": "viewer"})
    for page in (PAGE, "/b/web-docs/organise/audit/", "/b/web-docs/organise/validity/"):
        assert b"<script>alert" not in organiser.get(page).content
