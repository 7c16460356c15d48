"""What kind of labels does a board have? Said of all of them together, so that it tells of no single one."""

from __future__ import annotations

import numpy as np

from toprung.web.core.models.labels import LabelSet
from toprung.web.core.store.columns import labels_of


def say_label_kind(label_set: LabelSet) -> str:
    """Whether every query has one answer, or answers are graded; empty where neither."""
    labels = labels_of(label_set)
    highest = int(labels.grades.max())
    if highest > 1:
        return f"graded 0 to {highest}"
    relevant = np.bincount(labels.query_of_row, weights=labels.grades > 0, minlength=len(labels.query_ids))
    return "one answer each" if (relevant[relevant > 0] == 1).all() else ""
