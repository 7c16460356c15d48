"""Organisers see whether scores hold on private queries and who uses the board how; nobody else sees a word of it."""

from __future__ import annotations

import pytest
from django.test import Client
from tests.web.cast import OFFICIAL, PRIVATE, Cast, make_labels, run_text
from tests.web.runs import accepted, settled

from toprung.data.run_card import RunCard
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.models.results import Audience
from toprung.web.core.models.runs import Submission, Upload, UploadState
from toprung.web.services.claims.settle import settle_board
from toprung.web.services.claims.withdraw import withdraw
from toprung.web.services.results.validity import KIND, compute_validity, show_validity
from toprung.web.services.runs.score import score_submission
from toprung.web.services.runs.submit import submit

PAGE = "/b/web-docs/organise/validity/"


def add(cast: Cast, name: str, official: dict[str, int], private: dict[str, int]) -> Submission:
    """A run with these ranks, of the participant's team; its quota is large enough."""
    upload = accepted(cast, run_text(official | private, name=name))
    submission = submit(upload, RunCard(name=name), by=cast.participant)
    score_submission(submission.pk)
    settle_board(cast.board.pk)
    return submission


@pytest.fixture
def tuned(cast: Cast) -> Cast:
    """R1 is at rank 2 everywhere; R2 is first on every official query and finds nothing on private ones."""
    cast.board.quota = 10
    cast.board.save()
    add(cast, "honest", dict.fromkeys(OFFICIAL, 2), dict.fromkeys(PRIVATE, 2))
    add(cast, "tuned", dict.fromkeys(OFFICIAL, 1), dict.fromkeys(PRIVATE, 0))
    compute_validity(cast.board.pk)
    return cast


def test_only_organisers_of_the_board_see_it(client: Client, tuned: Cast) -> None:
    for person in (tuned.participant, tuned.assessor, tuned.other_organiser):
        client.force_login(person)
        for url in (PAGE, "/b/web-docs/organise/validity.json"):
            assert client.get(url).status_code == 404


def test_it_is_stored_for_organisers_alone(tuned: Cast) -> None:
    assert [each.audience for each in tuned.board.results.filter(kind=KIND)] == [Audience.ORGANISERS]


def test_a_run_that_falls_in_private_is_a_reason_to_ask(client: Client, tuned: Cast) -> None:
    client.force_login(tuned.organiser)
    page = client.get(PAGE).content.decode()
    assert "One of two runs does worse on the private queries than its public score leads one to expect." in page
    assert "It is from Kestrel Lab" in page
    assert "That is a reason to ask, not a finding of misconduct" in page
    (flag,) = show_validity(tuned.board)["private"]["flags"]
    assert (flag["run"], flag["public"], flag["private"]) == ("R2", "1.000", "0.000")
    assert flag["expected"] == "1.000", "R1, the reference, scores alike on both sides"
    assert flag["below"] == "1.000"


def test_without_a_flag_the_page_says_what_could_not_be_seen(cast: Cast) -> None:
    settled(cast, "one", 2)
    settled(cast, "two", 4, team=cast.other_team, user=cast.stranger)
    content = show_validity(cast.board)
    assert content["bold"].startswith("None of two runs does worse on the private queries")
    assert content["rest"].startswith("But 20 queries ")
    assert content["because"].startswith("That is no proof")
    assert content["private"]["flags"] == []


def test_a_board_without_private_queries_says_so(client: Client, cast: Cast) -> None:
    cast.board.label_sets.filter(use=LabelUse.PRIVATE).delete()
    settled(cast, "one", 2)
    settled(cast, "two", 4, team=cast.other_team, user=cast.stranger)
    compute_validity(cast.board.pk)
    client.force_login(cast.organiser)
    assert "It has no private queries, so nothing here can tell." in client.get(PAGE).content.decode()


def test_a_board_without_runs_says_so(client: Client, cast: Cast) -> None:
    compute_validity(cast.board.pk)
    client.force_login(cast.organiser)
    assert "There are too few runs to tell." in client.get(PAGE).content.decode()


def test_several_private_sets_are_each_compared(cast: Cast) -> None:
    cast.board.label_sets.filter(use=LabelUse.PRIVATE).update(name="first")
    make_labels(cast.board, LabelUse.PRIVATE, [f"x{n:02}" for n in range(12)])
    settled(cast, "one", 2)
    settled(cast, "two", 4, team=cast.other_team, user=cast.stranger)
    assert len(show_validity(cast.board)["private"]["top"]) == 2


def test_teams_are_followed_with_what_they_withdrew_and_what_was_refused(cast: Cast) -> None:
    first = settled(cast, "one", 2)
    settled(cast, "two", 4)
    withdraw(first, by=cast.participant)
    refused = accepted(cast, b"not a run")
    assert refused.state == UploadState.REFUSED
    (record,) = show_validity(cast.board)["teams"]
    assert record == {
        "team": "Kestrel Lab",
        "runs": 2,
        "withdrawn": 1,
        "used_up": 1,
        "close": 1,  # the two differ in the place of one document
        "refused": 1,
    }


def test_near_duplicates_of_a_team_are_named(client: Client, cast: Cast) -> None:
    settled(cast, "one", 3)
    settled(cast, "again", 3)
    compute_validity(cast.board.pk)
    client.force_login(cast.organiser)
    page = client.get(PAGE).content.decode()
    assert "close to R1 (RBO 1.00, 100.0% identical)" in page


def test_what_was_computed_for_the_board_as_it_stands_is_not_computed_again(tuned: Cast) -> None:
    before = tuned.board.results.get(kind=KIND).computed_at
    compute_validity(tuned.board.pk)
    assert tuned.board.results.get(kind=KIND).computed_at == before


def test_a_broken_chain_shows(client: Client, tuned: Cast) -> None:
    tuned.board.audit.filter(number=1).update(what="Nothing")
    tuned.board.refresh_from_db()
    tuned.board.results_due += 1
    tuned.board.save()
    compute_validity(tuned.board.pk)
    client.force_login(tuned.organiser)
    assert "Chain breaks at entry 1" in client.get(PAGE).content.decode()


def test_the_json_has_no_drawing(client: Client, tuned: Cast) -> None:
    client.force_login(tuned.organiser)
    content = client.get("/b/web-docs/organise/validity.json").json()
    assert content["private"]["flags"][0]["run"] == "R2"
    assert "svg" not in content["private"]["figures"][0]


def test_its_charts_are_taken_along_by_organisers(client: Client, tuned: Cast) -> None:
    client.force_login(tuned.organiser)
    page = client.get(PAGE).content.decode()
    for kind in ("private", "teams"):
        assert f'href="{PAGE}{kind}.pdf"' in page
        assert "<svg" in client.get(f"{PAGE}{kind}.svg").content.decode()
    assert client.get(f"{PAGE}nothing.svg").status_code == 404
    client.force_login(tuned.participant)
    assert client.get(f"{PAGE}private.svg").status_code == 404


def test_hostile_names_come_out_as_text(client: Client, cast: Cast) -> None:
    cast.team.name = "<script>alert('team')</script>"
    cast.team.save()
    settled(cast, "<b>one</b>", 3)
    settled(cast, "<b>two</b>", 3)
    compute_validity(cast.board.pk)
    client.force_login(cast.organiser)
    page = client.get(PAGE).content.decode()
    assert "<script>alert" not in page
    assert "<b>one" not in page
    assert Upload.objects.count() == 2
