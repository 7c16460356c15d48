"""Reads the first documents of stored runs, in a child process: no database, no Django."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from toprung.data.formats.runs.files import read_run
from toprung.data.run import Run
from toprung.errors import InputError
from toprung.labels.pools.pool import keep_top
from toprung.web.core.apart.reply import Float64s, Int32s, Int64s


@dataclass(frozen=True, kw_only=True)
class SentRun:
    """A run as a child sends it back."""

    name: str
    query_ids: tuple[str, ...]
    starts: Int64s
    doc_ids: list[str]
    ranks: Int32s
    scores: Float64s | None
    tag: str
    n_contradicting_queries: int

    @classmethod
    def of(cls, run: Run) -> SentRun:
        return cls(
            name=run.name,
            query_ids=run.query_ids,
            starts=run.starts,
            doc_ids=run.doc_ids.to_list(),
            ranks=run.ranks,
            scores=run.scores,
            tag=run.tag,
            n_contradicting_queries=run.n_contradicting_queries,
        )

    def to_run(self) -> Run:
        """An InputError where the columns do not fit together."""
        n_rows, starts = len(self.doc_ids), self.starts
        lengths = {len(self.ranks), n_rows if self.scores is None else len(self.scores)}
        fits = len(starts) == len(self.query_ids) + 1 and (starts[0], starts[-1]) == (0, n_rows)
        if lengths != {n_rows} or not fits or (np.diff(starts) < 0).any():
            raise InputError(f"{self.name}: found columns that do not fit together; expected one value for each row.")
        from toprung.extras.frames import pl

        doc_ids = pl.Series("doc_id", self.doc_ids, dtype=pl.String)
        return Run(
            name=self.name,
            query_ids=self.query_ids,
            starts=starts,
            doc_ids=doc_ids,
            ranks=self.ranks,
            scores=self.scores,
            tag=self.tag,
            n_contradicting_queries=self.n_contradicting_queries,
        )


def read_top_runs(runs: Sequence[tuple[str, Path]], depth: int) -> dict[str, SentRun]:
    """The first documents of each run, by its id."""
    return {run_id: SentRun.of(keep_top(read_run(path, depth=depth), depth=depth)) for run_id, path in runs}
