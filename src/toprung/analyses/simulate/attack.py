"""How far can a team climb that is no better? It hands in many runs and uses whatever it is shown of their scores.

For every query the team has two answers that are equally good: which one scores higher on the hidden labels is chance.
A run picks one of the two for each query. On new queries every such run deserves the same score; on the hidden ones the
team may find out, from the scores it is shown, which picks were lucky. What it gains that way is inflation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from toprung.boards.disclosure.release import Release
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import Bools, Floats


@dataclass(frozen=True, kw_only=True)
class Inflation:
    """What an attack gained over the score its runs deserve.

    ``public`` is in the public score of the team, ``hidden`` in the score of its final run, shown or not.
    ``answers`` counts the runs of which the team was shown a score.
    """

    public: float
    hidden: float
    answers: int


class Attacker:
    """A team that hands in runs, made of one of two answers for each query, and hears only what is released.

    It changes as it submits: where the team stands is the release's, and how often it was told a score is counted. On
    the ladder of the board honest teams stand already, with what its runs deserve.
    """

    def __init__(self, scores: Floats, release: Release, *, lots: np.random.Generator) -> None:
        self._scores = scores
        self._lots = lots
        self._release = release.show(float(scores.mean()))[1] if release.is_of_board else release
        self._answers = 0

    @property
    def n_queries(self) -> int:
        return int(self._scores.shape[1])

    def submit(self, picks: Bools) -> float | None:
        per_query = self._score(picks)
        drawn = self._release.drawing(float(self._lots.standard_normal()))
        told, self._release = drawn.show(_mean(per_query), per_query)
        self._answers += told.shown is not None
        return told.shown

    def inflation(self, final: Bools) -> Inflation:
        """Over the mean of both answers to every query, which is what picking without knowledge gives."""
        deserved = float(self._scores.mean())
        return Inflation(
            public=self._release.best - deserved,
            hidden=_mean(self._score(final)) - deserved,
            answers=self._answers,
        )

    def _score(self, picks: Bools) -> Floats:
        per_query: Floats = np.where(picks, self._scores[1], self._scores[0])
        return per_query


def vote(attacker: Attacker, *, submissions: int, rng: np.random.Generator) -> Bools:
    """Pick at random, then for each query what was picked in the runs that scored above average: the final run.

    The boosting attack of Blum and Hardt (2015), each vote weighted by how far above or below the run was shown to be.
    """
    total = np.zeros(attacker.n_queries)
    weighted = np.zeros(attacker.n_queries)
    shown: list[float] = []
    for _ in range(submissions - 1):
        picks = rng.random(attacker.n_queries) < 0.5
        score = attacker.submit(picks)
        if score is not None:
            side = np.where(picks, 1.0, -1.0)
            total += side
            weighted += score * side
            shown.append(score)
    final: Bools = weighted > total * (sum(shown) / len(shown) if shown else 0.0)
    attacker.submit(final)
    return final


def climb(attacker: Attacker, *, submissions: int, rng: np.random.Generator) -> Bools:
    """Change the picks of a few queries at a time, or of many, and keep what raises the score that is shown."""
    kept: Bools = rng.random(attacker.n_queries) < 0.5
    best = attacker.submit(kept)
    for _ in range(submissions - 1):
        luck = rng.random(attacker.n_queries)
        share = 0.5 * attacker.n_queries ** (rng.random() - 1)  # from half a query to half of them
        changed = kept ^ (luck < share)
        score = attacker.submit(changed)
        if score is not None and (best is None or score > best):
            kept, best = changed, score
    return kept


ATTACKS: dict[str, Callable[..., Bools]] = {"vote": vote, "climb": climb}


def attack(name: str, scores: Floats, release: Release, *, submissions: int, rng: np.random.Generator) -> Inflation:
    """Let a team attack by one of ``ATTACKS``; ``scores`` are those of its two answers, 2 × queries."""
    attacker = Attacker(scores, release, lots=rng.spawn(1)[0])
    return attacker.inflation(ATTACKS[name](attacker, submissions=submissions, rng=rng))


def _mean(per_query: Floats) -> float:
    return round(float(per_query.mean()), MEAN_DIGITS)
