"""Has the team submitted nearly the same before? The file is compared with its earlier runs on the board.

On the queries of the board alone: a file may have the dev queries beside them, and what stands there makes no new run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from toprung.boards.policy import SmallChanges
from toprung.boards.similarity import DEPTH, Similarity, compare_tops
from toprung.data.formats.runs.files import read_run
from toprung.data.formats.runs.top_of_run import TopOfRun
from toprung.data.run import Run
from toprung.web.services.runs.findings import WHOLE_FILE, FileFinding
from toprung.words.wording import say_queries, show_number


@dataclass(frozen=True, kw_only=True)
class EarlierRun:
    """A run of the team, by its label, and where its stored file lies."""

    label: str
    path: Path


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """How alike the file and an earlier run are."""

    label: str
    similarity: Similarity
    is_close: bool

    @property
    def n_identical(self) -> int:
        return round(self.similarity.identical * self.similarity.n_queries)


def compare_with_earlier(
    run: Run, earlier: Sequence[EarlierRun], rule: SmallChanges, query_ids: Collection[str]
) -> Iterator[Comparison]:
    tops = TopOfRun.of(run, rule.depth).only(query_ids)
    for each in earlier:
        others = TopOfRun.of(read_run(each.path, depth=rule.depth), rule.depth).only(query_ids)
        found = compare_tops(tops, others, p=rule.p)
        yield Comparison(label=each.label, similarity=found, is_close=rule.are_close(found))


def find_near_copy(run: Run, of_others: Sequence[EarlierRun], rule: SmallChanges, query_ids: Collection[str]) -> str:
    """The label of a run that this one is nearly the same as; empty where there is none."""
    return next((each.label for each in compare_with_earlier(run, of_others, rule, query_ids) if each.is_close), "")


def ranking_digest(run: Run, query_ids: Collection[str]) -> str:
    """Of the queries and their first documents in order: names, scores and formats do not make another run."""
    rows = run.top(DEPTH).to_frame().select("query_id", "doc_id").sort("query_id", maintain_order=True)
    of_board = (row for row in rows.iter_rows() if row[0] in query_ids)
    text = "\n".join(f"{query_id}\t{doc_id}" for query_id, doc_id in of_board)
    return hashlib.sha256(text.encode()).hexdigest()


def say_near_duplicate(found: Comparison, rule: SmallChanges, *, is_refused: bool) -> FileFinding:
    """An error where the board refuses near-duplicates, else a warning."""
    alike = found.similarity
    what = (
        f"Nearly the same as {found.label}: the first {rule.depth} are identical on {found.n_identical:,} of "
        f"{say_queries(alike.n_queries)} (rank-biased overlap {show_number(alike.rbo, 2)})."
    )
    refused = "Of runs that differ by very small changes this board takes one."
    return FileFinding(
        severity="error" if is_refused else "warning",
        where=WHOLE_FILE,
        what=what,
        fix=refused if is_refused else "Organisers see such pairs: a reason to ask, not a finding.",
    )


def say_different(found: Comparison, rule: SmallChanges) -> str:
    n = found.similarity.n_queries - found.n_identical
    return f"Differs from {found.label} in the first {rule.depth} on {say_queries(n)}"
