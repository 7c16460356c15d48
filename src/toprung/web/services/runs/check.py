"""Can this file be used? Checked as ``toprung validate`` does, kept as Parquet, scored on the public dev labels.

No hidden label is read here, so nothing is charged and nothing the check says tells how well the run does. The file is
read by a child process (`checking`): one that ends its child twice is refused, and so is one that takes too much.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from django.conf import settings
from django.core.files import File
from django.db import transaction
from django.db.models import F, Max

from toprung.data.formats.content import Limits
from toprung.web.core.apart.process import ChildCrashedError, OverLimitError, run_apart
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.core.models.runs import Submission, Upload, UploadState
from toprung.web.core.store.audit import WORKER, record
from toprung.web.core.store.columns import labels_of, query_ids_of
from toprung.web.core.store.files import FilesAwayError, local_path
from toprung.web.core.store.locks import lock_board
from toprung.web.core.store.rules import small_changes
from toprung.web.services.runs.checking import CheckAsked, Checked, DevLabels, check_file, find_near_copy_among
from toprung.web.services.runs.copies import (
    alike_of_others,
    find_copied,
    put_on_record,
    runs_of_others,
    say_copy,
    sketched_queries,
)
from toprung.web.services.runs.earlier import earlier_runs
from toprung.web.services.runs.findings import FileFinding, Report
from toprung.web.services.runs.forget import forget_files
from toprung.web.services.runs.near_duplicates import EarlierRun
from toprung.web.services.runs.poison import MOST_DEATHS, find_endless, find_over_limit, find_poison
from toprung.web.services.runs.score import measures_of

MOST_ATTEMPTS = 4
"""A check that was begun so often and never came to an end is not begun again."""
LONGEST_LINE = 1 << 16
SPARE_LINES, LEAST_LINES = 10, 1_000_000
"""A file may have so many times the lines that the board can use, for it may be of more queries; to read more would
only keep others waiting."""
logger = logging.getLogger(__name__)


def check_upload(pk: int) -> None:
    """Check one upload; a second call finds it checked and does nothing."""
    is_over = False
    while not is_over:
        upload = _begin(pk)
        is_over = upload is None or _try(upload)


def expected_queries(board: Board) -> list[str]:
    """Those of all sets, private ones among them: which set a query is of is not told."""
    sets = board.label_sets.filter(is_current=True).exclude(use=LabelUse.DEV)
    return sorted({query for labels in sets for query in query_ids_of(labels)})


def dev_labels(board: Board) -> LabelSet | None:
    """What dry runs are scored on; hidden labels never are, for dry runs cost nothing."""
    return board.label_sets.filter(use=LabelUse.DEV, is_current=True, is_hidden=False).first()


def _begin(pk: int) -> Upload | None:
    """The upload, to be checked now; None where there is nothing to do, or nothing more to try.

    That it may be the death of its child, or of this worker, is written down before.
    """
    upload = Upload.objects.select_related("board", "team").filter(pk=pk).first()
    if upload is None or not upload.is_being_checked:
        return None
    if upload.deaths >= MOST_DEATHS:
        _refuse_ended(upload, find_poison(), f"whatever read it died, {MOST_DEATHS} times")
        return None
    begun = Upload.objects.filter(pk=pk, state__in=(UploadState.WAITING, UploadState.CHECKING))
    if not begun.update(state=UploadState.CHECKING, attempts=F("attempts") + 1, deaths=F("deaths") + 1):
        return None  # another worker was faster
    if upload.attempts >= MOST_ATTEMPTS:
        _refuse_ended(upload, find_endless(), f"its check came to no end, {MOST_ATTEMPTS} times")
        return None
    return upload


def _try(upload: Upload) -> bool:
    """Whether the check came to an end; else its child died, and it may be begun once more."""
    try:
        with _asked(upload) as asked:
            checked = _check_apart(upload, asked)
            _finish_or_refuse_copy(upload, checked, asked.stored_at)
    except ChildCrashedError as died:
        logger.warning("The child that checked upload %d died: %s", upload.pk, died)
        return False
    except OverLimitError as over:
        _refuse_ended(upload, find_over_limit(over), f"its check takes {over}")
    except FilesAwayError:  # which is no fault of the file
        Upload.objects.filter(pk=upload.pk).update(attempts=F("attempts") - 1, deaths=F("deaths") - 1)
        raise
    except Exception:  # nor is this, though it is not to be tried for ever
        Upload.objects.filter(pk=upload.pk).update(deaths=F("deaths") - 1)
        raise
    return True


def _check_apart(upload: Upload, asked: CheckAsked) -> Checked:
    """By a child; and by another where runs that were not among the latest turn out to be alike."""
    limits, latest = settings.ENVIRONMENT.child_limits, _latest_number(upload.board)
    checked = run_apart(check_file, asked, limits=limits)
    if not checked.report.sketch:
        return checked
    checked = replace(checked, report=replace(checked.report, compared_until=latest))
    compared = {each.label for each in asked.of_others}
    alike = alike_of_others(upload.board, upload.team, checked.report.sketch)
    others = [each for each in alike if each.run_id not in compared]
    if checked.near_copy_of or not others or not asked.stored_at.exists():
        return checked
    with ExitStack() as files:
        near = run_apart(find_near_copy_among, asked.stored_at, _stored(others, files), asked, limits=limits)
    return replace(checked, near_copy_of=near)


def _latest_number(board: Board) -> int:
    return board.submissions.aggregate(latest=Max("number"))["latest"] or 0


@contextmanager
def _asked(upload: Upload) -> Iterator[CheckAsked]:
    """All that a child needs to know, while the files lie where it finds them."""
    board, dev, expected = upload.board, dev_labels(upload.board), expected_queries(upload.board)
    with ExitStack() as files:
        yield CheckAsked(
            path=files.enter_context(local_path(upload.original)),
            file_name=upload.file_name,
            query_ids=expected,
            optional_query_ids=() if dev is None else query_ids_of(dev),
            depth=board.depth,
            most_lines=max(LEAST_LINES, SPARE_LINES * board.depth * len(expected)),
            limits=Limits(max_bytes=settings.ENVIRONMENT.max_unpacked_bytes, max_line_bytes=LONGEST_LINE),
            earlier=_stored(earlier_runs(board, upload.team), files),
            of_others=_stored(runs_of_others(board, upload.team), files),
            sketched=sketched_queries(board, expected),
            rule=small_changes(),
            refuses_near_duplicates=board.refuses_near_duplicates,
            dev=None if dev is None else _to_dev(board, dev),
            stored_at=Path(files.enter_context(tempfile.TemporaryDirectory())) / "run.parquet",
        )


def _stored(runs: Sequence[Submission], files: ExitStack) -> list[EarlierRun]:
    return [EarlierRun(label=each.run_id, path=files.enter_context(local_path(each.upload.parquet))) for each in runs]


def _to_dev(board: Board, labels: LabelSet) -> DevLabels:
    return DevLabels(labels=labels_of(labels), n_queries=labels.n_queries, measures=measures_of(board))


def _refuse_ended(upload: Upload, finding: FileFinding, why: str) -> None:
    """Say so to its sender, beside the file, and to the organisers, in their log."""
    report = Report(file_name=upload.file_name, findings=[finding], ended_reader=True)
    with lock_board(upload.board_id) as board:
        if not _finish(upload, Checked(report=report)):
            return
        record(
            board,
            WORKER,
            f"Refused a file of {upload.team or 'the organisers'}: {why}",
            file=upload.digest,
            name=upload.file_name,
            sent_by=upload.user_id,
        )


def _finish_or_refuse_copy(upload: Upload, checked: Checked, parquet: Path) -> None:
    """Whose run it copies stands in the log, which its sender does not see."""
    copied = None if checked.report.is_dry else find_copied(upload, checked)
    if copied is None:
        _finish(upload, checked, parquet)
        return
    with lock_board(upload.board_id) as board:
        found = replace(checked.report, findings=[say_copy(board), *checked.report.findings])
        if _finish(upload, replace(checked, report=found), parquet):
            put_on_record(board, upload, copied)


def _finish(upload: Upload, checked: Checked, parquet: Path | None = None) -> bool:
    """Record what came of it; False where another worker took over and was faster, or the file was forgotten."""
    with transaction.atomic():
        locked = Upload.objects.select_for_update(no_key=True).filter(pk=upload.pk).first()
        if locked is None or locked.state != UploadState.CHECKING:
            return False
        locked.report, locked.dev_scores, locked.deaths = checked.report.to_dict(), checked.dev_scores, 0
        if parquet is not None and checked.report.is_valid and not checked.report.is_dry:
            _keep(locked, parquet)
        else:
            _let_go(
                locked, UploadState.DRY if checked.report.is_dry and checked.report.is_valid else UploadState.REFUSED
            )
        locked.save()
    return True


def _keep(upload: Upload, parquet: Path) -> None:
    upload.state = UploadState.ACCEPTED
    if upload.parquet.name:
        return  # checked again: the file is the same
    with parquet.open("rb") as file:
        upload.parquet.save(f"{upload.digest.removeprefix('sha256:')}.parquet", File(file), save=False)


def _let_go(upload: Upload, state: UploadState) -> None:
    """What cannot be submitted is not kept; what was found in it is."""
    upload.state = state
    forget_files(upload)
