"""How are many texts kept so that a few are found fast? In small packed blocks; an id tells which block holds it.

A block is chosen by the digest of the id, never by the order of ids: databases order letters each in their own way.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from toprung.data.formats import problems
from toprung.data.formats.content import Limits
from toprung.data.formats.tables.text_files import iterate_texts
from toprung.errors import FormatError, TooLargeError
from toprung.words.visible import quoted
from toprung.words.wording import say_count

TEXTS_IN_BLOCK = 64
BYTES_IN_BLOCK = 1 << 18
LONGEST_ID = 200
SIZE_BYTES = 8
"""Before each block in a file of blocks: how long it is."""


@dataclass(frozen=True, kw_only=True)
class TextCaps:
    """How much a file of texts may hold."""

    limits: Limits
    most_texts: int
    longest_text: int
    """Characters."""


@dataclass(frozen=True, kw_only=True)
class BlockedTexts:
    """What was found in a file of texts, and in how many blocks it was packed."""

    n_empty: int
    """Ids with no text: they are left out."""
    n_blocks: int
    ids: tuple[str, ...]


def block_of(an_id: str, n_blocks: int) -> int:
    """Which block holds the text of this id.

    >>> block_of("q1", 1), block_of("q1", 1000) == block_of("q1", 1000)
    (0, True)
    """
    return int.from_bytes(hashlib.blake2b(an_id.encode(), digest_size=8).digest()) % n_blocks


def unpack_block(packed: bytes | memoryview) -> tuple[dict[str, str], dict[str, str]]:
    """Texts by id, and the languages of those whose file says one."""
    texts, langs = json.loads(zlib.decompress(packed))
    return texts, langs


def pack_texts(path: Path, blocks: Path, caps: TextCaps) -> BlockedTexts:
    """Check a file of texts and write its blocks, one after the other, each behind its size."""
    texts, langs, n_empty = _read(path, caps)
    n_bytes = sum(len(text) for text in texts.values())
    n_blocks = max(1, -(-len(texts) // TEXTS_IN_BLOCK), -(-n_bytes // BYTES_IN_BLOCK))
    found = BlockedTexts(n_empty=n_empty, n_blocks=n_blocks, ids=tuple(texts))
    shelves: list[dict[str, str]] = [{} for _ in range(n_blocks)]
    while texts:
        an_id, text = texts.popitem()
        shelves[block_of(an_id, n_blocks)][an_id] = text
    with blocks.open("wb") as file:
        for shelf in shelves:
            told = [shelf, {an_id: langs[an_id] for an_id in shelf if an_id in langs}]
            packed = zlib.compress(json.dumps(told, sort_keys=True, ensure_ascii=False).encode())
            file.write(len(packed).to_bytes(SIZE_BYTES))
            file.write(packed)
    return found


def read_blocks(blocks: Path) -> Iterator[bytes]:
    """The blocks of a file, in order."""
    with blocks.open("rb") as file:
        while size := file.read(SIZE_BYTES):
            yield file.read(int.from_bytes(size))


def _read(path: Path, caps: TextCaps) -> tuple[dict[str, str], dict[str, str], int]:
    """All texts by id, their languages, and how many ids have no text."""
    texts: dict[str, str] = {}
    langs: dict[str, str] = {}
    n_empty = n_lines = 0
    for line, an_id, text, lang in iterate_texts(path, caps.limits):
        n_lines += 1
        _check_line(path, line, an_id, text, caps)
        if texts.setdefault(an_id, text) != text:
            found = f"{quoted(an_id)} again with another text"
            raise FormatError(source=str(path), line=line, found=found, expected="one text for each id")
        if lang:
            langs[an_id] = lang
        if n_lines > caps.most_texts:
            found, expected = f"more than {caps.most_texts:,} texts", "at most that many"
            raise TooLargeError(source=str(path), found=found, expected=expected, advice="Give a link instead.")
    for an_id in [an_id for an_id, text in texts.items() if not text]:
        del texts[an_id]
        n_empty += 1
    if not n_lines:
        raise problems.empty_file().to_error(str(path))
    if not texts:
        raise FormatError(
            source=str(path), found=f"{say_count(n_empty, 'id')} without a text", expected="an id and a text"
        )
    return texts, langs, n_empty


def _check_line(path: Path, line: int, an_id: str, text: str, caps: TextCaps) -> None:
    if "\0" in an_id or "\0" in text:
        raise FormatError(source=str(path), line=line, found="a zero character", expected="text")
    if len(an_id) > LONGEST_ID or any(letter < " " for letter in an_id):
        found, expected = f"the id {quoted(an_id)}", f"one of at most {LONGEST_ID} letters on one line"
        raise FormatError(source=str(path), line=line, found=found, expected=expected)
    if len(text) > caps.longest_text:
        raise TooLargeError(
            source=str(path),
            line=line,
            found=f"a text of {len(text):,} characters",
            expected=f"at most {caps.longest_text:,}",
            advice="Give passages, not whole books.",
        )
