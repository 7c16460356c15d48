"""Is this an archive? Said in its own words, for a run or label file in a zip or tar is the usual slip."""

from __future__ import annotations

from toprung.data.formats.content import BZIP2, GZIP, ZSTD, Content
from toprung.errors import FormatError

BEGINNINGS = {
    b"PK\x03\x04": "a zip archive",
    b"PK\x05\x06": "an empty zip archive",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive",
    b"Rar!\x1a\x07": "a rar archive",
    b"\xfd7zXZ\x00": "a file packed with xz",
    b"%PDF-": "a PDF document",
    GZIP: "a file packed twice",
    ZSTD: "a file packed twice",
    BZIP2: "a file packed twice",
}
TAR, TAR_AT = b"ustar", 257
LOOKED_AT = 512


def refuse_archive(content: Content, source: str) -> None:
    """Raise a FormatError for what unpacks to anything but one text."""
    found = _named(bytes(content[:LOOKED_AT]))
    if found:
        raise FormatError(
            source=source,
            found=found,
            expected="one file, plain or packed once with gzip, bzip2 or zstd",
            advice="Take the file out and give it by itself.",
        )


def _named(start: bytes) -> str:
    if start.isascii() and b"\x00" not in start and not start.startswith(b"%PDF-"):
        return ""  # a text may well begin with BZh
    if start[TAR_AT:].startswith(TAR):
        return "a tar archive"
    return next((name for beginning, name in BEGINNINGS.items() if start.startswith(beginning)), "")
