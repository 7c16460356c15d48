"""What else does a run score? The measures shown beside the official one, and every measure on labels shown beside."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import Q

from toprung.boards.disclosure.disclosure import LEFT_OUT, Disclosure
from toprung.boards.engine.kept_scores import KeptScores
from toprung.stats.intervals.bootstrap import Effect
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.core.models.runs import ScoreColumn, Submission
from toprung.web.core.store.columns import unpack_scores
from toprung.web.core.store.kept_pairs import kept_pairs_of
from toprung.words.wording import list_names


@dataclass(frozen=True, kw_only=True)
class OtherMeasure:
    """A measure that is shown and decides nothing, with the means of all runs that have it."""

    key: str
    """In addresses and orders."""
    measure: str
    labels: str
    """Their name; empty for the official labels."""
    means: Mapping[int, Effect]
    """By submission."""
    n_hidden: int = 0
    """How many queries the labels have, if they are hidden."""

    @property
    def named(self) -> dict[str, str]:
        return {"key": self.key, "measure": self.measure, "labels": self.labels}

    def is_left_out(self, release: Disclosure) -> bool:
        """Whether nothing of it is told to those who see no more than the release."""
        return not release.beside(self.n_hidden).shows_figure_over(self.n_hidden or release.n_hidden)


def find_other_measures(board: Board, official: LabelSet, submissions: Sequence[Submission]) -> list[OtherMeasure]:
    """Those on the official labels first; never those on private ones."""
    is_official = Q(label_set=official)
    is_extra = Q(label_set__use=LabelUse.EXTRA, label_set__is_current=True)
    columns = ScoreColumn.objects.filter(is_official | is_extra, submission__in=[each.pk for each in submissions])
    columns = columns.exclude(is_official & Q(measure=board.official_measure))
    found = set(columns.values_list("label_set", "measure"))
    labels = LabelSet.objects.in_bulk({pk for pk, _ in found})
    in_order = sorted(found, key=lambda each: (each[0] != official.pk, each[0], _place(board, each[1])))
    return [_read(board, labels[pk], measure, submissions) for pk, measure in in_order]


def _place(board: Board, measure: str) -> tuple[int, str]:
    """As the board lists its measures."""
    listed = list(board.other_measures)
    return (listed.index(measure) if measure in listed else len(listed)), measure


def _read(board: Board, labels: LabelSet, measure: str, submissions: Sequence[Submission]) -> OtherMeasure:
    columns = ScoreColumn.objects.filter(
        label_set=labels, measure=measure, submission__in=[each.pk for each in submissions]
    )
    packed = dict(columns.values_list("submission_id", "packed"))
    values = np.array([unpack_scores(each) for each in packed.values()]).T
    kept = KeptScores(folder=kept_pairs_of(labels))
    effects = kept.mean_intervals(values, confidence=1 - board.alpha, seed=board.seed)
    name = "" if labels.use == LabelUse.OFFICIAL else labels.name
    means = dict(zip(packed, effects, strict=True))
    n_hidden = labels.n_queries if labels.is_hidden else 0
    return OtherMeasure(key=key_of(measure, name), measure=measure, labels=name, means=means, n_hidden=n_hidden)


def key_of(measure: str, labels: str = "") -> str:
    """A short name for addresses.

    >>> key_of("nDCG@10"), key_of("RR@100", "2nd judges")
    ('ndcg-10', 'rr-100-2nd-judges')
    """
    return re.sub(r"[^a-z0-9]+", "-", f"{measure} {labels}".lower()).strip("-")


def others_told(measures: Sequence[OtherMeasure], release: Disclosure | None) -> list[OtherMeasure]:
    """Those that an audience is told: of too few hidden queries none, but to organisers."""
    return [each for each in measures if release is None or not each.is_left_out(release)]


def say_left_out(measures: Sequence[OtherMeasure], release: Disclosure | None) -> Iterator[str]:
    """Why some are not there."""
    told = others_told(measures, release)
    missing = [f"{each.measure} by the labels “{each.labels}”" for each in measures if each not in told]
    if missing:
        yield f"{LEFT_OUT}: here {list_names(missing)}."


def show_others(measures: Sequence[OtherMeasure], pk: int, release: Disclosure | None) -> list[dict[str, Any]]:
    """Of one run; for everyone on the grid of the release policy, and of the labels where these are hidden."""
    return list(_show(measures, pk, release))


def _show(measures: Sequence[OtherMeasure], pk: int, release: Disclosure | None) -> Iterator[dict[str, Any]]:
    for each in others_told(measures, release):
        if (effect := each.means.get(pk)) is not None:
            shown = effect if release is None else release.beside(each.n_hidden).score_effect(effect)
            yield {**each.named, "mean": shown.estimate, "low": shown.low, "high": shown.high}
