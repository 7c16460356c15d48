"""What bytes does this file hold? Opens plain, gzip, bzip2 and zstd files, and stdin, within stated limits.

Compression is recognised by content, not by name. Nothing is ever unpacked past the caps, so a small file
cannot fill the memory.
"""

from __future__ import annotations

import io
import mmap
import os
import stat
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import IO, Protocol, cast

from toprung.data.formats.whole_files import note_input
from toprung.errors import FormatError, InputError, TooLargeError

Content = bytes | bytearray | mmap.mmap


class Readable(Protocol):
    """Whatever bytes can be read from."""

    def read(self, size: int, /) -> bytes: ...


class Unpacker(Protocol):
    """What unpacks one part of a file: of the standard library's zlib or bz2."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


PARQUET = b"PAR1"
GZIP, BZIP2, ZSTD, BYTE_ORDER_MARK = b"\x1f\x8b", b"BZh", b"\x28\xb5\x2f\xfd", b"\xef\xbb\xbf"
BZIP2_BLOCKS = (b"1AY&SY", b"\x17rE8P\x90")
STDIN = "-"
"""Typed where a file is meant: what is piped into the command."""
ONE_STDIN = "- may stand for one file of a command only."
BLANK = b" \t\r\n"
PIPE_SECONDS = 5.0
"""How long a pipe may wait for somebody who writes to it."""
PIECE = 1 << 22
PACKED_PIECE, UNPACKED_PIECE = 1 << 17, 1 << 18
"""Bytes of a packed file that are read, and unpacked, at a time: few enough to be used again while they are at hand."""
FED = 1 << 13
"""Packed bytes that a part of a gzip or bzip2 file is fed with at a time: what it leaves is copied, for every part."""
ANY_PARTS, LEAST_IN_PART = 10_000, 256
"""A gzip or bzip2 file may have so many parts, and one more for so many bytes it holds (bgzip's hold 65,280)."""
GZIP_HEADER = 31
"""What zlib calls gzip."""
ZSTD_END, CUT_SHORT = b"toprung: the end", "the last zstd frame is cut short"
RATIO_APPLIES_FROM = 1 << 24
"""Small files may well unpack a thousandfold (a few repeated lines); only large results are held to the ratio."""
LOOKED_AT = 64
"""Bytes of a file's beginning that tell a table from a text."""
END_PIECE = 1 << 12
"""Of a file's end, where blank lines are looked for: there are none, or few."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """How much a file may hold once unpacked, how many times its packed size that may be, and how long its lines."""

    max_bytes: int = 16 << 30
    max_ratio: float = 200.0
    max_line_bytes: int | None = None
    """Readers hold a line, and often a column of lines, in memory; None where the files are one's own."""


DEFAULT_LIMITS = Limits()


def read_content(path: str | os.PathLike[str], limits: Limits = DEFAULT_LIMITS) -> Content:
    """The bytes of a file, unpacked; a plain file is mapped, not copied; ``-`` is stdin.

    A byte-order mark is left out, and so are blank lines at the end.
    """
    name = os.fspath(path)
    note_input(name)
    with _open(name) as file:
        content = _read_file(name, file, limits)
    if name == STDIN and not content:
        raise InputError(f"Found nothing to read for - (stdin); expected a file piped in: {ONE_STDIN}")
    return content[len(BYTE_ORDER_MARK) :] if content[:3] == BYTE_ORDER_MARK else content


def _open(name: str) -> io.BufferedReader:
    """The file, or stdin; what would never end or never begin is refused."""
    if name == STDIN:
        file = open(0, "rb", closefd=False)  # noqa: SIM115 - the caller closes it
    elif os.path.exists(name) and stat.S_ISFIFO(os.stat(name).st_mode):
        file = _open_pipe(name)
    else:
        file = open(name, "rb")  # noqa: SIM115 - the caller closes it
    if _never_ends(file):
        file.close()
        raise InputError(f"{say_source(name)}: found a device; expected a file or a pipe.")
    return file


def _never_ends(file: io.BufferedReader) -> bool:
    """Whether this is a device such as /dev/zero; a terminal ends when its person says so, and /dev/null at once."""
    found = os.fstat(file.fileno())
    is_device = stat.S_ISCHR(found.st_mode) or stat.S_ISBLK(found.st_mode)
    return is_device and not file.isatty() and not os.path.samestat(found, os.stat(os.devnull))


def _open_pipe(name: str) -> io.BufferedReader:
    """A named pipe, or what a shell makes of ``<(command)``: to open it waits for somebody who writes to it."""
    from threading import Thread  # only here: few files are pipes

    opened: list[io.BufferedReader] = []
    waiting = Thread(target=lambda: opened.append(open(name, "rb")), daemon=True)  # noqa: SIM115 - the caller closes it
    waiting.start()
    waiting.join(PIPE_SECONDS)
    if not waiting.is_alive():
        return opened[0] if opened else open(name, "rb")  # which says why it could not be opened
    with suppress(OSError):
        os.close(os.open(name, os.O_WRONLY | os.O_NONBLOCK))  # the thread need not wait any more
    waiting.join(PIPE_SECONDS)
    for file in opened:
        file.close()
    raise InputError(
        f"{name}: found a pipe that nobody wrote to within {PIPE_SECONDS:g} seconds; expected a file, or a pipe that "
        "somebody writes to."
    )


def say_source(path: str | os.PathLike[str]) -> str:
    """What a file is called where people read of it.

    >>> say_source("-"), say_source("runs/bm25.run")
    ('standard input', 'runs/bm25.run')
    """
    name = os.fspath(path)
    return "standard input" if name == STDIN else name


def is_file(path: str | os.PathLike[str]) -> bool:
    """Whether this can be read twice: not so a pipe."""
    return os.fspath(path) != STDIN and Path(path).is_file()


def refuse_stream(path: str | os.PathLike[str]) -> None:
    """Refuse a device or a pipe, which may never end or never begin; what is not there is for whoever opens it."""
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        raise InputError(f"{os.fspath(path)}: found a device or a pipe; expected a file.")


def digest_of(path: str | os.PathLike[str]) -> str:
    """SHA-256 of a file as it lies on disk."""
    import hashlib  # only here: it loads OpenSSL

    refuse_stream(path)
    with open(path, "rb") as file:
        return "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()


def _read_file(name: str, file: io.BufferedReader, limits: Limits) -> Content:
    is_regular = is_file(name)
    if not is_regular:  # what is piped in is held in memory
        limits = replace(limits, max_bytes=min(limits.max_bytes, _half_of_memory()))
    unpacked = _unpacking(name, file)
    if unpacked is not None:
        packed_size = os.fstat(file.fileno()).st_size if is_regular else None
        return _read_capped(name, unpacked, packed_size, limits)
    if is_regular:
        return _map(name, file, limits)
    begins = file.peek(LOOKED_AT)
    if b"\0" in begins and not begins.startswith(PARQUET):  # else an endless stream of them would fill the memory
        expected = "a run, labels or a table, as text or Parquet"
        raise FormatError(source=say_source(name), found="bytes that are no text", expected=expected)
    return _read_capped(name, file, None, limits)


def _half_of_memory() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, OSError, ValueError):  # no such system
        return DEFAULT_LIMITS.max_bytes


def _unpacking(name: str, file: io.BufferedReader) -> Readable | None:
    magic = file.peek(10)[:10]
    if magic.startswith(GZIP):
        return _PartsReader(name, file, partial(zlib.decompressobj, GZIP_HEADER))
    if magic.startswith(BZIP2) and magic[4:10] in BZIP2_BLOCKS:
        import bz2

        return _PartsReader(name, file, bz2.BZ2Decompressor)
    if magic.startswith(ZSTD) or (magic[1:4] == b"\x2a\x4d\x18" and magic[0] & 0xF0 == 0x50):
        return _ZstdReader(file)
    return None


class _PartsReader:
    """Reads the parts of a gzip or bzip2 file one after the other: pigz, bgzip and ``cat`` make files of several.

    A part takes time even if it holds nothing, so a file of very many parts that hold hardly anything is refused. The
    standard library's readers take ten times as long for such a part, and refuse none.
    """

    def __init__(self, name: str, file: IO[bytes], begin: Callable[[], Unpacker]) -> None:
        self._name, self._file, self._begin = name, file, begin
        self._part, self._packed = begin(), b""
        self._n_parts, self._n_bytes = 1, 0

    def read(self, size: int) -> bytes:
        while not self._part.eof or self._begin_part():
            piece = self._part.decompress(self._packed, size)
            self._packed = self._part.unused_data if self._part.eof else getattr(self._part, "unconsumed_tail", b"")
            self._n_bytes += len(piece)
            if piece:
                return piece
            if not (self._packed or self._part.eof or self._feed()):
                raise EOFError("its last part is cut short")
        return b""

    def _begin_part(self) -> bool:
        """Whether there is one more; zeros between parts are padding."""
        while not (packed := self._packed.lstrip(b"\0")):
            if not self._feed():
                return False
        self._part, self._packed = self._begin(), packed
        self._n_parts += 1
        most = ANY_PARTS + self._n_bytes // LEAST_IN_PART
        if self._n_parts > most:
            raise FormatError(
                source=self._name,
                found=f"more than {most:,} packed parts that hold {self._n_bytes:,} bytes together",
                expected=f"parts of {LEAST_IN_PART} bytes or more",
                advice="Unpack it, and pack it again as a whole: zcat or bzcat, then gzip.",
            )
        return True

    def _feed(self) -> bool:
        self._packed = self._file.read(FED)
        return bool(self._packed)


class _ZstdReader:
    """Reads all frames of a zstd file, and refuses one that ends early (the package's own reader does not).

    A frame of our own is put behind the last one: it comes out as it is only where that one is complete.
    """

    def __init__(self, file: IO[bytes]) -> None:
        import zstandard

        mark = zstandard.ZstdCompressor(write_checksum=True).compress(ZSTD_END)
        self._error = zstandard.ZstdError
        self._packed = _MarkedEnd(file, mark)
        source = cast("IO[bytes]", self._packed)  # of which nothing is asked but read
        unpacking = zstandard.ZstdDecompressor()
        self._unpacked = unpacking.stream_reader(source, read_size=PACKED_PIECE, read_across_frames=True)
        self._held = b""

    def read(self, size: int) -> bytes:
        while piece := self._read_piece(size):
            if not self._packed.is_at_end:
                return piece
            unpacked = self._held + piece
            self._held = unpacked[-len(ZSTD_END) :]
            if len(unpacked) > len(ZSTD_END):
                return unpacked[: -len(ZSTD_END)]
        if self._held != ZSTD_END:
            raise EOFError(CUT_SHORT)
        return b""

    def _read_piece(self, size: int) -> bytes:
        try:
            piece: bytes = self._unpacked.read(size)
        except self._error as error:
            raise EOFError(CUT_SHORT) if self._packed.is_at_end else OSError(str(error)) from error
        return piece


class _MarkedEnd:
    """The bytes of a file, then those of a mark."""

    def __init__(self, file: IO[bytes], mark: bytes) -> None:
        self._file, self._mark = file, mark
        self.is_at_end = False

    def read(self, size: int) -> bytes:
        piece = b"" if self.is_at_end else self._file.read(size)
        if piece or self.is_at_end:
            return piece
        self.is_at_end = True
        return self._mark


def is_packed(path: str | os.PathLike[str]) -> bool:
    """Whether this is a compressed file, told by its first bytes; not so a pipe, which can be read only once."""
    if not is_file(path):
        return False
    with open(path, "rb") as file:
        return _unpacking(os.fspath(path), file) is not None


def stream_content(path: str | os.PathLike[str], limits: Limits = DEFAULT_LIMITS) -> Iterator[Content]:
    """The same in pieces that end where a line does: all of a plain file, which is mapped, and little of a packed one.

    So a packed collection that is larger than the memory can be read line by line.
    """
    if is_packed(path):
        yield from stream_packed(path, limits)
    else:
        yield read_content(path, limits)


def stream_packed(path: str | os.PathLike[str], limits: Limits = DEFAULT_LIMITS) -> Iterator[bytes]:
    """What a compressed file holds, in pieces that end where a line does; blank lines at its end are kept."""
    name = os.fspath(path)
    note_input(name)
    with open(name, "rb") as file:
        unpacked = _unpacking(name, file)
        if unpacked is None:
            raise _damaged(name, OSError("it is no longer the file it was"))
        yield from _whole_lines(name, _pieces(name, unpacked, os.fstat(file.fileno()).st_size, limits), limits)


def _whole_lines(name: str, pieces: Iterator[bytes], limits: Limits) -> Iterator[bytes]:
    begun = bytearray(next(pieces, b"").removeprefix(BYTE_ORDER_MARK))
    for piece in pieces:
        end = piece.rfind(b"\n") + 1
        if not end:
            begun += piece
            _check_lines(name, begun, 0, limits)
            continue
        lines = b"".join((begun, memoryview(piece)[:end]))
        _check_lines(name, lines, 0, limits)
        yield lines
        begun = bytearray(memoryview(piece)[end:])
    _check_lines(name, begun, 0, limits)
    yield bytes(begun)


def _read_capped(name: str, file: Readable, packed_size: int | None, limits: Limits) -> bytearray:
    unpacked, line_start = bytearray(), 0
    for piece in _pieces(name, file, packed_size, limits):
        unpacked += piece
        line_start = _check_lines(name, unpacked, line_start, limits)
    del unpacked[_end_of_lines(unpacked) :]
    return unpacked


def _pieces(name: str, file: Readable, packed_size: int | None, limits: Limits) -> Iterator[bytes]:
    """What a file unpacks to, piece by piece, within the caps."""
    size = 0
    try:
        while piece := file.read(UNPACKED_PIECE):
            size += len(piece)
            check_size(name, size, limits)
            if packed_size is not None:
                check_ratio(name, size, packed_size, limits)
            yield piece
    except (EOFError, OSError, zlib.error) as error:
        raise _damaged(name, error) from error


def _map(name: str, file: io.BufferedReader, limits: Limits) -> Content:
    size = os.fstat(file.fileno()).st_size
    check_size(name, size, limits)
    if not size:
        return b""
    content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    end = _end_of_lines(content)
    if end == 0:
        return b""
    if end < size:
        content = mmap.mmap(file.fileno(), end, access=mmap.ACCESS_READ)
    _check_lines(name, content, 0, limits)
    return content


def _end_of_lines(content: Content) -> int:
    """Where the last line ends that is not blank."""
    end = len(content)
    while end:
        start = max(0, end - END_PIECE)
        kept = len(content[start:end].rstrip(BLANK))
        if kept:
            line_end = content.find(b"\n", start + kept)
            return len(content) if line_end < 0 else line_end + 1
        end = start
    return 0


def _check_lines(name: str, content: Content, start: int, limits: Limits) -> int:
    """Refuse a line over the cap; returns where the last line begins. What is read as Parquet has no lines."""
    longest = limits.max_line_bytes
    if longest is None or looks_like_parquet(content):
        return start
    while start + longest < len(content):
        end = content.rfind(b"\n", start, start + longest + 1)
        if end < 0:
            raise TooLargeError(
                source=name,
                found=f"a line of more than {longest:,} bytes",
                expected="one document on each line",
                advice="Is this a text file?",
            )
        start = end + 1
    return start


def check_size(name: str, size: int, limits: Limits) -> None:
    if size > limits.max_bytes:
        raise TooLargeError(
            source=name,
            found=f"more than {limits.max_bytes:,} bytes",
            expected="a file within the size cap",
            advice="Give a higher cap (max_bytes, --max-bytes) if the file is meant to be this large.",
        )


def check_ratio(name: str, size: int, packed_size: int, limits: Limits) -> None:
    if size > RATIO_APPLIES_FROM and size > limits.max_ratio * packed_size:
        raise TooLargeError(
            source=name,
            found=f"{packed_size:,} packed bytes that unpack to more than {limits.max_ratio:g} times as many",
            expected="a compressed run or label file",
            advice="Unpack it yourself and look at it before you use it.",
        )


def looks_like_parquet(content: Content) -> bool:
    r"""Whether this has the mark of Parquet at either end, and is no text: so a damaged file is told to be one.

    >>> looks_like_parquet(b"PAR1\x15\x04"), looks_like_parquet(b"PAR1 Q0 d1 1 2.5 tag")
    (True, False)
    """
    is_marked = content[: len(PARQUET)] == PARQUET or content[-len(PARQUET) :] == PARQUET
    return is_marked and any(byte < ord(" ") and byte not in BLANK for byte in content[:LOOKED_AT])


def _damaged(name: str, error: Exception) -> FormatError:
    return FormatError(
        source=name,
        found=f"a compressed file that cannot be unpacked ({error})",
        expected="a complete gzip, bzip2 or zstd file",
        advice="Copy or download it again.",
    )
