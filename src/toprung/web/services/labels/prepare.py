"""How far is a version of the labels? Runs scored on it, of those that must be, and what is done next."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Exists, OuterRef, QuerySet

from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.runs import FirstRankColumn, RunState, Submission

SCORED_STATES = (RunState.SCORED, RunState.DONE)
"""Runs in these states have columns; withdrawn ones too, for claims and ladders rest on them."""


class VersionStage(StrEnum):
    """What is being done with a version."""

    SCORING = "scoring"
    COMPUTING = "computing"
    """All runs are scored; what the pages show is computed."""
    CURRENT = "current"
    SUPERSEDED = "superseded"
    GIVEN_UP = "given up"


@dataclass(frozen=True, kw_only=True)
class Preparation:
    """How far a version is."""

    labels: LabelSet
    stage: VersionStage
    n_scored: int
    n_runs: int

    @property
    def share(self) -> float:
        return 1.0 if not self.n_runs else self.n_scored / self.n_runs

    @property
    def failure(self) -> str:
        """What keeps it from becoming current; for organisers."""
        return self.labels.failure if self.labels.is_being_prepared else ""

    @property
    def is_over(self) -> bool:
        return self.stage not in (VersionStage.SCORING, VersionStage.COMPUTING)


def preparation_of(labels: LabelSet) -> Preparation:
    n_runs, n_missing = scored_runs(labels.board).count(), runs_to_score(labels).count()
    return Preparation(labels=labels, stage=_stage_of(labels, n_missing), n_scored=n_runs - n_missing, n_runs=n_runs)


def _stage_of(labels: LabelSet, n_missing: int) -> VersionStage:
    if labels.given_up_at is not None:
        return VersionStage.GIVEN_UP
    if labels.is_current:
        return VersionStage.CURRENT
    if labels.superseded_at is not None:
        return VersionStage.SUPERSEDED
    return VersionStage.SCORING if n_missing else VersionStage.COMPUTING


def versions_in_preparation(board: Board) -> QuerySet[LabelSet]:
    return board.label_sets.filter(current_since=None, given_up_at=None).order_by("pk")


def scored_runs(board: Board) -> QuerySet[Submission]:
    return board.submissions.filter(state__in=SCORED_STATES)


def runs_to_score(labels: LabelSet) -> QuerySet[Submission]:
    """Runs that were scored and have no columns on these labels, in order."""
    columns = FirstRankColumn.objects.filter(submission=OuterRef("pk"), label_set=labels)
    return scored_runs(labels.board).filter(~Exists(columns)).order_by("number")
