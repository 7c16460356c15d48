"""How do stored columns become matrices of the library? Here, and nowhere else."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from django.db.models import Q
from numpy.typing import NDArray

from toprung.data.formats.qrels_files import read_qrels
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.scoring.catalogue import RankAsked, first_rank_of
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.core.store.files import local_path

if TYPE_CHECKING:
    from toprung.data.qrels import Qrels
    from toprung.web.core.models.runs import Submission

type Packed = bytes | memoryview


def pack(values: NDArray[np.int32] | NDArray[np.float64]) -> bytes:
    return zlib.compress(values.tobytes(), level=1)


def unpack_ranks(packed: Packed) -> NDArray[np.int32]:
    return np.frombuffer(zlib.decompress(packed), dtype=np.int32)


def unpack_scores(packed: Packed) -> NDArray[np.float64]:
    return np.frombuffer(zlib.decompress(packed), dtype=np.float64)


def official_labels(board: Board) -> LabelSet:
    """The labels the leaderboard is on now."""
    return board.label_sets.get(use=LabelUse.OFFICIAL, is_current=True)


def labels_to_score(board: Board) -> list[LabelSet]:
    """Every set a submission is scored on: those in use, and versions that are being prepared.

    Dev labels are for dry runs alone.
    """
    is_needed = Q(is_current=True) | Q(current_since=None, given_up_at=None)
    return list(board.label_sets.filter(is_needed).exclude(use=LabelUse.DEV).order_by("pk"))


@lru_cache(maxsize=8)
def _read_labels(pk: int, digest: str) -> Qrels:  # noqa: ARG001 - the digest makes another file another entry
    with local_path(LabelSet.objects.get(pk=pk).file) as path:
        return read_qrels(path)


def labels_of(label_set: LabelSet) -> Qrels:
    return _read_labels(label_set.pk, label_set.digest)


def query_ids_of(label_set: LabelSet) -> tuple[str, ...]:
    """The order that stored columns have: by query id. Queries without a relevant document are scored by nobody."""
    return _in_order(labels_of(label_set))


@lru_cache(maxsize=8)
def _in_order(labels: Qrels) -> tuple[str, ...]:
    return tuple(sorted(scored_queries(labels)))


def scored_queries(labels: Qrels) -> list[str]:
    return [query for query, has_one in zip(labels.query_ids, labels.has_relevant, strict=True) if has_one]


def ranks_asked(board: Board) -> RankAsked:
    """Which ranks are stored: those that the official measure is made of, else those of the first relevant document."""
    return first_rank_of(board.official_measure) or RankAsked(cutoff=board.cutoff, rel=1, mth=1)


def board_matrix(label_set: LabelSet, submissions: Sequence[Submission], board: Board) -> FirstRanks | ScoreTable:
    """What claims are tested on: the official measure, as first ranks where it is made of them."""
    if first_rank_of(board.official_measure) is None:
        return score_table(label_set, submissions, board.official_measure)
    return first_ranks(label_set, submissions)


def first_ranks(label_set: LabelSet, submissions: Sequence[Submission]) -> FirstRanks:
    """Where each submission first answers each query; a query without such a document is answered by nobody."""
    from toprung.web.core.models.runs import FirstRankColumn

    columns = FirstRankColumn.objects.filter(label_set=label_set, submission__in=[each.pk for each in submissions])
    packed = dict(columns.values_list("submission_id", "packed"))
    values = np.ascontiguousarray(np.array([unpack_ranks(packed[each.pk]) for each in submissions]).T)
    runs, asked = tuple(each.run_id for each in submissions), ranks_asked(label_set.board)
    return FirstRanks(
        query_ids=query_ids_of(label_set),
        runs=runs,
        values=values,
        cutoff=asked.cutoff,
        rel=asked.rel,
        mth=asked.mth,
    )


def score_table(label_set: LabelSet, submissions: Sequence[Submission], measure: str) -> ScoreTable:
    """The scores of a measure, queries × submissions."""
    from toprung.web.core.models.runs import ScoreColumn

    columns = ScoreColumn.objects.filter(
        label_set=label_set, submission__in=[each.pk for each in submissions], measure=measure
    )
    packed = dict(columns.values_list("submission_id", "packed"))
    values = np.ascontiguousarray(np.array([unpack_scores(packed[each.pk]) for each in submissions]).T)
    runs = tuple(each.run_id for each in submissions)
    return ScoreTable(query_ids=query_ids_of(label_set), runs=runs, values=values, measure=measure)
