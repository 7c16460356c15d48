"""Which versions of the official labels were shown? Each can still be looked at, as its results were."""

from __future__ import annotations

from django.db.models import QuerySet

from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet, LabelUse

CHANGE = "versions"
"""The kind of the stored result that tells what a version changes."""


def shown_versions(board: Board) -> QuerySet[LabelSet]:
    """The latest first; never one that is being prepared or was given up."""
    official = board.label_sets.filter(use=LabelUse.OFFICIAL, version__lte=board.shown_version)
    return official.exclude(current_since=None).order_by("-version")


def find_shown_version(board: Board, version: int) -> LabelSet | None:
    return shown_versions(board).filter(version=version).first()


def version_before(labels: LabelSet) -> LabelSet | None:
    """The version that these replace or replaced."""
    earlier = labels.board.label_sets.filter(use=labels.use, name=labels.name, version__lt=labels.version)
    return earlier.exclude(current_since=None).order_by("-version").first()
