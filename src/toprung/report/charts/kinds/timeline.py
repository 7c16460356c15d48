"""Which claims passed over time, and which did not? Two staircases and every run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

import altair as alt

from toprung.analyses.timeline.find import DatedRun, Reign, Timeline
from toprung.boards.engine.words import in_short, say_level
from toprung.report.charts.data import values
from toprung.report.charts.figure import Figure
from toprung.report.charts.label_placement import Box
from toprung.report.charts.over_time import HEIGHT, NAME_LENGTH, WIDTH, Moment, OverTime
from toprung.report.charts.tokens import INK_2, INK_3, MARK, PAPER, TAG, TOP
from toprung.words.wording import fit, list_names, show_number

MOST_CLAIMS_NAMED = 12
"""Of the claims that did not pass, the highest; the others would crowd the plot."""


class TimelineMarkStyle(NamedTuple):
    """How the marks of a kind of run are drawn."""

    shape: str
    fill: str
    stroke: str
    size: int

    @property
    def reach(self) -> float:
        return self.size**0.5 / 2


PASSED, TAGGED_PASSED, LEADER, TAGGED_LEADER, CLAIM, TAGGED_CLAIM, TAGGED, OTHER = range(8)
STYLES = {
    PASSED: TimelineMarkStyle("circle", TOP, TOP, 130),
    TAGGED_PASSED: TimelineMarkStyle("diamond", TOP, TOP, 150),
    # The highest score, untested: not in the colour of a proof.
    LEADER: TimelineMarkStyle("circle", INK_2, INK_2, 130),
    TAGGED_LEADER: TimelineMarkStyle("diamond", INK_2, INK_2, 150),
    CLAIM: TimelineMarkStyle("circle", PAPER, INK_2, 90),
    TAGGED_CLAIM: TimelineMarkStyle("diamond", PAPER, TAG, 110),
    TAGGED: TimelineMarkStyle("diamond", TAG, TAG, 70),
    OTHER: TimelineMarkStyle("circle", MARK, MARK, 40),
}


def draw(result: Timeline) -> Figure:
    """Every submission by date and score, those whose claims passed joined."""
    return Figure(
        kind="timeline",
        title="Proved improvements over time" if result.policy.is_tested else "The highest score over time",
        finding=result.sentence,
        caption=_say_how_to_read(result),
        chart=_Drawing.of(result).chart(),
    )


def _say_how_to_read(result: Timeline) -> str:
    has_baselines = any(each.is_baseline for each in result.submissions)
    baselines = " Dashed: a baseline, there from the start." if has_baselines else ""
    if not result.policy.is_tested:
        return f"Line: the highest {result.measure} so far. No claim was tested: a step may be chance.{baselines}"
    return (
        "Solid line: the score of the holder, the first or the last whose claim passed. Dotted line: the highest "
        "score so far. The gap between them is not proved. Filled marks: claims that passed; hollow: that did not."
        f"{baselines}"
    )


@dataclass(frozen=True, kw_only=True)
class _Drawing:
    """A timeline with the place of every submission."""

    result: Timeline
    submitted: tuple[DatedRun, ...]
    """Without the baselines, which were there from the start."""
    moments: dict[str, Moment]
    axes: OverTime

    @classmethod
    def of(cls, result: Timeline) -> _Drawing:
        submitted = tuple(each for each in result.submissions if not each.is_baseline)
        moments: dict[str, Moment] = {
            each.run: number if each.date is None else each.date for number, each in enumerate(submitted, start=1)
        }
        in_order = [moments[each.run] for each in submitted] or [1]
        scores = [each.score for each in result.submissions]
        axes = OverTime(
            first=in_order[0],
            last=in_order[-1],
            lowest=min(scores),
            highest=max(scores),
            measure=result.measure,
        )
        return cls(result=result, submitted=submitted, moments=moments, axes=axes)

    @property
    def is_tested(self) -> bool:
        return self.result.policy.is_tested

    @property
    def top_colour(self) -> str:
        return TOP if self.is_tested else INK_2

    def chart(self) -> alt.LayerChart:
        held = [(self._moment(each), each.score) for each in self.result.holders]
        led = [(self._moment(each), each.score) for each in self.result.leaders]
        dotted: dict[str, Any] = {"color": INK_3, "strokeWidth": 1.25, "strokeDash": [2, 3]}
        layers = (
            *self._baselines(),
            *([self.axes.staircase(led, **dotted)] if self.is_tested else []),
            self.axes.staircase(held, color=self.top_colour, strokeWidth=2.5),
            self._marks(),
            self._names(self.axes.stair_boxes(held) + self.axes.stair_boxes(led)),
            *self.axes.end_labels(list(self._ends())),
        )
        return alt.LayerChart(layer=list(layers)).properties(width=WIDTH, height=HEIGHT)

    def _moment(self, reign: Reign) -> Moment:
        """When it began: of a baseline at the left edge, unless it came after the first run."""
        if reign.run in self.moments:
            return self.moments[reign.run]
        since, first, end = reign.since, self.axes.first, self.axes.end
        if since is None or not isinstance(first, date) or not isinstance(end, date) or since <= first:
            return self.axes.start
        return min(since, end)

    def _baselines(self) -> Iterator[alt.Chart]:
        rows = [{"score": each.score} for each in self.result.submissions if each.is_baseline]
        if rows:
            yield alt.Chart(values(rows)).mark_rule(color=INK_2, strokeDash=[6, 4], aria=False).encode(y=self.axes.y)

    def _ends(self) -> Iterator[tuple[float, str, str, str]]:
        """What stands at the right edge: who is on top, who has the highest score, the baselines."""
        holder, leader = self.result.challenged, self.result.leader
        name = self._say_place()
        yield holder.score, f"{name}: {_say_score(holder, self.result.score_decimals)}", self.top_colour, "bold"
        if leader.run != holder.run:
            yield leader.score, f"Highest score: {_say_score(leader, self.result.score_decimals)}", INK_3, "normal"
        for each in self.result.submissions:
            if each.is_baseline and each.run not in (holder.run, leader.run):
                yield each.score, f"{fit(each.run, NAME_LENGTH)}, baseline", INK_3, "normal"

    def _say_place(self) -> str:
        """What the holder is: without a claim that passed nobody has proved anything."""
        if not self.is_tested:
            return f"Highest {self.result.measure}"
        return "To beat" if self.result.last_proved is None else "Last proved gain"

    def _kind_of(self, each: DatedRun) -> int:
        tagged = bool(each.tags)
        if each.is_challenged and not self.is_tested:
            return TAGGED_LEADER if tagged else LEADER
        if each.has_passed:
            return TAGGED_PASSED if tagged else PASSED
        if each.claim is not None:
            return TAGGED_CLAIM if tagged else CLAIM
        return TAGGED if tagged else OTHER

    def _kind_names(self) -> dict[int, str]:
        tags = list(dict.fromkeys(tag for each in self.submitted for tag in each.tags))
        tagged = f"tagged “{fit(tags[0], NAME_LENGTH)}”" if len(tags) == 1 else "tagged"
        return {
            PASSED: "claim passed",
            TAGGED_PASSED: f"{tagged}, claim passed",
            LEADER: "had the highest score",
            TAGGED_LEADER: f"{tagged}, had the highest score",
            CLAIM: "claim not passed",
            TAGGED_CLAIM: f"{tagged}, claim not passed",
            TAGGED: tagged,
            OTHER: "other run",
        }

    def _marks(self) -> alt.Chart:
        names = self._kind_names()
        kinds = sorted({self._kind_of(each) for each in self.submitted})

        def scale(channel: str) -> alt.Scale:
            drawn = [getattr(STYLES[kind], channel) for kind in kinds]
            return alt.Scale(type="ordinal", domain=[names[kind] for kind in kinds], range=drawn)

        rows = sorted(self.submitted, key=self._kind_of, reverse=True)  # what matters most is drawn last, on top
        return (
            alt.Chart(values(self._mark_row(each, names) for each in rows))
            .mark_point(filled=True, strokeWidth=1.6, aria=False)
            .encode(
                x=self.axes.x,
                y=self.axes.y,
                shape=alt.Shape("kind:N", scale=scale("shape")),
                fill=alt.Fill("kind:N", scale=scale("fill")),
                stroke=alt.Stroke("kind:N", scale=scale("stroke")),
                size=alt.Size("kind:N", scale=scale("size")),
                tooltip=[
                    alt.Tooltip("run:N"),
                    alt.Tooltip("when:N"),
                    alt.Tooltip("shown:N", title=self.result.measure),
                    alt.Tooltip("tags:N"),
                    alt.Tooltip("claim:N"),
                ],
            )
        )

    def _mark_row(self, each: DatedRun, names: dict[int, str]) -> dict[str, object]:
        moment = self.moments[each.run]
        return {
            "moment": moment,
            "score": each.score,
            "kind": names[self._kind_of(each)],
            "run": each.run,
            "when": f"submission {moment}" if isinstance(moment, int) else f"{moment:%Y-%m-%d}",
            "shown": show_number(each.score, self.result.score_decimals),
            "tags": list_names(list(each.tags)) if each.tags else "",
            "claim": _say_claim(each, self.result.score_decimals),
        }

    def _names(self, lines: list[Box]) -> alt.Chart:
        """Those to beat by name, the present one first, then the highest of the claims that did not pass."""
        holders = [each for each in self.submitted if each.is_challenged]
        claims = [each for each in self.submitted if each.claim is not None and not each.has_passed]
        claims.sort(key=lambda each: -each.score)
        wanted = [
            {
                "moment": self.moments[each.run],
                "score": each.score,
                "name": fit(each.run, NAME_LENGTH),
                "reach": STYLES[self._kind_of(each)].reach,
                "color": self.top_colour if each.is_challenged else INK_3,
                "weight": "bold" if each.is_challenged else "normal",
            }
            for each in [*reversed(holders), *claims[:MOST_CLAIMS_NAMED]]
        ]
        marks = [
            Box.around(self.axes.to_x(moment), self.axes.to_y(each.score), STYLES[self._kind_of(each)].reach)
            for each, moment in zip(self.submitted, self.moments.values(), strict=True)
        ]
        return self.axes.labels(wanted, [*lines, *marks])


def _say_score(each: DatedRun, decimals: int) -> str:
    """With a word between: next to a name that is read from the right, the number would change its place."""
    return f"{fit(each.run, NAME_LENGTH)} at {show_number(each.score, decimals)}"


def _say_claim(each: DatedRun, decimals: int) -> str:
    claim = each.claim
    if claim is None or not claim.rule.is_tested:
        return ""
    return f"over {claim.holder}: {in_short(claim)} {say_level(claim, decimals=decimals)}"
