"""How do runs of the past come onto a board? From files and what is known of them, in the order of their dates.

They go the way of every submission: the same check, the same charge (on the day they were made), the same scoring and
claims. From the command line only: who imports says for others what they submitted, and when.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.files import File
from django.core.validators import URLValidator
from django.utils import timezone

from toprung.data.formats.content import digest_of, refuse_stream
from toprung.data.formats.runs.files import run_name
from toprung.data.run_card import LONGEST_TAG, MOST_TAGS, CardValue, RunCard, card_fields
from toprung.data.run_metadata import Metadata, RunMetadata
from toprung.errors import InputError
from toprung.web.core.access.final import require_open_standings
from toprung.web.core.access.labels import require_labels
from toprung.web.core.models.boards import Board
from toprung.web.core.models.people import User
from toprung.web.core.models.runs import Charge, RunState, Submission, Upload, UploadState
from toprung.web.core.names import check_team_name
from toprung.web.core.store.audit import record
from toprung.web.core.store.cards import check_card
from toprung.web.core.store.locks import lock_board
from toprung.web.services.claims.settle import settle_board
from toprung.web.services.people.teams import found_team
from toprung.web.services.results.compute import compute_results
from toprung.web.services.results.validity import compute_validity
from toprung.web.services.runs.check import check_upload
from toprung.web.services.runs.forget import forget, hold, unsubmitted
from toprung.web.services.runs.score import score_submission
from toprung.web.services.runs.submit import check_embargo, check_name, create_submission
from toprung.web.services.runs.turns import CHECKED_BY_IMPORT, queue_next
from toprung.words.wording import list_names, say_count

type Files = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]


@dataclass(frozen=True, kw_only=True)
class PastRun:
    """A run to import: its file, what is known of it, and when it was submitted."""

    path: Path
    known: RunMetadata
    submitted_at: datetime

    @property
    def card(self) -> RunCard:
        """What its page says; what is no address stands in the description."""
        card = self.known.card()
        addresses = {each.name: each.label for each in card_fields() if each.holds is CardValue.ADDRESS}
        said = {name: getattr(card, name) for name in addresses}
        others = {name: text for name, text in said.items() if text and not _is_address(text)}
        description = [card.description, *(f"{addresses[name]}: {text}" for name, text in others.items())]
        changed: dict[str, Any] = dict.fromkeys(others, "") | {"description": "\n\n".join(filter(None, description))}
        return replace(card, **changed)


def import_runs(
    board: Board,
    files: Files,
    metadata: Metadata | None,
    *,
    by: User,
    on_progress: Callable[[str], None] = lambda _: None,
) -> list[Submission]:
    """Put runs of the past onto a board, all or none, in the order of their dates; baselines first.

    Parameters
    ----------
    files
        A folder of run files, or the files. A file belongs to the run of its name (``bm25.run.gz`` to ``bm25``); each
        needs its row in the metadata, and each row its file.
    metadata
        As `read_metadata` gives it; None takes every file as a baseline, named like it. Every run but baselines needs a
        team and a date, up to today and not before that of the last run on the board, for claims are tested in this
        order. A team that is not there is founded; nobody is in it until an organiser invites someone.
    by
        Who imports; the runs are on record as sent by them.
    on_progress
        Called with the name of each run once its file is checked.

    Returns
    -------
    The submissions, charged and queued for the worker; `score_now` does not wait for it. An InputError says what is
    wrong, and nothing was stored then.

    """
    runs = _plan(board, files, metadata)
    with _stored(board, runs, by=by) as uploads:
        for run, upload in zip(runs, uploads, strict=True):
            check_upload(upload.pk)
            _refuse_faulty(run, upload)
            on_progress(run.known.name)
        return _submit_all(board, runs, uploads, by=by)


def score_now(board: Board, *, on_progress: Callable[[str], None] = lambda _: None) -> None:
    """Score and settle what is queued, and compute the pages, without a worker; one that runs finds nothing to do."""
    for submission in board.submissions.filter(state__in=(RunState.QUEUED, RunState.SCORING)).order_by("number"):
        score_submission(submission.pk)
        on_progress(submission.run_id)
    settle_board(board.pk)
    compute_results(board.pk)
    compute_validity(board.pk)


def _plan(board: Board, files: Files, metadata: Metadata | None) -> list[PastRun]:
    """Every run with its file and moment, in order; all that can be said without reading a run is said here."""
    require_labels(board)
    require_open_standings(board)
    paths = _by_name(files)
    metadata = metadata or Metadata(entries=tuple(RunMetadata(name=name, is_baseline=True) for name in paths))
    unknown = [name for name in paths if name not in metadata.by_run]
    missing = [entry.name for entry in metadata.entries if entry.name not in paths]
    if unknown:
        raise InputError(
            f"Found no row for {list_names(unknown)} in the metadata; expected one for each of "
            f"{say_count(len(paths), 'file')}."
        )
    if missing:
        raise InputError(f"Found no file for {list_names(missing)}; expected one for each row of the metadata.")
    dated = _in_order(board, metadata)
    runs = [PastRun(path=paths[entry.name], known=entry, submitted_at=at) for entry, at in dated]
    for run in runs:
        _check_run(board, run)
    return runs


def _by_name(files: Files) -> dict[str, Path]:
    if isinstance(files, str | os.PathLike) and Path(files).is_dir():
        paths = sorted(path for path in Path(files).iterdir() if path.is_file() and not path.name.startswith("."))
    else:
        paths = [Path(files)] if isinstance(files, str | os.PathLike) else [Path(each) for each in files]
    named: dict[str, Path] = {}
    for path in paths:
        refuse_stream(path)
        if not path.is_file():
            raise InputError(f"{path}: found no such file; expected a run.")
        name = run_name(path)
        if name in named:
            raise InputError(f"Found {named[name].name} and {path.name}, both of the run '{name}'; expected one.")
        named[name] = path
    if not named:
        raise InputError("Found no run file; expected at least one.")
    return named


def _in_order(board: Board, metadata: Metadata) -> list[tuple[RunMetadata, datetime]]:
    """Baselines, then the others by date; those of a day a second apart, so that their order is kept."""
    days = [(entry, _day_of(board, entry)) for entry in metadata.entries if not entry.is_baseline]
    days.sort(key=lambda each: each[1])
    first = days[0][1] if days else timezone.now().date()
    baselines = [(entry, entry.date or first) for entry in metadata.entries if entry.is_baseline]
    return [
        (entry, datetime.combine(day, time(), UTC) + timedelta(seconds=place))
        for place, (entry, day) in enumerate([*baselines, *days])
    ]


def _day_of(board: Board, entry: RunMetadata) -> date:
    if not entry.team or entry.date is None:
        missing = "team" if not entry.team else "date"
        raise InputError(f"Found no {missing} for run '{entry.name}'; expected one for every run but baselines.")
    if entry.date > timezone.now().date():
        raise InputError(f"Found {entry.date} as the date of run '{entry.name}'; expected a day that has come.")
    last = board.submissions.filter(is_baseline=False).order_by("-number").first()
    if last is not None and entry.date < last.submitted_at.date():
        raise InputError(
            f"Found run '{entry.name}' of {entry.date}, before {last.run_id} of {last.submitted_at.date()}; expected "
            "runs from that day on: claims are tested in order, and what was tested stays."
        )
    return entry.date


def _check_run(board: Board, run: PastRun) -> None:
    name = run.known.name
    try:
        check_name(board, name)
        check_embargo(board, run.submitted_at.date(), run.known.anonymous_until)
        if not run.known.is_baseline:
            check_team_name(run.known.team)
        _check_lengths(run.card)
        check_card(run.card)
    except InputError as error:
        raise InputError(f"Run '{name}': {error}") from None
    except ValidationError as error:
        field, (says, *_) = next(iter(error.message_dict.items()))
        raise InputError(f"Run '{name}', {field}: {says}") from None


def _check_lengths(card: RunCard) -> None:
    """What the form asks of people, and the database of nobody."""
    longest = max(map(len, card.tags), default=0)
    if len(card.tags) > MOST_TAGS or longest > LONGEST_TAG:
        raise InputError(
            f"Found {say_count(len(card.tags), 'tag')} of up to {longest} letters; expected at most {MOST_TAGS}, each "
            f"of at most {LONGEST_TAG}."
        )
    for each in card_fields():
        if each.holds is CardValue.TEXT and each.limit and len(text := getattr(card, each.name)) > each.limit:
            raise InputError(f"Found a {each.name} of {len(text):,} letters; expected at most {each.limit:,}.")


def _is_address(text: str) -> bool:
    try:
        URLValidator(schemes=("http", "https"))(text)
    except ValidationError:
        return False
    return True


@contextmanager
def _stored(board: Board, runs: Sequence[PastRun], *, by: User) -> Iterator[list[Upload]]:
    """The files as uploads; what was not submitted in the end is not kept."""
    uploads: list[Upload] = []
    try:
        for run in runs:
            uploads.append(_store(board, run.path, by=by))  # noqa: PERF401 - where one fails, those before are known
        yield uploads
    except BaseException:
        for upload in uploads:
            forget(upload)
        raise


def _store(board: Board, path: Path, *, by: User) -> Upload:
    with path.open("rb") as file:
        return Upload.objects.create(
            board=board,
            user=by,
            file_name=path.name[: Upload._meta.get_field("file_name").max_length],
            original=File(file, name="upload"),
            size=path.stat().st_size,
            digest=digest_of(path),
            report=CHECKED_BY_IMPORT,
        )


def _refuse_faulty(run: PastRun, upload: Upload) -> None:
    upload.refresh_from_db()
    if upload.state != UploadState.ACCEPTED:
        findings = upload.report.get("findings", [])
        first = next((each["what"] for each in findings if each["severity"] == "error"), upload.report.get("sentence"))
        raise InputError(f"{run.path.name}: {first} `toprung validate` shows all that is wrong. Nothing was imported.")


def _submit_all(board: Board, runs: Sequence[PastRun], uploads: Sequence[Upload], *, by: User) -> list[Submission]:
    submissions = []
    with lock_board(board.pk) as held:
        for run, upload in zip(runs, uploads, strict=True):
            _check_run(held, run)  # once more: the board is locked only now
            submissions.append(_submit(held, run, upload, by=by))
        days = {submission.submitted_at.date() for submission in submissions}
        record(
            held,
            by,
            f"Imported {say_count(len(submissions), 'run')} of the past, {min(days)} to {max(days)}",
            runs=[submission.run_id for submission in submissions],
        )
        queue_next(by.pk)
    return submissions


def _submit(board: Board, run: PastRun, upload: Upload, *, by: User) -> Submission:
    checked = unsubmitted().filter(state=UploadState.ACCEPTED)
    if hold(upload, checked) is None:
        raise InputError(
            f"{run.path.name}: found its file forgotten or submitted by somebody meanwhile; expected it as it was "
            "checked. Import once more. Nothing was imported."
        )
    if not run.known.is_baseline:
        upload.team = found_team(run.known.team)
    upload.sent_at = run.submitted_at
    upload.save(update_fields=["team", "sent_at"])
    submission = create_submission(board, upload, run.card, by=by, is_baseline=run.known.is_baseline)
    submission.submitted_at, submission.told_at = run.submitted_at, timezone.now()  # no mail about what is long known
    submission.save(update_fields=["submitted_at", "told_at"])
    if upload.team is not None:
        Charge.objects.create(board=board, team=upload.team, submission=submission, at=run.submitted_at)
    record(
        board,
        by,
        f"Imported {submission.run_id}, submitted on {run.submitted_at:%Y-%m-%d}",
        run=submission.run_id,
        file=upload.digest,
    )
    return submission
