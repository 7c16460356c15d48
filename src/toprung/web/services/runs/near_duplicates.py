"""Has the team submitted nearly the same before? The file is compared with its earlier runs on the board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from toprung.boards.similarity import Similarity, run_similarity
from toprung.data.formats.runs.files import read_run
from toprung.data.run import Run
from toprung.web.core.models.boards import Board
from toprung.web.core.models.people import Team
from toprung.web.core.models.runs import RunState, Submission
from toprung.web.core.store.files import local_path
from toprung.web.core.store.rules import small_changes
from toprung.web.services.runs.findings import WHOLE_FILE, FileFinding
from toprung.words.wording import say_queries, show_number

MOST_COMPARED = 20
"""Earlier runs, the latest: each is read and compared query by query."""


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """How alike the file and an earlier run are."""

    label: str
    similarity: Similarity
    is_close: bool

    @property
    def n_identical(self) -> int:
        return round(self.similarity.identical * self.similarity.n_queries)


def earlier_runs(board: Board, team: Team | None) -> list[Submission]:
    """Withdrawn ones among them: a run is not new because the one before it was taken back. Baselines have none."""
    if team is None:
        return []
    runs = board.submissions.filter(team=team).exclude(state=RunState.FAILED).select_related("upload")
    return list(runs.order_by("-number")[:MOST_COMPARED])


def compare_with_earlier(run: Run, earlier: list[Submission]) -> Iterator[Comparison]:
    rule = small_changes()
    for each in earlier:
        with local_path(each.upload.parquet) as path:
            found = run_similarity(run, read_run(path, depth=rule.depth), depth=rule.depth, p=rule.p)
        yield Comparison(label=each.run_id, similarity=found, is_close=rule.are_close(found))


def say_near_duplicate(found: Comparison, *, is_refused: bool) -> FileFinding:
    """An error where the board refuses near-duplicates, else a warning."""
    alike, depth = found.similarity, small_changes().depth
    what = (
        f"Nearly the same as {found.label}: the first {depth} are identical on {found.n_identical:,} of "
        f"{say_queries(alike.n_queries)} (rank-biased overlap {show_number(alike.rbo, 2)})."
    )
    refused = "Of runs that differ by very small changes this board takes one."
    return FileFinding(
        severity="error" if is_refused else "warning",
        where=WHOLE_FILE,
        what=what,
        fix=refused if is_refused else "Organisers see such pairs: a reason to ask, not a finding.",
    )


def say_different(found: Comparison) -> str:
    n = found.similarity.n_queries - found.n_identical
    return f"Differs from {found.label} in the first {small_changes().depth} on {say_queries(n)}"
