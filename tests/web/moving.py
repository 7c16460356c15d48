"""A board with a past, written into a bundle, and taken from it on a server that is empty: what must be equal then.

Ranks of the relevant document, by hand: the baseline has it at 5 on every query, R1 at 4, R2 at 2, R3 (anonymous) at 1.
Labels of a second version are published after R2 (see `versions`); R4 is withdrawn, R5 could not be scored.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from django_ox.testing import run_tasks
from pytest_django import DjangoDbBlocker
from tests.web.cast import OFFICIAL, Cast, even_ranks, make_cast, make_upload, make_user, run_text
from tests.web.drawing import figures_left_out
from tests.web.runs import accepted, settled
from tests.web.versions import do_tasks, publish_labels

from toprung.boards.archive.signing import SigningKey
from toprung.boards.archive.verifying import verify_bundle
from toprung.data.run_card import RunCard
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.models.people import Team, User
from toprung.web.core.models.runs import FirstRankColumn, ScoreColumn, Submission, Upload
from toprung.web.services.bundle.exporting import Exported, export_board
from toprung.web.services.bundle.restoring import Restored, restore_board
from toprung.web.services.claims.settle import settle_board
from toprung.web.services.claims.void import void_claim
from toprung.web.services.claims.withdraw import withdraw
from toprung.web.services.labels.access_log import note_view
from toprung.web.services.runs.check import check_upload
from toprung.web.services.runs.edit import edit_card
from toprung.web.services.runs.fail import fail_submission
from toprung.web.services.runs.score import score_submission
from toprung.web.services.runs.sketch import without_sketch
from toprung.web.services.runs.submit import add_baseline, submit

KEY = SigningKey(bytes(range(32)))
SERVER = "https://old.example.org"
REASON = "The board moves to another host."
HIDDEN_NAME = "quokka-hideout"


def make_past(cast: Cast, folder: Path) -> Board:
    """All that can happen to a board, once; `cast.board` afterwards."""
    board = cast.board
    Board.objects.filter(pk=board.pk).update(quota=20, other_measures=["nDCG@10"])
    board.refresh_from_db()
    baseline = make_upload(board, None, cast.organiser, run_text(even_ranks(5)))
    check_upload(baseline.pk)
    baseline.refresh_from_db()
    score_submission(add_baseline(baseline, RunCard(name="bm25"), by=cast.organiser).pk)
    settle_board(board.pk)
    _refuse(cast)
    first = settled(cast, "first", 4)
    settled(cast, "second", 2, team=cast.other_team, user=cast.stranger, tags=("dense",))
    publish_labels(cast, folder)
    do_tasks(cast)
    until = timezone.now().date() + timedelta(days=90)
    settled(cast, HIDDEN_NAME, 1, anonymous_until=until)
    edit_card(first, replace(first.card, description="Told anew."), by=cast.mate)
    withdraw(settled(cast, "fourth", 3), by=cast.participant)
    failed = submit(accepted(cast, run_text(even_ranks(6))), RunCard(name="fifth"), by=cast.participant)
    fail_submission(failed.pk, "no such thing")
    note_view(board.label_sets.get(use=LabelUse.PRIVATE), ["p01"], reason="A team asked about it.", by=cast.organiser)
    claim = board.claims.filter(voided_at=None).order_by("number").first()
    if claim is not None:
        void_claim(claim, reason="It was made with labels of before.", by=cast.organiser)
    do_tasks(cast)
    return board


def _refuse(cast: Cast) -> Upload:
    refused = make_upload(cast.board, cast.team, cast.participant, b"q01 Q0 d1 one 1.0 x\n", file_name="broken.txt")
    check_upload(refused.pk)
    return refused


def export(board: Board, path: Path, *, by: User, reason: str | None = REASON, with_texts: bool = False) -> Exported:
    return export_board(board, path, by=by, key=KEY, made_by=SERVER, reason=reason, with_texts=with_texts)


@dataclass(frozen=True, kw_only=True)
class Past:
    """A board as it was on the server before, and the bundles made of it."""

    full: Path
    """With the hidden labels."""
    plain: Path
    told: dict[str, list[Any]]
    """As the first of them has it."""
    told_plain: dict[str, list[Any]]
    columns: list[Any]
    emails: list[str]
    outcome: dict[str, Any]
    """Of a run that came after."""


@pytest.fixture(scope="session")
def past(django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory) -> Past:
    """Made once; nothing of it is in the database that tests see, so theirs is that of an empty server."""
    folder = tmp_path_factory.mktemp("past")
    full, plain = folder / "full.toprung", folder / "plain.toprung"
    with django_db_blocker.unblock(), transaction.atomic(), figures_left_out(), pytest.MonkeyPatch.context() as patch:
        patch.setattr("toprung.web.services.results.compare.store.MOST_IN_ADVANCE", 2)
        cast = make_cast(is_hidden=True)
        board = make_past(cast, folder)
        export(board, full, by=cast.organiser)
        told = tell_all(board)
        export(board, plain, by=cast.organiser, reason=None)
        made = Past(
            full=full,
            plain=plain,
            told=told,
            told_plain=tell_all(board),
            columns=tell_columns(board),
            emails=list(User.objects.values_list("email", flat=True)),
            outcome=outcome_of(submit_anew(board, cast.other_team, cast.stranger)),
        )
        transaction.set_rollback(True)
    return made


def make_newcomer(name: str = "newcomer", **fields: Any) -> User:
    """Somebody who may make boards, on a server that has none."""
    return make_user(name, may_create_boards=True, **fields)


def import_from(path: Path, *, by: User, joins_teams: bool = False) -> Restored:
    return restore_board(verify_bundle(path), by=by, joins_teams=joins_teams)


def tell_all(board: Board) -> dict[str, list[Any]]:
    """Everything that must be the same on both servers, with people, teams, runs and labels by name."""
    board = Board.objects.get(pk=board.pk)
    runs = board.submissions.select_related("team", "user", "upload").order_by("number")
    return {
        "board": [
            {
                field.name: getattr(board, field.name)
                for field in Board._meta.concrete_fields
                if field.name not in ("id", "holder", "created_by", "imported")
            },
            None if board.holder is None else board.holder.run_id,
        ],
        "runs": [(_plain(run), _plain(run.upload), run.team and run.team.name, run.user.name) for run in runs],
        "files": [(_read(run.upload.original), _read(run.upload.parquet)) for run in runs],
        "refused": [(_plain(each), each.user.name, run.run_id) for run in runs for each in run.refused_uploads.all()],
        "edits": [(_plain(each), each.user.name) for run in runs for each in run.edits.order_by("pk")],
        "charges": [(each.submission.run_id, each.team.name, each.at) for each in board.charges.order_by("at", "pk")],
        "labels": [(_plain(each), each.published_by and each.published_by.name) for each in _labels(board)],
        "claims": [
            (_plain(each), each.submission.run_id, each.holder.run_id, each.label_set.version, each.label_set.use)
            for each in board.claims.order_by("number")
        ],
        "standings": [
            (_plain(each), each.submission.run_id)
            for each in board.standings.order_by("labels_version", "audience", "place")
        ],
        "results": [_plain(each) for each in board.results.order_by("labels_version", "kind", "key", "audience")],
        "accesses": [(_plain(each), each.user.name) for each in board.label_accesses.order_by("pk")],
        "audit": [_plain(each) for each in board.audit.order_by("number")],
    }


def tell_columns(board: Board) -> list[Any]:
    """What runs score on each query."""
    found: list[Any] = []
    for model in (FirstRankColumn, ScoreColumn):
        for each in model._default_manager.filter(submission__board=board).select_related("submission", "label_set"):
            labels = each.label_set
            measure = getattr(each, "measure", "")
            key = (each.submission.run_id, labels.use, labels.version, measure)
            found.append((*key, getattr(each, "mean", None), bytes(each.packed)))
    return sorted(found, key=lambda each: each[:4])


def _read(file: Any) -> bytes:
    with file.storage.open(file.name) as opened:
        return bytes(opened.read())


def _labels(board: Board) -> Any:
    return board.label_sets.order_by("pk")


def _plain(row: Any) -> dict[str, Any]:
    """Its own values, without keys and files; a sketch stays where it was made."""
    left_out = {"id", "attempts"}
    values = {
        field.name: getattr(row, field.name)
        for field in type(row)._meta.concrete_fields
        if not field.is_relation and field.name not in left_out and not hasattr(field, "upload_to")
    }
    return values | ({"report": without_sketch(values["report"])} if "report" in values else {})


def submit_anew(board: Board, team: Team, user: User) -> Submission:
    """A new run that has every answer of the second version first: it scores 1, and claims the rung."""
    ranks = even_ranks(1) | dict.fromkeys(OFFICIAL[:20], 2)
    upload = make_upload(board, team, user, run_text(ranks, team="-new"))
    check_upload(upload.pk)
    upload.refresh_from_db()
    return submit(upload, RunCard(name="new"), by=user)


def outcome_of(submission: Submission) -> dict[str, Any]:
    """What becomes of it once the worker is done with it."""
    run_tasks(raise_failures=True)
    submission.refresh_from_db()
    claim = getattr(submission, "claim", None)
    holder = Board.objects.get(pk=submission.board_id).holder
    return {
        "label": submission.run_id,
        "score": submission.score,
        "shown": submission.shown_score,
        "claim": claim and (claim.number, claim.p, claim.level, claim.passed, claim.smallest_gain, claim.evidence),
        "holder": holder and holder.run_id,
        "places": list(submission.standings.order_by("audience").values_list("audience", "place", "content")),
    }
