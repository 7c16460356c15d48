"""How is a board published as plain files? Every public page is asked for, linked to the others, and put in place."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.db.models import Count, Max
from django.utils import timezone

from toprung.boards.archive.manifest import Manifest
from toprung.errors import InputError
from toprung.web.core.models.boards import Board
from toprung.web.core.store.behind import is_behind
from toprung.web.core.store.copies import Copy, copy_of
from toprung.web.ops.publish.addresses import CopyScope
from toprung.web.ops.publish.asking import Asker
from toprung.web.ops.publish.collecting import OnProgress, collect
from toprung.web.ops.publish.contents import PUBLICATION, PublicationFacts, list_files, write_manifest
from toprung.web.ops.publish.folders import check_folder, folder_for
from toprung.web.ops.publish.linking import add_static_files, link_pages
from toprung.web.ops.publish.settings_of_copies import citing

TRIES = 3
"""How often a board is read that changes while it is."""


@dataclass(frozen=True, kw_only=True)
class Published:
    """What was written."""

    first_page: str
    """The name of its file."""
    results_of: datetime | None
    n_files: int
    n_bytes: int
    is_behind: bool
    """Whether newer results were due when it was read."""


def find_board(slug: str) -> Board:
    """For everybody: one that is not public is refused."""
    board = Board.objects.filter(slug=slug).first()
    if board is None:
        known = ", ".join(Board.objects.filter(is_public=True).order_by("slug").values_list("slug", flat=True))
        raise InputError(f"Found no board '{slug}'; expected one of those there: {known or 'none yet'}.")
    _check_is_public(board)
    return board


def publish_board(
    board: Board, folder: Path, *, site: str = "", on_progress: OnProgress = lambda _address, _known: None
) -> Published:
    """Write the public pages of the board into the folder; ``site`` is where people reach it, empty if nobody does."""
    check_folder(folder.resolve())  # before the work, not after it
    for _ in range(TRIES):
        with suppress(_ChangedError), folder_for(folder) as made, citing(site):
            return _write(board, made, site, on_progress)
    raise InputError(f"{board.slug}: found it changing while it was read; expected a quieter moment. Try again.")


def _write(board: Board, made: Path, site: str, on_progress: OnProgress) -> Published:
    before = _state_of(board)
    board.refresh_from_db()
    _check_is_public(board)
    copy, scope = copy_of(board, site=site), CopyScope.of(board.slug)
    found = collect(Asker(copy), scope, made, on_progress)
    link_pages(found, made)
    add_static_files(found, made)
    write_manifest(made, _describe(board, copy))
    if _state_of(board) != before:
        raise _ChangedError
    sizes = [(made / name).stat().st_size for name in list_files(made)]
    return Published(
        first_page=found.files[scope.home],
        results_of=copy.results_of,
        n_files=len(sizes),
        n_bytes=sum(sizes),
        is_behind=is_behind(board),
    )


def _describe(board: Board, copy: Copy) -> Manifest[PublicationFacts]:
    """Of the moment of its results, or of the board before there are some: the same board gives the same bytes."""
    results_of = None if copy.results_of is None else copy.results_of.isoformat(timespec="seconds")
    address = copy.address or None
    return Manifest(
        kind=PUBLICATION,
        made_at=results_of or board.created_at.isoformat(timespec="seconds"),
        facts=PublicationFacts(board=board.slug, title=board.title, address=address, results_of=results_of),
    )


def _check_is_public(board: Board) -> None:
    if not board.is_public:
        raise InputError(
            f"{board.slug}: found a board that is not public; expected one that everybody may see. Its organisers "
            "set that."
        )


class _ChangedError(Exception):
    """While the pages were read, so that they may not belong together."""


def _state_of(board: Board) -> tuple[object, ...]:
    """What pages are made of; the day too, for embargoes lift at its end."""
    stored = Board.objects.filter(pk=board.pk).values_list(
        "is_public", "results_done", "shown_version", "holder", "title", "task", "description", "release", "closes_at"
    )
    results = board.results.exclude(kind="compare").aggregate(Max("computed_at"), Count("pk"))
    runs = board.submissions.aggregate(Count("pk"), Count("withdrawn_at"), Max("edits__pk"))
    claims = board.claims.aggregate(Count("pk"), Count("voided_at"))
    return (stored.get(), tuple(results.items()), tuple(runs.items()), tuple(claims.items()), timezone.now().date())
