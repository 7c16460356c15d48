"""What did each assessor do? Counted from the answers they gave, those among them that were taken out of use later."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import median

from toprung.data.judgments import AssessorKind, Choice, Judgment, Judgments, Pair
from toprung.labels.assessors.agreement import choice_of

FAST_MS = 2_000
"""Nobody reads two passages in less."""
SIDES = (Choice.LEFT, Choice.RIGHT)


@dataclass(frozen=True, kw_only=True)
class AssessorRecord:
    """The counts of one assessor; golds are answers too, but for agreement."""

    assessor: str
    n_votes: int
    n_golds: int
    n_missed: int
    n_left: int
    n_sided: int
    """Answers for a side, ties left out."""
    n_same_side: int
    """Answers for the side of the answer before, of all but the first."""
    longest_run: int
    """Of answers for one side."""
    n_timed: int
    n_fast: int
    median_seconds: float | None
    n_skips: int
    n_compared: int
    """Votes on pairs that others decided without a tie."""
    n_with_others: int
    """Of these, votes for what most of the others chose."""
    agreed: float
    """Sum over votes on pairs that others judged of the share of others who chose the same."""
    n_shared: int
    """Those votes."""
    is_used: bool = True
    """Whether any of their votes counts."""

    @property
    def n_answers(self) -> int:
        return self.n_votes + self.n_golds

    @property
    def n_right(self) -> int:
        """Answers for the right side."""
        return self.n_sided - self.n_left


def answers_given(judgments: Judgments, *, kind: AssessorKind = AssessorKind.HUMAN) -> dict[str, list[Judgment]]:
    """By assessor, in order: the last answer to each pair of a task, whether it is still in use or not."""
    last: dict[str, dict[object, Judgment]] = {}
    for each in judgments.rows:
        if each.kind is kind and each.choice is not Choice.SKIP:
            place = each.judgment_id if each.slot is None else (each.task_id, each.slot)
            of_one = last.setdefault(each.assessor, {})
            of_one.pop(place, None)
            of_one[place] = each
    return {assessor: list(found.values()) for assessor, found in last.items()}


def count_skips(judgments: Judgments) -> dict[str, int]:
    """By assessor; a row that takes an answer back is none."""
    found: dict[str, int] = {}
    for each in judgments.rows:
        if each.choice is Choice.SKIP and each.supersedes is None:
            found[each.assessor] = found.get(each.assessor, 0) + 1
    return found


def record_of(
    assessor: str,
    answers: Collection[Judgment],
    *,
    golds: Mapping[Pair, str],
    others: Mapping[Pair, Mapping[str, int]],
    n_skips: int = 0,
    is_used: bool = True,
) -> AssessorRecord:
    """What someone's answers come to; ``others`` has the votes of everybody else on each pair."""
    votes = [each for each in answers if not each.is_gold]
    known = [each for each in answers if each.is_gold and each.pair in golds]
    sides = [each.choice for each in answers if each.choice in SIDES]
    seconds = [each.ms / 1000 for each in answers if each.ms is not None]
    compared = [_with_most(vote, others.get(vote.pair, {})) for vote in votes]
    shares = [_share_of_others(vote, others.get(vote.pair, {})) for vote in votes]
    shared = [each for each in shares if each is not None]
    return AssessorRecord(
        assessor=assessor,
        n_votes=len(votes),
        n_golds=len(known),
        n_missed=sum(each.winner != golds[each.pair] for each in known),
        n_left=sides.count(Choice.LEFT),
        n_sided=len(sides),
        n_same_side=sum(one is other for one, other in pairwise(sides)),
        longest_run=_longest_run(sides),
        n_timed=len(seconds),
        n_fast=sum(1000 * each < FAST_MS for each in seconds),
        median_seconds=median(seconds) if seconds else None,
        n_skips=n_skips,
        n_compared=len(compared) - compared.count(None),
        n_with_others=compared.count(True),
        agreed=sum(shared),
        n_shared=len(shared),
        is_used=is_used,
    )


def _longest_run(sides: Iterable[Choice]) -> int:
    return max((sum(1 for _ in run) for _, run in groupby(sides)), default=0)


def _with_most(vote: Judgment, others: Mapping[str, int]) -> bool | None:
    """Whether a vote is for what most others chose; None without others, or where they split evenly."""
    most = max(others.values(), default=0)
    leaders = [choice for choice, n in others.items() if n == most and n]
    return choice_of(vote) == leaders[0] if len(leaders) == 1 else None


def _share_of_others(vote: Judgment, others: Mapping[str, int]) -> float | None:
    n = sum(others.values())
    return others.get(choice_of(vote), 0) / n if n else None
