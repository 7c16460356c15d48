"""How is the spread over seeds said? Its sentence, its tables and its notes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from toprung.analyses.seeds.systems import SystemPair, SystemSeeds
from toprung.result import Explanation, Table
from toprung.stats.tests.corrections import CORRECTION_NAMES
from toprung.words.assumptions import FAIR_SAMPLE
from toprung.words.wording import (
    list_names,
    say_count,
    say_p,
    say_queries,
    show_confidence,
    show_interval,
    show_number,
    show_p,
    show_share,
)

if TYPE_CHECKING:
    from toprung.analyses.seeds.find import SeedSpread

MOST_PAIRS = 15
"""Rows of a table that are read; of more pairs, those of the first system are shown."""
MOST_SAID = 3
CANNOT = "cannot be told apart"


def say_spread(found: SeedSpread) -> str:
    """Who is best over its seeds, and from whom that tells it apart."""
    if len(found.systems) == 1:
        return _say_only_system(found, found.systems[0])
    if len(found.systems) == 2 and found.pairs and not math.isnan(found.pairs[0].p_corrected):
        return _say_only_pair(found, found.pairs[0])
    first = found.systems[0]
    lead = f"{first.system} has the best mean {found.measure} over its seeds, {_say_mean(found, first)}"
    return f"{'; '.join((lead, *_say_against(found, first)))}."


def _say_only_system(found: SeedSpread, only: SystemSeeds) -> str:
    if not only.has_spread:
        score = show_number(only.mean.estimate, 4)
        told = f"{only.system} has one seed, with {found.measure} {score}"
        return f"{told}: how far another would fall from it is not known."
    low, high = show_number(min(only.scores), 4), show_number(max(only.scores), 4)
    return (
        f"{only.system} has a mean {found.measure} of {_say_mean(found, only)}; its seeds reach from {low} to {high}."
    )


def _say_mean(found: SeedSpread, each: SystemSeeds) -> str:
    mean = show_number(each.mean.estimate, 4)
    if not each.has_spread:
        return f"{mean} of one seed"
    interval = f"{show_confidence(1 - found.alpha)} {show_interval(each.mean.low, each.mean.high, 4)}"
    return f"{mean} ({interval}, {each.mean.n_seeds} seeds)"


def _say_only_pair(found: SeedSpread, pair: SystemPair) -> str:
    first, second = found.systems
    sign = 1 if pair.b == first.system else -1
    low, high = sorted((sign * pair.found.low, sign * pair.found.high))
    means = f"{show_number(first.mean.estimate, 4)} against {show_number(second.mean.estimate, 4)}"
    told = (
        f"{means}, a difference of {show_number(sign * pair.found.delta, 4, signed=True)} "
        f"({show_confidence(1 - found.alpha)} {show_interval(low, high, 4)}), {say_p(pair.p_corrected)}"
    )
    if pair.better is None:
        return f"Over seeds and queries, {first.system} and {second.system} {CANNOT} in {found.measure}: {told}."
    return (
        f"Over seeds and queries, {first.system} does better than {second.system} in {found.measure} beyond chance: "
        f"{told}."
    )


def _say_against(found: SeedSpread, first: SystemSeeds) -> Iterator[str]:
    """What the first system is to the others."""
    if not first.has_spread:
        yield "with one seed it is not compared"
        return
    own = [(pair, pair.a if pair.b == first.system else pair.b) for pair in _pairs_of(found, first)]
    worse = [other for pair, other in own if pair.better == first.system]
    alike = [other for pair, other in own if pair.better is None and not math.isnan(pair.p_corrected)]
    if worse:
        yield f"over seeds and queries it does better than {list_names(worse, most=MOST_SAID)} beyond chance"
    if alike:
        yield f"{'it ' if worse else 'over seeds and queries it '}{CANNOT} from {list_names(alike, most=MOST_SAID)}"
    single = [each.system for each in found.systems if not each.has_spread]
    if single:
        verbs = ("has", "is") if len(single) == 1 else ("have", "are")
        yield f"{list_names(single, most=MOST_SAID)} {verbs[0]} one seed and {verbs[1]} not compared"


def _pairs_of(found: SeedSpread, each: SystemSeeds) -> list[SystemPair]:
    return [pair for pair in found.pairs if each.system in (pair.a, pair.b)]


def systems_table(found: SeedSpread) -> Table:
    header = ("system", "seeds", found.measure, f"{show_confidence(1 - found.alpha)} over seeds", "sd", "range")
    rows = tuple(
        (
            each.system,
            str(each.mean.n_seeds),
            show_number(each.mean.estimate, 4),
            show_interval(each.mean.low, each.mean.high, 4) if each.has_spread else "–",
            show_number(each.mean.sd, 4),
            f"{show_number(min(each.scores), 4)}–{show_number(max(each.scores), 4)}" if each.has_spread else "–",
        )
        for each in found.systems
    )
    return Table(header=header, rows=rows, numeric=frozenset({1, 2, 3, 4, 5}))


def pairs_table(found: SeedSpread) -> Table:
    sure = show_confidence(1 - found.alpha)
    header = ("B", "A", f"difference ({sure})", "p", "from seeds", "what it shows")
    rows = tuple(
        (
            pair.b,
            pair.a,
            _show_difference(pair),
            show_p(pair.p_corrected),
            show_share(pair.found.seed_share),
            _say_shown(pair),
        )
        for pair in _shown_pairs(found)
    )
    return Table(header=header, rows=rows, numeric=frozenset({2, 3, 4}))


def _shown_pairs(found: SeedSpread) -> list[SystemPair]:
    if len(found.pairs) <= MOST_PAIRS:
        return list(found.pairs)
    first = next(each for each in found.systems if each.has_spread)
    return _pairs_of(found, first)


def _show_difference(pair: SystemPair) -> str:
    delta = show_number(pair.found.delta, 4, signed=True)
    if math.isnan(pair.found.low):
        return delta
    return f"{delta} ({show_interval(pair.found.low, pair.found.high, 4)})"


def _say_shown(pair: SystemPair) -> str:
    if math.isnan(pair.p_corrected):
        return "not tested: no spread"
    return CANNOT if pair.better is None else f"{'B' if pair.better == pair.b else 'A'} does better"


def say_notes(found: SeedSpread) -> Iterator[str]:
    """What each figure is, what was left out, what to be careful about."""
    yield (
        f"Interval: of the mean over seeds, by t with one degree of freedom less than seeds; the "
        f"{say_queries(found.n_queries)} count as given. sd: of single seeds."
    )
    if found.pairs:
        yield from _say_test(found)
    if not found.higher_is_better:
        yield f"{found.measure}: less is better."
    for each in found.systems:
        if not each.has_spread:
            yield f"{each.system}: one seed has no interval, and cannot be compared with a system's mean over seeds."
        for run, twin in each.twins[:1]:
            yield f"{each.system}: {run} and {twin} score the same on every query; are they two seeds?"
    if found.without_system:
        yield f"Left out: {say_count(len(found.without_system), 'run')} of no system, {_names(found.without_system)}."
    if found.without_scores:
        yield f"Not here: {say_count(len(found.without_scores), 'run')} without scores, {_names(found.without_scores)}."


def _say_test(found: SeedSpread) -> Iterator[str]:
    n_tested = sum(not math.isnan(pair.p_corrected) for pair in found.pairs)
    family = "" if n_tested < 2 else f", {CORRECTION_NAMES[found.correction]} for {n_tested:,} pairs"
    yield (
        "p: a t-test whose variance adds up what queries and seeds bring (min F′, Clark 1973), so that both are "
        f"samples{family}, at {found.alpha:g}{'; intervals are not corrected' if family else ''}."
    )
    yield "From seeds: how much of that variance the seeds bring; more seeds shrink it, more queries the rest."
    if len(found.pairs) > MOST_PAIRS:
        yield f"Of {len(found.pairs):,} pairs, those of the first system that has seeds are shown; JSON has all."


def _names(names: tuple[str, ...]) -> str:
    return list_names(list(names))


def explain(found: SeedSpread) -> Explanation:
    """How systems were compared over their seeds."""
    return Explanation(
        how=(
            f"The score of a system is the mean {found.measure} of its seeds, with a t-interval from how far they "
            "spread. Two systems are compared by a t-test whose variance adds what the queries and the seeds of both "
            "bring (min F′, Clark 1973), so that a lucky seed alone does not decide."
        ),
        assumptions=(
            "The runs of a system differ in their seed alone, and none was left out for its score.",
            FAIR_SAMPLE,
            "Scores of seeds spread about normally: a few seeds cannot show whether they do.",
        ),
    )
