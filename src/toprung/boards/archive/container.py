"""Which bytes does an archive have around its members? Those of one tar file, determined by names and sizes alone.

So a reader need not interpret a tar header: it makes the header that must stand there, and compares.
"""

from __future__ import annotations

import re
import tarfile

BLOCK = 512
CHUNK = 1 << 20
"""Read and written at a time."""
END = bytes(2 * BLOCK)
"""What a tar file ends with; nothing may follow."""
_SIZE_AT = slice(124, 135)
_OCTAL = re.compile(rb"[0-7]{11}")


def make_header(name: str, size: int) -> bytes:
    """The blocks before a member: a plain file of nobody, at the beginning of time, for its owner alone.

    It is one block, but for names that are too long for one. Names are UTF-8, whatever the machine writes them in.
    """
    info = tarfile.TarInfo(name)
    info.size = size
    info.mode = 0o600
    return info.tobuf(tarfile.GNU_FORMAT, encoding="utf-8")


def pad(size: int) -> bytes:
    """The zeros after a member, up to a whole block."""
    return bytes(-size % BLOCK)


def length_of(name: str, size: int) -> int:
    """What a member takes in the file, with its header and padding."""
    return len(make_header(name, size)) + size + len(pad(size))


def read_size(header: bytes) -> int | None:
    """What a header says of its member's size; None where it says it in no way of ours."""
    digits = header[_SIZE_AT]
    return int(digits, 8) if _OCTAL.fullmatch(digits) else None
