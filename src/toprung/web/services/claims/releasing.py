"""What does everyone see of a run's score? What the release policy shows of it, after the team's earlier runs."""

from __future__ import annotations

from collections.abc import Sequence

from toprung.boards.release import ParameterFreeLadder, Release
from toprung.boards.rounding import round_to_grid
from toprung.scoring.catalogue import higher_is_better
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.columns import score_table
from toprung.web.core.store.rules import release_of


def replay_releases(board: Board, labels: LabelSet, submissions: Sequence[Submission]) -> dict[int, float | None]:
    """For each of these runs, which stand in the order they came, what is shown of it under the labels.

    Their scores are those under the labels. Baselines are shown as they are.
    """
    teams: dict[int, Release] = {}
    found: dict[int, float | None] = {}
    for each in submissions:
        if each.team_id is None:
            found[each.pk] = each.score
        else:
            release = teams.get(each.team_id) or release_of(board)
            found[each.pk], teams[each.team_id] = _show(board, labels, each, release)
    return found


def score_shown_to_all(board: Board, submission: Submission) -> float:
    """Of a run that cannot be hidden, whatever its team's ladder says."""
    return round_to_grid(submission.score or 0.0, release_of(board).grid)


def _show(board: Board, labels: LabelSet, submission: Submission, release: Release) -> tuple[float | None, Release]:
    """Releases take higher as better: the scores of another measure are turned round on the way in and out."""
    sign = 1.0 if higher_is_better(board.official_measure) else -1.0
    values = None
    if isinstance(release, ParameterFreeLadder):  # the only one that looks at single queries
        values = sign * score_table(labels, [submission], board.official_measure).values[:, 0]
    told, following = release.show(sign * (submission.score or 0.0), values)
    return (None if told.shown is None else sign * told.shown), following
