"""What else does a run score? The measures shown beside the official one, and every measure on labels shown beside."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.db.models import Q

from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.core.models.results import Audience
from toprung.web.core.models.runs import ScoreColumn, Submission
from toprung.web.core.store.disclosing import disclosure_of

type OtherScores = dict[int, list[dict[str, Any]]]


def other_scores(
    board: Board, official: LabelSet, submissions: Sequence[Submission], audience: Audience
) -> OtherScores:
    """For each submission its other means, on the grid of the release policy; never those on private labels."""
    is_official = Q(label_set=official)
    is_extra = Q(label_set__use=LabelUse.EXTRA, label_set__is_current=True)
    columns = (
        ScoreColumn.objects.filter(is_official | is_extra, submission__in=submissions)
        .exclude(is_official & Q(measure=board.official_measure))
        .order_by("label_set__use", "label_set_id", "pk")
    )
    disclosure = disclosure_of(board)
    found: OtherScores = defaultdict(list)
    for pk, measure, use, name, mean in columns.values_list(
        "submission_id", "measure", "label_set__use", "label_set__name", "mean"
    ):
        shown = disclosure.score(mean) if audience is Audience.PUBLIC else mean
        labels = "" if use == LabelUse.OFFICIAL else name
        found[pk].append({"measure": measure, "labels": labels, "mean": shown})
    return found
