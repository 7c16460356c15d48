"""How do the data files of a bundle come back? Checked as if they were given here; their texts are packed anew."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from toprung.boards.archive import tables
from toprung.boards.archive.bundle import Bundle
from toprung.boards.archive.rows import Row
from toprung.data.formats.tables.text_blocks import BlockedTexts
from toprung.errors import InputError
from toprung.web.core.models.boards import Board
from toprung.web.core.models.data import TEXT_KINDS, DataFile
from toprung.web.core.store.files import local_path
from toprung.web.services.bundle.fields import decode
from toprung.web.services.bundle.files_in import StoredFiles
from toprung.web.services.bundle.stored_tables import Here, find_named
from toprung.web.services.data.give import MOST_FILES, FileSaid, blocks_of, check_said, keep_blocks, read_link


@dataclass(frozen=True, kw_only=True)
class TextsToKeep:
    """The texts of a bundle's files, by place: what was found, and where the blocks lie."""

    found: dict[int, tuple[BlockedTexts | None, Path | None]] = field(default_factory=dict)


@contextmanager
def packed_texts(bundle: Bundle, files: StoredFiles) -> Iterator[TextsToKeep]:
    """Read before anything is stored, each by a child that may die of it."""
    packed = TextsToKeep()
    with ExitStack() as kept:
        for place, row in enumerate(bundle.rows(tables.DATA_FILES), start=1):
            stored = files.get(tables.data_file(place))
            said = _check(row, place)
            if stored is not None and said.kind in TEXT_KINDS:
                with local_path(DataFile(file=stored).file) as path:
                    packed.found[place] = kept.enter_context(blocks_of(said, path))
        yield packed


def _check(row: Row, place: int) -> FileSaid:
    said = FileSaid(
        kind=row.text("kind"), name=row.text("name"), note=row.text("note"), is_hidden=row.is_so("is_hidden")
    )
    if place > MOST_FILES:
        row.refuse(f"more than {MOST_FILES} data files", "at most that many")
    row.texts("remarks")
    try:
        check_said(said)
        if link := row.text("link"):
            read_link(link)
    except InputError as error:
        row.refuse(f"a data file that cannot be given ({error})", "one that can")
    if link and (said.is_hidden or row.is_so("has_file")):
        row.refuse("a link that is hidden, or has a file", "a link alone")
    return said


def add_data_file(row: Row, place: int, board: Board, here: Here, *, files: StoredFiles, packed: TextsToKeep) -> None:
    """One row with its texts."""
    named = find_named(row, tables.DATA_FILES, here)
    stored = files.get(tables.data_file(place), "")
    made = decode(DataFile, row, others=("added_by", "has_file"), board=board, file=stored, **named)
    if stored:
        made.size = made.file.size
    found, blocks = packed.found.get(place, (None, None))
    if found is not None:
        made.n_texts, made.n_blocks = len(found.ids), found.n_blocks
    made.save(force_insert=True)
    keep_blocks(made, blocks)
