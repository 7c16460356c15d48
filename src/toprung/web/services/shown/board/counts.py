"""How many runs are on a board, and of how many teams? Asked of the database once for a page."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q

from toprung.web.core.access.viewer import Viewer
from toprung.web.core.models.runs import RunState
from toprung.words.wording import say_count


@dataclass(frozen=True, kw_only=True)
class RunCounts:
    """How many there are, of how many teams; anonymous runs count for no team, which would be a hint."""

    n_runs: int
    n_named: int
    n_teams: int
    n_baselines: int
    n_not_shown: int
    """Among both, those that the release policy shows no score of."""

    @classmethod
    def of(cls, viewer: Viewer) -> RunCounts:
        listed = viewer.board.submissions.filter(state=RunState.DONE, withdrawn_at=None)
        named = viewer.namer.named() & Q(is_baseline=False)
        counts = listed.aggregate(
            n_runs=Count("pk", filter=Q(is_baseline=False)),
            n_named=Count("pk", filter=named),
            n_teams=Count("team", filter=named, distinct=True),
            n_baselines=Count("pk", filter=Q(is_baseline=True)),
            n_not_shown=Count("pk", filter=Q(shown_score=None)),
        )
        return cls(**counts)

    def __str__(self) -> str:
        if not self.n_runs:
            return "no run yet"
        teams = f", {say_count(self.n_teams, 'team')}" if self.n_teams else ""
        n_anonymous = self.n_runs - self.n_named
        return f"{say_count(self.n_runs, 'run')}{teams}{f', {n_anonymous:,} anonymous' if n_anonymous else ''}"
