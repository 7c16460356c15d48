"""How well does everyone judge? All assessors of an effort, each with intervals, and those to look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from toprung.data.judgments import Judgment, Judgments, Pair
from toprung.labels.assessors.agreement import CrowdAgreement, choice_of, count_choices, find_agreement
from toprung.labels.assessors.records import AssessorRecord, answers_given, count_skips, record_of
from toprung.labels.assessors.shrunk_shares import ShrunkShare, shrink_shares
from toprung.labels.assessors.suspicion import Suspicion, find_suspicious
from toprung.labels.votes.assessor_weights import expected_right
from toprung.labels.votes.outcomes import votes_of
from toprung.stats.intervals.proportions import Share, wilson_share


@dataclass(frozen=True, kw_only=True)
class ReviewedAssessor:
    """One assessor: what they did, how often they are right and agree with others, and why to look at them."""

    record: AssessorRecord
    accuracy: ShrunkShare
    """One-coin Dawid–Skene with golds as known, moved to the mean of all; ``n`` are the answers behind it."""
    agreement: ShrunkShare
    """With the others on the same pairs, moved to the mean of all."""
    alpha: ShrunkShare
    """Krippendorff's α at that agreement, and at the ends of its interval."""
    left: Share
    fast: Share
    suspicion: Suspicion | None


@dataclass(frozen=True, kw_only=True)
class AssessorReview:
    """Everyone, those with most answers first, and all together."""

    rows: tuple[ReviewedAssessor, ...]
    agreement: CrowdAgreement
    golds: Share
    """Golds that were answered right."""
    left: Share

    @property
    def suspicious(self) -> tuple[Suspicion, ...]:
        return tuple(row.suspicion for row in self.rows if row.suspicion is not None)


def review_assessors(judgments: Judgments, golds: Mapping[Pair, str]) -> AssessorReview:
    """Look at everyone who gave an answer; ``golds`` has the good answer of each."""
    given, skips = answers_given(judgments), count_skips(judgments)
    in_use = [vote for vote in votes_of(judgments) if vote.assessor in given]
    choices = count_choices(in_use)
    used = {vote.judgment_id for vote in in_use}
    records = [
        record_of(
            name,
            answers,
            golds=golds,
            others=_others(answers, choices, used),
            n_skips=skips.get(name, 0),
            is_used=any(each.judgment_id in used for each in answers),
        )
        for name, answers in given.items()
    ]
    crowd = find_agreement(choices)
    return AssessorReview(
        rows=tuple(sorted(_rows(records, given, golds, crowd, used), key=lambda row: -row.record.n_answers)),
        agreement=crowd,
        golds=_sum_share(records, lambda each: each.n_golds - each.n_missed, lambda each: each.n_golds),
        left=_sum_share(records, lambda each: each.n_left, lambda each: each.n_sided),
    )


def _rows(
    records: Sequence[AssessorRecord],
    given: Mapping[str, Sequence[Judgment]],
    golds: Mapping[Pair, str],
    crowd: CrowdAgreement,
    used: set[str],
) -> list[ReviewedAssessor]:
    suspicious = find_suspicious(records)
    answers = [each for of_one in given.values() for each in of_one]
    votes = [each for each in answers if each.judgment_id in used]
    unused = [each for each in answers if not each.is_gold and each.judgment_id not in used]
    known = [
        (each.assessor, each.winner == golds[each.pair]) for each in answers if each.is_gold and each.pair in golds
    ]
    right, counted = expected_right(votes, known, unused=unused)
    accuracies = shrink_shares([right[each.assessor] for each in records], [counted[each.assessor] for each in records])
    agreements = shrink_shares([each.agreed for each in records], [each.n_shared for each in records])
    return [
        ReviewedAssessor(
            record=record,
            accuracy=accuracy,
            agreement=agreement,
            alpha=_alpha_at(crowd, agreement),
            left=wilson_share(record.n_left, record.n_sided),
            fast=wilson_share(record.n_fast, record.n_timed),
            suspicion=suspicious.get(record.assessor),
        )
        for record, accuracy, agreement in zip(records, accuracies, agreements, strict=True)
    ]


def _alpha_at(crowd: CrowdAgreement, agreement: ShrunkShare) -> ShrunkShare:
    estimate, low, high = map(crowd.alpha_at, (agreement.estimate, agreement.low, agreement.high))
    return ShrunkShare(estimate=estimate, low=low, high=high, n=agreement.n)


def _others(
    answers: Sequence[Judgment], choices: Mapping[Pair, Counter[str]], used: set[str]
) -> dict[Pair, Counter[str]]:
    """The votes of everybody else on the pairs that someone voted on."""
    found = {each.pair: Counter(choices.get(each.pair, ())) for each in answers if not each.is_gold}
    for each in answers:
        if each.judgment_id in used:
            found[each.pair][choice_of(each)] -= 1
    return found


def _sum_share(
    records: Sequence[AssessorRecord], of: Callable[[AssessorRecord], int], trials: Callable[[AssessorRecord], int]
) -> Share:
    return wilson_share(sum(map(of, records)), sum(map(trials, records)))
