"""What is to be said of two runs? Whether they differ, at what cost, and whether harm is excluded."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from toprung.boards.engine.parts import PairParts


class Verdict(StrEnum):
    """What a comparison says; ``TIED`` is shown as "cannot be told apart"."""

    A = "A"
    B = "B"
    CONFLICT = "conflict"
    TIED = "tied"


class Grade(StrEnum):
    """How a run is better."""

    NO_HARM = "no_harm"
    """And does no harm beyond the margins."""
    COST = "cost"
    """And it answers fewer queries, or finds the answers later."""
    BETTER = "better"
    """And harm was not excluded, or there are no first ranks to look for it."""
    NONE = ""


@dataclass(frozen=True, kw_only=True)
class PairVerdict:
    """The verdict on a pair by itself, and in which part there is more to say.

    ``answered`` and ``ranking`` are +1 where B does better in that part beyond chance, −1 where A does, else 0: under
    ``COST`` what the winner loses, under ``CONFLICT`` both sides, under ``TIED`` the part that is told apart alone.
    """

    verdict: Verdict
    grade: Grade = Grade.NONE
    answered: int = 0
    ranking: int = 0

    @property
    def do_differ(self) -> bool:
        """Whether the two differ in the measure."""
        return self.verdict in (Verdict.A, Verdict.B)

    @property
    def side(self) -> int:
        """+1 where B is better, −1 where A is, else 0."""
        return {Verdict.B: 1, Verdict.A: -1}.get(self.verdict, 0)


def judge_pair(parts: PairParts, *, alpha: float = 0.05) -> PairVerdict:
    """The verdict on a pair: the rule of a board decides claims, never this."""
    if parts.measure.p <= alpha and parts.measure.favours:
        return _judge_winner(parts, parts.measure.favours, alpha)
    answered, ranking = _sides(parts, alpha)
    if answered * ranking < 0:
        return PairVerdict(verdict=Verdict.CONFLICT, answered=answered, ranking=ranking)
    answered, ranking = _sides(parts, alpha / 2)
    return PairVerdict(verdict=Verdict.TIED, answered=answered, ranking=ranking)


def _judge_winner(parts: PairParts, side: int, alpha: float) -> PairVerdict:
    winner = Verdict.B if side > 0 else Verdict.A
    lost = [part if part == -side else 0 for part in _sides(parts, alpha)]
    if any(lost):
        return PairVerdict(verdict=winner, grade=Grade.COST, answered=lost[0], ranking=lost[1])
    return PairVerdict(verdict=winner, grade=Grade.NO_HARM if parts.is_harm_excluded(side) else Grade.BETTER)


def _sides(parts: PairParts, level: float) -> tuple[int, int]:
    """Whom answered and ranking favour at this level; 0 for nobody."""
    found = (parts.answered, parts.ranking)
    answered, ranking = (0 if each is None or each.p > level else each.favours for each in found)
    return answered, ranking
