"""How is power said? Its sentence, its table and its notes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from toprung.result import Table
from toprung.stats.finding import Scale
from toprung.stats.inputs import Floats
from toprung.wording import show_interval, show_number, show_p

if TYPE_CHECKING:
    from toprung.analyses.power import Power

MOST_ROWS = 15
# Below so many queries, normal quantiles promise noticeably more power than a t-test has.
FEW_QUERIES = 30


def say_power(found: Power) -> str:
    """The difference that would be found; the power for a chosen one; how many pairs are equivalent."""
    parts = [_say_detectable(found)]
    if found.difference is not None and found.power_for_difference is not None:
        low, median, high = (show_number(each, 2) for each in _middle(found.power_for_difference))
        spread = f" ({low} to {high})" if low != high else ""
        parts.append(f"one of {found.difference:g} with a power of {median}{spread}")
    if found.is_equivalent is not None and found.margin is not None:
        parts.append(_say_equivalences(found, int(found.is_equivalent.sum()), f"{found.margin:g}"))
    return f"{'; '.join(parts)}."


def _say_detectable(found: Power) -> str:
    low, median, high = (show_number(each, 4) for each in _middle(found.found.detectable))
    said = f"With {found.n_queries:,} queries, a difference in {found.measure} of {median}"
    if len(found.pairs) == 1:
        return f"{said} between {found.runs[1]} and {found.runs[0]} would be found with a power of {found.power:g}"
    return (
        f"{said} would be found with a power of {found.power:g} in the median of {len(found.pairs):,} pairs "
        f"({low} to {high} in 90% of them)"
    )


def _middle(values: Floats) -> list[float]:
    """The median of the pairs, between the bounds of the middle 90% of them."""
    return [float(each) for each in np.quantile(values, [0.05, 0.5, 0.95])]


def _say_equivalences(found: Power, count: int, margin: str) -> str:
    within = f"equivalent within ±{margin}"
    if len(found.pairs) == 1:
        return f"they are shown to be {within}" if count else f"that they are {within} is not shown"
    return f"{count:,} of {len(found.pairs):,} pairs are shown to be {within}"


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
        f"{100 * (1 - found.alpha):g}% interval",
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
    return "–" if math.isinf(queries) else f"{int(queries):,}"


def say_power_notes(found: Power) -> Iterator[str]:
    """What each column means, and what it does not."""
    shown = len(_shown(found))
    if shown < len(found.pairs):
        what = "the baseline" if found.baseline else f"the best by {found.measure}"
        against = f"runs against {found.runs[0]}, {what}"
        yield f"Shown: {shown} of {len(found.pairs):,} pairs, {against}; CSV and JSON have all."
    yield (
        f"Difference: B less A over {found.n_queries:,} queries, with its t-interval; sd: of the differences by query. "
        f"Detectable: what so many queries show with a power of {found.power:g}, two-sided at {found.alpha:g}, by "
        "normal quantiles."
    )
    yield (
        "Queries: how many would show the observed difference with that power. It is itself an estimate, and too large "
        "where runs were picked for it: plan for a difference that matters."
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
        yield "On so few queries a t-test has somewhat less power than normal quantiles promise."
    if same := int(np.count_nonzero(found.found.sd == 0)):
        pairs = "1 pair" if same == 1 else f"{same:,} pairs"
        yield f"In {pairs} every query differs by the same amount, so that nothing is known of the spread."
    if found.scale is not None and not found.scale.permits(Scale.INTERVAL):
        yield "Means, t-tests and all that rests on them: not permitted on an ordinal scale."
