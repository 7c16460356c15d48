"""How is a stored comparison drawn? Its outcome bar and its intervals, where left favours B, as in the bar."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from toprung.report.page.bars import OUTCOME_WORDS, draw_outcomes
from toprung.report.page.words import plain
from toprung.web.core.store.rows import to_shares
from toprung.web.services.shown.compare.names import PairNames
from toprung.words.wording import show_share

REACH = 40
"""Percent of the width that the furthest end of an interval stands from the middle."""


def draw_bar(content: Mapping[str, Any], names: PairNames) -> str:
    shares = to_shares(content["outcomes"]["shares"])
    if shares is None:
        return ""
    return draw_outcomes(shares, names.a).replace('class="obar"', 'class="obar big"', 1)


def say_sides(content: Mapping[str, Any]) -> tuple[str, str]:
    """On which share of queries B does better, and A; added up from what is shown."""
    shares = content["outcomes"]["shares"]
    return show_share(shares["only_this"] + shares["better"]), show_share(shares["worse"] + shares["only_top"])


def say_outcomes(content: Mapping[str, Any], names: PairNames) -> Iterator[dict[str, str]]:
    """For each outcome its colour, share, count and words."""
    b, a, outcomes = names.b, names.a, content["outcomes"]
    said = {
        "only_this": f"only {b} found it",
        "better": f"both, {b} higher",
        "same": "both, same rank",
        "neither": "neither found it",
        "worse": f"both, {a} higher",
        "only_top": f"only {a} found it",
    }
    for name, colour, _ in OUTCOME_WORDS:
        count = f"{outcomes['counts'][name]:,}"
        yield {
            "colour": colour,
            "share": show_share(outcomes["shares"][name]),
            "count": f"about {count}" if outcomes["is_about"] else count,
            "words": said[name],
        }


def draw_difference(row: Mapping[str, Any], b: str, a: str, *, furthest: float | None = None) -> str:
    """The interval of a difference against zero; left of the line favours B. Rows that share a scale reach as far as
    the ``furthest`` of them; any other has a scale of its own.
    """
    said = f"{b} less {a}: {row['difference']}, 95% interval {row['interval']}"
    drawn = row["drawn"]
    towards_left = 1 if row["more_is_better"] else -1
    marks = "" if None in drawn else _draw_interval(*drawn, towards_left=towards_left, furthest=furthest)
    return (
        f'<svg class="cibar iv" role="img" aria-label="{plain(said)}">'
        f'<line class="ctl" x1="50%" x2="50%" y1="-12" y2="38"/>{marks}</svg>'
    )


def _draw_interval(estimate: float, low: float, high: float, *, towards_left: int, furthest: float | None) -> str:
    furthest = max(abs(estimate), abs(low), abs(high)) if furthest is None else furthest

    def at(value: float) -> str:
        return f"{50 - (towards_left * REACH * value / furthest if furthest else 0):.1f}%"

    return (
        f'<line class="s-ink span" x1="{at(low)}" x2="{at(high)}" y1="10" y2="10"/>'
        f'<circle class="ink" cx="{at(estimate)}" cy="10" r="4"/>'
    )
