"""What does the table of a timeline show? A row for each submission, in the order they came."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from toprung.boards.engine.claims import TestedClaim
from toprung.boards.engine.words import in_short
from toprung.result import Table
from toprung.words.wording import show_interval, show_number, show_p_and_level

if TYPE_CHECKING:
    from toprung.analyses.timeline.find import DatedRun, Timeline

PASSED, NOT_PASSED, BASELINE, NO_CLAIM = "●", "○", "┄", " "
MARK_WORDS = {PASSED: "passed", NOT_PASSED: "not passed", BASELINE: "baseline", NO_CLAIM: "no claim"}
DIFFERENCE, COULD_SEE = "difference (95%)", "could see"
TESTED = ("p", "level", COULD_SEE)


def mark_of(each: DatedRun) -> str:
    """Passed, not passed, a baseline, or nothing for who made no claim."""
    if each.is_baseline:
        return BASELINE
    if each.claim is None:
        return NO_CLAIM
    return PASSED if each.claim.passed else NOT_PASSED


def timeline_table(found: Timeline) -> Table:
    names = [f"{mark_of(each)} {each.run}" for each in found.submissions]
    return _table(found, names, name="  run")


def paper_table(found: Timeline) -> Table:
    """The same with words in the place of marks, which a typesetter may not have, and more digits of the levels."""
    outcomes = [MARK_WORDS[mark_of(each)] for each in found.submissions]
    return _table(found, [each.run for each in found.submissions], name="run", digits=4).with_column("claim", outcomes)


def _table(found: Timeline, names: list[str], *, name: str, digits: int = 2) -> Table:
    header = ["date", name, found.measure, "over", DIFFERENCE, *TESTED, "what it shows"]
    rows = [_row(found, each, shown, digits=digits) for each, shown in zip(found.submissions, names, strict=True)]
    hidden = {*(() if found.has_dates else ("date",)), *(() if found.policy.is_tested else TESTED)}
    shown = [i for i, column in enumerate(header) if column not in hidden]
    numeric = {found.measure, DIFFERENCE, *TESTED}
    return Table(
        header=tuple(header[i] for i in shown),
        rows=tuple(tuple(row[i] for i in shown) for row in rows),
        numeric=frozenset(place for place, i in enumerate(shown) if header[i] in numeric),
    )


def _row(found: Timeline, each: DatedRun, name: str, *, digits: int) -> tuple[str, ...]:
    when, score = "" if each.date is None else f"{each.date:%Y-%m-%d}", show_number(each.score, found.score_decimals)
    claim = each.claim
    if claim is None:
        return when, name, score, "", "", "", "", "", _say_no_claim(found, each)
    return (
        when,
        name,
        score,
        claim.holder,
        _say_difference(found, each),
        *_held_to(claim, found, digits=digits),
        in_short(claim),
    )


def _say_difference(found: Timeline, each: DatedRun) -> str:
    effect = found.effects.get(each.run)
    if effect is None:  # over a run that is not at hand any more
        return "–"
    difference = show_number(effect.estimate, found.score_decimals, signed=True)
    return f"{difference} ({show_interval(effect.low, effect.high, found.score_decimals)})"


def _held_to(claim: TestedClaim, found: Timeline, *, digits: int) -> tuple[str, str, str]:
    """p, its level, and the smallest gain that could be seen."""
    if claim.p is None or claim.level is None or claim.smallest_gain is None:
        return "", "", ""
    gain = show_number(claim.smallest_gain, found.score_decimals) if math.isfinite(claim.smallest_gain) else "–"
    return *show_p_and_level(claim.p, claim.level, digits=digits), gain


def _say_no_claim(found: Timeline, each: DatedRun) -> str:
    is_first = each.run == found.submissions[0].run
    if each.is_baseline:
        return "baseline, there first" if is_first else "baseline"
    return "first submission" if is_first else "no claim"
