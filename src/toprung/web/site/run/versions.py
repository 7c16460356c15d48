"""What did a run score under each version of the labels? From the standings that were shown; nothing is computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.urls import reverse

from toprung.report.charts.figure import Figure
from toprung.report.charts.svg.setting import PHONE, PLAIN, ChartSetting
from toprung.report.page.bars import Interval
from toprung.web.core.access.viewer import Viewer
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.label_versions import shown_versions
from toprung.web.services.results.public import decimals_for
from toprung.web.services.shown.charts import ShownChart, show_chart
from toprung.web.services.shown.pictures import PICTURES
from toprung.web.services.shown.run.version_chart import LabelsVersion, VersionLine, draw_versions, leading_to
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
    """The same file under each version that it was on the board with: what is drawn, and the same as rows."""

    measure: str
    decimals: int
    versions: list[LabelsVersion]
    lines: list[VersionLine]
    rows: list[VersionRow]

    def draw(self, setting: ChartSetting = PLAIN) -> Figure:
        return draw_versions(self.measure, self.versions, self.lines, decimals=self.decimals, setting=setting)


def scores_over_versions(submission: Submission, highest: Submission | None, viewer: Viewer) -> VersionScores | None:
    """None where there is only one version, or nothing is shown of the run."""
    versions = list(reversed(shown_versions(viewer.board)))
    own = _scores_of(submission, viewer)
    if len(versions) < FEWEST or not own or submission.withdrawn_at is not None:
        return None
    top = _scores_of(highest, viewer) if highest is not None else {}
    decimals = decimals_for(viewer.board, viewer.audience)
    return VersionScores(
        measure=viewer.board.official_measure,
        decimals=decimals,
        versions=[_to_version(each, viewer) for each in versions],
        lines=list(_lines(submission, own, highest, top, viewer)),
        rows=list(_rows(versions, own, top, decimals)),
    )


def show_versions(found: VersionScores, submission: Submission) -> ShownChart:
    """For the page of the run: wide and for a phone, each mark a link, and as files."""
    address_of = leading_to(found.versions)
    files = {
        ending: reverse("run_picture", args=[submission.board.slug, submission.run_id, ending]) for ending in PICTURES
    }
    wide, narrow = (found.draw(ChartSetting(address_of=address_of, width=width)) for width in (None, PHONE))
    return show_chart(wide, files, narrow=narrow)


def _to_version(labels: LabelSet, viewer: Viewer) -> LabelsVersion:
    href = f"{reverse('leaderboard', args=[viewer.board.slug])}?labels={labels.version}"
    return LabelsVersion(number=labels.version, date=f"{labels.published_at:%Y-%m-%d}", href=href)


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
    viewer: Viewer,
) -> Iterator[VersionLine]:
    """By the names that this person may know."""
    if highest is not None and top:
        yield VersionLine(name=viewer.namer.name(highest).name, role=HIGHEST, is_highest=True, scores=top)
    role = "this run" if highest else HIGHEST
    yield VersionLine(name=viewer.namer.name(submission).name, role=role, is_highest=highest is None, scores=own)


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
