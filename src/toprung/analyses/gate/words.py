"""How does the gate say it? In one sentence for whoever opened the pull request, and notes for whoever doubts it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from toprung.analyses.gate.decide import GateOutcome
from toprung.boards.engine.words import say_pair, say_points
from toprung.result import Cell, Explanation
from toprung.stats.sequences.online import say_gamma
from toprung.words.wording import say_count, say_queries, show_level, show_number, show_p

if TYPE_CHECKING:
    from toprung.analyses.gate.find import Gate

OPENINGS = {
    GateOutcome.LOSS: "Loss shown",
    GateOutcome.BETTER: "Pass",
    GateOutcome.NO_LOSS: "Pass",
    GateOutcome.CANNOT_TELL: "Cannot tell",
}


def say_gate(found: Gate) -> str:
    """What the gate says, in one sentence."""
    return f"{OPENINGS[found.outcome]}: {_say_outcome(found)}"


def _say_outcome(found: Gate) -> str:
    decision = found.decision
    if decision.verdict.do_differ:
        return say_pair(found.baseline, found.new, found.measure, decision.parts, decision.verdict)
    if decision.is_unchanged:
        same = f"every query has the same {found.measure} in {found.new} as in {found.baseline}"
        return f"nothing changed: {same} ({say_queries(decision.test.n)})."
    margin = say_points(decision.harm.margin)
    if found.outcome is GateOutcome.NO_LOSS:
        least = f"{f'at most {say_points(decision.worst)}' if decision.worst else 'nothing'} of {found.measure}"
        return f"{found.new} loses {least} against {found.baseline}, with 95% confidence; the margin is {margin}."
    may = f"may be up to {say_points(decision.worst)} of {found.measure} worse than {found.baseline}"
    return f"{found.new} {may}, and the margin is {margin}; {_say_needed(decision.queries_needed)}."


def _say_needed(needed: float | None) -> str:
    if needed is None or math.isinf(needed):
        return "more queries would tell, but how many these few do not say"
    return f"about {round_up(needed):,} queries would tell"


def round_up(needed: float) -> int:
    """To two digits: it is known no better.

    >>> round_up(236.0), round_up(1_201.0), round_up(7.0)
    (240, 1300, 7)
    """
    step: int = 10 ** max(0, math.floor(math.log10(needed)) - 1)
    return math.ceil(needed / step) * step


def gate_cells(measure: str) -> tuple[Cell, ...]:
    """The columns that people read."""
    return (
        Cell("baseline", lambda row: row.baseline),
        Cell(measure, lambda row: show_number(row.baseline_mean, 4), is_number=True),
        Cell("new", lambda row: row.new),
        Cell(measure, lambda row: show_number(row.new_mean, 4), is_number=True),
        Cell("better by", lambda row: show_number(row.decision.test.mean, 4, signed=True), is_number=True),
        Cell("p", lambda row: show_p(row.decision.test.p), is_number=True),
        Cell("level of a loss", lambda row: show_level(row.decision.level), is_number=True),
        Cell("worse by at most", lambda row: show_number(row.decision.worst, 4), is_number=True),
        Cell("margin", lambda row: show_number(row.decision.harm.margin, 4), is_number=True),
        Cell("queries", lambda row: f"{row.decision.test.n:,}", is_number=True),
    )


def say_gate_notes(found: Gate) -> Iterator[str]:
    """What each figure means, and what to do where the queries do not tell."""
    decision = found.decision
    if found.outcome is GateOutcome.CANNOT_TELL:
        yield (
            "How many would tell: enough to exclude a loss beyond the margin, or to show one, four times in five, if "
            "the difference is as it seems here; a gain counts as none."
        )
    if found.outcome is GateOutcome.LOSS and decision.harm.is_excluded(1):
        yield f"The loss is within the margin of {say_points(decision.harm.margin)}; it is one all the same."
    usual = ", the usual one of so many queries" if found.is_usual_margin else ""
    yield (
        f"Margin: {say_points(decision.harm.margin)}{usual}. Worse by at most: a one-sided 95% bound over "
        f"{say_queries(decision.test.n)} and two imaginary ones, one won and one lost by all there is."
    )
    if decision.is_unchanged:
        yield "Passed because nothing changed, not by this bound: what other queries would show is not said."
        return
    yield f"{_say_level(found)}; {_say_seen(decision.smallest_loss)}"


def _say_level(found: Gate) -> str:
    level = f"A loss is shown where p is at most {show_level(found.decision.level)}"
    if found.state is None:
        return f"{level}, for this change alone"
    so_far = f"{say_count(len(found.state.requests), 'change')} below the baseline so far"
    by = say_gamma(found.state.gamma)
    together = f"over all changes together a false alarm has a chance below {found.state.alpha:g}"
    return f"{level} ({so_far}; by {by}): {together}"


def _say_seen(loss: float) -> str:
    if math.isinf(loss):
        return "too few queries differ to show any."
    return f"one of {say_points(loss)} would be seen four times in five."


def explain_gate(found: Gate) -> Explanation:
    """How the gate decides."""
    return Explanation(
        how=(
            f"The new run and the baseline are compared query by query in {found.measure}: a loss is shown where the "
            "mean is lower beyond chance, by the test that every pair of runs is held to. Where neither a loss nor a "
            "gain is shown, a one-sided bound says how much worse the new run may be, and the gate opens if that is "
            "less than the margin, or every query has the same score."
        ),
        assumptions=(
            "The queries are a fair sample of those that the system is for, drawn one by one.",
            "Measure, labels and margin were fixed before the change was seen.",
        ),
    )
