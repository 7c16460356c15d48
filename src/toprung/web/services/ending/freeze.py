"""When are standings final? When a closed board has nothing left to score: computed once more, then frozen for good."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from toprung.boards.archive.json_text import write_json
from toprung.boards.disclosure.release import TooFewQueries
from toprung.web.core.access.namer import Namer
from toprung.web.core.access.viewer import Viewer
from toprung.web.core.addresses import address_of
from toprung.web.core.models.boards import Board
from toprung.web.core.models.endings import FinalStandings
from toprung.web.core.models.runs import RunState
from toprung.web.core.queue import finish
from toprung.web.core.store.audit import WORKER, record
from toprung.web.core.store.disclosing import release_of
from toprung.web.core.store.locks import lock_board
from toprung.web.core.store.provenance import shorten
from toprung.web.services.ending.keep_bundle import keep_bundle
from toprung.web.services.labels.access_log import describe
from toprung.web.services.labels.prepare import versions_in_preparation
from toprung.web.services.results.compute import compute_results
from toprung.web.services.shown.board.export import export_view
from toprung.web.services.shown.board.page import open_page
from toprung.words.wording import say_count


def finish_closed_boards() -> None:
    """Ask for it of every board whose day has come; a second call finds nothing to do."""
    for board in Board.objects.filter(closes_at__lte=timezone.now(), final_since=None):
        finish.enqueue(board.pk)
    for kept in FinalStandings.objects.filter(bundle="").select_related("board"):
        finish.enqueue(kept.board_id)


def finish_board(board_pk: int) -> bool:
    """Compute the standings once more and freeze them, if nothing waits; whether they are final now."""
    if _is_due(board_pk):
        compute_results(board_pk)
        with lock_board(board_pk) as board:
            is_computed = board.results_done >= board.results_due
            if is_computed and not board.is_final and not list(what_waits(board)):
                _freeze(board)
    keep_bundle(board_pk)
    return Board.objects.filter(pk=board_pk).exclude(final_since=None).exists()


def what_waits(board: Board) -> Iterator[str]:
    """Why the standings of a closed board are not final yet, a sentence each."""
    if not board.is_closed:
        yield "The board is open."
    if board.lacks_labels:
        yield "The board came without its hidden labels."
    runs = board.submissions.exclude(state=RunState.DONE).exclude(state=RunState.FAILED).count()
    if runs:
        yield f"{say_count(runs, 'run')} {'is' if runs == 1 else 'are'} being scored."
    for labels in versions_in_preparation(board):
        yield f"{describe(labels)} is being prepared: it becomes current first, or you give it up."
    release = release_of(board)
    if isinstance(release, TooFewQueries):
        yield "Scores of so few hidden queries are never shown; open the labels, and they are."
    elif release.is_closed:
        yield f"Scores are held back, as {board.release} says."


def _is_due(board_pk: int) -> bool:
    with lock_board(board_pk) as board:
        if board.is_final or list(what_waits(board)):
            return False
        board.results_due += 1
        board.save(update_fields=["results_due"])
    return True


def _freeze(board: Board) -> None:
    """Call it while the board is locked."""
    board.final_since = timezone.now()
    board.save(update_fields=["final_since"])
    document = _write_document(board)
    digest = f"sha256:{hashlib.sha256(document).hexdigest()}"
    FinalStandings.objects.update_or_create(
        board=board, defaults={"document": document.decode(), "digest": digest, "made_at": board.final_since}
    )
    record(board, WORKER, "The standings are final", digest=digest)


def _write_document(board: Board) -> bytes:
    """What everyone sees of the standings, and of what they are."""
    viewer = Viewer(board=board, namer=Namer.of(board, AnonymousUser()), version=board.shown_version)
    found, labels = viewer.result("board"), viewer.labels()
    closed = board.closes_at or board.final_since
    return write_json(
        {
            "board": board.slug,
            "title": board.title,
            "task": board.task,
            "url": address_of("leaderboard", board.slug),
            "closed_at": None if closed is None else closed.isoformat(),
            "final_since": None if board.final_since is None else board.final_since.isoformat(),
            "measure": board.official_measure,
            "labels_version": board.shown_version,
            "labels_digest": "" if labels is None else shorten(labels.digest),
            "n_queries": 0 if labels is None else labels.n_queries,
            "standings": None if found is None else export_view(open_page(viewer, found, {})).to_dict(),
        },
        indent=1,
    )
