"""An answer is lost and the same is asked again: charged once, answered alike; another wish needs another key."""

from __future__ import annotations

import logging
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from tests.web.api.calling import Program, program_of
from tests.web.cast import Cast, even_ranks, run_text
from tests.web.runs import WORDS, accepted, post_words

from toprung.data.run_card import RunCard
from toprung.web.core.models.boards import Board
from toprung.web.core.models.people import Scope
from toprung.web.core.models.runs import Charge, PartialUpload, Submission, Upload
from toprung.web.services.runs.quota import quota_of
from toprung.web.services.runs.submit import SubmissionRefusedError, submit

KEY = "0b5f9c1e-71d2"
RUNS = "/boards/web-docs/runs"
ATTEMPT = re.compile(r'name="attempt" value="([^"]+)"')


@pytest.fixture
def program(cast: Cast) -> Program:
    return program_of(cast.participant, Scope.READ, Scope.SUBMIT)


def file_of(cast: Cast, rank: int = 2) -> str:
    """An accepted file, as programs name it."""
    upload = accepted(cast, run_text(even_ranks(rank)))
    partial = PartialUpload.objects.create(
        board=cast.board,
        team=cast.team,
        user=cast.participant,
        file_name="run.txt",
        size=upload.size,
        digest=upload.digest,
        received=upload.size,
        upload=upload,
    )
    return str(partial.pk)


def test_a_program_that_asks_again_is_charged_once_and_answered_alike(program: Program, cast: Cast) -> None:
    body = {"file": file_of(cast), **WORDS}
    first, second = (program.ask("POST", RUNS, body, Idempotency_Key=KEY) for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json() == second.json()
    assert (Submission.objects.count(), Charge.objects.count()) == (1, 1)


@pytest.mark.parametrize("changed", [{"name": "second"}, {"description": "Something else."}, {"file": None}])
def test_something_else_under_the_same_key_is_refused(program: Program, cast: Cast, changed: dict[str, str]) -> None:
    body = {"file": file_of(cast), **WORDS}
    assert program.status("POST", RUNS, body, Idempotency_Key=KEY) == 201
    other = body | {name: value or file_of(cast, 3) for name, value in changed.items()}
    refused = program.ask("POST", RUNS, other, Idempotency_Key=KEY)
    assert refused.status_code == 422
    assert refused.json()["detail"].startswith("Found the key of the attempt that became R1, with another file or")
    assert Charge.objects.count() == 1


def test_the_key_of_one_person_is_nothing_to_another(program: Program, cast: Cast) -> None:
    assert program.status("POST", RUNS, {"file": file_of(cast), **WORDS}, Idempotency_Key=KEY) == 201
    mate = program_of(cast.mate, Scope.READ, Scope.SUBMIT)
    body = {"file": file_of(cast, 3), **WORDS, "name": "second"}
    assert mate.ask("POST", RUNS, body, Idempotency_Key=KEY).json()["label"] == "R2"


def test_what_was_refused_may_be_asked_again_under_its_key(program: Program, cast: Cast) -> None:
    """It changed nothing, and nothing is kept of it."""
    file = file_of(cast)
    Upload.objects.update(state="waiting")
    assert program.status("POST", RUNS, {"file": file, **WORDS}, Idempotency_Key=KEY) == 409
    Upload.objects.update(state="accepted")
    assert program.status("POST", RUNS, {"file": file, **WORDS}, Idempotency_Key=KEY) == 201


@pytest.mark.parametrize("key", ["short", "x" * 81, "with blanks in it", "sémantique"])
def test_what_is_no_key_is_refused(program: Program, cast: Cast, key: str) -> None:
    refused = program.ask("POST", RUNS, {"file": file_of(cast), **WORDS}, Idempotency_Key=key)
    assert refused.status_code == 422
    assert not Charge.objects.exists()


def test_without_a_key_a_second_try_is_told_that_the_file_was_submitted(program: Program, cast: Cast) -> None:
    body = {"file": file_of(cast), **WORDS}
    assert [program.status("POST", RUNS, body) for _ in range(2)] == [201, 409]


def test_a_form_that_is_posted_twice_submits_once_and_leads_to_the_same_page(client: Client, cast: Cast) -> None:
    client.force_login(cast.participant)
    upload = accepted(cast)
    page = client.get(reverse("submit", args=["web-docs"]), {"upload": upload.pk}).content.decode()
    found = ATTEMPT.search(page)
    assert found is not None
    first, second = (post_words(client, cast, upload, attempt=found[1]) for _ in range(2))
    assert first.status_code == second.status_code == 302
    assert first["Location"] == second["Location"] == "/b/web-docs/runs/R1/status/"
    assert Charge.objects.count() == 1
    other = client.get(reverse("submit", args=["web-docs"])).content.decode()
    assert ATTEMPT.search(other) is not None
    assert found[1] not in other, "each page is an attempt of its own"


def test_a_form_with_a_fault_keeps_its_key(client: Client, cast: Cast) -> None:
    client.force_login(cast.participant)
    page = post_words(client, cast, accepted(cast), name="", attempt=KEY).content.decode()
    assert f'name="attempt" value="{KEY}"' in page


# ---- the clock ----


def test_a_clock_set_back_frees_nothing_and_says_so(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Two of two are used. Ten days back they would lie in the future, and the window would be empty."""
    for number in range(2):
        submit(accepted(cast, run_text(even_ranks(number + 2))), RunCard(name=f"run {number}"), by=cast.participant)
    third = accepted(cast, run_text(even_ranks(5)))
    now = timezone.now()
    Board.objects.update(opens_at=now - timedelta(days=365))
    monkeypatch.setattr(timezone, "now", lambda: now - timedelta(days=10))
    assert quota_of(cast.board, cast.team, by=cast.participant).left == 0
    with pytest.raises(SubmissionRefusedError, match="Found no submission left"):
        submit(third, RunCard(name="third"), by=cast.participant)
    with caplog.at_level(logging.WARNING, logger="toprung"):
        other = accepted(cast, run_text(even_ranks(6)), team=cast.other_team, user=cast.stranger)
        submit(other, RunCard(name="other"), by=cast.stranger)
    assert "expected it to go forward" in caplog.text
    latest = Charge.objects.latest("pk")
    assert latest.at >= now - timedelta(minutes=5), "it is not counted as ten days old when the clock is right again"


def test_a_clock_that_goes_forward_says_nothing(cast: Cast, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, logger="toprung"):
        submit(accepted(cast), RunCard(name="first"), by=cast.participant)
    assert caplog.text == ""
