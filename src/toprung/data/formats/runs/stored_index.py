"""What a board keeps of a run beside its columns: 64 bits for each document, in ranking order, never unpacked.

The index stands in the Parquet file between the last column and the footer, where readers of Parquet do not look. It
is mapped, not read, and only the compiled scanner writes and uses it; without it the columns are read as of any file.
docs/design/stored-runs.md says why 64 bits are enough.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from toprung.arrays import np
from toprung.data.formats.content import Content
from toprung.data.formats.runs import compiled
from toprung.data.packed import PackedTexts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from toprung.data.run import Run

STAMP = b"toprung run 2 \r\n"
N_SIZES = 4
"""Numbers before the stamp: rows, queries, bytes of query ids, whether ranks are there."""


@dataclass(frozen=True, eq=False)
class StoredIndex:
    """The rows of a run in ranking order, as far as placing documents asks for them."""

    hashes: NDArray[np.uint64]
    starts: NDArray[np.int64]
    is_tied: NDArray[np.uint8]
    """A bit for each row, the lowest first: it is as good as the row above."""
    ranks: NDArray[np.int32]
    """As they were written; none where they count from 1."""
    query_ids: PackedTexts

    @classmethod
    def of(cls, run: Run) -> Self:
        scores, ranks = run.scores, np.empty(0, dtype=np.int32)
        is_tied = np.zeros(len(run), dtype=bool)
        if scores is None:
            ranks = run.ranks
        else:
            np.equal(scores[1:], scores[:-1], out=is_tied[1:])
            is_tied[run.starts[:-1]] = False
        bits = np.packbits(is_tied, bitorder="little")
        return cls(compiled.hash_series(run.doc_ids), run.starts, bits, ranks, PackedTexts.of(run.query_ids))


def can_index() -> bool:
    """Whether an index can be written and used here: hashes are of words whose lowest byte comes first."""
    return compiled.has_scanner() and sys.byteorder == "little"


def add_index(path: Path, index: StoredIndex) -> None:
    """Put the index before the footer of a Parquet file."""
    with path.open("r+b") as file:
        file.seek(-8, 2)
        tail = file.read(8)
        file.seek(-8 - int.from_bytes(tail[:4], "little"), 2)
        at, footer = file.tell(), file.read()
        file.seek(at)
        file.write(b"\0" * (-at % 8))
        for array in _arrays(index):
            file.write(array.data)
        sizes = [len(index.hashes), len(index.starts) - 1, len(index.query_ids.data), int(len(index.ranks) > 0)]
        file.write(np.array(sizes, dtype=np.int64).data)
        file.write(STAMP + footer)


def _arrays(index: StoredIndex) -> tuple[NDArray[np.generic], ...]:
    """In the order of the file; each begins at a multiple of the size of its numbers."""
    ids, ends = np.frombuffer(index.query_ids.data, dtype=np.uint8), np.frombuffer(index.query_ids.ends, dtype=np.int64)
    return index.hashes, index.starts, ends, index.ranks, index.is_tied, ids, _filling(index)


def _filling(index: StoredIndex) -> NDArray[np.uint8]:
    """So many bytes that the sizes behind begin at a multiple of 8."""
    n_bytes = index.ranks.nbytes + len(index.is_tied) + len(index.query_ids.data)
    return np.zeros(-n_bytes % 8, dtype=np.uint8)


def find_index(content: Content) -> StoredIndex | None:
    """The index of a mapped Parquet file; None where there is none, or none that fits the file."""
    end = len(content) - 8 - int.from_bytes(content[-8:-4], "little") - len(STAMP)
    at = end - 8 * N_SIZES
    if at < 0 or content[end : end + len(STAMP)] != STAMP or not can_index():
        return None
    rows, queries, id_bytes, has_ranks = np.frombuffer(content[at:end], dtype=np.int64).tolist()
    if min(rows, queries, id_bytes) < 0 or max(rows, queries, id_bytes) > at or has_ranks not in (0, 1):
        return None
    n_ranks, n_tied = rows * has_ranks, (rows + 7) // 8
    packed = 4 * n_ranks + n_tied + id_bytes
    start = at - (packed + -packed % 8) - 8 * (rows + queries + 1 + queries)
    if start < 0 or start % 8:
        return None
    return _take(content, start, (rows, queries, n_ranks, n_tied, id_bytes))


def _take(content: Content, start: int, sizes: tuple[int, int, int, int, int]) -> StoredIndex:
    rows, queries, n_ranks, n_tied, id_bytes = sizes
    hashes = _numbers(content, np.uint64, rows, start)
    starts = _numbers(content, np.int64, queries + 1, start := start + hashes.nbytes)
    ends = _numbers(content, np.int64, queries, start := start + starts.nbytes)
    ranks = _numbers(content, np.int32, n_ranks, start := start + ends.nbytes)
    is_tied = _numbers(content, np.uint8, n_tied, start := start + ranks.nbytes)
    ids = bytes(content[start + n_tied : start + n_tied + id_bytes])
    return StoredIndex(hashes, starts, is_tied, ranks, PackedTexts(ids, ends))


def _numbers[D: np.generic](content: Content, dtype: type[D], n: int, start: int) -> NDArray[D]:
    return np.frombuffer(content, dtype=dtype, count=n, offset=start)
