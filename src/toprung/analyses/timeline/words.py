"""What does a timeline say? The sentence on who holds the top, its notes, and how claims were decided."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from toprung.boards.alignment import audit_alignment
from toprung.boards.lin2021.verdict import LinRule
from toprung.boards.lin2021.words import assume_of_facets, say_facets
from toprung.result import Explanation
from toprung.stats.sequences.online import say_gamma
from toprung.words.assumptions import COMPLETE_LABELS, SAME_QUERIES
from toprung.words.wording import list_names, say_changes, say_count, say_since, show_level, show_number

if TYPE_CHECKING:
    from toprung.analyses.timeline.find import Timeline

TOOK_IT, NOT_SUPPORTED, BASELINE, NO_CLAIM = "●", "○", "┄", " "


def say_timeline(found: Timeline) -> str:
    """Who holds the top, and what came of the claims to it."""
    n_changes = len(found.leaders) - 1
    since = say_since(found.holder.date)
    if not found.policy.is_tested:
        return (
            f"{found.holder.run} has had the highest {found.measure}{since}; by score alone the top "
            f"{say_changes(n_changes)}; no claim was tested."
        )
    parts = [f"{found.holder.run} holds the top rung{since}", _say_claims(found)]
    if n_changes:
        parts.append(f"by score alone the top {say_changes(n_changes)}")
    return f"{'; '.join(parts)}."


def _say_claims(found: Timeline) -> str:
    supported = [claim.run for claim in found.claims if claim.is_supported]
    if not found.claims:
        return "no later run scored above the holder, so there was no claim"
    if len(found.claims) == 1:
        return f"the one claim, {found.claims[0].run}'s, was {'' if supported else 'not '}supported"
    said = f"of {len(found.claims)} claims "
    if not supported:
        return f"{said}none was supported"
    names = list_names(supported, most=8)
    return f"{said}{len(supported)} {'was' if len(supported) == 1 else 'were'} supported: {names}"


def say_notes(found: Timeline) -> Iterator[str]:
    """How to read the table, what the rule asks, and what to be careful about."""
    later = [each for each in found.submissions if not each.is_baseline]
    n_queries = f"{len(found.ranks.query_ids):,} queries"
    if found.policy.is_tested:
        baseline = f", {BASELINE} baseline" if len(later) < len(found.submissions) else ""
        marks = f"{TOOK_IT} took the top rung, {NOT_SUPPORTED} claim not supported{baseline}"
        yield f"{marks}. No claim: a score not above the holder's."
        yield from _rung_notes(found)
        yield f"Score: mean {found.measure} over {n_queries}; the claim is tested on answers and ranks, not on it."
        yield from _rule_notes(found)
        gamma, next_level = say_gamma(found.policy.gamma), show_level(found.state.next_level)
        yield (
            f"Levels shrink with the claims (online fallback, α = {found.policy.alpha:g}, γ = {gamma}); "
            f"the next is {next_level}."
        )
    else:
        yield f"Rule: score. The highest mean {found.measure} over {n_queries} holds the top; nothing is tested."
    if not found.has_dates:
        yield "Order: no dates were given; the runs count as submitted in the order given."
    elif len({each.date for each in later}) < len(later):
        yield "Order: by date; runs of one date in the order given."
    yield from _mean_notes(found)
    yield from _alignment_notes(found)


def _rung_notes(found: Timeline) -> Iterator[str]:
    above = [each for each in found.submissions if each.score > found.holder.score]
    if above:
        lead = show_number(found.leader.score - found.holder.score, found.score_decimals)
        others = f", {say_count(len(above) - 1, 'other run')} by less" if len(above) > 1 else ""
        yield f"The rung is not the score: {found.leader.run} scores {lead} above {found.holder.run}{others}."


def _rule_notes(found: Timeline) -> Iterator[str]:
    test = {"t": "paired t", "wsr": "signed rank"}[found.policy.facet_test]
    measure = {"esl": "ranks", "rr": "RR"}[found.policy.facet]
    tests = f"exact binomial (answers) and {test} ({measure} where both answer)"
    if found.policy.rule is LinRule.SIGNIFICANT:
        yield "Rule: significant. Answer more and find it sooner, both beyond chance."
        yield f"p: the larger of two, {tests}."
    else:
        harm = f"{found.policy.alpha:g} (then p = 1)"
        yield f"Rule: no harm. Answer more or find it sooner beyond chance, and neither the other way at {harm}."
        yield f"p: twice the smaller of two, {tests}."


def _mean_notes(found: Timeline) -> Iterator[str]:
    runs = [each.run for each in found.claims if each.evidence is not None and each.evidence.mean_points_apart]
    if runs:
        yield f"Ranks: signed ranks and mean point opposite ways for {list_names(runs)}; the signed ranks decide."


def _alignment_notes(found: Timeline) -> Iterator[str]:
    audits = [audit_alignment(found.ranks.column(each.holder), found.ranks.column(each.run)) for each in found.claims]
    n_apart = sum(not audit.is_aligned for audit in audits)
    if n_apart:
        yield (
            f"Alignment: {n_apart} of {say_count(len(audits), 'claim')} {'is' if n_apart == 1 else 'are'} "
            "consistent with rows not aligned by query id; see toprung compare."
        )


def explain_timeline(found: Timeline) -> Explanation:
    """How claims were decided, in plain words."""
    every = "Every submission is here, in the order it came."
    if not found.policy.is_tested:
        return Explanation(
            how=(
                f"Runs are taken in the order they came, and the top goes to each whose mean {found.measure} is "
                "above that of who holds it. Nothing is tested: a higher score may be the luck of these queries."
            ),
            assumptions=(every, SAME_QUERIES, COMPLETE_LABELS),
        )
    rule = str(found.policy.rule).replace("_", " ")
    return Explanation(
        how=(
            f"Each run that scores above the holder makes a claim under the rule “{rule}” (Lin et al. 2021): "
            f"{say_facets(found.policy.facet, found.policy.facet_test)}. Online fallback (Tian and Ramdas 2021) sets "
            "the level of each claim, so that however many there are, the chance that any false one is supported "
            f"stays within {found.policy.alpha:g}."
        ),
        assumptions=(
            *assume_of_facets(found.policy.facet_test),
            every,
            "The rule and the levels were fixed before the first claim.",
            "No run was fitted to scores on these queries: who learns from the board gets p-values that are too small.",
        ),
    )
