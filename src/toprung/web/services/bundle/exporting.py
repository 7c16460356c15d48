"""How is a board written into a bundle? As it is at one moment, signed, and on record before it is read.

The entry in the audit log comes first, so it is in the bundle, as its last one or near it: whoever holds the bundle
sees who took it, and an export that broke off is on record too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db.models.fields.files import FieldFile
from django.utils import timezone

from toprung.boards.archive import tables
from toprung.boards.archive.bundle import BUNDLE, BundleFacts
from toprung.boards.archive.checking_judging import WITH_TEXTS
from toprung.boards.archive.following import Tell, tell_nobody
from toprung.boards.archive.json_text import write_json, write_lines
from toprung.boards.archive.manifest import Manifest
from toprung.boards.archive.signing import SigningKey
from toprung.boards.archive.working_folder import working_folder
from toprung.boards.archive.writing import Source, write_new
from toprung.errors import InputError
from toprung.web.core.access.reasons import check_reason
from toprung.web.core.config.environment import Environment
from toprung.web.core.config.served_at import served_at
from toprung.web.core.config.signing_key import signing_key
from toprung.web.core.models.boards import Board
from toprung.web.core.models.people import User
from toprung.web.core.store.audit import record
from toprung.web.core.store.files import FilesAwayError
from toprung.web.core.store.locks import lock_board
from toprung.web.services.bundle.people import Mentioned
from toprung.web.services.bundle.snapshot import snapshot
from toprung.web.services.bundle.tables_out import BoardTables
from toprung.web.services.data.opening import note_hidden_download
from toprung.web.services.labels.access_log import note_export


@dataclass(frozen=True, kw_only=True)
class Exported:
    """A bundle that was written."""

    manifest: Manifest[BundleFacts]
    key: str
    """The fingerprint of the key that signed it."""
    n_anonymous: int
    """Runs whose teams the bundle tells though the board does not yet."""
    n_left: int
    """Data files that stay here: hidden, or with texts that were not asked for."""


def export_board(
    board: Board,
    path: Path,
    *,
    by: User | str,
    key: SigningKey,
    made_by: str,
    reason: str | None = None,
    with_texts: bool = False,
    tell: Tell = tell_nobody,
) -> Exported:
    """Write the bundle; with a ``reason`` what is hidden goes along, and the reason goes on record.

    ``with_texts``: the files of queries, passages and the collection go along, too.

    Nothing is at ``path`` before all of it is; a file that is there already is left alone.
    """
    _check_path(path)
    _put_on_record(board, by=by, reason=reason, with_texts=with_texts)
    with working_folder(path) as folder:
        with snapshot():
            held = Board.objects.select_related("holder").get(pk=board.pk)
            made = BoardTables(board=held, with_hidden=reason is not None, with_texts=with_texts, people=Mentioned())
            counts = _write_tables(made, folder)
            sources = [*_table_sources(folder), *_file_sources(made)]
            about = _describe(made, counts, made_by)
            n_left = held.data_files.count() - len(made.data_files())
            n_anonymous = held.submissions.filter(anonymous_until__gt=timezone.now().date()).count()
        try:
            signed = write_new(path, about, sources, key=key, tell=tell)
        except FileExistsError:
            raise InputError(f"{path}: found a file there now; expected a new name. Give one with --output.") from None
    return Exported(manifest=signed, key=key.fingerprint, n_anonymous=n_anonymous, n_left=n_left)


def export_from_here(
    board: Board,
    path: Path,
    *,
    by: User | str,
    reason: str | None = None,
    with_texts: bool = False,
    tell: Tell = tell_nobody,
) -> Exported:
    """The same with the key and the address of this server."""
    here: Environment = settings.ENVIRONMENT
    key, made_by = signing_key(here), served_at(here)
    try:
        return export_board(
            board, path, by=by, key=key, made_by=made_by, reason=reason, with_texts=with_texts, tell=tell
        )
    except FilesAwayError as error:
        raise InputError(
            f"Found the store of the files away ({error}); expected it to answer. No bundle was written."
        ) from error


def _check_path(path: Path) -> None:
    if path.exists():
        raise InputError(f"{path}: found a file there already; expected a new name. Give one with --output.")
    if not path.parent.is_dir():
        raise InputError(f"{path.parent}: found no such folder; expected one to write into.")


def _put_on_record(board: Board, *, by: User | str, reason: str | None, with_texts: bool) -> None:
    texts = " and with texts" if with_texts else ""
    if reason is None:
        with lock_board(board.pk) as held:
            record(held, by, f"Exported the board without hidden labels{texts}")
        return
    check_reason(reason)
    if not isinstance(by, User):
        raise TypeError(f"found '{by}' for hidden labels; expected a person")
    for labels in board.label_sets.filter(is_hidden=True).exclude(file="").order_by("pk"):
        note_export(labels, reason=reason, by=by)
    for file in board.data_files.filter(is_hidden=True).exclude(file="").order_by("pk"):
        if with_texts or file.kind not in WITH_TEXTS:
            note_hidden_download(file, reason=reason, by=by)
    with lock_board(board.pk) as held:
        record(held, by, f"Exported the board with hidden labels{texts}", reason=check_reason(reason))


def _write_tables(made: BoardTables, folder: Path) -> dict[str, int]:
    counts = {}
    (folder / tables.BOARD).write_bytes(write_json(made.board_row(), indent=1))
    for name, rows in made.write():
        with (folder / name).open("xb") as file:
            counts[name] = 0
            for line in write_lines(rows):
                file.write(line)
                counts[name] += 1
    return counts


def _table_sources(folder: Path) -> Iterator[Source]:
    for name in (tables.BOARD, *tables.TABLES):
        yield Source.of_file(name, folder / name)


def _file_sources(made: BoardTables) -> Iterator[Source]:
    for place, labels in enumerate(made.labels(), start=1):
        if made.includes(labels):
            yield _source_of(tables.label_file(place), labels.file)
    for place, file in enumerate(made.data_files(), start=1):
        if made.includes_data(file):
            yield _source_of(tables.data_file(place), file.file)
    for run in made.board.submissions.select_related("upload").order_by("number"):
        yield _source_of(tables.original_file(run.run_id), run.upload.original)
        yield _source_of(tables.parquet_file(run.run_id), run.upload.parquet)


def _source_of(name: str, file: FieldFile) -> Source:
    try:
        return Source(name=name, size=file.size, open=lambda: file.storage.open(file.name or "", "rb"))
    except FilesAwayError:
        raise
    except (OSError, ValueError):
        raise InputError(
            f"{name}: found no such file in the storage of this server; expected it. Is the storage complete?"
        ) from None


def _describe(made: BoardTables, counts: dict[str, int], made_by: str) -> Manifest[BundleFacts]:
    last = made.board.audit.order_by("-number").first()
    return Manifest(
        kind=BUNDLE,
        made_at=timezone.now().replace(microsecond=0).isoformat(),
        facts=BundleFacts(
            board=made.board.slug,
            title=made.board.title,
            made_by=made_by,
            has_hidden_labels=made.has_hidden,
            has_texts=made.with_texts,
            counts={name: counts[table] for name, table in tables.COUNTED.items()},
            audit_head="" if last is None else last.digest,
        ),
    )
