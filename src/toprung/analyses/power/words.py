"""How is power said? Its sentence, its table and its notes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from toprung.result import Explanation, Table
from toprung.stats.finding import Scale
from toprung.stats.inputs import Floats
from toprung.stats.pairs.power import MANY_QUERIES
from toprung.words.assumptions import FAIR_SAMPLE, NEARLY_NORMAL, say_equal_steps
from toprung.words.wording import say_count, say_queries, show_confidence, show_interval, show_number, show_p

if TYPE_CHECKING:
    from toprung.analyses.power.find import Power

MOST_ROWS = 15
BY_T = f"by the t-test (from {MANY_QUERIES:,} queries on by normal quantiles)"
# Below so many queries, the spread is known to no better than an eighth.
FEW_QUERIES = 30


def say_power(found: Power) -> str:
    """The difference that would be found; the power for a chosen one; how many pairs are equivalent."""
    parts = [_say_detectable(found) if found.found.has_spread.any() else _say_no_spread(found)]
    if found.difference is not None and found.power_for_difference is not None and found.found.has_spread.any():
        low, median, high = (show_number(each, 2) for each in _middle(found.power_for_difference))
        spread = f" ({low} to {high})" if low != high else ""
        parts.append(f"one of {found.difference:g} with a power of {median}{spread}")
    if found.is_equivalent is not None and found.margin is not None:
        parts.append(_say_equivalences(found, int(found.is_equivalent.sum()), f"{found.margin:g}"))
    return f"{'; '.join(parts)}."


def _say_detectable(found: Power) -> str:
    if np.isinf(found.found.detectable).any():
        return say_never_found(found.n_queries, found.power, found.alpha)
    low, median, high = (show_number(each, 4) for each in _middle(found.found.detectable))
    said = f"With {found.n_queries:,} queries, a difference in {found.measure} of {median}"
    if len(found.pairs) == 1:
        return f"{said} between {found.runs[1]} and {found.runs[0]} would be found with a power of {found.power:g}"
    n_pairs = int(found.found.has_spread.sum())
    middle = "" if n_pairs == 1 else f" in the median of {n_pairs:,} pairs ({low} to {high} in 90% of them)"
    return f"{said} would be found with a power of {found.power:g}{middle or ' in the only pair with spread'}"


def say_never_found(n_queries: int, power: float, alpha: float) -> str:
    never = f"no difference, be it ever so large, is found with a power of {power:g} at {alpha:g}"
    return f"With {n_queries:,} queries, {never}"


def _say_no_spread(found: Power) -> str:
    unknown = "without any spread, what the queries could show cannot be told"
    if found.found.mean.any():
        pairs = "the pair" if len(found.pairs) == 1 else f"all {len(found.pairs):,} pairs"
        return f"In {pairs} every query differs by the same amount: {unknown}"
    runs = "Both" if len(found.runs) == 2 else f"All {len(found.runs):,}"
    return f"{runs} runs have the same {found.measure} on every query: {unknown}"


def _middle(values: Floats) -> list[float]:
    """The median of the pairs with spread, between the bounds of the middle 90% of them."""
    return [float(each) for each in np.quantile(values[~np.isnan(values)], [0.05, 0.5, 0.95])]


def _say_equivalences(found: Power, count: int, margin: str) -> str:
    within = f"equivalent within ±{margin}"
    if len(found.pairs) == 1:
        return f"they are shown to be {within}" if count else f"that they are {within} is not shown"
    return f"{count:,} of {len(found.pairs):,} pairs {'is' if count == 1 else 'are'} shown to be {within}"


def power_table(found: Power) -> Table:
    """Each pair, or the first runs against the best one."""
    columns = list(_columns(found))
    rows = zip(*(cells for _, cells in columns), strict=True)
    numeric = frozenset(i for i, (name, _) in enumerate(columns) if name not in ("A", "B", _within(found)))
    return Table(header=tuple(name for name, _ in columns), rows=tuple(rows), numeric=numeric)


def _shown(found: Power) -> list[int]:
    """Positions of the pairs in the table: all, unless they are many; pairs with the first run stand first."""
    if len(found.pairs) <= MOST_ROWS:
        return list(range(len(found.pairs)))
    return list(range(min(MOST_ROWS, len(found.runs) - 1)))


def _columns(found: Power) -> Iterator[tuple[str, list[str]]]:
    shown, each = _shown(found), found.found
    yield "A", [found.runs[found.pairs.first[pair]] for pair in shown]
    yield "B", [found.runs[found.pairs.second[pair]] for pair in shown]
    yield "difference", [show_number(each.mean[pair], 4, signed=True) for pair in shown]
    yield (
        f"{show_confidence(1 - found.alpha)} interval",
        [show_interval(each.low[pair], each.high[pair], 4) for pair in shown],
    )
    yield "sd", [show_number(each.sd[pair], 4) for pair in shown]
    yield "detectable", [show_number(each.detectable[pair], 4) for pair in shown]
    yield "queries", [_show_queries(each.needed[pair]) for pair in shown]
    if found.power_for_difference is not None and found.needed_for_difference is not None:
        chosen = f"{found.difference:g}"
        yield f"for {chosen}", [_show_queries(found.needed_for_difference[pair]) for pair in shown]
        yield f"power for {chosen}", [show_number(found.power_for_difference[pair], 2) for pair in shown]
    if found.equivalence_p is not None and found.is_equivalent is not None:
        yield "TOST p", [show_p(found.equivalence_p[pair]) for pair in shown]
        yield _within(found), ["equivalent" if found.is_equivalent[pair] else "not shown" for pair in shown]


def _within(found: Power) -> str:
    return "" if found.margin is None else f"within ±{found.margin:g}"


def _show_queries(queries: float) -> str:
    return f"{int(queries):,}" if math.isfinite(queries) else "–"


def say_power_notes(found: Power) -> Iterator[str]:
    """What each column means, and what it does not."""
    shown = len(_shown(found))
    if shown < len(found.pairs):
        what = "the baseline" if found.baseline else f"the best by {found.measure}"
        against = f"runs against {found.runs[0]}, {what}"
        yield f"Shown: {shown} of {len(found.pairs):,} pairs, {against}; CSV and JSON have all."
    yield (
        f"Difference: B less A over {found.n_queries:,} queries, with its t-interval; sd: of the differences by query. "
        f"Detectable: what so many queries show with a power of {found.power:g}, two-sided at {found.alpha:g}, {BY_T}."
    )
    yield (
        "Queries: how many would show the observed difference with that power. Where runs were picked for it, the "
        "difference is too large and the number too small: plan for a difference that matters."
    )
    if found.difference is None:
        yield "Power is of a difference you choose; at the observed one it would say no more than the p-value."
    else:
        yield (
            f"Power is that of the chosen difference, {found.difference:g}, not of the observed one, where it would "
            "say no more than the p-value."
        )
    if found.margin is not None:
        yield (
            f"Equivalence: two one-sided t-tests at {found.alpha:g} against ±{found.margin:g}, pair by pair; "
            "not shown does not mean that the runs differ."
        )
    yield from _say_cautions(found)


def _say_cautions(found: Power) -> Iterator[str]:
    if found.n_queries < FEW_QUERIES:
        share = f"{100 / math.sqrt(2 * (found.n_queries - 1)):.0f}%"
        yield f"From {found.n_queries} queries an sd is known to about ±{share}, and so is what rests on it."
    if same := int(np.count_nonzero(~found.found.has_spread)):
        yield (
            f"Left out where it needs a spread: {say_count(same, 'pair')} in which every query differs by the same "
            "amount, or none does."
        )


def explain_power(found: Power) -> Explanation:
    """What power was found from."""
    equivalent = (
        ""
        if found.margin is None
        else f"; two one-sided t-tests (TOST) ask whether a difference is within ±{found.margin:g}"
    )
    return Explanation(
        how=(
            f"The differences by query between two runs have a spread, and from it follows which difference in mean "
            f"{found.measure} {say_queries(found.n_queries)} show with a power of {found.power:g}, two-sided at "
            f"{found.alpha:g}, {BY_T}. How many queries a difference needs follows the same way{equivalent}."
        ),
        assumptions=(
            FAIR_SAMPLE,
            "Other queries and other runs spread as these do.",
            NEARLY_NORMAL,
            "One pair is tested, without correction: among many pairs less is seen.",
            *((say_equal_steps(found.measure),) if found.scale is Scale.ORDINAL else ()),
        ),
    )
