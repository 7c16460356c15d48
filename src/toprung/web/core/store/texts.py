"""What do a board's queries and passages say? Looked up by id among the files that its organisers gave.

::

    texts.query(board, "q1")              # "how deep is …", or None
    texts.queries(board, ["q1", "q2"])    # {"q1": "how deep is …"}: those that have a text
    texts.passages(board, doc_ids)        # the same for passages
    texts.told(board, FileKind.PASSAGES, doc_ids)   # each with its language, where the file says it
    texts.has_texts(board, FileKind.PASSAGES)

With ``only_offered`` files that organisers hid are left out. These getters ask nobody for leave. Who shows a text to
somebody asks `access.texts` first, and notes the opening of hidden ones before it shows them (`services.data.opening`).
A lookup costs one query of the database for each file and a millisecond for each block; ids without a text are left
out. Of several files with the same id the newest counts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import NamedTuple

from toprung.data.formats.tables.text_blocks import block_of, unpack_block
from toprung.web.core.models.boards import Board
from toprung.web.core.models.data import DataFile, FileKind, TextBlock

BLOCKS_AT_ONCE = 500
"""So many are asked for by number in one query: SQLite takes no list without end."""


class ToldText(NamedTuple):
    """A text, and the tag of its language; empty where its file says none."""

    text: str
    lang: str


def query(board: Board, query_id: str) -> str | None:
    return queries(board, [query_id]).get(query_id)


def queries(board: Board, query_ids: Collection[str], *, only_offered: bool = False) -> dict[str, str]:
    return _texts(told(board, FileKind.QUERIES, query_ids, only_offered=only_offered))


def passages(board: Board, doc_ids: Collection[str], *, only_offered: bool = False) -> dict[str, str]:
    return _texts(told(board, FileKind.PASSAGES, doc_ids, only_offered=only_offered))


def _texts(found: dict[str, ToldText]) -> dict[str, str]:
    return {an_id: each.text for an_id, each in found.items()}


def has_texts(board: Board, kind: FileKind) -> bool:
    return board.data_files.filter(kind=kind, n_blocks__gt=0).exists()


def told(board: Board, kind: FileKind, ids: Collection[str], *, only_offered: bool = False) -> dict[str, ToldText]:
    """Text and language come from the same file."""
    found: dict[str, ToldText] = {}
    files = board.data_files.filter(
        kind=kind, n_blocks__gt=0, is_hidden__in=(False,) if only_offered else (False, True)
    )
    for file in files.order_by("-pk"):
        found |= _in_file(file, [an_id for an_id in ids if an_id not in found])
    return found


def _in_file(file: DataFile, ids: Iterable[str]) -> dict[str, ToldText]:
    wanted: dict[int, list[str]] = defaultdict(list)
    for an_id in ids:
        wanted[block_of(an_id, file.n_blocks)].append(an_id)
    numbers = sorted(wanted)
    found: dict[str, ToldText] = {}
    for start in range(0, len(numbers), BLOCKS_AT_ONCE):
        blocks = TextBlock.objects.filter(file=file, number__in=numbers[start : start + BLOCKS_AT_ONCE])
        for number, packed in blocks.values_list("number", "packed").iterator():
            texts, langs = unpack_block(packed)
            known = [an_id for an_id in wanted[number] if an_id in texts]
            found |= {an_id: ToldText(texts[an_id], langs.get(an_id, "")) for an_id in known}
    return found
