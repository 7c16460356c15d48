"""How is it said? The one place for the words of verdicts, claims and the top group.

Two questions, two wordings: "this pair differs" or "cannot be told apart" is said of two runs; "passed" or "did not
pass its level" of a claim. Who may be best now is neither.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date

from toprung.boards.engine.claims import TestedClaim
from toprung.boards.engine.parts import PairParts
from toprung.boards.engine.rules import Rule
from toprung.boards.engine.verdict import Grade, PairVerdict, Verdict
from toprung.scoring.catalogue import higher_is_better
from toprung.stats.intervals.harm import HarmBounds
from toprung.words.wording import list_names, say_count, say_p, show_number, show_p_and_level

MOST_NAMED = 4
"""Runs of the top group that a sentence names; of more than these the first three."""
NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve")
NOT_TOLD_APART = "cannot be told apart"
RULE_WORDS = {
    Rule.MEASURE: "a higher mean, beyond chance",
    Rule.NO_HARM: "better beyond chance, doing no harm",
    Rule.BOTH: "more answered and ranked higher, both beyond chance",
    Rule.SCORE: "a higher score, not tested",
}


P_OF_RULE = {
    Rule.MEASURE: "p: the pair test of {measure}.",
    Rule.NO_HARM: "p: twice the smaller of the pair test of {measure} and the exact test of queries that one run alone "
    "answers; 1 unless {measure} points to the run at 0.10. Harm must be excluded.",
    Rule.BOTH: "p: the larger of the exact test of queries that one run alone answers and the pair test of RR where "
    "both answer.",
    Rule.SCORE: "",
}


def say_p_of(rule: Rule, measure: str) -> str:
    """How the p-value of a claim comes about under a rule.

    >>> say_p_of(Rule.MEASURE, "nDCG@10")
    'p: the pair test of nDCG@10.'
    """
    return P_OF_RULE[rule].format(measure=measure)


def say_points(share: float) -> str:
    """A share as points of a hundred.

    >>> say_points(0.0132), say_points(math.inf)
    ('1.3 points', 'any amount')
    """
    return "any amount" if share >= 1 else f"{100 * share:.1f} points"


def say_pair(a: str, b: str, measure: str, parts: PairParts, found: PairVerdict, *, decimals: int = 4) -> str:
    """The verdict on a pair by itself, in one sentence; the difference is that of the run named first."""
    towards = (found.side or 1) * (1 if higher_is_better(measure) else -1)
    lead = show_number(parts.measure.mean * towards, decimals, signed=True)
    tested = f"{measure} {lead}, {say_p(parts.measure.p)}"
    if not found.do_differ:
        more = say_parts(found, b, a)
        return f"{b} and {a} {NOT_TOLD_APART} by {measure} ({tested}){f'; {more}' if more else ''}."
    winner, loser = (b, a) if found.side > 0 else (a, b)
    return f"{winner} is better than {loser} ({tested}){say_grade(parts, found)}."


def say_grade(parts: PairParts, found: PairVerdict) -> str:
    """What follows "is better": at a cost, doing no harm, or how much harm is not excluded; empty without ranks."""
    if cost := say_cost(found):
        return f", at a cost: it {cost}"
    if parts.answered_harm is None or parts.ranking_harm is None:
        return ""
    if found.grade is Grade.NO_HARM:
        margins = say_points(parts.answered_harm.margin), say_points(parts.ranking_harm.margin)
        return f", doing no harm (beyond {margins[0]} of queries answered and {margins[1]} of RR where both answer)"
    return f"; {say_not_excluded(parts, found.side)}"


def say_cost(found: PairVerdict) -> str:
    """What the better run loses beyond chance; empty where it loses nothing."""
    if found.grade is not Grade.COST:
        return ""
    costs = ("answers fewer queries", found.answered), ("finds the answers later", found.ranking)
    return " and ".join(words for words, side in costs if side)


def say_verdict(found: PairVerdict) -> str:
    """For a table: whether the two differ, said of B.

    >>> say_verdict(PairVerdict(verdict=Verdict.B, grade=Grade.COST, answered=-1))
    'better, at a cost: answers fewer queries'
    >>> say_verdict(PairVerdict(verdict=Verdict.TIED, ranking=1))
    'cannot be told apart; finds the answers sooner'
    """
    if found.do_differ:
        side = "better" if found.side > 0 else "worse"
        return f"{side}{_say_grade_in_short(found)}"
    answered = {1: "answers more queries", -1: "answers fewer queries"}.get(found.answered)
    ranking = {1: "finds the answers sooner", -1: "finds the answers later"}.get(found.ranking)
    return "; ".join([NOT_TOLD_APART, *filter(None, [" but ".join(filter(None, (answered, ranking)))])])


def _say_grade_in_short(found: PairVerdict) -> str:
    if cost := say_cost(found):
        return f", at a cost: {cost}"
    return ", doing no harm" if found.grade is Grade.NO_HARM else ""


def say_not_excluded(parts: PairParts, side: int) -> str:
    """Where harm to that side's readers is not excluded, and how much it may be."""
    bounds = (parts.answered_harm, "queries answered"), (parts.ranking_harm, "RR where both answer")
    said = [_say_open(each, where, side) for each, where in bounds if each is not None and not each.is_excluded(side)]
    return " and ".join(said)


def _say_open(bounds: HarmBounds, where: str, side: int) -> str:
    return f"harm up to {say_points(bounds.worst(side))} not excluded in {where}"


def say_harm(name: str, parts: PairParts, side: int) -> str:
    """How much worse the run of that side may be in each part, beside the margins; empty without first ranks."""
    if parts.answered_harm is None or parts.ranking_harm is None:
        return ""
    bounds = (parts.answered_harm, "queries answered"), (parts.ranking_harm, "RR where both answer")
    said = [f"{say_points(each.worst(side))} of {where} (margin {100 * each.margin:.1f})" for each, where in bounds]
    so = "harm beyond the margins is excluded" if parts.is_harm_excluded(side) else "harm is not excluded"
    return f"{name} loses at most {said[0]} and {said[1]}, each with 95% confidence: {so}."


def say_relation(a: str, b: str, relation: int, n_runs: int) -> tuple[str, str]:
    """What two runs of a board are to each other, all of its runs compared at once: what is bold, and what follows.

    >>> say_relation("old", "new", 1, 9)
    ('On this board new is better than old,', 'all 9 runs compared at once.')
    >>> " ".join(say_relation("old", "new", 0, 2))
    'On this board new and old cannot be told apart, both compared query by query.'
    """
    at_once = "both compared query by query." if n_runs == 2 else f"all {n_runs:,} runs compared at once."
    if not relation:
        return f"On this board {b} and {a} {NOT_TOLD_APART},", at_once
    better, worse = (b, a) if relation > 0 else (a, b)
    return f"On this board {better} is better than {worse},", at_once


def say_parts(found: PairVerdict, b: str, a: str) -> str:
    """In which part a pair is told apart that the measure does not tell apart; empty where in none."""
    if found.verdict is Verdict.CONFLICT:
        more = b if found.answered > 0 else a
        return f"{more} answers more queries, but finds the answers later"
    if found.answered:
        return f"{b if found.answered > 0 else a} answers more queries"
    if found.ranking:
        return f"{b if found.ranking > 0 else a} finds the answers sooner"
    return ""


def say_claim(claim: TestedClaim, *, decimals: int = 4) -> str:
    """What came of a claim, in one sentence."""
    over = f"The claim of {claim.run} over {claim.holder}"
    if claim.p is None or claim.level is None:
        return f"{claim.run} scores above {claim.holder}; whether that is more than chance was not asked."
    if claim.passed:
        return f"{over} passed its level {say_level(claim, decimals=decimals)}: {say_shown(claim)}."
    held_to = "" if claim.is_within_level else " its level"
    return f"{over} did not pass{held_to} {say_level(claim, decimals=decimals)}: {say_why_not(claim)}."


def say_as_claim(claim: TestedClaim, *, decimals: int = 4) -> str:
    """What a pair would mean as the first claim of a board, where it was none."""
    if claim.parts is None:
        return f"As a claim (rule {claim.rule}): {RULE_WORDS[claim.rule]}."
    if claim.parts.measure.favours <= 0:
        return f"As a claim: none, for {claim.run} scores no higher than {claim.holder}."
    would = "would pass" if claim.passed else "would not pass"
    held = f"{would} its level {say_level(claim, decimals=decimals)}: {in_short(claim)}"
    return f"As the first claim of a board (rule {claim.rule}: {RULE_WORDS[claim.rule]}), {claim.run} {held}."


def say_level(claim: TestedClaim, *, decimals: int = 4) -> str:
    """What it was held to and what it could see, in parentheses."""
    if claim.p is None or claim.level is None:
        return ""
    gain = math.inf if claim.smallest_gain is None else claim.smallest_gain
    could = f"; could see gains of {show_number(gain, decimals)} and more" if 0 < gain < math.inf else ""
    p, level = show_p_and_level(claim.p, claim.level)
    return f"(p {p if p.startswith('<') else f'= {p}'}, level {level}{could})"


def say_shown(claim: TestedClaim) -> str:
    """What a claim that passed has shown, short."""
    if claim.parts is None or claim.level is None:
        return "a higher score, not tested"
    if claim.rule is Rule.BOTH:
        return "proved to answer more and to rank higher"
    measure = claim.parts.measure
    if cost := say_cost(claim.verdict) if claim.verdict else "":
        return f"proved to be better; it {cost}{', by no more than the margin' if claim.is_harm_excluded else ''}"
    if claim.rule is Rule.NO_HARM:
        is_by_measure = 2 * measure.p <= claim.level
        return f"proved to {'be better' if is_by_measure else 'answer more'}, doing no harm"
    return "proved to be better"


def say_why_not(claim: TestedClaim) -> str:
    """Why a claim did not pass, short; the pair itself may differ all the same."""
    if claim.parts is None or claim.verdict is None:
        return ""
    if claim.is_within_level:
        cost = say_cost(claim.verdict)
        return f"harm shown: it {cost}" if cost else say_not_excluded(claim.parts, 1)
    if claim.verdict.side > 0:
        return "this pair differs, above the level of this claim"
    more = say_parts(claim.verdict, claim.run, claim.holder)
    return f"this pair {NOT_TOLD_APART}{f'; {more}' if more else ''}"


def say_beside(claim: TestedClaim) -> str:
    """For a table, beside "not passed": what there is to say although two runs differ; empty where there is nothing."""
    if claim.passed or claim.verdict is None or claim.parts is None:
        return ""
    if claim.rule is Rule.NO_HARM and min(claim.verdict.answered, claim.verdict.ranking) < 0:
        return "harm shown"
    if claim.is_within_level:
        return say_not_excluded(claim.parts, 1)
    return "differs, above its level" if claim.verdict.side > 0 else ""


def in_short(claim: TestedClaim) -> str:
    """For a table: what a claim showed, or why it did not pass."""
    return say_shown(claim) if claim.passed else say_why_not(claim)


def say_top_group(members: Sequence[str], *, n_runs: int, n_queries: int) -> tuple[str, str]:
    """Who may be best now: what is bold, and what follows it; the highest score first.

    >>> say_top_group(["a", "b"], n_runs=9, n_queries=54)
    ('Two runs may be best: a and b;', 'the labels cannot tell them apart.')
    """
    if n_runs == 1:
        return f"{members[0]} is the only run.", ""
    if len(members) == 1:
        return f"{members[0]} does best,", "beyond chance."
    queries = say_count(n_queries, "query", "queries")
    if len(members) > MOST_NAMED and 2 * len(members) > n_runs:
        cannot = f"{queries} cannot yet say which of {n_runs:,} runs is best;"
        return cannot, f"{list_names(list(members[: MOST_NAMED - 1]))} score highest."
    number = NUMBERS[len(members)] if len(members) < len(NUMBERS) else f"{len(members):,}"
    if len(members) <= MOST_NAMED:
        return f"{number} runs may be best: {list_names(list(members))};", "the labels cannot tell them apart."
    first = ", ".join(members[: MOST_NAMED - 1])
    more = len(members) - MOST_NAMED + 1
    return f"{number} runs may be best: {first} and {more:,} more;", f"{queries} cannot tell them apart."


THAT_SHOWS = "that shows a score"
"""Of the only run, where others show none."""


def say_among_shown(said: tuple[str, str], *, n_shown: int, n_not_shown: int) -> tuple[str, str]:
    """The same where some runs show no score: it is said of the others alone.

    >>> " ".join(say_among_shown(("a does best,", "beyond chance."), n_shown=3, n_not_shown=9))
    'Of the 3 runs shown, a does best, beyond chance; 9 more show no score.'
    >>> said = say_top_group(["a", "b"], n_runs=9, n_queries=54)
    >>> " ".join(say_among_shown(said, n_shown=9, n_not_shown=1))
    'Of the 9 runs shown, two runs may be best: a and b; the labels cannot tell them apart; 1 more shows no score.'
    >>> say_among_shown(("a is the only run.", ""), n_shown=1, n_not_shown=2)
    ('a is the only run that shows a score.', '2 more show none.')
    """
    bold, rest = said
    if not n_not_shown:
        return said
    if n_shown == 1:
        return f"{bold.removesuffix('.')} {THAT_SHOWS}.", f"{n_not_shown:,} more {_show(n_not_shown)} none."
    first = bold.partition(" ")[0]
    begun = first.lower() + bold[len(first) :] if first in NUMBERS else bold
    more = f"{n_not_shown:,} more {_show(n_not_shown)} no score."
    ending = f"{rest.removesuffix('.')}; {more}" if rest else f"{more[:1].upper()}{more[1:]}"
    return f"Of the {n_shown:,} runs shown, {begun}", ending


def _show(n: int) -> str:
    return "shows" if n == 1 else "show"


def say_no_run(baseline: str, score: str) -> tuple[str, str]:
    """A board with baselines alone; of several the one with the highest score.

    >>> " ".join(say_no_run("BM25", "0.418"))
    'No run yet. BM25, the baseline, scores 0.418.'
    """
    return "No run yet.", f"{baseline}, the baseline, scores {score}."


def say_last_proved(
    holder: str | None, when: date | None, *, n_later: int, is_member: bool, overtaken_by: Sequence[str] = ()
) -> str:
    """Which submission was the last to prove an improvement when it came; ``n_later`` claims since have not passed."""
    if holder is None:
        return "No claim has passed yet."
    on = "" if when is None else f", on {when:%Y-%m-%d}"
    number = NUMBERS[n_later] if n_later < len(NUMBERS) else f"{n_later:,}"
    later = f" {number} later {'claim has' if n_later == 1 else 'claims have'} not passed." if n_later else ""
    left = "" if is_member else "; it is no longer among those that may be best"
    if not is_member and overtaken_by:
        verb = "has" if len(overtaken_by) == 1 else "have"
        left += f": {list_names(list(overtaken_by), most=3)} {verb} overtaken it, and no claim passed"
    return f"{holder} was the last to prove an improvement when it came{on}{left}.{later}"


def say_proved(claims: Sequence[TestedClaim], when: date | None = None) -> str:
    """Which claims passed, the last of them on that day: the part of a sentence that says what was proved.

    >>> say_proved([])
    'no run scored above the first, so there was no claim'
    """
    passed = [claim.run for claim in claims if claim.passed]
    if not claims:
        return "no run scored above the first, so there was no claim"
    if not passed:
        only = f"the one claim, {claims[0].run}'s, did not pass its level"
        return only if len(claims) == 1 else f"none of {len(claims):,} claims passed its level"
    on = "" if when is None else f", on {when:%Y-%m-%d}"
    of = "" if len(claims) == 1 else f"{len(passed):,} of {len(claims):,} claims passed: "
    if len(passed) == 1:
        return f"{of}{passed[0]} proved an improvement when it came{on}"
    return f"{of}{list_names(passed, most=8)} proved an improvement when they came, {passed[-1]} last{on}"
