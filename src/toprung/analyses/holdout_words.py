"""How is a comparison of public and private said? Its sentence and its notes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from toprung.stats.divergence import LEVEL, POWER
from toprung.stats.order_correlation import OrderCorrelation
from toprung.wording import list_names, say_count, say_p, show_interval, show_number

if TYPE_CHECKING:
    from toprung.analyses.holdout import Holdout
    from toprung.analyses.holdout_sets import PrivateSet

NO_RUN = "no run"
WHY = {
    "asked": "as asked",
    "earliest": "the earliest submitted",
    "worst": "the worst public score, for nobody named a baseline (--reference)",
}


def say_sentence(found: Holdout) -> str:
    """What diverges, what could have been seen, and whether the orders agree, for every private set."""
    said = "; ".join(_say_set(found, each) for each in found.sets)
    return f"{said.replace(NO_RUN, NO_RUN.capitalize(), 1) if said.startswith(NO_RUN) else said}."


def _say_set(found: Holdout, each: PrivateSet) -> str:
    private = _say_where(found, each)
    diverging = [row for row in each.runs if row.diverges]
    tau = each.order.tau.estimate
    order = "no order to compare" if math.isnan(tau) else f"the orders agree at τ = {show_number(tau, 2)}"
    if not diverging:
        return (
            f"{NO_RUN} gains more over {found.reference} in public than {private} beyond chance"
            f"{_say_power(found, each)}; {order}"
        )
    names = list_names([row.run for row in diverging])
    said = f"{names} gain{'s' if len(diverging) == 1 else ''} more over {found.reference} in public than {private}"
    first = max(diverging, key=lambda row: row.divergence.estimate if row.divergence else 0.0)
    if first.divergence is None or first.p_holm is None:  # diverging runs have both
        return said
    interval = show_interval(first.divergence.low, first.divergence.high, 3)
    by = f"{show_number(first.divergence.estimate, 3)} {found.measure} ({interval}; {say_p(first.p_holm)})"
    most = "by" if len(diverging) == 1 else f"{first.run} by"
    return f"{said}, {most} {by}; {order}"


def _say_power(found: Holdout, each: PrivateSet) -> str:
    """What the test could not have seen: without it "no divergence" would say too much."""
    queries = say_count(each.n_queries, "private query", "private queries")
    if math.isinf(each.smallest_seen):
        return f", but {queries} cannot show any"
    if each.smallest_seen == 0:
        return ""
    return f", but {queries} cannot see less than about {show_number(each.smallest_seen, 2)} {found.measure}"


def say_notes(found: Holdout) -> Iterator[str]:
    yield f"Reference: {found.reference}, {WHY[found.chosen_by]}."
    n_tests = sum(row.divergence is not None for each in found.sets for row in each.runs)
    yield (
        "Divergence: the gain over the reference in public less that in private, tested one-sided (public larger) at "
        f"{LEVEL:g}; Holm over the {say_count(n_tests, 'test')} of this report, p is raw. Power is given for a single "
        f"test, {POWER:g} of the time; after the correction less is seen."
    )
    for each in found.sets:
        yield from _say_order(found, each)
        yield from _say_runs(found, each)
    if found.teams:
        yield from _say_teams(found)


def _say_order(found: Holdout, each: PrivateSet) -> Iterator[str]:
    where = "" if len(found.sets) == 1 else f", {each.name}"
    tau, tau_ap = each.order.tau, each.order.tau_ap
    if math.isnan(tau.estimate):
        yield f"Order{where}: all runs score alike on one side, so there is no order to compare."
        return
    chance = f"{show_number(tau.by_chance, 2)} ({show_interval(tau.by_chance_low, tau.by_chance_high, 2)})"
    verdict = "lower than chance alone explains" if tau.estimate < tau.by_chance_low else "no lower than by chance"
    yield (
        f"Order{where}: Kendall's {_show_correlation('τ', tau)}; {_show_correlation('τ_AP', tau_ap)}, which weighs the "
        f"public top. Two such samples of the public queries agree at τ = {chance}: {verdict}."
    )


def _show_correlation(name: str, found: OrderCorrelation) -> str:
    return f"{name} = {show_number(found.estimate, 2)} ({show_interval(found.low, found.high, 2)})"


def _say_runs(found: Holdout, each: PrivateSet) -> Iterator[str]:
    where = _say_where(found, each)
    if each.n_shared:
        queries = say_count(each.n_shared, "query", "queries")
        yield f"Shared: {queries} {where} {'is' if each.n_shared == 1 else 'are'} public too, and drawn together."
    only = [row.run for row in each.runs if row.gains_in_public_only]
    if only:
        yield f"Above the reference in public and not {where}, beyond chance or not: {list_names(only)}."
    for names, side in ((each.only_public, where), (each.only_private, "in public")):
        if names:
            yield f"Left out: {say_count(len(names), 'run')} without scores {side}, {list_names(list(names))}."


def _say_where(found: Holdout, each: PrivateSet) -> str:
    return "in private" if len(found.sets) == 1 else f"on {each.name}"


def _say_teams(found: Holdout) -> Iterator[str]:
    yield (
        "Teams: over mean is how far a team's best run stands above the mean of its runs in public, by luck how far it "
        "would if all were equally good. Gain is that of its best on its first run; the best was picked in public, so "
        "luck is part of a divergence. Holm over all teams."
    )
    for each in found.sets:
        flagged = [
            team.team
            for team in found.teams
            if any(test.private_set == each.name and test.gains_in_public_only for test in team.divergences)
        ]
        if flagged:
            where, names = _say_where(found, each), list_names(flagged)
            yield f"Better than their first run in public and not {where}, beyond chance or not: {names}."
    if found.not_scored:
        runs = say_count(len(found.not_scored), "submitted run")
        yield f"Left out: {runs} without public scores, {list_names(list(found.not_scored))}."
    if found.without_team:
        runs = say_count(len(found.without_team), "run")
        yield f"No team: {runs} that no submission names, {list_names(list(found.without_team))}."
