"""How does a stored run do on public queries? Told by a child process, from its file and labels: no Django."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from pathlib import Path

from toprung.data.formats.runs.files import read_run
from toprung.labels.pools.pool import top_documents
from toprung.scoring.catalogue import first_rank_of
from toprung.web.services.runs.scoring import ScoredSet, ScoringAsked, score_files

MOST_FIRSTS = 3
"""Documents of a run whose grades are seen beside a query."""


@dataclass(frozen=True, kw_only=True)
class PublicAnswers:
    """One value for each query of a set, in the order of its columns."""

    ranks: list[int]
    """Of the first answer; 0 where it has none."""
    scores: list[float]
    """Of the official measure."""
    tops: list[list[str]]
    """The documents it put first: one, or some where there are grades to be seen."""

    @property
    def n_there(self) -> int:
        return sum(map(bool, self.tops))

    def pack(self) -> bytes:
        return zlib.compress(json.dumps([self.ranks, self.scores, self.tops]).encode())

    @classmethod
    def unpack(cls, packed: bytes | memoryview) -> PublicAnswers:
        """What was stored by earlier versions has one document, or none."""
        ranks, scores, found = json.loads(zlib.decompress(packed))
        tops = [each if isinstance(each, list) else [each] if each else [] for each in found]
        return cls(ranks=ranks, scores=scores, tops=tops)


def read_public_answers(asked: ScoringAsked) -> list[list[PublicAnswers] | None]:
    """For each run, on each of the sets; None for a run that cannot be read."""
    return [
        None if isinstance(scored, Exception) else _gather(path, scored, asked)
        for (_, path), scored in zip(asked.runs, score_files(asked), strict=True)
    ]


def _gather(path: Path, scored: list[ScoredSet], asked: ScoringAsked) -> list[PublicAnswers]:
    depth = MOST_FIRSTS if first_rank_of(asked.measures[0]) is None else 1
    tops = top_documents(read_run(path), depth=depth)
    return [
        PublicAnswers(
            ranks=found.ranks.tolist(),
            scores=found.scores[0].tolist(),
            tops=[tops.get(query_id, []) for query_id in labels.query_ids],
        )
        for labels, found in zip(asked.sets, scored, strict=True)
    ]
