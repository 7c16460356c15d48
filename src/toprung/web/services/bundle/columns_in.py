"""What did runs score on each query? Columns of the bundle, each as long as its labels have queries."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Iterable, Iterator

from toprung.boards.archive.rows import Row
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.runs import FirstRankColumn, ScoreColumn, Submission

RANK_BYTES, SCORE_BYTES = 4, 8
PIECE = 1 << 20

type AnyColumn = FirstRankColumn | ScoreColumn


def read_columns(
    rows: Iterable[Row], runs: dict[str, Submission], label_sets: dict[tuple[str, str, int], LabelSet]
) -> Iterator[AnyColumn]:
    """Without its labels a column has its mean alone, and nothing packed."""
    for row in rows:
        labels, run = label_sets[row.labels()], runs[row.text("run")]
        if row["measure"] is None:
            packed = _unpack(row, RANK_BYTES * labels.n_queries)
            yield FirstRankColumn(submission=run, label_set=labels, packed=packed)
        else:
            mean = row["mean"]
            if not isinstance(mean, int | float) or isinstance(mean, bool):
                row.refuse("a mean that is no number", "one")
            packed = b"" if row["packed"] is None else _unpack(row, SCORE_BYTES * labels.n_queries)
            measure = row.text("measure")[: ScoreColumn._meta.get_field("measure").max_length]
            yield ScoreColumn(submission=run, label_set=labels, measure=measure, mean=float(mean), packed=packed)


def _unpack(row: Row, size: int) -> bytes:
    """The packed bytes, if they hold as many values as there are queries."""
    try:
        packed = base64.b64decode(row.text("packed"), validate=True)
        found = _unpacked_size(packed, size)
    except (binascii.Error, zlib.error, ValueError):
        row.refuse("a column that cannot be unpacked", "one value for each query")
    if found != size:
        row.refuse("a column of another length", "one value for each query")
    return packed


def _unpacked_size(packed: bytes, most: int) -> int | None:
    """How many bytes there are in it, a piece at a time; None where there are more, or something behind them."""
    unpacking, found = zlib.decompressobj(), 0
    while not unpacking.eof and found <= most:
        piece = unpacking.decompress(packed, PIECE)
        if not piece and not unpacking.eof:
            return None
        found, packed = found + len(piece), unpacking.unconsumed_tail
    return found if unpacking.eof and not unpacking.unused_data else None
