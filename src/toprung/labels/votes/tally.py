"""How do the votes stand now? Outcomes kept up with each judgment, where counting all again would take too long."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from toprung.data.judgments import Choice, Judgment, Pair
from toprung.labels.votes.outcomes import OFFICIAL_KINDS, PairOutcome


class VoteTally:
    """Official votes, each counted once; the same outcomes as of `resolve_pairs` by majority."""

    def __init__(self) -> None:
        self._counted: dict[str, Judgment] = {}
        self._outcomes: defaultdict[str, dict[Pair, PairOutcome]] = defaultdict(dict)

    def outcomes_of(self, query_id: str) -> Mapping[Pair, PairOutcome]:
        """Of the pairs of a query that have a vote."""
        return self._outcomes.get(query_id, {})

    def outcomes(self) -> dict[Pair, PairOutcome]:
        """Of all pairs that have a vote."""
        return {pair: each for of_query in self._outcomes.values() for pair, each in of_query.items()}

    def count(self, judgment: Judgment) -> Pair | None:
        """The pair that has one more vote; None if this is none, or counted already."""
        if judgment.judgment_id in self._counted or not judgment.is_vote or judgment.kind not in OFFICIAL_KINDS:
            return None
        self._counted[judgment.judgment_id] = judgment
        return self._add(judgment, 1)

    def take_back(self, judgment_id: str) -> Pair | None:
        """The pair that has one vote less; None if it was not counted."""
        judgment = self._counted.pop(judgment_id, None)
        return None if judgment is None else self._add(judgment, -1)

    def _add(self, judgment: Judgment, n: int) -> Pair:
        pair, of_query = judgment.pair, self._outcomes[judgment.query_id]
        before = of_query.get(pair) or PairOutcome(pair=pair, wins_a=0, wins_b=0, ties=0, n=0)
        winner = judgment.winner
        now = PairOutcome(
            pair=pair,
            wins_a=before.wins_a + n * (winner == pair.a),
            wins_b=before.wins_b + n * (winner == pair.b),
            ties=before.ties + n * (judgment.choice is Choice.TIE),
            n=before.n + n,
        )
        of_query[pair] = now
        if not now.n:
            del of_query[pair]
        return pair
