"""How is a comparison of public and private said? Its sentence and its notes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from toprung.result import Explanation
from toprung.stats.models.divergence import LEVEL, POWER
from toprung.stats.models.two_sets import FEWEST_QUERIES
from toprung.stats.ranks.order_correlation import OrderCorrelation
from toprung.words.assumptions import FAIR_SAMPLE
from toprung.words.wording import list_names, say_count, say_p, show_interval, show_number

if TYPE_CHECKING:
    from toprung.analyses.holdout.find import Holdout
    from toprung.analyses.holdout.sets import PrivateSet

NO_RUN = "no run"
WHY = {
    "asked": "as asked",
    "earliest": "the earliest submitted",
    "mean": (
        "for nobody named a baseline (--reference) or gave dates (--submissions); what all runs gain in public alone "
        "does not show"
    ),
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
            f"{NO_RUN} gains more over {_name_reference(found)} in public than {private} beyond chance"
            f"{_say_power(found, each)}; {order}"
        )
    names = f"{list_names([row.run for row in diverging])} gain{'s' if len(diverging) == 1 else ''}"
    said = f"{names} more over {_name_reference(found)} in public than {private}"
    first = max(diverging, key=lambda row: row.divergence.estimate if row.divergence else 0.0)
    if first.divergence is None or first.p_holm is None:  # diverging runs have both
        return said
    interval = show_interval(first.divergence.low, first.divergence.high, 3)
    by = f"{show_number(first.divergence.estimate, 3)} {found.measure} ({interval}; {say_p(first.p_holm)})"
    most = "by" if len(diverging) == 1 else f"{first.run} by"
    return f"{said}, {most} {by}; {order}"


def _name_reference(found: Holdout) -> str:
    return f"the {found.reference}" if found.chosen_by == "mean" else found.reference


def _say_power(found: Holdout, each: PrivateSet) -> str:
    """What the test could not have seen, and for want of which queries: else "no divergence" would say too much."""
    test = each.typical
    n, side = min((test.n_private, "private"), (test.n_public, "public"))
    queries = say_count(n, f"{side} query", f"{side} queries")
    if math.isinf(test.smallest_seen):
        return f", but {queries} {'is' if n == 1 else 'are'} too few to tell"
    if test.smallest_seen == 0:
        return ""
    return f", but {queries} cannot see less than about {show_number(test.smallest_seen, 2)} {found.measure}"


def say_notes(found: Holdout) -> Iterator[str]:
    yield f"Reference: {_name_reference(found)}, {WHY[found.chosen_by]}."
    n_tests = sum(row.divergence is not None for each in found.sets for row in each.runs)
    yield (
        "Divergence: the gain over the reference in public less that in private, tested one-sided (public larger) at "
        f"{LEVEL:g} by dealing all queries anew into two sets; Holm over the {say_count(n_tests, 'test')} of this "
        f"report, p is raw. What cannot be seen is for a power of {POWER:g}, after the correction. The level holds "
        "where public and private queries and labels are of one kind; else it is approximate."
    )
    for each in found.sets:
        yield from _say_order(found, each)
        yield from _say_runs(found, each)
    if found.has_gaps:
        yield (
            f"Queries without a value of {found.measure} are left out of a run's mean, and of a gain where the run or "
            "the reference has none."
        )
    if found.teams:
        yield from _say_teams(found)
    yield from _say_unmatched(found)


def _say_order(found: Holdout, each: PrivateSet) -> Iterator[str]:
    where = "" if len(found.sets) == 1 else f", {each.name}"
    tau, tau_ap = each.order.tau, each.order.tau_ap
    if math.isnan(tau.estimate):
        yield f"Order{where}: all runs score alike on one side, so there is no order to compare."
        return
    chance = f"{show_number(tau.by_chance, 2)} ({show_interval(tau.by_chance_low, tau.by_chance_high, 2)})"
    verdicts = {
        True: "lower than chance alone explains",
        False: "no lower than by chance",
        None: f"no verdict on fewer than {FEWEST_QUERIES} queries",
    }
    yield (
        f"Order{where}: Kendall's {_show_correlation('τ', tau)}; {_show_correlation('τ_AP', tau_ap)}, which weighs the "
        f"public top. Dealt anew at random, the queries of both sets agree at τ = {chance}: "
        f"{verdicts[each.order.is_lower_than_by_chance]}."
    )


def _show_correlation(name: str, found: OrderCorrelation) -> str:
    return f"{name} = {show_number(found.estimate, 2)} ({show_interval(found.low, found.high, 2)})"


def _say_runs(found: Holdout, each: PrivateSet) -> Iterator[str]:
    where = _say_where(found, each)
    if each.n_shared:
        queries = say_count(each.n_shared, "query", "queries")
        yield f"Shared: {queries} {where} {'is' if each.n_shared == 1 else 'are'} public too, and drawn together."
    only = [row.run for row in each.runs if row.divergence is not None and row.divergence.gains_in_public_only]
    if only:
        yield f"Above the reference in public and not {where}, beyond chance or not: {list_names(only)}."
    for names, side in ((each.only_public, where), (each.only_private, "in public")):
        if names:
            yield f"Left out: {say_count(len(names), 'run')} without scores {side}, {list_names(list(names))}."


def _say_where(found: Holdout, each: PrivateSet) -> str:
    return "in private" if len(found.sets) == 1 else f"on {each.name}"


def _say_teams(found: Holdout) -> Iterator[str]:
    yield (
        "Teams: over mean is how far a team's best run stands above the mean of its runs in public, gain what it gains "
        "on its first run. By luck is what both would be, in the mean, if all its runs were equally good. The best was "
        "picked in public, so as much of a divergence is luck; chance moves single ones further. They are not tested."
    )
    for each in found.sets:
        flagged = [
            team.team
            for team in found.teams
            if any(gain.private_set == each.name and gain.is_in_public_only for gain in team.gains)
        ]
        if flagged:
            where, names = _say_where(found, each), list_names(flagged)
            yield f"Better than their first run in public and not {where}, beyond chance or not: {names}."


def _say_unmatched(found: Holdout) -> Iterator[str]:
    """Submissions and runs that do not find each other by name."""
    if found.not_scored:
        runs = say_count(len(found.not_scored), "submitted run")
        none = "" if found.teams else "Teams: none has a run with public scores, as they are named. "
        yield f"{none}Left out: {runs} without public scores, {list_names(list(found.not_scored))}."
    if found.without_team:
        runs = say_count(len(found.without_team), "run")
        yield f"No team: {runs} that no submission names, {list_names(list(found.without_team))}."


def explain_holdout(found: Holdout) -> Explanation:
    """How gains and orders were compared."""
    untouched = {
        "mean": "The other runs, whose mean is the reference, gain alike in public and in private.",
        "asked": f"Nobody fitted {found.reference}, the reference, to the public queries.",
        "earliest": f"Nobody fitted {found.reference}, the reference, to the public queries.",
    }
    return Explanation(
        how=(
            f"The gain of each run in {found.measure} over {_name_reference(found)} in public is held against that in "
            f"private (Craswell et al. 2021, section 3.2), one-sided at {LEVEL:g} with Holm's correction, by dealing "
            f"all queries into two such sets {found.resamples:,} times. Kendall's τ and τ_AP compare the two orders of "
            "the runs, beside what such deals give by chance."
        ),
        assumptions=(
            FAIR_SAMPLE,
            "Public and private queries are of one kind and were labelled alike: else a divergence may be theirs, not "
            "the run's.",
            untouched[found.chosen_by],
        ),
    )
