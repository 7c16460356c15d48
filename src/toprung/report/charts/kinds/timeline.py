"""Which claims passed over time, and which did not? Two staircases and every run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from toprung.analyses.timeline.find import DatedRun, Reign, Timeline
from toprung.boards.engine.words import in_short, say_level
from toprung.report.charts.figure import Figure
from toprung.report.charts.over_time import NAME_LENGTH, EndLabel, Moment, OverTime, TimeLabel
from toprung.report.charts.svg.drawing import Drawing
from toprung.report.charts.svg.label_placement import Box
from toprung.report.charts.svg.legend import Entry
from toprung.report.charts.svg.marks import Shape, radius
from toprung.report.charts.svg.setting import PLAIN, ChartSetting, Subject
from toprung.report.charts.tokens import INK_2, INK_3, MARK, PAPER, TAG, TOP
from toprung.words.wording import fit, list_names, show_number

MOST_CLAIMS_NAMED = 12
"""Of the claims that did not pass, the highest; the others would crowd the plot."""


class TimelineMarkStyle(NamedTuple):
    """How the marks of a kind of run are drawn."""

    shape: Shape
    fill: str
    stroke: str
    size: int

    @property
    def reach(self) -> float:
        return radius(self.shape, self.size)

    def entry(self, words: str) -> Entry:
        return Entry(words, fill=self.fill, stroke=self.stroke, shape=self.shape, size=self.size)


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


def draw(result: Timeline, setting: ChartSetting = PLAIN, *, changes: Sequence[tuple[date, str]] = ()) -> Figure:
    """Every submission by date and score, those whose claims passed joined; ``changes``: since when something else
    holds, such as other labels, in few words.
    """
    return Figure(
        kind="timeline",
        title="Proved improvements over time" if result.policy.is_tested else "The highest score over time",
        finding=result.sentence,
        caption=_say_how_to_read(result),
        drawing=_TimelineLayout.of(result, setting, changes).draw(),
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
class _TimelineLayout:
    """A timeline with the place of every submission."""

    result: Timeline
    submitted: tuple[DatedRun, ...]
    """Without the baselines, which were there from the start."""
    moments: dict[str, Moment]
    axes: OverTime
    changes: tuple[tuple[date, str], ...]

    @classmethod
    def of(cls, result: Timeline, setting: ChartSetting, changes: Sequence[tuple[date, str]]) -> _TimelineLayout:
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
            setting=setting,
        )
        dated = tuple(changes) if isinstance(in_order[0], date) else ()
        return cls(result=result, submitted=submitted, moments=moments, axes=axes, changes=dated)

    @property
    def is_tested(self) -> bool:
        return self.result.policy.is_tested

    @property
    def top_colour(self) -> str:
        return TOP if self.is_tested else INK_2

    @property
    def _name_of(self) -> Callable[[str], str]:
        return self.axes.setting.name_of

    def draw(self) -> Drawing:
        held = [(self._moment(each), each.score) for each in self.result.holders]
        led = [(self._moment(each), each.score) for each in self.result.leaders]
        drawing = self.axes.draw_axes()
        changed = self.axes.draw_changes(drawing, self.changes)
        self._draw_baselines(drawing)
        if self.is_tested:
            self.axes.draw_stairs(drawing, led, stroke=INK_3, width=1.25, dash="2 3")
        self.axes.draw_stairs(drawing, held, stroke=self.top_colour, width=2.5)
        self._draw_marks(drawing)
        self._draw_names(drawing, [*self.axes.stair_boxes(held), *self.axes.stair_boxes(led), *changed])
        self.axes.draw_end_labels(drawing, list(self._ends()))
        return drawing

    def _moment(self, reign: Reign) -> Moment:
        """When it began: of a baseline at the left edge, unless it came after the first run."""
        if reign.run in self.moments:
            return self.moments[reign.run]
        since, first, end = reign.since, self.axes.first, self.axes.end
        if since is None or not isinstance(first, date) or not isinstance(end, date) or since <= first:
            return self.axes.start
        return min(since, end)

    def _draw_baselines(self, drawing: Drawing) -> None:
        for each in self.result.submissions:
            if each.is_baseline:
                y = self.axes.y(each.score)
                drawing.rule((0, y), (self.axes.width, y), stroke=INK_2, dash="6 4")

    def _ends(self) -> Iterator[EndLabel]:
        """What stands at the right edge: who is on top, who has the highest score, the baselines."""
        holder, leader = self.result.challenged, self.result.leader
        yield EndLabel(holder.score, f"{self._say_place()}: {self._say_score(holder)}", self.top_colour, bold=True)
        if leader.run != holder.run:
            yield EndLabel(leader.score, f"Highest score: {self._say_score(leader)}", INK_3)
        for each in self.result.submissions:
            if each.is_baseline and each.run not in (holder.run, leader.run):
                yield EndLabel(each.score, f"{fit(self._name_of(each.run), NAME_LENGTH)}, baseline", INK_3)

    def _say_score(self, each: DatedRun) -> str:
        """With a word between: next to a name that is read from the right, the number would change its place."""
        return f"{fit(self._name_of(each.run), NAME_LENGTH)} at {show_number(each.score, self.result.score_decimals)}"

    def _say_place(self) -> str:
        """What the holder is: without a claim that passed nobody has proved anything."""
        if not self.is_tested:
            return f"Highest {self.result.measure}"
        return "To beat" if self.result.last_proved is None else "Last proved gain"

    @property
    def _tags_tell(self) -> bool:
        """Where every run has a tag, tags tell none of them apart."""
        return not all(each.tags for each in self.submitted)

    def _kind_of(self, each: DatedRun) -> int:
        tagged = bool(each.tags) and self._tags_tell
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

    def _draw_marks(self, drawing: Drawing) -> None:
        names = self._kind_names()
        for each in sorted(self.submitted, key=self._kind_of, reverse=True):  # what matters most is drawn last, on top
            style = STYLES[self._kind_of(each)]
            x, y = self.axes.place(self.moments[each.run], each.score)
            drawing.point(
                x, y, shape=style.shape, size=style.size, fill=style.fill, stroke=style.stroke,
                facts=self._facts(each, names), of=Subject("run", each.run),
            )  # fmt: skip
        kinds = sorted({self._kind_of(each) for each in self.submitted})
        drawing.explain(STYLES[kind].entry(names[kind]) for kind in kinds)

    def _facts(self, each: DatedRun, names: dict[int, str]) -> dict[str, object]:
        moment = self.moments[each.run]
        return {
            "run": self._name_of(each.run),
            "when": f"submission {moment}" if isinstance(moment, int) else f"{moment:%Y-%m-%d}",
            self.result.measure: show_number(each.score, self.result.score_decimals),
            "kind": names[self._kind_of(each)],
            "tags": list_names(list(each.tags)) if each.tags else "",
            "claim": self._say_claim(each),
        }

    def _say_claim(self, each: DatedRun) -> str:
        claim = each.claim
        if claim is None or not claim.rule.is_tested:
            return ""
        level = say_level(claim, decimals=self.result.score_decimals)
        return f"over {self._name_of(claim.holder)}: {in_short(claim)} {level}"

    def _draw_names(self, drawing: Drawing, lines: list[Box]) -> None:
        """Those to beat by name, the present one first, then the highest of the claims that did not pass."""
        holders = [each for each in self.submitted if each.is_challenged]
        claims = [each for each in self.submitted if each.claim is not None and not each.has_passed]
        claims.sort(key=lambda each: -each.score)
        wanted = [
            TimeLabel(
                name=fit(self._name_of(each.run), NAME_LENGTH),
                moment=self.moments[each.run],
                score=each.score,
                reach=STYLES[self._kind_of(each)].reach,
                colour=self.top_colour if each.is_challenged else INK_3,
                bold=each.is_challenged,
            )
            for each in [*reversed(holders), *claims[:MOST_CLAIMS_NAMED]]
        ]
        marks = [
            Box.around(*self.axes.place(moment, each.score), STYLES[self._kind_of(each)].reach)
            for each, moment in zip(self.submitted, self.moments.values(), strict=True)
        ]
        self.axes.draw_labels(drawing, wanted, [*lines, *marks])
