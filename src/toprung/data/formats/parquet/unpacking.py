"""What does a packed page hold? Unpacked to the size it announced, never to more."""

from __future__ import annotations

import zlib

from toprung.data.formats import _scan
from toprung.data.formats.parquet.table import CODECS
from toprung.data.formats.parquet.thrift import DamagedParquetError

NONE, GZIP, ZSTD = 0, 2, 6
ANY_HEADER = 47
"""What zlib calls gzip or zlib, whichever it is."""
GZIP_PIECE = 1 << 12
LARGEST_WINDOW = 1 << 27


def unpack_page(codec: int, packed: memoryview, size: int) -> memoryview:
    """The bytes of a page; raises DamagedParquetError where they are not so many."""
    if codec == NONE:
        unpacked: memoryview | bytes | bytearray = packed
    elif codec == GZIP:
        unpacked = _gunzip(packed, size)
    elif codec == ZSTD:
        unpacked = _unpack_zstd(packed, size)
    else:
        unpacked = bytearray(size)
        if not _scan.unpack(codec, packed, unpacked):
            raise DamagedParquetError(f"a page that cannot be unpacked as {CODECS[codec]}")
    if len(unpacked) != size:
        raise DamagedParquetError(f"a page of {len(unpacked):,} bytes that should have {size:,}")
    return memoryview(unpacked)


def _gunzip(packed: memoryview, size: int) -> bytearray:
    """Piece by piece: what is left behind a member is copied, and a page may have very many members."""
    unpacked, member, at = bytearray(), zlib.decompressobj(ANY_HEADER), 0
    try:
        while at < len(packed) and len(unpacked) <= size:
            member = zlib.decompressobj(ANY_HEADER) if member.eof else member
            piece = packed[at : at + GZIP_PIECE]
            unpacked += member.decompress(piece, size + 1 - len(unpacked))
            at += len(piece) - len(member.unused_data)
    except zlib.error as error:
        raise DamagedParquetError(f"a page that cannot be unpacked as gzip: {error}") from None
    return unpacked


def _unpack_zstd(packed: memoryview, size: int) -> bytes:
    import zstandard

    try:
        if zstandard.frame_content_size(packed) not in (-1, size):  # else room would be made for what it claims
            raise DamagedParquetError("a page of another size than it says")
        unpacking = zstandard.ZstdDecompressor(max_window_size=LARGEST_WINDOW)
        return unpacking.decompress(packed, max_output_size=size) if size else b""
    except (zstandard.ZstdError, MemoryError) as error:
        raise DamagedParquetError(f"a page that cannot be unpacked as zstd: {error}") from None
