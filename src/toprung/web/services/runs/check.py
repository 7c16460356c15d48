"""Can this file be used? Checked as ``toprung validate`` does, kept as Parquet, scored on the public dev labels.

No hidden label is read here, so nothing is charged and nothing the check says tells how well the run does.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files import File
from django.db import transaction
from django.db.models import F

from toprung.data.formats.archives import refuse_archive
from toprung.data.formats.content import Limits, read_content
from toprung.data.formats.problems import Problem
from toprung.data.formats.runs.files import read_run, write_stored_run
from toprung.data.formats.runs.validate import Validation, validate_run
from toprung.data.run import Run
from toprung.errors import FormatError, NoOverlapError, TooLargeError
from toprung.scoring.evaluate import evaluate
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.core.models.runs import Upload, UploadState
from toprung.web.core.store.columns import labels_of, query_ids_of
from toprung.web.core.store.files import FilesAwayError, local_path
from toprung.web.services.runs.copies import find_copies, ranking_digest
from toprung.web.services.runs.findings import WHOLE_FILE, FileFinding, Report, find_faults, find_passed, finding_of
from toprung.web.services.runs.forget import forget_files
from toprung.web.services.runs.near_duplicates import (
    compare_with_earlier,
    earlier_runs,
    say_different,
    say_near_duplicate,
)
from toprung.web.services.runs.quoting import QuotedLine, count_lines, is_quoted, lines_to_quote, quote, read_lines
from toprung.web.services.runs.score import measures_of
from toprung.words.wording import say_count

MOST_ATTEMPTS = 4
"""A check that was begun so often and never came to an end is not begun again."""
LONGEST_LINE = 1 << 16
SPARE_LINES, LEAST_LINES = 10, 1_000_000
"""A file may have so many times the lines that the board can use, for it may be of more queries; to read more would
only keep others waiting."""


@dataclass(frozen=True, kw_only=True)
class Checked:
    """What came of a check; there is a run where the file was accepted."""

    report: Report
    run: Run | None = None
    dev_scores: dict[str, Any] = field(default_factory=dict)


def check_upload(pk: int) -> None:
    """Check one upload; a second call finds it checked and does nothing."""
    upload = Upload.objects.select_related("board", "team").filter(pk=pk).first()
    if upload is None or not upload.is_being_checked:
        return
    begun = Upload.objects.filter(pk=pk, state__in=(UploadState.WAITING, UploadState.CHECKING))
    if not begun.update(state=UploadState.CHECKING, attempts=F("attempts") + 1):
        return  # another worker was faster
    if upload.attempts >= MOST_ATTEMPTS:
        _finish(upload, _give_up(upload))
        return
    try:
        with local_path(upload.original) as path:
            _finish(upload, _check(upload, path))
    except FilesAwayError:  # which is no fault of the file
        Upload.objects.filter(pk=pk).update(attempts=F("attempts") - 1)
        raise


def expected_queries(board: Board) -> list[str]:
    """Those of all sets, private ones among them: which set a query is of is not told."""
    sets = board.label_sets.filter(is_current=True).exclude(use=LabelUse.DEV)
    return sorted({query for labels in sets for query in query_ids_of(labels)})


def dev_labels(board: Board) -> LabelSet | None:
    """What dry runs are scored on; hidden labels never are, for dry runs cost nothing."""
    return board.label_sets.filter(use=LabelUse.DEV, is_current=True, is_hidden=False).first()


def _check(upload: Upload, path: Path) -> Checked:
    try:
        _look_at(upload, path)
        report = _validate(upload, path)
        if not report.is_valid:
            return Checked(report=report)
        run = read_run(path, limits=_limits())
    except FormatError as error:
        return Checked(report=Report(file_name=upload.file_name, findings=[finding_of(error)]))
    report = _compare(upload, run, report)
    return Checked(report=report, run=run, dev_scores=_score_on_dev(upload.board, run))


def _look_at(upload: Upload, path: Path) -> None:
    """Before the lines are read one by one: is it a text, and not far longer than a run of this board can be?"""
    content = read_content(path, _limits())
    refuse_archive(content, upload.file_name)
    most = max(LEAST_LINES, SPARE_LINES * upload.board.depth * len(expected_queries(upload.board)))
    n_lines = count_lines(content)
    if n_lines > most:
        raise TooLargeError(
            source=upload.file_name,
            found=say_count(n_lines, "line"),
            expected=f"at most {most:,}, which is many times what the queries of this board need",
        )


def _limits() -> Limits:
    return Limits(max_bytes=settings.ENVIRONMENT.max_unpacked_bytes, max_line_bytes=LONGEST_LINE)


def _validate(upload: Upload, path: Path) -> Report:
    board, expected = upload.board, expected_queries(upload.board)
    labels = dev_labels(board)
    found = validate_run(
        path,
        query_ids=expected,
        optional_query_ids=() if labels is None else query_ids_of(labels),
        max_depth=board.depth,
        limits=_limits(),
    )
    quotes = _quote_all(found, path)
    faults = find_faults(found, n_expected=len(expected), quote=lambda problem: quotes.get(problem, []))
    return Report(
        file_name=upload.file_name,
        findings=list(faults),
        passed=list(find_passed(found, board.depth)),
        format=found.format.value,
        rows=found.n_rows,
        queries=found.n_queries,
    )


def _quote_all(found: Validation, path: Path) -> dict[Problem, list[QuotedLine]]:
    """The lines of the first problem of each kind; the file is read again only where there are any."""
    problems = [kept[0] for kept in found.findings.first.values() if is_quoted(kept[0])]
    if not problems:
        return {}
    numbers = [number for problem in problems for number in lines_to_quote(problem)]
    lines = read_lines(read_content(path, _limits()), numbers)
    return {problem: quote(problem, lines, found.format.layout) for problem in problems}


def _compare(upload: Upload, run: Run, report: Report) -> Report:
    """With the earlier runs of the team: near-duplicates are found, else what differs from the latest is said."""
    compared = list(compare_with_earlier(run, earlier_runs(upload.board, upload.team)))
    refuses = upload.board.refuses_near_duplicates
    close = [say_near_duplicate(each, is_refused=refuses) for each in compared if each.is_close]
    different = [say_different(each) for each in compared[:1] if not each.is_close]
    digest = ranking_digest(run)
    return replace(
        report,
        findings=[*find_copies(upload, run, digest), *close, *report.findings],
        ranking=digest,
        passed=[*report.passed, *different],
        compared_with=[each.label for each in compared],
    )


def _score_on_dev(board: Board, run: Run) -> dict[str, Any]:
    """The dry run; empty where the board has no dev labels."""
    labels = dev_labels(board)
    if labels is None:
        return {}
    try:
        found = evaluate(labels_of(labels), {"run": run}, measures_of(board))
    except NoOverlapError:
        return {"n_queries": labels.n_queries, "scores": []}
    scores = [[measure, found.value("run", measure)] for measure in measures_of(board)]
    return {"n_queries": labels.n_queries, "scores": scores}


def _give_up(upload: Upload) -> Checked:
    finding = FileFinding(
        severity="error",
        where=WHOLE_FILE,
        what="The check did not come to an end, however often it was begun.",
        fix="The file may be too large for this server. Send it packed and cut to the depth of the board, or ask the "
        "organisers. Nothing was counted against your quota.",
    )
    return Checked(report=Report(file_name=upload.file_name, findings=[finding]))


def _finish(upload: Upload, checked: Checked) -> None:
    is_accepted = checked.run is not None and checked.report.is_valid
    with tempfile.TemporaryDirectory() as folder:
        parquet = Path(folder) / "run.parquet"
        if is_accepted and checked.run is not None:
            write_stored_run(checked.run, parquet)
        with transaction.atomic():
            locked = Upload.objects.select_for_update(no_key=True).filter(pk=upload.pk).first()
            if locked is None or locked.state != UploadState.CHECKING:
                return  # another worker took over and was faster, or the file was forgotten
            locked.report, locked.dev_scores = checked.report.to_dict(), checked.dev_scores
            if is_accepted:
                _keep(locked, parquet)
            else:
                _refuse(locked)
            locked.save()


def _keep(upload: Upload, parquet: Path) -> None:
    upload.state = UploadState.ACCEPTED
    if upload.parquet.name:
        return  # checked again: the file is the same
    with parquet.open("rb") as file:
        upload.parquet.save(f"{upload.digest.removeprefix('sha256:')}.parquet", File(file), save=False)


def _refuse(upload: Upload) -> None:
    """What cannot be used is not kept; what was found in it is."""
    upload.state = UploadState.REFUSED
    forget_files(upload)
