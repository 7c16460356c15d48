"""What does a timeline say? The sentence on what was proved, its notes, and how claims were decided."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from toprung.analyses.timeline.tables import BASELINE, NOT_PASSED, PASSED
from toprung.boards.alignment import audit_alignment
from toprung.boards.engine.words import RULE_WORDS, say_p_of, say_proved
from toprung.data.matrices import FirstRanks
from toprung.result import Explanation
from toprung.scoring.catalogue import higher_is_better
from toprung.stats.sequences.online import say_gamma
from toprung.words.assumptions import COMPLETE_LABELS, FAIR_SAMPLE, NEARLY_NORMAL, SAME_QUERIES
from toprung.words.wording import say_changes, say_count, say_since, show_level, show_number

if TYPE_CHECKING:
    from toprung.analyses.timeline.find import DatedRun, Timeline


def say_timeline(found: Timeline) -> str:
    """Which submissions proved an improvement when they came, and how often the top changed hands by score alone."""
    n_changes = len(found.leaders) - 1
    order = "" if found.has_dates else "in the order given, "
    if not found.policy.is_tested:
        said = (
            f"{order}{found.leader.run} has had the highest {found.measure}{say_since(found.leader.date)}; by score "
            f"alone the top {say_changes(n_changes)}; no claim was tested."
        )
    else:
        last = found.last_proved
        proved = say_proved(found.claims, None if last is None else last.date)
        said = f"{order}{proved}; by score alone the top {say_changes(n_changes)}."
    return _capital(said, found)


def _capital(said: str, found: Timeline) -> str:
    """With a capital, unless it begins with the name of a run."""
    is_name = any(said.startswith(f"{each.run} ") for each in found.submissions)
    return said if is_name else said[0].upper() + said[1:]


def say_notes(found: Timeline) -> Iterator[str]:
    """How to read the table, what the rule asks, and what to be careful about."""
    later = [each for each in found.submissions if not each.is_baseline]
    n_queries = f"{len(found.matrix.query_ids):,} queries"
    if found.policy.is_tested:
        baseline = f", {BASELINE} baseline" if len(later) < len(found.submissions) else ""
        marks = f"{PASSED} claim passed its level, {NOT_PASSED} did not pass{baseline}"
        yield f"{marks}. No claim: a score not above that of the holder."
        yield from _above_notes(found)
        yield f"Score: mean {found.measure} over {n_queries}."
        yield f"Rule: {found.policy.rule}, {RULE_WORDS[found.policy.rule]}."
        yield say_p_of(found.policy.rule, found.measure)
        yield from _level_notes(found)
    else:
        yield f"Rule: score. The highest mean {found.measure} over {n_queries} is on top; nothing is tested."
    if not found.has_dates:
        yield "Order: no dates were given; the runs count as submitted in the order given."
    elif len({each.date for each in later}) < len(later):
        yield "Order: by date; runs of one date in the order given."
    yield from _alignment_notes(found)


def _above_notes(found: Timeline) -> Iterator[str]:
    """Who scores above the holder, and did not pass."""
    beaten, sign = found.challenged, 1 if higher_is_better(found.measure) else -1
    above: list[DatedRun] = [each for each in found.submissions if sign * each.score > sign * beaten.score]
    if above:
        lead = show_number(abs(found.leader.score - beaten.score), found.score_decimals)
        others = f", {say_count(len(above) - 1, 'other run')} by less" if len(above) > 1 else ""
        better = "above" if sign > 0 else "below, which is better,"
        yield f"A higher score is no proof: {found.leader.run} is {lead} {better} {beaten.run}{others}."


def _level_notes(found: Timeline) -> Iterator[str]:
    gamma, next_level = say_gamma(found.policy.gamma), show_level(found.state.next_level)
    yield (
        f"Levels shrink with the claims (online fallback, α = {found.policy.alpha:g}, γ = {gamma}); "
        f"the next is {next_level}. Could see: the smallest gain that such a claim shows four times in five."
    )


def _alignment_notes(found: Timeline) -> Iterator[str]:
    ranks = found.matrix
    if not isinstance(ranks, FirstRanks):
        return
    audits = [audit_alignment(ranks.column(each.holder), ranks.column(each.run)) for each in found.claims_at_hand]
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
                "above that of who has it. Nothing is tested: a higher score may be the luck of these queries."
            ),
            assumptions=(every, SAME_QUERIES, COMPLETE_LABELS),
        )
    return Explanation(
        how=(
            "Each run that scores above the holder makes a claim, which must show "
            f"{RULE_WORDS[found.policy.rule]}. Online fallback (Tian and Ramdas 2021) sets the level of each claim, so "
            f"that however many there are, the chance that any false one passes stays near {found.policy.alpha:g}: "
            "proved for tests of every submission, measured where only those above the holder are tested."
        ),
        assumptions=(
            FAIR_SAMPLE,
            SAME_QUERIES,
            COMPLETE_LABELS,
            NEARLY_NORMAL,
            every,
            "The rule and the levels were fixed before the first claim.",
            "No run was fitted to scores on these queries: who learns from the board gets p-values that are too small.",
        ),
    )
