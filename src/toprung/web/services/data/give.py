"""How does an organiser give a file, or a link to one? Read apart where its texts are shown, kept whole, on record."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.core.files import File
from django.db import transaction

from toprung.data.formats.content import digest_of
from toprung.data.formats.tables.text_blocks import BlockedTexts, read_blocks
from toprung.errors import FormatError, InputError
from toprung.web.core.apart.process import ChildEndedError, run_apart
from toprung.web.core.models.boards import Board
from toprung.web.core.models.data import TEXT_KINDS, DataFile, FileKind, TextBlock
from toprung.web.core.models.people import User
from toprung.web.core.queue import challenge_by_new_texts, enqueue_once
from toprung.web.core.store.audit import record
from toprung.web.core.store.columns import labels_of
from toprung.web.core.store.locks import lock_board
from toprung.web.services.data.reading import read_texts_file
from toprung.words.wording import list_names, say_count, say_queries

MOST_FILES = 50
BLOCKS_AT_ONCE = 200
NAMED_QUERIES = 3
NAME = re.compile(r"[\w][\w.+-]{0,118}[\w]", re.ASCII)
NO_PART_OF_A_NAME = re.compile(r"[^\w.+-]+", re.ASCII)
LONGEST_NAME = 120
DIGEST = re.compile(r"(?:sha256:)?([0-9a-fA-F]{64})")
EXPECTED_TEXTS = "ids and texts, as TSV (id, tab, text) or JSONL (id, text), plain or packed"


class DataRefusedError(InputError):
    """Nothing was stored, and why."""


@dataclass(frozen=True, kw_only=True)
class FileSaid:
    """What an organiser says of a file."""

    kind: str
    name: str
    note: str = ""
    is_hidden: bool = False


def give_file(board: Board, said: FileSaid, path: Path, *, by: User) -> DataFile:
    """Store what lies at the path; one of the same name is replaced. A DataRefusedError leaves nothing behind."""
    check_said(said)
    if not path.stat().st_size:
        raise DataRefusedError(f"{said.name}: found an empty file; expected at least one line.")
    with blocks_of(said, path) as (found, blocks):
        remarks = [] if found is None else _look_at_ids(board, said, found)
        made = _new(board, said, by, size=path.stat().st_size, digest=digest_of(path), remarks=remarks)
        if found is not None:
            made.n_texts, made.n_blocks = len(found.ids), found.n_blocks
        with path.open("rb") as file:
            made.file.save(made.digest.removeprefix("sha256:"), File(file), save=False)
        try:
            return _put(board, made, blocks, by=by)
        except BaseException:
            made.file.storage.delete(made.file.name or "")
            raise


def name_after(called: str) -> str:
    """A name that a file can have, made of what its sender or the end of a link calls it; empty where nothing is left.

    >>> name_after("queries dev (1).tsv"), name_after("Fragen für alle.tsv"), name_after("..")
    ('queries-dev-1.tsv', 'Fragen-f-r-alle.tsv', '')
    """
    plain = NO_PART_OF_A_NAME.sub("-", called).replace("-.", ".").strip("-.+")
    return plain if len(plain) <= LONGEST_NAME else plain[-LONGEST_NAME:].lstrip("-.+")


def give_link(board: Board, said: FileSaid, link: str, digest: str, *, size: int | None = None, by: User) -> DataFile:
    """Name a file that lies elsewhere, and what its SHA-256 must be."""
    address = read_link(link)  # first: what it is called by is made of it
    check_said(said)
    found = DIGEST.fullmatch(digest.strip())
    if found is None:
        what = "something else" if digest.strip() else "nothing"
        raise DataRefusedError(f"SHA-256: found {what}; expected 64 digits and letters a to f (sha256sum FILE).")
    if said.is_hidden:
        raise DataRefusedError("Found a hidden link; expected a file: what lies elsewhere cannot be hidden here.")
    made = _new(board, said, by, size=size, digest=f"sha256:{found[1].lower()}", remarks=[])
    made.link = address
    return _put(board, made, None, by=by)


def remove_file(file: DataFile, *, by: User) -> None:
    """Its texts go with it; who downloaded it keeps it."""
    with lock_board(file.board_id) as board:
        _delete(file)
        record(board, by, f"Removed the data file {file.name}", kind=file.kind, digest=file.digest)
    _tell_judging(file)


def _new(board: Board, said: FileSaid, by: User, *, size: int | None, digest: str, remarks: list[str]) -> DataFile:
    return DataFile(
        board=board,
        kind=said.kind,
        name=said.name,
        note=said.note.strip(),
        is_hidden=said.is_hidden,
        added_by=by,
        size=size,
        digest=digest,
        remarks=remarks,
    )


def _put(board: Board, made: DataFile, blocks: Path | None, *, by: User) -> DataFile:
    """In the place of one of the same name; what that one held is deleted when this is stored."""
    with lock_board(board.pk) as held:
        before = held.data_files.filter(name=made.name).first()
        if before is None and held.data_files.count() >= MOST_FILES:
            raise DataRefusedError(f"Found {MOST_FILES} files on the board; expected fewer. Remove one first.")
        if before is not None:
            _delete(before)
        made.save()
        keep_blocks(made, blocks)
        verb = "Gave" if before is None else "Replaced"
        record(held, by, f"{verb} the data file {made.name}", kind=made.kind, digest=made.digest, hidden=made.is_hidden)
    _tell_judging(made)
    return made


def _tell_judging(file: DataFile) -> None:
    """Answers that nobody could be shown may be judged now."""
    if file.kind in TEXT_KINDS:
        enqueue_once(challenge_by_new_texts, file.board_id)


def _delete(file: DataFile) -> None:
    """The row with its texts now; what is stored once that cannot be taken back."""
    if file.file:
        transaction.on_commit(partial(file.file.storage.delete, file.file.name or ""))
    file.delete()


def keep_blocks(made: DataFile, blocks: Path | None) -> None:
    if blocks is None:
        return
    rows = (TextBlock(file=made, number=number, packed=packed) for number, packed in enumerate(read_blocks(blocks)))
    TextBlock.objects.bulk_create(rows, batch_size=BLOCKS_AT_ONCE)


@contextmanager
def blocks_of(said: FileSaid, path: Path) -> Iterator[tuple[BlockedTexts | None, Path | None]]:
    """What its texts are and where they were packed, for as long as it is needed; nothing for other files."""
    if said.kind not in TEXT_KINDS:
        yield None, None
        return
    with tempfile.TemporaryDirectory(dir=settings.ENVIRONMENT.incoming) as folder:
        blocks = Path(folder) / "blocks"
        yield _read_apart(said.name, path, blocks), blocks


def _read_apart(name: str, path: Path, blocks: Path) -> BlockedTexts:
    """A DataRefusedError calls the file by the name it was given."""
    environment = settings.ENVIRONMENT
    try:
        return run_apart(read_texts_file, path, blocks, environment.max_unpacked_bytes, limits=environment.child_limits)
    except ChildEndedError as died:
        raise DataRefusedError(
            f"{name}: found a file that could not be read to its end ({died}); expected {EXPECTED_TEXTS}. It is "
            "damaged, or too large for this server."
        ) from None
    except FormatError as error:
        said = FormatError(
            source=name, line=error.line, found=error.found, expected=error.expected, advice=error.advice
        )
        raise DataRefusedError(str(said)) from None


def _look_at_ids(board: Board, said: FileSaid, found: BlockedTexts) -> list[str]:
    """What organisers should know; queries that no labels know at all are refused."""
    remarks = [f"{say_count(found.n_empty, 'id')} without a text left out."] if found.n_empty else []
    if said.kind != FileKind.QUERIES:
        return remarks
    sets = board.label_sets.filter(is_current=True).exclude(file="")
    known = {query_id for labels in sets for query_id in labels_of(labels).query_ids}
    unknown = [query_id for query_id in found.ids if query_id not in known]
    if known and len(unknown) == len(found.ids):
        raise DataRefusedError(
            f"{said.name}: found {say_queries(len(unknown))} ({list_names(unknown, NAMED_QUERIES)}), none of them in "
            "the board's labels; expected texts by the ids that the labels have."
        )
    if unknown:
        named = list_names(unknown, NAMED_QUERIES)
        remarks.append(f"{say_queries(len(unknown)).capitalize()} not in the board's labels ({named}).")
    return remarks


def check_said(said: FileSaid) -> None:
    """Refuse a kind, a name or a note that no file can have."""
    if said.kind not in FileKind.values:
        raise DataRefusedError(f"Kind: found '{said.kind}'; expected one of {', '.join(FileKind.values)}.")
    if not NAME.fullmatch(said.name):
        raise DataRefusedError(
            f"Name: found '{said.name[:60]}'; expected letters, digits, '.', '-' and '_', such as queries-dev.tsv."
        )
    longest = DataFile._meta.get_field("note").max_length or 0
    if len(said.note) > longest or any(letter < " " for letter in said.note):
        raise DataRefusedError(f"Note: found {len(said.note):,} characters; expected one line of at most {longest}.")


def end_of(link: str) -> str:
    """What a link calls its file.

    >>> end_of("https://data.example.org/v2/documents%20all.zst?raw=1")
    'documents all.zst'
    """
    return unquote(link.partition("?")[0].partition("#")[0].rstrip("/").rpartition("/")[2])


def read_link(link: str) -> str:
    """Refuse all but addresses that browsers open safely."""
    longest = DataFile._meta.get_field("link").max_length or 0
    try:
        url = urlsplit(link.strip())
        is_fine = url.scheme == "https" and bool(url.hostname) and not url.username and url.port != 0
    except ValueError:
        is_fine = False
    if not is_fine or len(link) > longest or not link.strip().isprintable():
        raise DataRefusedError(f"Link: found '{link[:60]}'; expected an address that begins with https://.")
    return link.strip()
