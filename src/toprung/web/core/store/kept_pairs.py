"""Where is kept what large boards are compared by? In a folder for each set of labels, which may go at any time."""

from __future__ import annotations

import shutil
from pathlib import Path

from django.conf import settings

from toprung.web.core.models.labels import LabelSet


def kept_pairs_of(labels: LabelSet) -> Path:
    folder: Path = settings.ENVIRONMENT.kept_pairs
    return folder / f"labels-{labels.pk}"


def forget_kept_pairs() -> None:
    """Delete what belongs to labels that are in use no more."""
    in_use = {kept_pairs_of(each) for each in LabelSet.objects.filter(superseded_at=None, given_up_at=None)}
    folder: Path = settings.ENVIRONMENT.kept_pairs
    for path in folder.iterdir() if folder.is_dir() else ():
        if path not in in_use:
            shutil.rmtree(path, ignore_errors=True)
