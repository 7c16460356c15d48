"""A team sends nearly what it submitted before: said to it, and refused where the board refuses it."""

from __future__ import annotations

import pytest
from django.test import Client
from tests.web.cast import OFFICIAL, PRIVATE, Cast, even_ranks, run_text
from tests.web.runs import accepted, post_words, settled

from toprung.web.core.models.runs import Charge, Submission, UploadState
from toprung.web.services.runs.check import check_upload

ALMOST = even_ranks(4) | {"q01": 5}
"""Another place of one answer of sixty-three, three of them of the dev queries."""


@pytest.fixture
def strict(cast: Cast) -> Cast:
    cast.board.refuses_near_duplicates = True
    cast.board.save()
    return cast


def test_a_near_duplicate_is_a_warning(cast: Cast) -> None:
    settled(cast, "first", 4)
    upload = accepted(cast, run_text(ALMOST))
    assert upload.state == UploadState.ACCEPTED
    (finding,) = upload.report["findings"]
    assert finding["what"] == (
        "Nearly the same as R1: the first 10 are identical on 59 of 60 queries (rank-biased overlap 1.00)."
    )


def test_a_board_may_refuse_it(strict: Cast) -> None:
    settled(strict, "first", 4)
    upload = accepted(strict, run_text(ALMOST))
    assert upload.state == UploadState.REFUSED
    assert upload.report["findings"][0]["fix"] == "Of runs that differ by very small changes this board takes one."


def test_a_different_run_is_said_to_differ(strict: Cast) -> None:
    settled(strict, "first", 4)
    other = "".join(
        f"{query} Q0 new-{query}-{rank} {rank} {-rank} x\n" for query in OFFICIAL + PRIVATE for rank in (1, 2)
    )
    upload = accepted(strict, other.encode())
    assert upload.state == UploadState.ACCEPTED
    assert "Differs from R1 in the first 10 on 60 queries" in upload.report["passed"]


def test_the_runs_of_other_teams_are_not_looked_at(strict: Cast) -> None:
    """Or the check would tell what others submitted."""
    settled(strict, "first", 4, team=strict.other_team, user=strict.stranger)
    upload = accepted(strict, run_text(even_ranks(4)))
    assert upload.state == UploadState.ACCEPTED
    assert "R1" not in str(upload.report)


def test_a_withdrawn_run_counts(strict: Cast) -> None:
    first = settled(strict, "first", 4)
    Submission.objects.filter(pk=first.pk).update(withdrawn_at=first.settled_at)
    assert accepted(strict, run_text(ALMOST)).state == UploadState.REFUSED


def test_two_that_were_checked_together_do_not_pass_each_other(client: Client, strict: Cast) -> None:
    client.force_login(strict.participant)
    one, two = accepted(strict, run_text(even_ranks(4))), accepted(strict, run_text(ALMOST))
    assert post_words(client, strict, one, name="one").status_code == 302
    response = post_words(client, strict, two, name="two")
    assert response.url.endswith(f"upload={two.pk}"), "back to the form, where it is checked again"
    assert (Submission.objects.count(), Charge.objects.count()) == (1, 1)
    two.refresh_from_db()
    assert two.state == UploadState.WAITING
    check_upload(two.pk)
    two.refresh_from_db()
    assert two.state == UploadState.REFUSED
    assert not two.parquet
