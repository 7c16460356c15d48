"""What is in a file of texts that was sent? Told by a child process: no database, no Django."""

from __future__ import annotations

from pathlib import Path

from toprung.data.formats.archives import refuse_archive
from toprung.data.formats.content import Limits, stream_content
from toprung.data.formats.tables.text_blocks import BlockedTexts, TextCaps, pack_texts

MOST_TEXTS = 1_000_000
LONGEST_TEXT = 100_000
LONGEST_LINE = 1 << 20
"""Bytes: what is longer is no passage."""


def read_texts_file(path: Path, blocks: Path, max_bytes: int) -> BlockedTexts:
    """Check the file and write its blocks; a FormatError says what is wrong with it."""
    limits = Limits(max_bytes=max_bytes, max_line_bytes=LONGEST_LINE)
    for piece in stream_content(path, limits):
        refuse_archive(piece, str(path))
        break
    caps = TextCaps(limits=limits, most_texts=MOST_TEXTS, longest_text=LONGEST_TEXT)
    return pack_texts(path, blocks, caps)
