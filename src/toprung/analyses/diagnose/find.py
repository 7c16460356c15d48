"""Can these judgments be trusted? Circles, sides, repeats, speed: what careless or biased work would show.

Every figure has something to stand beside: circles what fair coins would give, sides one half, agreement
how often votes at random would agree, and a language model's also how well people agree on the same pairs.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from toprung.analyses.diagnose.agreement import models_and_people, repeats, side_agreement
from toprung.analyses.diagnose.both_orders import figures_of_both_orders
from toprung.analyses.diagnose.result import PEOPLE, ComparedShare, Diagnosis, Timing
from toprung.data.judgments import AssessorKind, Choice, Judgment, Judgments, Pair
from toprung.labels.best.coin_tournaments import cyclic_share
from toprung.labels.best.tournament import hold_tournaments
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import OFFICIAL_KINDS, merge_same_texts, resolve_pairs
from toprung.stats.intervals.proportions import wilson_share
from toprung.words.floors import FEWEST
from toprung.words.wording import say_queries, show_share

EVEN = 0.5


def diagnose(
    judgments: Judgments,
    *,
    pools: Iterable[Pool] = (),
    answers: Sequence[Mapping[str, Any]] = (),
    known_golds: Mapping[Pair, str] | None = None,
    remarks: Sequence[str] = (),
    seed: int = 0,
) -> Diagnosis:
    """Look for signs of careless or biased judging.

    Parameters
    ----------
    judgments
        All that were made; those in force count.
    pools
        For the share of queries whose best answers go round in a circle.
    answers
        What language models answered, order by order, as ``judge_all`` keeps it.
    known_golds
        For each gold its good answer.
    remarks
        To be passed on, such as warnings about families.
    seed
        Of the coins, which only pools of more than six items need.

    """
    current = judgments.current
    people = [each for each in current if each.is_vote and each.kind in OFFICIAL_KINDS]
    models = _by_model(each for each in current if each.is_vote and each.kind is AssessorKind.LLM)
    figures = [
        *_circles(list(pools), judgments, seed=seed),
        *_left_choices(people, answers),
        *repeats(people),
        *models_and_people(models, people),
        *figures_of_both_orders(answers),
        *_golds(judgments.rows, known_golds or {}),
        *_skips(current),
    ]
    return Diagnosis(
        figures=tuple(figures),
        timings=tuple(_timings(people)),
        n_votes=len(people) + sum(map(len, models.values())),
        remarks=tuple(remarks),
        judgments_digest=judgments.digest,
        seed=seed,
        agreement=side_agreement(people),
    )


def _by_model(votes: Iterable[Judgment]) -> dict[str, list[Judgment]]:
    found: dict[str, list[Judgment]] = {}
    for vote in votes:
        found.setdefault(vote.assessor, []).append(vote)
    return dict(sorted(found.items()))


def _circles(pools: Sequence[Pool], judgments: Judgments, *, seed: int) -> Iterable[ComparedShare]:
    """Queries with several best answers, of those that could have them: all pairs judged, three items or more.

    A coin cannot fall on neither side: queries with an even split would be circles that no coin makes.
    """
    eligible = [pool for pool in pools if len(pool.items) > 2]
    outcomes = merge_same_texts(resolve_pairs(judgments), pools)
    results = hold_tournaments(eligible, outcomes)
    judged = [pool for pool in eligible if results[pool.query_id].is_settled]
    decided = [pool for pool in judged if all(outcomes[pair].is_decided for pair in pool.pairs())]
    if not judged:
        return
    cyclic = sum(results[pool.query_id].is_cycle for pool in decided)
    by_size = {size: cyclic_share(size, seed=seed) for size in {len(pool.items) for pool in decided}}
    by_chance = statistics.fmean(by_size[len(pool.items)] for pool in decided) if decided else math.nan
    share = wilson_share(cyclic, len(decided))
    n_even = len(judged) - len(decided)
    doubt = f"{show_share(share.estimate)} of queries go in a circle, not clearly fewer than by fair coins"
    yield ComparedShare(
        what="queries in a circle",
        who=PEOPLE,
        share=share,
        unit="query",
        beside="fair coins",
        expected=by_chance,
        suspicion=doubt if share.high >= by_chance and share.trials >= FEWEST else "",
        note="Circles: of queries with three answers or more, all pairs judged. Random votes come near the coins."
        + (f" Left out, since coins cannot tie: {say_queries(n_even)} with an even split." if n_even else ""),
    )


def _left_choices(people: Iterable[Judgment], answers: Iterable[Mapping[str, Any]]) -> Iterable[ComparedShare]:
    """How often the left side was chosen.

    A model's by its single answers, for over both orders it would cancel out. Files made elsewhere are left out: many
    name the winner first, whichever side it stood on.
    """
    sides = {PEOPLE: [str(each.choice) for each in people if each.kind is AssessorKind.HUMAN]}
    for answer in answers:
        sides.setdefault(str(answer["assessor"]), []).append(str(answer["choice"]))
    for who, choices in sides.items():
        chosen = [choice for choice in choices if choice in (Choice.LEFT, Choice.RIGHT)]
        if chosen:
            share = wilson_share(chosen.count(Choice.LEFT), len(chosen))
            is_biased = not share.low <= EVEN <= share.high
            yield ComparedShare(
                what="left side chosen",
                who=who,
                share=share,
                unit="choice",
                beside="no bias",
                expected=EVEN,
                suspicion=f"{who} chose the left side {show_share(share.estimate)} of the time" if is_biased else "",
            )


def _golds(rows: Iterable[Judgment], known: Mapping[Pair, str]) -> Iterable[ComparedShare]:
    """The last answer to each gold, also of work that was voided for it."""
    answers = {
        (each.assessor, each.task_id, each.pair): each
        for each in rows
        if each.is_gold and each.choice is not Choice.SKIP and each.pair in known
    }
    passed: dict[str, list[bool]] = {}
    for each in answers.values():
        passed.setdefault(_who(each), []).append(each.winner == known[each.pair])
    for who, results in sorted(passed.items()):
        share = wilson_share(sum(results), len(results))
        doubt = f"{who} passed {show_share(share.estimate)} of golds, not clearly more than a coin would"
        yield ComparedShare(
            what="golds passed",
            who=who,
            share=share,
            unit="gold",
            beside="a coin",
            expected=EVEN,
            suspicion=doubt if share.low <= EVEN and share.trials >= FEWEST else "",
        )


def _skips(current: Collection[Judgment]) -> Iterable[ComparedShare]:
    """Plain skips only: a row that takes another back is none."""
    shown = [each for each in current if each.kind in OFFICIAL_KINDS and not each.is_gold and not _is_void(each)]
    n_skips = sum(each.choice is Choice.SKIP for each in shown)
    if n_skips:
        yield ComparedShare(
            what="pairs skipped", who=PEOPLE, share=wilson_share(n_skips, len(shown)), unit="pair shown"
        )


def _is_void(judgment: Judgment) -> bool:
    return judgment.choice is Choice.SKIP and judgment.supersedes is not None


def _who(judgment: Judgment) -> str:
    return judgment.assessor if judgment.kind is AssessorKind.LLM else PEOPLE


def _timings(people: Iterable[Judgment]) -> Iterable[Timing]:
    seconds = [each.ms / 1000 for each in people if each.ms is not None]
    if seconds:
        low, median, high = np.percentile(seconds, [25, 50, 75]).tolist()
        yield Timing(who=PEOPLE, n=len(seconds), median=median, low=low, high=high)
