"""The page of a team: for others what is public; an embargoed run, or a team with nothing else, appears nowhere."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from tests.web.cast import Cast, even_ranks, make_upload, run_text
from tests.web.reading import text_of
from tests.web.viewing import Viewed

from toprung.data.run_card import RunCard
from toprung.web.core.models.people import User
from toprung.web.core.models.runs import RunState, Submission
from toprung.web.services.runs.check import check_upload
from toprung.web.services.runs.submit import submit

TEAM = "/teams/kestrel-lab/"


def submit_run(cast: Cast, name: str, *, is_anonymous: bool = False) -> Submission:
    upload = make_upload(cast.board, cast.team, cast.participant, run_text(even_ranks(2)))
    check_upload(upload.pk)
    until = timezone.now().date() + timedelta(days=30) if is_anonymous else None
    submission = submit(upload, RunCard(name=name, anonymous_until=until), by=cast.participant)
    Submission.objects.filter(pk=submission.pk).update(state=RunState.DONE)
    return submission


def look(user: User | None) -> Client:
    browser = Client()
    if user is not None:
        browser.force_login(user)
    return browser


def test_everyone_sees_public_runs_and_names_but_no_address(cast: Cast) -> None:
    cast.board.holder = submit_run(cast, "kestrel-xl")
    cast.board.save(update_fields=["holder"])
    page = look(None).get(TEAM)
    assert "kestrel-xl</a>" in page.text
    assert "Kestrel Lab has 1 run on 1 board, and is the holder on Web Docs." in page.text
    assert "Participant" in page.text
    assert "example.org" not in page.text
    assert "Leave the team" not in page.text


def test_its_sentence_says_how_many_runs_may_be_best_of_those_one_sees(viewed: Viewed) -> None:
    """R2 and, anonymous to others, R3 may be best on Web Docs; Ladder shows no score of R3, and R2 stands alone."""
    page = text_of(look(None).get("/teams/norrland-ir/").text)
    assert "Norrland IR has 2 runs on 2 boards, of which two may be best, and is the holder on" in page
    page = text_of(look(viewed.cast.stranger).get("/teams/norrland-ir/").text)
    assert "Norrland IR has 4 runs on 2 boards, of which three may be best, and is the holder on" in page
    assert "Kestrel Lab has 4 runs on 2 boards." in text_of(look(None).get(TEAM).text)


def test_a_team_without_a_public_run_is_not_there_for_others(cast: Cast) -> None:
    for person in (None, cast.stranger, cast.organiser):
        assert look(person).get(TEAM).status_code == 404
    assert "has submitted nothing yet" in look(cast.mate).get(TEAM).text


def test_an_embargoed_run_hides_the_team_from_others(cast: Cast) -> None:
    submit_run(cast, "secret-run", is_anonymous=True)
    for person in (None, cast.stranger, cast.assessor, cast.other_organiser):
        assert look(person).get(TEAM).status_code == 404
    for person in (cast.participant, cast.mate, cast.organiser):
        assert "secret-run</a>" in look(person).get(TEAM).text


def test_an_embargoed_run_is_neither_listed_nor_counted_beside_public_ones(cast: Cast) -> None:
    submit_run(cast, "kestrel-xl")
    submit_run(cast, "secret-run", is_anonymous=True)
    page = look(cast.stranger).get(TEAM).text
    assert "secret-run" not in page
    assert "R2" not in page
    assert "has 1 run on 1 board" in page
    assert "has 2 runs on 1 board" in look(cast.mate).get(TEAM).text


def test_the_embargo_lifts_by_itself(cast: Cast) -> None:
    submission = submit_run(cast, "secret-run", is_anonymous=True)
    Submission.objects.filter(pk=submission.pk).update(anonymous_until=timezone.now().date())
    assert "secret-run</a>" in look(None).get(TEAM).text


@pytest.mark.parametrize(
    ("state", "word"),
    [
        (RunState.QUEUED, "queued"),
        (RunState.SCORING, "scoring"),
        (RunState.SCORED, "scoring"),
        (RunState.FAILED, "our fault"),
    ],
)
def test_runs_that_are_not_done_are_the_team_s_own_business(cast: Cast, state: RunState, word: str) -> None:
    submission = submit_run(cast, "kestrel-xl")
    Submission.objects.filter(pk=submission.pk).update(state=state)
    assert look(cast.stranger).get(TEAM).status_code == 404
    assert word in look(cast.mate).get(TEAM).text


def test_runs_on_boards_that_one_may_not_see_are_not_shown(cast: Cast) -> None:
    submit_run(cast, "kestrel-xl")
    cast.board.is_public = False
    cast.board.save(update_fields=["is_public"])
    assert look(cast.stranger).get(TEAM).status_code == 404
    assert "kestrel-xl</a>" in look(cast.assessor).get(TEAM).text


def test_only_owners_see_addresses(cast: Cast) -> None:
    assert "mate@example.org" in look(cast.participant).get(TEAM).text
    assert "participant@example.org" not in look(cast.mate).get(TEAM).text


def test_a_member_without_a_name_is_not_told_by_address(cast: Cast) -> None:
    submit_run(cast, "kestrel-xl")
    User.objects.filter(pk=cast.mate.pk).update(name="", email="hidden-handle@example.org")
    assert "hidden-handle" not in look(None).get(TEAM).text


def test_what_went_wrong_is_for_members_alone(cast: Cast) -> None:
    submit_run(cast, "kestrel-xl")
    failed = submit_run(cast, "kestrel-broken")
    Submission.objects.filter(pk=failed.pk).update(state=RunState.FAILED, failure="It was our fault.")
    refused = make_upload(cast.board, cast.team, cast.participant, b"no run\n", file_name="cut-off.txt")
    check_upload(refused.pk)
    own = look(cast.mate).get(TEAM).text
    for told in ("kestrel-broken", "It was our fault.", "cut-off.txt", "Send again"):
        assert told in own
    for person in (None, cast.stranger, cast.organiser):
        page = look(person).get(TEAM).text
        assert "kestrel-xl" in page
        assert not any(told in page for told in ("kestrel-broken", "our fault", "cut-off.txt", "Send again"))
