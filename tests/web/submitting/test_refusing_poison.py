"""A file ends whatever reads it: it is refused after the second death, its sender and the organisers are told why."""

from __future__ import annotations

import dataclasses
import io
from datetime import timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings
from tests.web import deadly
from tests.web.cast import Cast, make_upload
from tests.web.runs import GOOD, accepted, checked, settled
from tests.web.versions import publish_labels

from toprung.data.run_card import RunCard
from toprung.errors import FormatError
from toprung.web.core.apart.limits import ChildLimits
from toprung.web.core.models.boards import Board
from toprung.web.core.models.public_columns import PublicColumn
from toprung.web.core.models.runs import Charge, RunState, Upload, UploadState
from toprung.web.services.labels.read import LabelPlan
from toprung.web.services.labels.rescore import score_slice
from toprung.web.services.query import fill
from toprung.web.services.query.fill import fill_public_columns
from toprung.web.services.runs import check as checking
from toprung.web.services.runs import score as scoring
from toprung.web.services.runs import tops
from toprung.web.services.runs.check import check_upload
from toprung.web.services.runs.receive import FileRefusedError, check_sender
from toprung.web.services.runs.score import score_or_fail
from toprung.web.services.runs.submit import submit

HOSTILE = Path(__file__).parents[2] / "hostile_files"
POISON = "Found a file that ended the process reading it, 2 times; expected a run."


@pytest.fixture
def tight(settings: Settings) -> None:
    """A second, and hardly more memory than the program itself takes."""
    limits = ChildLimits(memory_bytes=512 << 20, cpu_seconds=1)
    settings.ENVIRONMENT = dataclasses.replace(settings.ENVIRONMENT, child_limits=limits)


def first_error(upload: Upload) -> str:
    upload.refresh_from_db()
    assert upload.state == UploadState.REFUSED
    assert not upload.original, "nothing of it is kept"
    return str(upload.report["findings"][0]["what"])


@pytest.mark.parametrize("name", ["abort.parquet", "bomb.parquet"])
def test_a_file_made_to_break_the_reader_is_refused_or_read_within_the_limits(
    client: Client, cast: Cast, tight: None, name: str
) -> None:
    """One makes Polars ask for exabytes and abort; the other unpacks to gigabytes."""
    client.force_login(cast.participant)
    upload = checked(client, cast, (HOSTILE / name).read_bytes(), name)
    assert first_error(upload)
    page = client.get(reverse("upload", args=["web-docs", upload.pk])).content.decode()
    assert "Cannot be scored yet: 1 error" in page


@pytest.mark.parametrize("does", [deadly.abort, deadly.be_killed], ids=["crash", "kill"])
def test_a_file_that_kills_is_refused_after_two_deaths(
    client: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch, does: Any
) -> None:
    monkeypatch.setattr(checking, "check_file", does)
    client.force_login(cast.participant)
    upload = checked(client, cast)
    assert first_error(upload) == POISON
    assert (upload.attempts, upload.deaths) == (2, 0)
    page = client.get(reverse("upload", args=["web-docs", upload.pk])).content.decode()
    assert POISON in page
    assert "Nothing was counted against your quota, and the organisers are told." in page
    entry = cast.board.audit.latest("number")
    assert entry.what == "Refused a file of Kestrel Lab: whatever read it died, 2 times"
    assert entry.details["file"] == upload.digest


def test_a_worker_that_was_killed_over_a_file_counts_too(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """As by ``kill -9``: nothing is caught, only what was written down before stays."""

    def die(*args: object, **options: object) -> None:
        raise KeyboardInterrupt

    upload = make_upload(cast.board, cast.team, cast.participant, GOOD)
    monkeypatch.setattr(checking, "run_apart", die)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            check_upload(upload.pk)
    check_upload(upload.pk)
    assert first_error(upload) == POISON


def test_one_accident_does_not_refuse_a_good_file(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first child is killed, as where the machine has no memory left; the second does the work."""
    check_file, run_apart, is_first = checking.check_file, checking.run_apart, [True]

    def unlucky(work: Any, asked: Any, **options: Any) -> Any:
        return run_apart(deadly.be_killed if is_first and is_first.pop() else check_file, asked, **options)

    monkeypatch.setattr(checking, "run_apart", unlucky)
    upload = accepted(cast)
    assert (upload.state, upload.attempts, upload.deaths) == (UploadState.ACCEPTED, 2, 0)


@pytest.mark.parametrize(
    ("does", "takes"),
    [(deadly.loop, "more than 1 second of processor time"), (deadly.eat, "more than 512 MB of memory")],
    ids=["time", "memory"],
)
def test_a_file_that_takes_too_much_is_refused_at_once(
    cast: Cast, tight: None, monkeypatch: pytest.MonkeyPatch, does: Any, takes: str
) -> None:
    monkeypatch.setattr(checking, "check_file", does)
    upload = accepted(cast)
    assert first_error(upload) == f"Found a file whose check takes {takes}; expected one that takes less."
    assert upload.attempts == 1, "a second child would take as much"
    assert cast.board.audit.latest("number").what == f"Refused a file of Kestrel Lab: its check takes {takes}"


def test_who_sent_three_files_that_end_their_readers_sends_no_more_for_an_hour(
    client: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each may keep a worker for minutes, in which others wait; in the team it does not matter who sends."""
    check_file = checking.check_file
    monkeypatch.setattr(checking, "check_file", deadly.abort)
    client.force_login(cast.participant)
    for _ in range(3):
        first_error(checked(client, cast))
    monkeypatch.setattr(checking, "check_file", check_file)
    for person in (cast.participant, cast.mate):
        with pytest.raises(FileRefusedError, match="Found 3 files in the last hour that took more than a file may"):
            check_sender(cast.board, cast.team, person)
    check_sender(cast.board, cast.other_team, cast.stranger)
    Upload.objects.update(sent_at=timezone.now() - timedelta(hours=1, seconds=1))
    check_sender(cast.board, cast.team, cast.participant)
    assert checked(client, cast).state == UploadState.ACCEPTED


def test_a_run_that_kills_what_scores_it_fails_and_costs_nothing(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    run = submit(accepted(cast), RunCard(name="first"), by=cast.participant)
    monkeypatch.setattr(scoring, "score_files", deadly.abort)
    score_or_fail(run.pk)
    run.refresh_from_db()
    assert (run.state, run.attempts) == (RunState.FAILED, 1)
    assert not Charge.objects.exists()
    reason = cast.board.audit.latest("number").details["reason"]
    assert reason == "ScoringGivenUpError: whatever scored it ended: it was ended by SIGABRT"


@pytest.fixture
def three(cast: Cast) -> Board:
    """A board with three runs."""
    Board.objects.filter(pk=cast.board.pk).update(quota=10)
    for number in range(3):
        settled(cast, f"run-{number}", number + 1)
    return cast.board


def test_of_many_runs_only_the_one_that_kills_is_not_scored_anew(
    cast: Cast, three: Board, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scoring, "score_files", deadly.dying_of("R2", scoring.score_files))
    labels = publish_labels(cast, tmp_path)
    assert not score_slice(labels.pk, 1, 50)
    labels.refresh_from_db()
    assert labels.failure.startswith("R2 could not be scored on official v2")
    scored = labels.board.submissions.filter(first_ranks__label_set=labels)
    assert [run.run_id for run in scored] == ["R1", "R3"]


def test_of_many_runs_only_the_one_that_kills_is_missing_beside_public_queries(
    three: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fill, "read_public_answers", deadly.dying_of("R2", fill.read_public_answers))
    PublicColumn.objects.all().delete()
    fill_public_columns(three.pk)
    assert {column.submission.run_id for column in PublicColumn.objects.all()} == {"R1", "R3"}


def test_of_many_runs_only_the_one_that_kills_has_no_first_answers(
    three: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tops, "read_top_runs", deadly.dying_of("R2", tops.read_top_runs))
    assert sorted(tops.read_tops(three.submissions.order_by("number"), depth=1)) == ["R1", "R3"]


def test_labels_that_kill_what_reads_them_are_a_fault_of_the_file(tmp_path: Path) -> None:
    plan = LabelPlan(key="file", use="official", path=HOSTILE / "abort.parquet", file_name="official.parquet")
    with pytest.raises(FormatError, match=r"^official\.parquet: found .*; expected "):
        _ = plan.qrels


def test_a_good_parquet_file_is_read_as_ever(cast: Cast, tight: None) -> None:
    """Polars has its threads in the child: they are not lost by the fork."""
    rows = [line.split() for line in GOOD.decode().splitlines()]
    frame = pl.DataFrame(
        {
            "query_id": [row[0] for row in rows],
            "doc_id": [row[2] for row in rows],
            "score": [float(row[4]) for row in rows],
        }
    )
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    upload = accepted(cast, buffer.getvalue())
    assert upload.state == UploadState.ACCEPTED, upload.report
    assert upload.report["rows"] == len(rows)
