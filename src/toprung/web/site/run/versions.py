"""What did a run score under each version of the labels? From the standings that were shown; nothing is computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from toprung.report.page.bars import Interval
from toprung.report.page.version_chart import Line, Version, draw_versions
from toprung.web.core.access.viewer import Viewer
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.label_versions import shown_versions
from toprung.web.services.results.public import decimals_for
from toprung.words.wording import show_interval, show_number

NONE, HIGHEST = "–", "highest score"
FEWEST = 2
"""Of one version the table of scores tells all."""


@dataclass(frozen=True, kw_only=True)
class VersionRow:
    """One version of the labels, with the scores of the run and of the one with the highest score now."""

    labels: LabelSet
    score: str
    interval: str
    highest: str


@dataclass(frozen=True, kw_only=True)
class VersionScores:
    """The same file under each version that it was on the board with."""

    chart: SafeString
    rows: list[VersionRow]


def scores_over_versions(submission: Submission, highest: Submission | None, viewer: Viewer) -> VersionScores | None:
    """None where there is only one version, or nothing is shown of the run."""
    versions = list(reversed(shown_versions(viewer.board)))
    own = _scores_of(submission, viewer)
    if len(versions) < FEWEST or not own or submission.withdrawn_at is not None:
        return None
    top = _scores_of(highest, viewer) if highest is not None else {}
    decimals = decimals_for(viewer.board, viewer.audience)
    board = reverse("leaderboard", args=[viewer.board.slug])
    axis = [
        Version(number=each.version, date=f"{each.published_at:%Y-%m-%d}", href=f"{board}?labels={each.version}")
        for each in versions
    ]
    drawn = draw_versions(
        viewer.board.official_measure, axis, list(_lines(submission, own, highest, top)), decimals=decimals
    )
    return VersionScores(
        chart=mark_safe(drawn),  # noqa: S308 - the drawing escapes
        rows=list(_rows(versions, own, top, decimals)),
    )


def _scores_of(submission: Submission, viewer: Viewer) -> dict[int, Interval]:
    rows = submission.standings.filter(audience=viewer.audience).values_list("labels_version", "content")
    return {
        version: Interval(value=row["score"], low=row["score_low"], high=row["score_high"]) for version, row in rows
    }


def _lines(
    submission: Submission,
    own: Mapping[int, Interval],
    highest: Submission | None,
    top: Mapping[int, Interval],
) -> Iterator[Line]:
    if highest is not None and top:
        yield Line(run=highest.run_id, role=HIGHEST, is_top=True, scores=top)
    yield Line(run=submission.run_id, role="this run" if highest else HIGHEST, is_top=highest is None, scores=own)


def _rows(
    versions: Sequence[LabelSet], own: Mapping[int, Interval], top: Mapping[int, Interval], decimals: int
) -> Iterator[VersionRow]:
    for labels in versions:
        score, of_top = own.get(labels.version), top.get(labels.version)
        yield VersionRow(
            labels=labels,
            score=NONE if score is None else show_number(score.value, decimals),
            interval=NONE if score is None else show_interval(score.low, score.high, decimals),
            highest=NONE if of_top is None else show_number(of_top.value, decimals),
        )
