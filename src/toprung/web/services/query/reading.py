"""How does a stored run do on public queries? Told by a child process, from its file and labels: no Django."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from pathlib import Path

from toprung.data.formats.runs.files import read_run
from toprung.labels.pools.pool import top_documents
from toprung.web.services.runs.scoring import ScoredSet, ScoringAsked, score_files


@dataclass(frozen=True, kw_only=True)
class PublicAnswers:
    """One value for each query of a set, in the order of its columns."""

    ranks: list[int]
    """Of the first answer; 0 where it has none."""
    scores: list[float]
    """Of the official measure."""
    firsts: list[str | None]
    """The document it put first."""

    @property
    def n_there(self) -> int:
        return sum(first is not None for first in self.firsts)

    def pack(self) -> bytes:
        return zlib.compress(json.dumps([self.ranks, self.scores, self.firsts]).encode())

    @classmethod
    def unpack(cls, packed: bytes | memoryview) -> PublicAnswers:
        ranks, scores, firsts = json.loads(zlib.decompress(packed))
        return cls(ranks=ranks, scores=scores, firsts=firsts)


def read_public_answers(asked: ScoringAsked) -> list[list[PublicAnswers] | None]:
    """For each run, on each of the sets; None for a run that cannot be read."""
    return [
        None if isinstance(scored, Exception) else _gather(path, scored, asked)
        for (_, path), scored in zip(asked.runs, score_files(asked), strict=True)
    ]


def _gather(path: Path, scored: list[ScoredSet], asked: ScoringAsked) -> list[PublicAnswers]:
    firsts = {query_id: docs[0] for query_id, docs in top_documents(read_run(path)).items() if docs}
    return [
        PublicAnswers(
            ranks=found.ranks.tolist(),
            scores=found.scores[0].tolist(),
            firsts=[firsts.get(query_id) for query_id in labels.query_ids],
        )
        for labels, found in zip(asked.sets, scored, strict=True)
    ]
