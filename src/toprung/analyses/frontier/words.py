"""How is worth said? Score against cost or latency in words: its sentence, its table and its notes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toprung.analyses.frontier.rows import FrontierRow, Worth
from toprung.result import Explanation, Table
from toprung.stats.intervals.bootstrap import Effect
from toprung.words.assumptions import FAIR_SAMPLE
from toprung.words.wording import list_names, say_count, say_queries, show_confidence, show_interval, show_number

if TYPE_CHECKING:
    from toprung.analyses.frontier.find import Frontier

MOST_SAID = 3


@dataclass(frozen=True, kw_only=True)
class CostWords:
    """The words of one kind of cost."""

    axis: str
    unit: str
    less: str
    least: str
    no_more: str
    assumption: str


WORDS = {
    "cost": CostWords(
        axis="cost",
        unit="",
        less="cheaper",
        least="cheapest",
        no_more="costs no more",
        assumption="Costs are in one unit, counted alike for all runs, and taken as exact.",
    ),
    "latency": CostWords(
        axis="latency (ms per query)",
        unit=" ms",
        less="faster",
        least="fastest",
        no_more="is no slower",
        assumption="Latencies are measured alike, on the same machine, and taken as exact.",
    ),
}


def show_cost(cost: float) -> str:
    """A cost to four digits.

    >>> [show_cost(cost) for cost in (0.0125, 3.0, 12.346, 1234.5, 2e15, 1e-9)]
    ['0.0125', '3', '12.35', '1,234', '2e+15', '1e-09']
    """
    if not 1e-6 <= cost < 1e12:
        return f"{cost:.4g}"
    decimals = max(0, 3 - math.floor(math.log10(cost)))
    text = f"{cost:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def say_worth(found: Frontier) -> str:
    """Who is best, what would do for less, which other runs are worth what they cost, and which are not."""
    words, best = WORDS[found.by], found.best
    parts = [_say_best(found)]
    if names := [run for run in found.runs_of(Worth.SHOWN) if run != best.run]:
        verb = _verb(names, "does", "do")
        parts.append(f"{_names(names)} {verb} better than every {words.less} run beyond chance")
    if names := list(found.runs_of(Worth.DOMINATED)):
        is_one = _verb(names, "is", "are")
        parts.append(f"{_names(names)} {is_one} dominated: a run that {words.no_more} does better beyond chance")
    return f"{'; '.join(parts)}."


def _say_best(found: Frontier) -> str:
    words, best = WORDS[found.by], found.best
    lead = f"{best.run} has the best {found.measure}"
    if best.worth is Worth.CHEAPEST:
        return f"{lead} of {say_count(len(found.rows), 'run')} and is the {words.least}"
    lead = f"{lead}, at {_say_price(found, best)}"
    if best.worth is Worth.SHOWN:
        return f"{lead}, and does better than every {words.less} run beyond chance"
    other = found.row_of(found.cheapest_like_best)
    return (
        f"{lead}; {other.run}, at {show_cost(other.cost)}{words.unit}, is the {words.least} run that cannot be told "
        "apart from it"
    )


def _say_price(found: Frontier, row: FrontierRow) -> str:
    words = WORDS[found.by]
    return f"a {found.by} of {show_cost(row.cost)}{words.unit}"


def _higher(found: Frontier) -> str:
    return "higher" if found.higher_is_better else "lower"


def _names(names: list[str]) -> str:
    return list_names(names, most=MOST_SAID)


def _verb(names: list[str], one: str, several: str) -> str:
    return one if len(names) == 1 else several


def frontier_table(found: Frontier) -> Table:
    words, sure = WORDS[found.by], show_confidence(1 - found.alpha)
    header = (
        words.axis,
        "run",
        f"{found.measure} ({sure})",
        f"better than, of {words.less}",
        "against",
        f"difference ({sure})",
        "what it shows",
    )
    rows = tuple(
        (
            show_cost(row.cost),
            row.run,
            _show_effect(row.score),
            f"{row.n_cheaper_below:,} of {row.n_cheaper:,}" if row.n_cheaper else "",
            row.rival or "",
            "" if row.delta is None else _show_effect(row.delta, signed=True),
            say_shown(row, found.by),
        )
        for row in found.rows
    )
    return Table(header=header, rows=rows, numeric=frozenset({0, 2, 3, 5}))


def _show_effect(effect: Effect, *, signed: bool = False) -> str:
    return f"{show_number(effect.estimate, 4, signed=signed)} ({show_interval(effect.low, effect.high, 4)})"


def say_shown(row: FrontierRow, by: str) -> str:
    """What a row shows, in a few words."""
    words = WORDS[by]
    return {
        Worth.CHEAPEST: f"front: nothing is {words.less}",
        Worth.SHOWN: f"front: better than all {words.less}",
        Worth.NOT_SHOWN: "front, but cannot be told apart",
        Worth.UNDECIDED: "off the front, but cannot be told apart",
        Worth.DOMINATED: "dominated beyond chance",
    }[row.worth]


def say_notes(found: Frontier) -> Iterator[str]:
    """How to read the table, what was left out, what to be careful about."""
    words = WORDS[found.by]
    higher = f"scores {_higher(found)}, or the same for less"
    yield f"Front: no run that {words.no_more} {higher}. Scores are estimates, so it is one too."
    yield (
        f"Against: of the runs that decide what is shown, the one with the best {found.measure}. Differences are "
        f"the run less that one, over {say_queries(found.n_queries)}, each with the t-interval of its pair alone, "
        "which does not decide."
    )
    yield f"Better beyond chance: {_say_compared(found)} as on the leaderboard, at {found.alpha:g}."
    if not found.higher_is_better:
        yield f"{found.measure}: less is better."
    if found.without_cost:
        runs = say_count(len(found.without_cost), "run")
        yield f"Left out: {runs} without a {found.by}, {list_names(list(found.without_cost))}."
    if found.n_without_scores:
        yield f"Not used: the {found.by} of {say_count(found.n_without_scores, 'run')} without scores here."


def _say_compared(found: Frontier) -> str:
    return "the two runs compared" if found.n_compared == 2 else f"all {found.n_compared:,} runs compared at once"


def explain(found: Frontier) -> Explanation:
    """How the worth of runs was judged."""
    words = WORDS[found.by]
    return Explanation(
        how=(
            f"Every run is held against the runs that have no higher {found.by}, by what the leaderboard goes by: "
            f"{_say_compared(found)}, told apart at {found.alpha:g}. It is worth its {found.by} where it does better "
            f"than every {words.less} run beyond chance, and dominated where a run that {words.no_more} does better "
            "beyond chance; all else is left open."
        ),
        assumptions=(
            FAIR_SAMPLE,
            words.assumption,
            "A run that is not told apart may still be better: these queries do not show it.",
        ),
    )
