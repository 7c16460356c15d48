"""What are the results for one audience made of? The runs it may see, and their stored columns as matrices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from toprung.analyses.timeline.find import Timeline
from toprung.boards.board_release import BoardRelease
from toprung.boards.engine.top_group import TopGroup, find_top_group
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.results import Audience
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.columns import board_matrix, first_ranks, score_table
from toprung.web.services.claims.records import recorded_timeline
from toprung.web.services.results.board import release_to_everyone


@dataclass(frozen=True, kw_only=True)
class BoardMaterial:
    """What the results for one audience are made of."""

    board: Board
    labels: LabelSet
    audience: Audience
    submissions: Sequence[Submission]
    matrix: FirstRanks | ScoreTable
    """The official measure: what claims are tested on, and runs compared by."""
    top: TopGroup
    """Who is better than whom among the runs of this audience: whatever is said of it comes from here."""
    ranks: FirstRanks
    scores: ScoreTable
    followed: Timeline

    @property
    def is_public(self) -> bool:
        return self.audience is Audience.PUBLIC

    @property
    def release(self) -> BoardRelease:
        return release_to_everyone(self.board, self.submissions)


def gather(board: Board, labels: LabelSet, shown_to: Mapping[Audience, Sequence[Submission]]) -> list[BoardMaterial]:
    """For each audience; what is found of the same runs is found once, for all that see them."""
    found: dict[tuple[str, ...], BoardMaterial] = {}
    materials = []
    for audience, submissions in shown_to.items():
        runs = tuple(each.run_id for each in submissions)
        if runs not in found:
            found[runs] = _gather(board, labels, audience, submissions)
        materials.append(replace(found[runs], audience=audience))
    return materials


def _gather(board: Board, labels: LabelSet, audience: Audience, submissions: Sequence[Submission]) -> BoardMaterial:
    matrix = board_matrix(labels, submissions, board)
    return BoardMaterial(
        board=board,
        labels=labels,
        audience=audience,
        submissions=submissions,
        matrix=matrix,
        top=find_top_group(matrix, alpha=board.alpha, seed=board.seed),
        ranks=first_ranks(labels, submissions),
        scores=score_table(labels, submissions, board.official_measure),
        followed=recorded_timeline(board, matrix, submissions),
    )
