"""The words of a run are edited: what they were stays readable, names stay unique, what was public stays public."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from django_ox.models import OxTask
from tests.web.cast import Cast
from tests.web.runs import settled

from toprung.web.core.models.runs import MetadataEdit, Submission

EDIT = "/b/web-docs/runs/R1/edit/"
WORDS = {"name": "first", "description": "Said before."}


@pytest.fixture
def run(client: Client, cast: Cast) -> Submission:
    client.force_login(cast.participant)
    return settled(cast, "first", 4, description="Said before.", tags=("old",))


def edit(client: Client, **words: str) -> HttpResponse:
    return client.post(EDIT, WORDS | {"tags": "old"} | words)


def test_what_was_said_before_stays_readable(client: Client, cast: Cast, run: Submission) -> None:
    assert edit(client, description="Said now.", paper="https://example.org/paper").status_code == 302
    run.refresh_from_db()
    assert (run.card.description, run.card.paper) == ("Said now.", "https://example.org/paper")
    change = MetadataEdit.objects.get()
    assert change.before == {"description": "Said before.", "paper": ""}
    assert change.after == {"description": "Said now.", "paper": "https://example.org/paper"}
    client.force_login(cast.stranger)
    page = client.get("/b/web-docs/runs/R1/").content.decode()
    assert "was “Said before.”, is “Said now.”" in page
    assert "was “nothing”, is “https://example.org/paper”" in page
    assert "Participant" not in page, "who did it is for the team and for organisers"


def test_an_edit_is_in_the_audit_log(client: Client, cast: Cast, run: Submission) -> None:
    edit(client, description="Said now.", seed="7")
    entry = cast.board.audit.latest("number")
    assert (entry.what, entry.who) == ("Edited R1: description, seed", cast.participant.reference)


def test_an_edit_that_changes_nothing_leaves_no_trace(client: Client, cast: Cast, run: Submission) -> None:
    n_entries = cast.board.audit.count()
    assert edit(client).status_code == 302
    assert not MetadataEdit.objects.exists()
    assert cast.board.audit.count() == n_entries


@pytest.mark.parametrize("said", [{"tags": "new"}, {"cost": "2.5"}, {"latency": "30"}])
def test_what_is_on_the_board_makes_it_computed_anew(
    client: Client, cast: Cast, run: Submission, said: dict[str, str]
) -> None:
    before = OxTask.objects.filter(task_path__endswith="refresh").count()
    edit(client, description="Said now.")
    assert OxTask.objects.filter(task_path__endswith="refresh").count() == before
    edit(client, description="Said now.", **said)
    assert OxTask.objects.filter(task_path__endswith="refresh").count() == before + 1


def test_names_of_anonymous_runs_cannot_be_guessed(client: Client, cast: Cast, run: Submission) -> None:
    """Editing costs nothing, so it would be the way to try many."""
    until = timezone.now().date() + timedelta(days=50)
    hidden = settled(cast, "second", 5, team=cast.other_team, user=cast.stranger, anonymous_until=until)
    assert edit(client, name="second").status_code == edit(client, name="third").status_code == 302
    hidden.refresh_from_db()
    assert hidden.name == f"second {hidden.run_id}"


@pytest.mark.parametrize("name", ["second", "Second"])
def test_the_name_of_another_run_is_not_taken(client: Client, cast: Cast, run: Submission, name: str) -> None:
    settled(cast, "second", 5, team=cast.other_team, user=cast.stranger)
    response = edit(client, name=name)
    assert response.status_code == 422
    assert b"which another run on this board has" in response.content
    run.refresh_from_db()
    assert run.name == "first"


def test_a_run_may_keep_its_name_in_another_case(client: Client, run: Submission) -> None:
    edit(client, name="First")
    run.refresh_from_db()
    assert run.name == "First"


def test_the_file_the_score_and_the_team_are_not_words(client: Client, cast: Cast, run: Submission) -> None:
    edit(client, score="1", team="norrland-ir", run_id="R9", state="queued", upload="9", shown_score="1")
    run.refresh_from_db()
    assert (run.score, run.team, run.run_id, run.state) == (0.25, cast.team, "R1", "done")


@pytest.mark.parametrize("who", ["stranger", "organiser", "assessor"])
def test_only_its_team_edits_a_run(client: Client, cast: Cast, run: Submission, who: str) -> None:
    client.force_login(getattr(cast, who))
    assert client.get(EDIT).status_code == 404
    assert edit(client, description="Mine.").status_code == 404
    assert not MetadataEdit.objects.exists()


# ---- anonymity ----


def embargo(run: Submission, days: int) -> date:
    until = timezone.now().date() + timedelta(days=days)
    Submission.objects.filter(pk=run.pk).update(anonymous_until=until)
    return until


def test_an_embargo_may_be_shortened_or_given_up(client: Client, run: Submission) -> None:
    embargo(run, 100)
    sooner = timezone.now().date() + timedelta(days=5)
    edit(client, anonymous_until=sooner.isoformat())
    run.refresh_from_db()
    assert run.anonymous_until == sooner
    edit(client, anonymous_until="")
    run.refresh_from_db()
    assert run.anonymous_until is None


def test_an_embargo_counts_from_the_day_of_submission(client: Client, run: Submission) -> None:
    """Nine months from then, not from the day of the edit."""
    embargo(run, 10)
    Submission.objects.update(submitted_at=timezone.now() - timedelta(days=200))
    response = edit(client, anonymous_until=(timezone.now().date() + timedelta(days=90)).isoformat())
    assert response.status_code == 422
    assert b"expected a day after today, up to" in response.content
    later = timezone.now().date() + timedelta(days=60)
    edit(client, anonymous_until=later.isoformat())
    run.refresh_from_db()
    assert run.anonymous_until == later


@pytest.mark.parametrize("days", [None, 0, -30])
def test_what_was_public_is_not_hidden_again(client: Client, run: Submission, days: int | None) -> None:
    was = None if days is None else embargo(run, days)
    assert b"anonymous_until" not in client.get(EDIT).content
    edit(client, anonymous_until=(timezone.now().date() + timedelta(days=30)).isoformat(), description="New.")
    run.refresh_from_db()
    assert (run.anonymous_until, run.card.description) == (was, "New.")


def test_edits_of_an_anonymous_run_are_hidden_with_it(client: Client, cast: Cast, run: Submission) -> None:
    embargo(run, 100)
    edit(client, name="kestrel-xl", anonymous_until=str(run.anonymous_until or ""))
    embargo(run, 100)
    client.force_login(cast.stranger)
    page = client.get("/b/web-docs/runs/R1/").content.decode()
    for told in ("kestrel", "R1 first", "Kestrel", "Said before.", "“first”"):
        assert told not in page
