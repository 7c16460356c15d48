"""Whose votes can be trusted? One coin an assessor: right with a probability of their own, else the other way round.

A vote of an assessor with accuracy α goes to item i of a pair with probability α p + (1 − α)(1 − p), where p is what
Bradley–Terry says (Chen et al. 2013). Expectation–maximisation: how probably each vote was meant, given strengths and
accuracies, makes it that much of a vote for the one side and the rest for the other; strengths and accuracies follow.
Golds, whose good answer is known, count for the accuracy as votes of which it is certain whether they are right.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from toprung.data.judgments import Choice, Judgment, Judgments, Pair
from toprung.labels.doubt.arenas import ArenaGroup, group_arenas
from toprung.labels.doubt.prior import StrengthPrior, arenas_of
from toprung.labels.votes.assessor_weights import RIGHT_BEFORE, WRONG_BEFORE
from toprung.labels.votes.outcomes import OFFICIAL_KINDS, Outcomes, columns_of, resolve_pairs, votes_of
from toprung.stats.inputs import Floats
from toprung.stats.models.bradley_terry import fit_strengths

ROUNDS, INNER_ROUNDS = 20, 200
CONVERGED = 1e-4


@dataclass(frozen=True, kw_only=True)
class AccuracyModel:
    """The outcomes with every vote as far as it was meant, and how often each assessor is right."""

    outcomes: Outcomes
    accuracies: Mapping[str, float]


@dataclass(frozen=True, eq=False, kw_only=True)
class _Ballots:
    """The votes for one side, as arrays: whose, on which pair, for its first answer or its second."""

    names: list[str]
    assessor: NDArray[np.intp]
    pair: NDArray[np.intp]
    is_first: NDArray[np.bool_]
    right_golds: Floats
    n_golds: Floats

    @classmethod
    def of(cls, votes: Sequence[Judgment], pairs: Mapping[Pair, int], golds: Sequence[tuple[str, bool]]) -> _Ballots:
        decided = [vote for vote in votes if vote.choice is not Choice.TIE]
        names = sorted({vote.assessor for vote in decided})
        index_of = {name: index for index, name in enumerate(names)}
        known = [(index_of[name], is_right) for name, is_right in golds if name in index_of]
        whose = np.array([index for index, _ in known], dtype=np.intp)
        return cls(
            names=names,
            assessor=np.array([index_of[vote.assessor] for vote in decided], dtype=np.intp),
            pair=np.array([pairs[vote.pair] for vote in decided], dtype=np.intp),
            is_first=np.array([vote.winner == vote.pair.a for vote in decided], dtype=np.bool_),
            right_golds=np.bincount(whose, [is_right for _, is_right in known], minlength=len(names)),
            n_golds=np.bincount(whose, minlength=len(names)).astype(np.float64),
        )

    def accuracies(self, meant: Floats) -> Floats:
        """How often each is right, where each vote was meant with this probability; see ``assessor_weights``."""
        right = np.bincount(self.assessor, meant, minlength=len(self.names)) + self.right_golds + RIGHT_BEFORE
        n = np.bincount(self.assessor, minlength=len(self.names)) + self.n_golds + RIGHT_BEFORE + WRONG_BEFORE
        found: Floats = right / n
        return found

    def weigh(self, lead: Floats, meant: Floats) -> tuple[Floats, Floats]:
        """How probably each vote was meant, and how often each assessor is right, where its choice leads by so much."""
        likely = 1 / (1 + np.exp(-lead))
        accuracies = self.accuracies(meant)
        for _ in range(INNER_ROUNDS):
            right = accuracies[self.assessor] * likely
            meant = right / (right + (1 - accuracies[self.assessor]) * (1 - likely))
            before, accuracies = accuracies, self.accuracies(meant)
            if np.abs(accuracies - before).max(initial=0.0) < CONVERGED / 10:
                break
        return meant, accuracies

    def share(self, meant: Floats, n_pairs: int) -> tuple[Floats, Floats]:
        """Of each pair the votes for its first and for its second answer, as far as they were meant."""
        for_first = np.where(self.is_first, meant, 1 - meant)
        first = np.bincount(self.pair, for_first, minlength=n_pairs)
        return first, np.bincount(self.pair, 1 - for_first, minlength=n_pairs)


def resolve_by_accuracy(
    judgments: Judgments,
    *,
    kinds: Collection[str] = OFFICIAL_KINDS,
    known_golds: Mapping[Pair, str] | None = None,
    prior: StrengthPrior | None = None,
) -> AccuracyModel:
    """The outcome of every pair, with votes by how often their assessor is right.

    ``known_golds`` has the good answer of each gold; ``prior`` is that of the strengths.
    """
    prior = StrengthPrior() if prior is None else prior
    outcomes = resolve_pairs(judgments, kinds=kinds)
    votes = columns_of(outcomes)
    groups = group_arenas(arenas_of(votes), votes)
    pairs = list(outcomes)
    order = {pairs[at]: place for place, at in enumerate(at for group in groups for at in group.pairs.tolist())}
    ballots = _Ballots.of(list(votes_of(judgments, kinds=kinds)), order, _golds(judgments, known_golds or {}))
    ties = np.array([outcomes[pair].ties / 2 for pair in order])
    meant = np.ones(len(ballots.pair))
    for _ in range(ROUNDS):
        first, second = ballots.share(meant, len(order))
        lead = _leads(groups, first + ties, second + ties, prior.penalty)[ballots.pair]
        before, (meant, accuracies) = meant, ballots.weigh(np.where(ballots.is_first, lead, -lead), meant)
        if np.abs(meant - before).max(initial=0.0) < CONVERGED:
            break
    first, second = ballots.share(meant, len(order))
    weighed = {
        pair: replace(outcomes[pair], wins_a=float(first[place]), wins_b=float(second[place]))
        for pair, place in order.items()
    }
    return AccuracyModel(outcomes=weighed, accuracies=dict(zip(ballots.names, accuracies.tolist(), strict=True)))


def _golds(judgments: Judgments, known: Mapping[Pair, str]) -> list[tuple[str, bool]]:
    """Of each answer to a gold whose it is, and whether it is right."""
    return [
        (each.assessor, each.winner == known[each.pair])
        for each in judgments.current
        if each.is_gold and each.choice is not Choice.SKIP and each.pair in known
    ]


def _leads(groups: Sequence[ArenaGroup], wins_a: Floats, wins_b: Floats, penalty: float) -> Floats:
    """The lead of the first answer of each pair, by the strengths that fit best."""
    found, start = [], 0
    for group in groups:
        row, first, second = group.index
        part = slice(start, start + len(row))
        values = fit_strengths(group.table(wins_a[part], wins_b[part]), penalty=penalty).values
        found.append(values[row, first] - values[row, second])
        start += len(row)
    return np.concatenate(found) if found else np.zeros(0)
