"""Which bytes does a bundle have around its members? Those of one tar file, determined by names and sizes alone.

So a reader need not interpret a tar header: it makes the header that must stand there, and compares.
"""

from __future__ import annotations

import re
import tarfile

from toprung.errors import InputError

BLOCK = 512
END = bytes(2 * BLOCK)
"""What a tar file ends with; nothing may follow."""
LARGEST_MEMBER = 1 << 50
MEMBER_NAME = re.compile(r"[a-z][a-z_]*\.jsonl?|(runs|labels)/[A-Za-z0-9]{1,20}(\.[a-z]{1,20})?", re.ASCII)
"""No name that leads out of a folder, is hidden, or is taken for another where capitals do not count for folders."""
_SIZE_AT = slice(124, 135)
_OCTAL = re.compile(rb"[0-7]{11}")


def make_header(name: str, size: int) -> bytes:
    """The block before a member: a plain file of nobody, at the beginning of time, for its owner alone."""
    info = tarfile.TarInfo(name)
    info.size = size
    info.mode = 0o600
    return info.tobuf(tarfile.GNU_FORMAT)


def pad(size: int) -> bytes:
    """The zeros after a member, up to a whole block."""
    return bytes(-size % BLOCK)


def length_of(size: int) -> int:
    """What a member takes in the file, with its header and padding."""
    return BLOCK + size + len(pad(size))


def read_size(header: bytes) -> int | None:
    """What a header says of its member's size; None where it says it in no way of ours."""
    digits = header[_SIZE_AT]
    return int(digits, 8) if _OCTAL.fullmatch(digits) else None


def check_name(name: str) -> str:
    """The name of a member, if it may be one."""
    if not MEMBER_NAME.fullmatch(name):
        raise InputError(f"Found a member called {name[:80]!r}; expected a plain name such as runs/R1.parquet.")
    return name
