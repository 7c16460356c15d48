"""What may everyone see of claims over time? Scores and differences as they are released; what passed stays so."""

from __future__ import annotations

from dataclasses import replace

from toprung.analyses.timeline.find import Timeline
from toprung.boards.board_release import BoardRelease
from toprung.boards.public import score_effect_in_public


def in_public[Followed: Timeline](found: Followed, release: BoardRelease) -> Followed:
    runs = tuple(replace(each, score=release.shown_scores[each.run]) for each in found.submissions)
    effects = {run: score_effect_in_public(effect, release) for run, effect in found.effects.items()}
    return replace(found, submissions=runs, score_decimals=release.decimals, shown_effects=effects)
