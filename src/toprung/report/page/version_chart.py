"""What does a run score under each version of the labels? A line with intervals, beside that of the top run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from toprung.report.page.bars import Axis, Interval
from toprung.report.page.words import plain
from toprung.words.wording import list_names, show_interval, show_number

WIDTH, HEIGHT = 560, 260
LEFT, RIGHT, TOP, BOTTOM = 50, 410, 24, 214
"""Where the scale begins and ends; names stand at the right of it."""
APART = 5
"""Half the distance between the marks of two runs under one version."""
LINE_HEIGHT = 18
CONFIDENCE = 0.95


@dataclass(frozen=True, kw_only=True)
class Version:
    """One version of the labels, as the axis names it."""

    number: int
    date: str
    href: str
    """Where the board stands as it was under it."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """A run's scores by the number of the version; one that was not on the board then has none."""

    run: str
    role: str
    """Such as "this run": what stands behind its label."""
    is_top: bool
    scores: Mapping[int, Interval]


def draw_versions(measure: str, versions: Sequence[Version], lines: Sequence[Line], *, decimals: int) -> str:
    """Versions from left to right, each with the scores and intervals of the runs that were on the board."""
    intervals = [score for line in lines for score in line.scores.values()]
    latest = lines[-1].scores[max(lines[-1].scores)]
    axis = Axis.of(intervals, top=latest, confidence=CONFIDENCE)
    parts = [
        f"<title>{plain(_say(measure, lines, decimals))}</title>",
        f'<text class="t" x="10" y="12">{plain(measure)}</text>',
        *_draw_scale(axis),
        *_draw_versions(versions),
    ]
    for number, line in enumerate(lines):
        shift = (2 * number - len(lines) + 1) * APART
        parts += _draw_line(line, versions, axis, shift=shift, decimals=decimals)
    parts += _draw_names(lines, axis)
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="group">{"".join(parts)}</svg>'


def _say(measure: str, lines: Sequence[Line], decimals: int) -> str:
    said = [
        f"{line.run} "
        + ", ".join(f"v{number} {show_number(score.value, decimals)}" for number, score in sorted(line.scores.items()))
        for line in lines
    ]
    return f"{measure} under each version of the labels: {list_names(said)}."


def _draw_scale(axis: Axis) -> Iterator[str]:
    for tick in axis.ticks:
        y = _height(tick, axis)
        yield f'<line class="gr" x1="{LEFT}" x2="{RIGHT}" y1="{y}" y2="{y}"/>'
        yield f'<text class="t" x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{show_number(tick, axis.decimals)}</text>'


def _draw_versions(versions: Sequence[Version]) -> Iterator[str]:
    places = _places(versions)
    for version in versions:
        x = places[version.number]
        yield f'<text class="tt" x="{x}" y="238" text-anchor="middle">v{version.number}</text>'
        yield f'<text class="t" x="{x}" y="254" text-anchor="middle">{plain(version.date)}</text>'


def _draw_line(line: Line, versions: Sequence[Version], axis: Axis, *, shift: int, decimals: int) -> Iterator[str]:
    """Each score is a link to the board under that version."""
    colour, mark = ("s-top", "top") if line.is_top else ("s-ink", "ink")
    places = _places(versions)
    shown = [(version, line.scores[version.number]) for version in versions if version.number in line.scores]
    points = [(places[version.number] + shift, version, score) for version, score in shown]
    path = "L".join(f"{x} {_height(score.value, axis)}" for x, _, score in points)
    yield f'<path class="{colour}" stroke-width="2" d="M{path}"/>'
    for x, version, score in points:
        low, high = _height(score.low, axis), _height(score.high, axis)
        interval = show_interval(score.low, score.high, decimals)
        said = f"{line.run}, labels v{version.number}, {show_number(score.value, decimals)} ({interval})"
        yield f'<line class="{colour}" stroke-width="1.2" x1="{x}" x2="{x}" y1="{low}" y2="{high}"/>'
        yield f'<a href="{plain(version.href)}" aria-label="{plain(said)}">'
        yield f'<circle class="{mark}" cx="{x}" cy="{_height(score.value, axis)}" r="4.5"/></a>'


def _draw_names(lines: Sequence[Line], axis: Axis) -> Iterator[str]:
    """Beside the last scores, the higher above; far enough apart to be read."""
    by_height = sorted(lines, key=lambda line: _last_height(line, axis))
    y = 0.0
    for line in by_height:
        y = max(_last_height(line, axis) + 4, y + LINE_HEIGHT if y else 0.0)
        colour = "top" if line.is_top else "tt"
        yield f'<text class="{colour}" x="{RIGHT + 8}" y="{round(y, 1)}">{plain(f"{line.run}, {line.role}")}</text>'


def _last_height(line: Line, axis: Axis) -> float:
    return _height(line.scores[max(line.scores)].value, axis)


def _places(versions: Sequence[Version]) -> dict[int, float]:
    """Evenly from left to right; a single one in the middle."""
    inside = RIGHT - LEFT - 60
    step = inside / (len(versions) - 1) if len(versions) > 1 else 0.0
    first = LEFT + 40 if step else (LEFT + RIGHT) / 2
    return {version.number: round(first + number * step, 1) for number, version in enumerate(versions)}


def _height(value: float, axis: Axis) -> float:
    share = (min(max(value, axis.low), axis.high) - axis.low) / (axis.high - axis.low)
    return round(BOTTOM - share * (BOTTOM - TOP), 1)
