"""The sender is told by mail how a run ended: what the release policy shows, once, and never at the cost of a score."""

from __future__ import annotations

import dataclasses
import smtplib

import pytest
from django.core.mail import EmailMessage
from django_ox.testing import run_tasks
from pytest_django import Settings
from tests.web.cast import Cast
from tests.web.runs import accepted, settled

from toprung.data.run_card import RunCard
from toprung.web.core.models.people import Membership
from toprung.web.core.models.runs import RunState, Submission
from toprung.web.services.results import compute as results
from toprung.web.services.runs import mail
from toprung.web.services.runs.fail import fail_submission
from toprung.web.services.runs.mail import MailNotSentError, tell_sender
from toprung.web.services.runs.submit import submit

pytestmark = pytest.mark.usefixtures("mail_server")


def test_a_run_that_is_done_is_told_with_its_released_score(cast: Cast, mailoutbox: list[EmailMessage]) -> None:
    """Rank 3 on every query is 0.333… in full."""
    run = settled(cast, "first", 3)
    tell_sender(run.pk)
    (message,) = mailoutbox
    assert message.to == [cast.participant.email]
    assert message.subject == "R1 first is scored on Web Docs"
    assert "RR@100: 0.333 (labels v1, " in message.body
    assert "0.3333" not in message.body
    assert message.body.endswith("http://localhost:8000/b/web-docs/runs/R1/\n")


def test_a_score_is_told_in_the_steps_that_pages_show(cast: Cast, mailoutbox: list[EmailMessage]) -> None:
    """Stored as 0.333, and the board shows steps of 0.05 by now: on its page it is 0.35."""
    run = settled(cast, "first", 3)
    cast.board.release = "ladder:0.05"
    cast.board.save()
    tell_sender(run.pk)
    assert "RR@100: 0.35 (labels v1, " in mailoutbox[0].body


def test_a_claim_is_told(cast: Cast, mailoutbox: list[EmailMessage]) -> None:
    settled(cast, "first", 4, team=cast.other_team, user=cast.stranger)
    tell_sender(settled(cast, "better", 1).pk)
    (message,) = mailoutbox
    assert (
        "It scores above R1, which is claim 1 of the board. The claim of R2 over R1 passed its level (p < 0.0001, "
        "level 0.0022): proved to be better, doing no harm."
    ) in message.body


def test_under_the_ladder_a_run_that_moves_nothing_has_no_figure(cast: Cast, mailoutbox: list[EmailMessage]) -> None:
    cast.board.release = "ladder:0.01"
    cast.board.save()
    settled(cast, "best", 1, team=cast.other_team, user=cast.stranger)
    settled(cast, "first", 2)
    unmoved = settled(cast, "worse", 3)
    assert unmoved.shown_score is None
    tell_sender(unmoved.pk)
    (message,) = mailoutbox
    assert "no figure of it is shown" in message.body
    assert "0." not in message.body
    assert "claim" not in message.body


def test_a_run_that_failed_is_told(cast: Cast, mailoutbox: list[EmailMessage]) -> None:
    run = submit(accepted(cast), RunCard(name="first"), by=cast.participant)
    fail_submission(run.pk, "rel-q01 is missing")
    tell_sender(run.pk)
    (message,) = mailoutbox
    assert message.subject == "R1 first could not be scored on Web Docs"
    assert "rel-q01" not in message.body


def test_it_is_told_once(cast: Cast, mailoutbox: list[EmailMessage]) -> None:
    run = settled(cast, "first", 3)
    tell_sender(run.pk)
    tell_sender(run.pk)
    assert len(mailoutbox) == 1


def test_who_left_the_team_is_not_told(cast: Cast, mailoutbox: list[EmailMessage]) -> None:
    run = settled(cast, "first", 3)
    Membership.objects.filter(user=cast.participant).delete()
    tell_sender(run.pk)
    assert not mailoutbox


def test_a_mail_server_that_is_down_costs_no_score(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> None:
        raise smtplib.SMTPServerDisconnected("participant@example.org was refused")

    monkeypatch.setattr(mail, "send_mail", refuse)
    monkeypatch.setattr(results, "compute_results", lambda _: None)
    run = submit(accepted(cast), RunCard(name="first"), by=cast.participant)
    run_tasks()
    run.refresh_from_db()
    assert (run.state, run.score, run.told_at) == (RunState.DONE, 0.5, None)
    with pytest.raises(MailNotSentError) as caught:
        tell_sender(run.pk)
    assert "participant@example.org" not in str(caught.value)


def test_the_mail_is_a_task_of_its_own(
    cast: Cast, mailoutbox: list[EmailMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "compute_results", lambda _: None)
    run = submit(accepted(cast), RunCard(name="first"), by=cast.participant)
    assert not mailoutbox
    run_tasks(raise_failures=True)
    assert len(mailoutbox) == 1
    assert Submission.objects.get(pk=run.pk).told_at is not None


def test_without_a_mail_server_nobody_is_told(cast: Cast, mailoutbox: list[EmailMessage], settings: Settings) -> None:
    settings.ENVIRONMENT = dataclasses.replace(settings.ENVIRONMENT, mail=None)
    tell_sender(settled(cast, "first", 3).pk)
    assert not mailoutbox
