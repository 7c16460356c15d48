"""How does a board come back from its bundle? Verified before, stored in one transaction, or nothing is.

Its standings, claims, results and audit digests are those of the bundle; the audit log goes on from its last entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import batched

from django.db import DatabaseError, models, transaction
from django.utils import timezone

from toprung.boards.archive import tables
from toprung.boards.archive.bundle import Bundle
from toprung.boards.archive.following import Tell, tell_nobody
from toprung.boards.archive.rows import Row
from toprung.boards.archive.verifying import Verified
from toprung.errors import FormatError, InputError
from toprung.web.core.models.boards import Board, BoardRole, Role
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.models.people import User
from toprung.web.core.store.audit import find_break, keep_head, record
from toprung.web.core.store.files import FilesAwayError
from toprung.web.core.store.plan import BoardPlan, find_faults
from toprung.web.core.store.stages import EarlierHost, check_stages
from toprung.web.services.bundle.campaigns_in import take_up
from toprung.web.services.bundle.data_in import TextsToKeep, add_data_file, packed_texts
from toprung.web.services.bundle.fields import decode
from toprung.web.services.bundle.files_in import StoredFiles, stored_files
from toprung.web.services.bundle.going_on import go_on
from toprung.web.services.bundle.newcomers import make_people, make_teams
from toprung.web.services.bundle.tables_in import TablesIn
from toprung.words.visible import in_one_line

BATCH = 100


@dataclass(frozen=True, kw_only=True)
class Restored:
    """A board that is here now."""

    board: Board
    renamed: list[str]
    """Teams that have another name here, in words."""


def restore_board(verified: Verified, *, by: User, joins_teams: bool = False, tell: Tell = tell_nobody) -> Restored:
    """The board, organised by who imports it; an InputError says why it cannot be, and nothing was stored then."""
    bundle = verified.bundle
    _check_slug(bundle)
    try:
        with (
            stored_files(bundle, tell=tell) as files,
            packed_texts(bundle, files) as packed,
            transaction.atomic(),
        ):
            return _restore(bundle, files, packed, by=by, joins_teams=joins_teams)
    except FilesAwayError as error:
        raise InputError(
            f"Found the store of the files away ({error}); expected it to answer. Nothing was restored."
        ) from error
    except DatabaseError as error:
        if Board.objects.filter(slug=bundle.facts.board).exists():
            _check_slug(bundle)
        raise FormatError(
            source=bundle.source,
            found=f"rows that contradict each other ({in_one_line(str(error))[:200]})",
            expected="those of one board",
        ) from None


def _check_slug(bundle: Bundle) -> None:
    slug = bundle.facts.board
    if Board.objects.filter(slug=slug).exists():
        raise InputError(
            f"Found a board '{slug}' here already; expected none: its audit log has the name in every digest, so the "
            "board cannot be called otherwise."
        )


def _restore(bundle: Bundle, files: StoredFiles, packed: TextsToKeep, *, by: User, joins_teams: bool) -> Restored:
    board = _make_board(bundle, by=by)
    people = make_people(board, bundle.rows(tables.PEOPLE))
    teams, renamed = make_teams(bundle.rows(tables.TEAMS), joins=joins_teams)
    made = TablesIn(board=board, files=files, people=people, teams=teams)
    for place, row in enumerate(bundle.rows(tables.LABEL_SETS), start=1):
        made.add_labels(row, place)
    for rows in batched(bundle.rows(tables.RUNS), BATCH):
        made.add_runs(rows)
    for place, row in enumerate(bundle.rows(tables.DATA_FILES), start=1):
        add_data_file(row, place, board, made.here, files=files, packed=packed)
    for row in bundle.rows(tables.CAMPAIGNS):
        made.add_campaign(row)
    _store(made.read(bundle.rows))
    take_up(bundle, made.campaigns)
    _set_holder(bundle, board, made)
    _append_stage(bundle, board, people)
    _check_chain(bundle, board)
    BoardRole.objects.create(board=board, user=by, role=Role.ORGANISER)
    record(
        board,
        by,
        f"Imported the board from {in_one_line(bundle.facts.made_by)}, as it stood on {bundle.manifest.made_at}",
        key=bundle.signature.fingerprint,
        follows=bundle.facts.audit_head,
    )
    go_on(board)
    return Restored(board=board, renamed=renamed)


def _check_chain(bundle: Bundle, board: Board) -> None:
    """Once more, as this database gives it back: another may write numbers in another way."""
    keep_head(board, number=bundle.facts.counts["audit_entries"], digest=bundle.facts.audit_head)
    broken = find_break(board)
    if broken is not None:
        raise FormatError(
            source=bundle.source,
            found=f"audit entry {broken:,} other than it was, once it was stored here",
            expected="the same",
        )


def _make_board(bundle: Bundle, *, by: User) -> Board:
    row = bundle.row(tables.BOARD)
    check_stages(row, entries=bundle.facts.counts["audit_entries"])
    board = decode(Board, row, others=("holder", "created_by"), created_by=by)
    _check_settings(row, board)
    board.save(force_insert=True)
    return board


def _check_settings(row: Row, board: Board) -> None:
    """As if the board were made here."""
    if not all(isinstance(each, str) for each in board.other_measures):
        row.refuse("other_measures that are no texts", "names of measures")
    faults = find_faults(BoardPlan.of(board))
    if faults:
        row.refuse(f"settings that no board can have ({faults[0]})", "those of a board")


def _set_holder(bundle: Bundle, board: Board, made: TablesIn) -> None:
    holder = bundle.row(tables.BOARD).text_or_none("holder")
    board.holder = None if holder is None else made.runs[holder]


def _append_stage(bundle: Bundle, board: Board, people: dict[str, User]) -> None:
    scored_on = board.label_sets.filter(is_current=True).exclude(use=LabelUse.DEV)
    stage = EarlierHost(
        made_by=bundle.facts.made_by,
        made_at=bundle.manifest.made_at,
        imported_at=timezone.now().isoformat(),
        key=bundle.signature.fingerprint,
        entries=bundle.facts.counts["audit_entries"],
        people={who: user.name for who, user in people.items()},
        has_labels=not scored_on.filter(file="").exists(),
    )
    board.imported = [*board.imported, stage]
    board.save()


def _store(rows: Iterable[models.Model]) -> None:
    """In batches, for a table may be larger than memory; rows of several models may be mixed."""
    for batch in batched(rows, BATCH):
        for model, same in _by_model(batch):
            model._default_manager.bulk_create(same)


def _by_model(rows: Iterable[models.Model]) -> Iterator[tuple[type[models.Model], list[models.Model]]]:
    found: dict[type[models.Model], list[models.Model]] = {}
    for row in rows:
        found.setdefault(type(row), []).append(row)
    yield from found.items()
