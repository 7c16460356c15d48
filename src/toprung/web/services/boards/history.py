"""What came before this board? The entries of a published leaderboard: dates and scores, never claims.

There are no run files to test, so nothing of them reaches the standings; the page of history draws them by themselves.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone

from toprung.analyses.timeline.published import ScoreTimeline, score_timeline
from toprung.data.submissions import PublishedBoard
from toprung.errors import FormatError, InputError
from toprung.web.core.apart.process import ChildEndedError, run_apart
from toprung.web.core.models.boards import Board
from toprung.web.core.models.people import User
from toprung.web.core.models.results import Audience, StoredResult
from toprung.web.core.store.audit import record
from toprung.web.core.store.locks import lock_board
from toprung.web.services.boards.history_file import read_history_file
from toprung.web.services.results.content import show_result
from toprung.words.wording import say_count

KIND = "history"
MOST_ENTRIES = 2_000


def read_history(path: Path, *, file_name: str, score_column: str = "") -> ScoreTimeline:
    """The entries of the file; an InputError calls it by the name its sender gave it."""
    try:
        board = run_apart(read_history_file, path, score_column or None, limits=settings.ENVIRONMENT.child_limits)
    except ChildEndedError as died:
        found = f"a file that could not be read to its end ({died})"
        raise FormatError(source=file_name, found=found, expected="a leaderboard, as CSV") from None
    except FormatError as error:
        raise FormatError(
            source=file_name,
            line=error.line,
            found=error.found,
            expected=error.expected,
            advice="Name the score's column." if "--score-column" in error.advice else error.advice,
        ) from None
    _check_size(board, file_name)
    return score_timeline(replace(board, source=file_name))


def import_history(board: Board, found: ScoreTimeline, *, by: User) -> None:
    """Show these entries on the page of history, in place of those before; they are public where the board is."""
    content = _show(found)
    with lock_board(board.pk) as held:
        for audience in Audience:
            StoredResult.objects.update_or_create(
                board=held,
                labels_version=0,
                kind=KIND,
                key="",
                audience=audience,
                defaults={"content": content, "generation": held.results_due, "computed_at": timezone.now()},
            )
        entries = say_count(len(found.entries), "entry", "entries")
        record(
            held,
            by,
            f"Imported {entries} of a published leaderboard",
            file=found.leaderboard.source,
            digest=found.leaderboard.digest,
        )


def forget_history(board: Board, *, by: User) -> bool:
    """Take the entries from the page of the board’s history; False where there are none."""
    with lock_board(board.pk) as held:
        deleted, _ = held.results.filter(kind=KIND).delete()
        if deleted:
            record(held, by, "Removed the entries of a published leaderboard")
    return bool(deleted)


def _show(found: ScoreTimeline) -> dict[str, Any]:
    """Published scores are as public as they were; what the library says to who has a command line is left out."""
    from toprung.report.charts.kinds import score_timeline as figure

    content = show_result(found, [figure.draw], Audience.ORGANISERS)
    notes = [note for note in found.notes if "--" not in note]
    return content | {"notes": notes, "n_entries": len(found.entries), "measure": found.leaderboard.score_column}


def _check_size(board: PublishedBoard, file_name: str) -> None:
    if len(board.entries) > MOST_ENTRIES:
        raise InputError(f"{file_name}: found {len(board.entries):,} entries; expected {MOST_ENTRIES:,} at most.")
