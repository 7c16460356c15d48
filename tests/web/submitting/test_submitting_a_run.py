"""A run is submitted: a checked file and what the team says of it; charged once, refused with a reason, never half."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django_ox.models import OxTask
from tests.web.cast import Cast, make_team, make_user
from tests.web.reading import folded, text_of
from tests.web.runs import GOOD, WORDS, accepted, checked, post_words, settled

from toprung.web.core.models.boards import Board, BoardRole, Role
from toprung.web.core.models.people import Membership
from toprung.web.core.models.runs import Charge, RunState, Submission, Upload

pytestmark = pytest.mark.postgres

SCRIPT = "<script>alert('x')</script>"


@pytest.fixture
def participant(client: Client, cast: Cast) -> Client:
    client.force_login(cast.participant)
    return client


def refusal_in(response: HttpResponse) -> str:
    assert response.status_code == 422
    assert not Submission.objects.exists()
    assert not Charge.objects.exists()
    return response.content.decode()


def test_from_the_file_to_the_queue(participant: Client, cast: Cast) -> None:
    upload = checked(participant, cast)
    response = post_words(participant, cast, upload, tags="dense, ensemble", seed="7", cost="0.25", latency="12")
    assert response.url == "/b/web-docs/runs/R1/status/"
    run = Submission.objects.get()
    assert (run.state, run.team, run.user, run.upload) == (RunState.QUEUED, cast.team, cast.participant, upload)
    assert (run.name, run.tags, run.card.seed) == ("first", ["dense", "ensemble"], "7")
    assert (run.card.cost, run.card.latency) == (0.25, 12.0)
    assert Charge.objects.get().submission == run
    assert OxTask.objects.filter(task_path__endswith="score").count() == 1
    assert cast.board.audit.get().what == "Submitted R1"


def test_the_page_says_what_is_left_and_when_the_next_frees(participant: Client, cast: Cast) -> None:
    page = participant.get("/b/web-docs/submit/").content.decode()
    assert "<b>2 of 2 submissions left</b><br>" in page
    settled(cast, "first", 4)
    page = participant.get("/b/web-docs/submit/").content.decode()
    assert "<b>1 of 2 submissions left</b>" in page
    assert f"the next frees on {Charge.objects.get().at.date() + timedelta(days=30)}" in page


def test_the_page_says_what_makes_a_claim(participant: Client, cast: Cast) -> None:
    settled(cast, "first", 4)
    page = participant.get("/b/web-docs/submit/").content.decode()
    assert "scores above the holder, now first, is held to the rule" in text_of(page)
    assert "a file with the public dev queries alone is scored on them, as a dry run" in text_of(page)
    cast.board.label_sets.filter(use="dev").update(is_current=False)
    page = participant.get("/b/web-docs/submit/").content.decode()
    assert "dry run" not in text_of(page.partition('id="check"')[2].partition("</section>")[0])


def test_the_name_of_the_file_is_suggested(participant: Client, cast: Cast) -> None:
    upload = checked(participant, cast, name="kestrel-xl.run.txt")
    page = participant.get("/b/web-docs/submit/", {"upload": upload.pk}).content.decode()
    assert 'value="kestrel-xl.run"' in page


def test_a_file_that_is_still_being_checked_is_not_submitted(participant: Client, cast: Cast) -> None:
    upload = accepted(cast)
    Upload.objects.update(state="checking")
    assert "Found a file that is validating; expected one that was accepted." in refusal_in(
        post_words(participant, cast, upload)
    )


def test_a_refused_file_is_not_submitted(participant: Client, cast: Cast) -> None:
    upload = checked(participant, cast, b"no run\n")
    page = refusal_in(post_words(participant, cast, upload))
    assert "Found a file that is refused" in page
    assert 'aria-disabled="true"' in page


def test_without_a_file_nothing_is_submitted(participant: Client, cast: Cast) -> None:
    assert "Found no file; expected one that was checked." in refusal_in(post_words(participant, cast, None))


def test_a_file_is_submitted_once(participant: Client, cast: Cast) -> None:
    upload = checked(participant, cast)
    post_words(participant, cast, upload)
    response = post_words(participant, cast, upload, name="second")
    assert response.status_code == 422
    assert b"submitted already" in response.content
    assert (Submission.objects.count(), Charge.objects.count()) == (1, 1)


def test_the_third_run_of_the_month_is_refused_and_not_charged(participant: Client, cast: Cast) -> None:
    settled(cast, "one", 4)
    settled(cast, "two", 5)
    response = post_words(participant, cast, accepted(cast), name="three")
    assert b"Found no submission left: 2 in any 30 days; the next frees on" in response.content
    assert (Submission.objects.count(), Charge.objects.count()) == (2, 2)
    assert b"<b>0 of 2 submissions left</b>" in response.content


def test_the_button_says_when_there_is_nothing_left(participant: Client, cast: Cast) -> None:
    settled(cast, "one", 4)
    settled(cast, "two", 5)
    frees = Charge.objects.earliest("at").at.date() + timedelta(days=30)
    upload = accepted(cast)
    for address, headers in (
        ("/b/web-docs/submit/", {}),
        (f"/b/web-docs/uploads/{upload.pk}/", {"HX-Request": "true"}),
    ):
        page = participant.get(address, {"upload": upload.pk}, headers=headers).content.decode()
        bar = page[page.index('id="submit-bar"') :]
        assert 'aria-disabled="true"' in bar
        assert f"No submission is left; the next frees on {frees}." in bar


def test_who_comes_back_finds_the_file_again(participant: Client, cast: Cast) -> None:
    upload = accepted(cast)
    assert f'<a href="?upload={upload.pk}">run.txt</a>, accepted' in folded(
        participant.get("/b/web-docs/submit/").content.decode()
    )
    post_words(participant, cast, upload)
    assert b"Sent before" not in participant.get("/b/web-docs/submit/").content


@pytest.mark.parametrize("name", ["taken", "TAKEN", " taken ", "ta\u200bken"])
def test_a_name_is_given_once(participant: Client, cast: Cast, name: str) -> None:
    settled(cast, "taken", 4)
    response = post_words(participant, cast, accepted(cast), name=name)
    assert response.status_code == 422
    assert b"which another run on this board has" in response.content
    assert Submission.objects.count() == 1


@pytest.mark.parametrize("name", ["vault", "Vault"])
def test_a_guess_at_the_name_of_an_anonymous_run_is_not_confirmed(participant: Client, cast: Cast, name: str) -> None:
    """It is as if nobody had it: the run is taken, and the anonymous one adds its label to its name."""
    until = timezone.now().date() + timedelta(days=50)
    hidden = settled(cast, "vault", 4, team=cast.other_team, user=cast.stranger, anonymous_until=until)
    response = post_words(participant, cast, accepted(cast), name=name)
    assert response.status_code == 302
    hidden.refresh_from_db()
    assert sorted(Submission.objects.values_list("name", flat=True)) == sorted([name, "vault R1"])
    assert hidden.name == "vault R1"


def test_a_refused_submission_takes_no_name(participant: Client, cast: Cast) -> None:
    until = timezone.now().date() + timedelta(days=50)
    hidden = settled(cast, "vault", 4, team=cast.other_team, user=cast.stranger, anonymous_until=until)
    cast.board.closes_at = timezone.now()
    cast.board.save()
    assert post_words(participant, cast, accepted(cast), name="vault").status_code == 422
    hidden.refresh_from_db()
    assert hidden.name == "vault"


def test_ones_own_anonymous_run_keeps_its_name(participant: Client, cast: Cast) -> None:
    until = timezone.now().date() + timedelta(days=50)
    settled(cast, "vault", 4, anonymous_until=until)
    assert post_words(participant, cast, accepted(cast), name="vault").status_code == 422


# ---- what is said of the run ----


def test_a_run_needs_a_name_and_what_is_new(participant: Client, cast: Cast) -> None:
    page = refusal_in(post_words(participant, cast, accepted(cast), name="\u200b", description=""))
    assert page.count("Found nothing; expected some text.") == 2


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("paper", "javascript:alert(1)", "expected one that begins with https://"),
        ("code", "ftp://example.org/x", "expected one that begins with https://"),
        ("code", "not an address", "expected one that begins with https://"),
        ("model", "not an address", "expected one that begins with https://"),
        ("cost", "-1", "expected a positive number"),
        ("cost", "nan", "expected one such as 12.5"),
        ("latency", "1e999", "Found"),
        ("latency", "fast", "Found no number; expected one such as 12.5."),
        ("tags", "a,b,c,d,e,f", "Found 6 tags"),
        ("tags", "x" * 31, "expected at most 5, each of at most 30."),
        ("name", "x" * 81, "Found 81 letters; expected at most 80."),
        ("name", "\ufdfa" * 80, "letters; expected at most 80."),
        ("description", "x" * 2001, "Found 2001 letters; expected at most 2000."),
        ("anonymous_until", "soon", "Found no date"),
        ("anonymous_until", "2020-01-01", "expected a day after today"),
        ("seed", "a\x00b", "Null characters are not allowed."),
    ],
)
def test_a_field_with_a_fault_says_which(participant: Client, cast: Cast, field: str, value: str, message: str) -> None:
    assert message in refusal_in(post_words(participant, cast, accepted(cast), **{field: value}))


def test_script_in_every_field_comes_out_as_text(participant: Client, cast: Cast) -> None:
    fields = dict.fromkeys(("name", "description", "kind", "system", "seed"), SCRIPT)
    response = post_words(participant, cast, accepted(cast), **fields, tags="<b>bold</b>")
    assert response.status_code == 302
    for address in ("/b/web-docs/runs/R1/", "/b/web-docs/runs/R1/status/", "/b/web-docs/runs/R1/edit/"):
        page = participant.get(address).content.decode()
        assert "<script>alert" not in page
        assert "<b>bold" not in page
        assert "&lt;script&gt;" in page


def test_script_in_a_refused_form_comes_out_as_text(participant: Client, cast: Cast) -> None:
    names = ("name", "tags", "description", "paper", "code", "kind", "cost", "latency", "system", "seed")
    fields = dict.fromkeys((*names, "anonymous_until"), f'">{SCRIPT}')
    page = refusal_in(post_words(participant, cast, accepted(cast), **fields))
    assert "<script>alert" not in page


def test_nothing_unseen_is_left_in_a_name(participant: Client, cast: Cast) -> None:
    post_words(participant, cast, accepted(cast), name="a\u202eb\u200bc \n d")
    assert Submission.objects.get().name == "abc d"


# ---- anonymity ----


def test_a_team_may_be_anonymous_within_the_rule(participant: Client, cast: Cast) -> None:
    until = timezone.now().date() + timedelta(days=100)
    post_words(participant, cast, accepted(cast), anonymous_until=until.isoformat())
    assert Submission.objects.get().anonymous_until == until


def test_a_team_may_not_be_anonymous_longer(participant: Client, cast: Cast) -> None:
    until = timezone.now().date() + timedelta(days=300)
    page = refusal_in(post_words(participant, cast, accepted(cast), anonymous_until=until.isoformat()))
    assert "expected a day after today, up to" in page


def test_a_board_without_embargoes_does_not_ask(participant: Client, cast: Cast) -> None:
    cast.board.embargo_months = 0
    cast.board.save()
    assert b"anonymous until" not in participant.get("/b/web-docs/submit/").content
    post_words(participant, cast, accepted(cast), anonymous_until=str(date.max))
    assert Submission.objects.get().anonymous_until is None


# ---- who submits ----


def test_who_is_not_signed_in_is_asked_to(client: Client, cast: Cast) -> None:
    assert client.get("/b/web-docs/submit/").url == "/accounts/login/?next=/b/web-docs/submit/"


def test_who_is_in_no_team_is_led_to_found_one(client: Client, cast: Cast) -> None:
    client.force_login(cast.organiser)
    page = client.get("/b/web-docs/submit/").content.decode()
    assert f"{reverse('create_team')}?next=/b/web-docs/submit/" in page


def test_who_is_in_several_teams_chooses(participant: Client, cast: Cast) -> None:
    second = make_team("Second", cast.participant)
    page = participant.get("/b/web-docs/submit/").content.decode()
    assert '<a href="/b/web-docs/submit/?team=kestrel-lab" aria-current="true">Kestrel Lab</a>' in folded(page)
    page = participant.get("/b/web-docs/submit/", {"team": "second"}).content.decode()
    assert '<input type="hidden" name="team" value="second">' in page
    settled(cast, "first", 4)
    page = participant.get("/b/web-docs/submit/", {"team": second.slug}).content.decode()
    assert "1 of 2" in page, "what one person sent with another team counts too"


def test_the_team_of_the_file_is_charged(participant: Client, cast: Cast) -> None:
    second = make_team("Second", cast.participant)
    post_words(participant, cast, accepted(cast, team=second))
    assert Charge.objects.get().team == second


@pytest.mark.parametrize("who", ["stranger", "organiser"])
def test_nobody_submits_the_file_of_another_team(client: Client, cast: Cast, who: str) -> None:
    """An organiser sees the file, and still cannot."""
    user = getattr(cast, who)
    if who == "organiser":
        make_team("Organising", user)
    client.force_login(user)
    assert "Found no file" in refusal_in(post_words(client, cast, accepted(cast)))


def test_who_left_the_team_cannot_submit_for_it(participant: Client, cast: Cast) -> None:
    upload = accepted(cast)
    Membership.objects.filter(user=cast.participant).delete()
    post_words(participant, cast, upload)
    assert not Submission.objects.exists()


def test_who_judges_does_not_submit(participant: Client, cast: Cast) -> None:
    upload = accepted(cast)
    BoardRole.objects.create(board=cast.board, user=cast.participant, role=Role.ASSESSOR)
    response = post_words(participant, cast, upload)
    assert b"to look on or to judge" in response.content
    assert not Submission.objects.exists()


def test_a_private_board_is_not_there_for_others(participant: Client, cast: Cast) -> None:
    cast.board.is_public = False
    cast.board.save()
    assert participant.get("/b/web-docs/submit/").status_code == 404
    BoardRole.objects.create(board=cast.board, user=cast.participant, role=Role.PARTICIPANT)
    assert participant.get("/b/web-docs/submit/").status_code == 200


def test_who_is_in_no_team_is_told_first_that_the_board_is_closed(client: Client, cast: Cast) -> None:
    Board.objects.filter(pk=cast.board.pk).update(closes_at=timezone.now() - timedelta(days=1))
    client.force_login(make_user("newcomer"))
    page = client.get("/b/web-docs/submit/").content.decode()
    assert "The board is closed; it takes no runs." in page
    assert "Found a team" not in page


def test_a_closed_board_says_so_and_takes_nothing(participant: Client, cast: Cast) -> None:
    upload = accepted(cast)
    cast.board.closes_at = timezone.now()
    cast.board.save()
    assert b"Closed since" in participant.get("/b/web-docs/submit/").content
    assert "is closed since" in refusal_in(post_words(participant, cast, upload))


@pytest.mark.parametrize("number", ["0", "999", "x", "-1", "9" * 40, "1;drop"])
def test_a_number_that_is_no_file_is_no_fault_of_the_server(participant: Client, cast: Cast, number: str) -> None:
    assert participant.get("/b/web-docs/submit/", {"upload": number}).status_code == 200
    assert "Found no file" in refusal_in(
        participant.post("/b/web-docs/submit/", WORDS | {"upload": number, "file": GOOD.decode()[:100]})
    )
