"""What may everyone see of who held the top over time? Scores as they are released."""

from __future__ import annotations

from dataclasses import replace

from toprung.analyses.timeline.find import Timeline
from toprung.boards.board_release import BoardRelease


def in_public[Followed: Timeline](found: Followed, release: BoardRelease) -> Followed:
    runs = tuple(replace(each, score=release.shown_scores[each.run]) for each in found.submissions)
    return replace(found, submissions=runs, score_decimals=release.decimals)
