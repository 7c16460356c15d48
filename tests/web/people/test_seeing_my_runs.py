"""A participant's home: what needs them, what became of their runs, and where they land when they sign in."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from tests.web.cast import PASSWORD, make_upload, make_user
from tests.web.reading import faults_of, text_of
from tests.web.viewing import SCRIPT, SECRET_NAME, Viewed, browse

from toprung.boards.engine.words import say_among_shown, say_top_group
from toprung.web.core.models.boards import Board, BoardRole, Role
from toprung.web.core.models.judging import Campaign, CampaignAccess, CampaignState
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.models.people import Invitation, Membership, Team, User
from toprung.web.core.models.reported_labels import ReportedLabel
from toprung.web.core.models.runs import Charge, RunState, Submission, Upload, UploadState
from toprung.web.services.judging.access import boards_to_judge
from toprung.web.services.mine.find_runs import find_own_runs
from toprung.web.services.mine.needs import find_landing
from toprung.web.services.mine.own_runs import OwnRun, OwnState
from toprung.web.services.mine.runs_left import find_runs_left
from toprung.web.services.runs.fail import FAILURE
from toprung.web.services.shown.run.outcomes import BEYOND_CHANCE, DOES_BEST, ONLY_RUN, say_place

pytestmark = pytest.mark.postgres


def runs_of(user: User) -> dict[str, OwnRun]:
    """By address, such as /b/web-docs/runs/R1/."""
    return {run.path: run for run in find_own_runs(user)}


def log_in(user: User) -> str:
    return Client().post("/accounts/login/", {"login": user.email, "password": PASSWORD}).url


def test_each_run_says_what_came_of_it(viewed: Viewed) -> None:
    """R2 took the rung from kestrel-xl; R3 differs from it on one query; Ladder shows nothing of R3."""
    runs = runs_of(viewed.cast.stranger)
    second, third = runs["/b/web-docs/runs/R2/"], runs["/b/web-docs/runs/R3/"]
    assert second.outcome == "May be best, with 1 other. It proved an improvement over kestrel-xl."
    assert (second.score, second.rank, second.may_be_best) == ("0.417", "1–2", True)
    assert third.outcome == (
        "May be best, with 1 other. Its claim over list-13b did not pass: this pair cannot be told apart."
    )
    assert third.is_anonymous
    assert third.act is not None
    assert (third.act.words, third.act.path) == ("See why", "/b/web-docs/compare/?b=R3&a=R2")
    first = runs_of(viewed.cast.participant)["/b/web-docs/runs/R1/"]
    assert (first.outcome, first.rank) == ("Ranks 3rd. It proved an improvement over bm25.", "3")
    not_shown = runs["/b/ladder/runs/R3/"]
    assert (not_shown.state, not_shown.score, not_shown.rank, not_shown.act) == (OwnState.NOT_SHOWN, "", "", None)
    assert not_shown.outcome == "It shows no score by the release policy of this board."


def test_names_do_not_break_in_what_came_of_a_run(viewed: Viewed) -> None:
    page = browse(viewed.cast.stranger).get("/me/").text
    assert 'Its claim over <span class="n">list-13b</span> did not pass' in page


def test_the_page_follows_a_run_that_is_under_way(viewed: Viewed) -> None:
    """It asks for what it has not seen, until nothing moves; without script it loads anew."""
    browser = browse(viewed.cast.participant)
    assert 'hx-trigger="every' not in browser.get("/me/").text
    run = viewed.board.submissions.get(run_id="R1")
    Submission.objects.filter(pk=run.pk).update(state=RunState.QUEUED)
    page = browser.get("/me/").text
    (address,) = re.findall(r'hx-get="(/me/[^"]*)"', page)
    assert '<meta http-equiv="refresh"' in page
    htmx = {"HX-Request": "true"}
    assert browser.get(address, headers=htmx).status_code == 204
    Submission.objects.filter(pk=run.pk).update(state=RunState.DONE)
    part = browser.get(address, headers=htmx)
    assert "<html" not in part.text
    assert "proved an improvement over bm25" in text_of(part.text)
    assert "hx-trigger" not in part.text
    assert Client().get(address, headers=htmx).headers["HX-Refresh"] == "true"


def test_the_words_are_those_of_the_board() -> None:
    assert f"a {DOES_BEST}, {BEYOND_CHANCE}." == " ".join(say_top_group(["a"], n_runs=9, n_queries=40))
    alone = say_top_group(["a"], n_runs=1, n_queries=40)
    assert f"a {ONLY_RUN}." == " ".join(alone).rstrip()
    standing, board = {"top_group": True}, {"top_group": ["R1"], "n_runs": 1, "n_not_shown": 2}
    assert f"a {say_place(standing, board)}." == say_among_shown(alone, n_shown=1, n_not_shown=2)[0]


def test_where_runs_show_no_score_a_place_is_one_among_the_others() -> None:
    """Twelve runs, two of which show a score: no page says of one that it does best of all."""
    board = {"top_group": ["R1"], "n_runs": 2, "n_not_shown": 10}
    assert say_place({"top_group": True}, board) == "does best of the 2 runs shown, beyond chance"
    last = {"top_group": False, "rank_low": 2, "rank_high": 2}
    assert say_place(last, board) == "ranks 2nd of the 2 runs shown"
    alike = {"top_group": ["R1", "R2"], "n_runs": 2, "n_not_shown": 10}
    assert say_place({"top_group": True}, alike) == "may be best of the 2 runs shown, with 1 other"


def test_the_page_shows_them_with_quota_and_nothing_of_others(viewed: Viewed) -> None:
    run = Submission.objects.get(board__slug="web-docs", run_id="R2")
    Charge.objects.create(board=run.board, team=viewed.cast.other_team, submission=run, at=timezone.now())
    page = browse(viewed.cast.stranger).get("/me/").text
    told = text_of(page)
    assert faults_of(page) == []
    assert "Three of your runs may be best on their boards." in told
    assert "May be best, with 1 other. It proved an improvement over kestrel-xl." in told
    assert SECRET_NAME in page
    others = browse(viewed.cast.participant).get("/me/").text
    assert SECRET_NAME not in others
    assert SCRIPT not in others
    assert f"Web Docs 1 of 2 next frees {timezone.now() + timedelta(days=30):%Y-%m-%d}" in told
    assert "Ladder 2 of 2 dry runs never count" in told
    assert "kestrel-xl" not in text_of(browse(viewed.cast.stranger).get("/me/?show=needs").text)


def test_of_several_teams_those_that_sent_something_to_a_board_are_listed(viewed: Viewed) -> None:
    """Else a person in five teams would read five lines of each board."""
    cast = viewed.cast
    team = Team.objects.create(name="Another Lab", slug="another-lab")
    before = find_runs_left(cast.stranger)
    Membership.objects.create(team=team, user=cast.stranger, is_owner=True)
    after = find_runs_left(cast.stranger)
    assert {each.team for each in before} == {""}
    assert [each.board for each in after] == [each.board for each in before]
    assert {each.team for each in after} <= {"", cast.other_team.name}
    assert cast.other_team.name in {each.team for each in after}


def test_what_went_wrong_says_why_and_what_to_do(viewed: Viewed) -> None:
    cast = viewed.cast
    finding = {"severity": "error", "where": "line 7", "what": "Line 7 has five columns.", "fix": "Six are needed."}
    refused = make_upload(cast.board, cast.team, cast.participant, b"x", file_name="cut.txt")
    refused.state, refused.report = UploadState.REFUSED, {"findings": [finding]}
    refused.save()
    run = runs_of(cast.mate)[f"/b/web-docs/uploads/{refused.pk}/"]
    assert run.outcome == "Line 7 has five columns. Six are needed. Nothing was counted against your quota."
    assert run.act is not None
    assert (run.act.words, run.act.path, run.needs_you) == ("Send again", "/b/web-docs/submit/", True)
    page = text_of(browse(cast.participant).get("/me/").text)
    assert "What needs you cut.txt on Web Docs: Line 7 has five columns. Send again" in page
    assert "one file was refused." in page
    later = make_upload(cast.board, cast.team, cast.participant, b"y", file_name="whole.txt")
    Upload.objects.filter(pk=later.pk).update(state=UploadState.ACCEPTED, report={"sentence": "Accepted"})
    runs = runs_of(cast.participant)
    assert not runs[f"/b/web-docs/uploads/{refused.pk}/"].needs_you  # another file came after it
    assert runs[f"/b/web-docs/uploads/{later.pk}/"].act.path == f"/b/web-docs/submit/?upload={later.pk}"  # type: ignore[union-attr]
    assert not any("cut.txt" in each.name for each in find_own_runs(cast.stranger))


def test_a_dry_run_says_its_scores_and_is_over(viewed: Viewed) -> None:
    """A file with the dev queries alone: nothing is on its way, and nothing is to be done with it."""
    cast = viewed.cast
    tried = make_upload(cast.board, cast.team, cast.participant, b"x", file_name="dev.run.gz")
    scores = {"n_queries": 3, "scores": [["RR@100", 0.5]]}
    Upload.objects.filter(pk=tried.pk).update(state=UploadState.DRY, dev_scores=scores)
    run = runs_of(cast.mate)[f"/b/web-docs/uploads/{tried.pk}/"]
    assert (run.state, run.is_running, run.needs_you, run.act) == (OwnState.DRY, False, False, None)
    assert run.outcome == "RR@100 0.5000 on 3 dev queries. Nothing was counted against your quota."


def test_a_file_that_was_sent_again_and_submitted_is_no_file_that_waits(viewed: Viewed) -> None:
    """As `toprung submit` does it: a dry run with all queries, then the run."""
    cast, run = viewed.cast, Submission.objects.get(board__slug="web-docs", run_id="R1")
    again = make_upload(cast.board, cast.team, cast.participant, b"x", file_name="again.run")
    path = f"/b/web-docs/uploads/{again.pk}/"
    Upload.objects.filter(pk=again.pk).update(state=UploadState.ACCEPTED)
    assert path in runs_of(cast.participant)
    Upload.objects.filter(pk=again.pk).update(digest=run.upload.digest)
    assert path not in runs_of(cast.participant)


def test_failures_and_what_is_on_its_way(viewed: Viewed) -> None:
    runs = Submission.objects.filter(board__slug="web-docs")
    runs.filter(run_id="R4").update(state=RunState.FAILED, failure=FAILURE)
    waiting = timezone.now() - timedelta(minutes=3)
    runs.filter(run_id="R1").update(state=RunState.QUEUED, settled_at=None, submitted_at=waiting)
    told = runs_of(viewed.cast.participant)
    failed, queued = told["/b/web-docs/runs/R4/"], told["/b/web-docs/runs/R1/"]
    assert failed.state is OwnState.OUR_FAULT
    assert failed.outcome == f"It could not be scored. {FAILURE}"
    assert (queued.took, queued.is_running, queued.score) == ("for 3 min", True, "")


def test_someone_without_a_run_is_told_what_to_do(viewed: Viewed) -> None:
    page = browse(make_user("newcomer")).get("/me/").text
    assert "You have no run yet." in page
    assert "Found a team" in page
    assert faults_of(page) == []


def test_people_land_where_they_have_something_to_do(viewed: Viewed) -> None:
    cast = viewed.cast
    assert log_in(cast.participant) == "/me/"  # runs
    assert log_in(cast.organiser) == "/me/"  # a board to organise
    assert log_in(make_user("host", may_create_boards=True)) == "/boards/new/"
    guest = make_user("guest")
    assert log_in(guest) == "/"
    Invitation.invite(cast.team, by=cast.participant, email=guest.email)
    assert find_landing(guest) == "/"  # nobody knows yet that the address is theirs
    EmailAddress.objects.create(user=guest, email=guest.email, verified=True)
    assert log_in(guest) == "/me/"


def test_an_assessor_lands_at_what_is_to_be_judged(viewed: Viewed) -> None:
    """On one board at its queue, of several at the list of them; where no work is given out, on the front page."""
    assessor, boards = make_user("judge"), [viewed.board, viewed.cast.other_board]
    for board in boards:
        BoardRole.objects.create(board=board, user=assessor, role=Role.ASSESSOR)
    assert log_in(assessor) == "/"
    first, second = (invite_to_judge(board, by=viewed.cast.organiser) for board in boards)
    assert log_in(assessor) == "/me/"
    page = browse(assessor).get("/me/").text
    for board in boards:
        assert f"Answers on {board} wait to be compared." in text_of(page)
        assert f'href="/b/{board.slug}/spare-minutes/"' in page
    named = " and ".join(sorted(board.title for board in boards))
    assert f"You judge answers on {named}. Who judges the answers of a board sends no runs to it." in text_of(page)
    assert "You have no run yet." not in page
    Campaign.objects.filter(pk=second.pk).update(state=CampaignState.PAUSED)
    assert log_in(assessor) == f"/b/{viewed.board.slug}/spare-minutes/"
    Membership.objects.create(team=viewed.cast.team, user=assessor)  # a team with runs there may not judge
    assert viewed.board not in boards_to_judge(assessor)
    Campaign.objects.filter(pk=first.pk).update(access=CampaignAccess.OPEN)
    assert "wait to be compared" not in browse(assessor).get("/me/").text


def invite_to_judge(board: Board, *, by: User) -> Campaign:
    labels = board.label_sets.get(use=LabelUse.OFFICIAL, is_current=True)
    return Campaign.objects.create(
        board=board, label_set=labels, slug="best", title="Best answers", state=CampaignState.RUNNING, created_by=by
    )


def test_an_invitation_is_taken_up_from_ones_own_page(viewed: Viewed) -> None:
    cast, guest = viewed.cast, make_user("guest")
    EmailAddress.objects.create(user=guest, email=guest.email, verified=True)
    invitation, _ = Invitation.invite(cast.team, by=cast.participant, email=guest.email.upper())
    assert "Participant invites you to the team Kestrel Lab" in browse(guest).get("/me/").text
    path = f"/me/invitations/{invitation.pk}/join/"
    assert browse(cast.stranger).post(path).status_code == 404
    assert not cast.team.members.filter(pk=guest.pk).exists()
    browse(guest).post(path)
    assert cast.team.members.filter(pk=guest.pk).exists()
    assert browse(guest).post(path).status_code == 404


def test_an_organiser_sees_what_waits_on_their_boards(viewed: Viewed) -> None:
    organiser = browse(viewed.cast.organiser)
    before = text_of(organiser.get("/me/").text)
    assert "You organise Ladder and Web Docs. Nothing waits for you there." in before
    assert "You have no run yet." not in before
    BoardRole.objects.create(board=viewed.board, user=make_user("asking"), role=Role.APPLICANT)
    ReportedLabel.objects.create(board=viewed.ladder, user=viewed.cast.stranger, query_id="d01", why="Another answer.")
    page = organiser.get("/me/").text
    assert "Web Docs: 1 person asks to take part." in page
    assert 'href="/b/web-docs/organise/people/"' in page
    assert "Ladder: 1 label reported as wrong." in page
    assert 'href="/b/ladder/organise/reports/"' in page
    assert 'href="/b/web-docs/organise/"' in page
    assert faults_of(page) == []


def test_a_board_that_is_closed_lets_nobody_wait_for_an_answer(viewed: Viewed) -> None:
    BoardRole.objects.create(board=viewed.board, user=make_user("asking"), role=Role.APPLICANT)
    Board.objects.filter(pk=viewed.board.pk).update(closes_at=timezone.now() - timedelta(days=1))
    assert "asks to take part" not in browse(viewed.cast.organiser).get("/me/").text


def test_an_organisers_page_asks_as_often_for_many_boards_as_for_few(viewed: Viewed) -> None:
    client = browse(viewed.cast.organiser)

    def count() -> int:
        with CaptureQueriesContext(connection) as asked:
            assert client.get("/me/").status_code == 200
        return len(asked)

    few = count()
    for number in range(9):
        board = Board.objects.create(slug=f"o{number}", title=f"O{number}", task="t", created_by=viewed.cast.organiser)
        BoardRole.objects.create(board=board, user=viewed.cast.organiser, role=Role.ORGANISER)
        BoardRole.objects.create(board=board, user=viewed.cast.stranger, role=Role.APPLICANT)
    assert count() == few


def test_my_page_asks_as_often_for_many_boards_as_for_few(viewed: Viewed) -> None:
    user, client = viewed.cast.stranger, browse(viewed.cast.stranger)
    team = user.teams.get()

    def count() -> int:
        with CaptureQueriesContext(connection) as asked:
            assert client.get("/me/").status_code == 200
        return len(asked)

    for number in range(3):
        _submit_elsewhere(viewed, number, team)
    few = count()
    for number in range(3, 12):
        _submit_elsewhere(viewed, number, team)
    assert few > 10
    assert count() == few


def _submit_elsewhere(viewed: Viewed, number: int, team: Team) -> None:
    board = Board.objects.create(slug=f"b{number}", title=f"B{number}", task="t", created_by=viewed.cast.organiser)
    whose = {"board": board, "team": team, "user": viewed.cast.stranger}
    upload = Upload.objects.create(**whose, state=UploadState.ACCEPTED, file_name="run", size=1, digest="d")
    run = Submission.objects.create(**whose, number=1, run_id="R1", name="a run", upload=upload, state=RunState.DONE)
    Charge.objects.create(board=board, team=team, submission=run)
