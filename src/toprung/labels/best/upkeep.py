"""Has a new run found a better answer? Its first answers that nobody has judged challenge the best ones known.

Labels stay current only if every new run may challenge them. A challenger meets each best answer of its query; once the
judgments on these pairs suffice (``replacement.py``), the labels follow. Until then they stay as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from toprung.data.judgments import Judgments, Pair
from toprung.data.qrels import Qrels
from toprung.errors import FormatError, InputError
from toprung.labels.best.challenges import Challenge, best_answers, join_challengers
from toprung.labels.best.replacement import Decision, ReplacementRule, find_rule
from toprung.labels.best.tournament import TIED, BestAnswers, hold_tournament
from toprung.labels.effort.store import RecordStore
from toprung.labels.pools.pool import Pool, pools_of_judgments
from toprung.labels.pools.store import read_pools
from toprung.labels.votes.outcomes import PairOutcome

CHALLENGES = "challenges"
"""The kind of record that keeps them in the state; in the manifest, how they are decided."""
DEFAULT_RULE = "best-of-3"


@dataclass(frozen=True, kw_only=True)
class Upkeep:
    """Where challenges stand; ``results`` holds the best answers of every query as they are now."""

    results: Mapping[str, BestAnswers]
    won: tuple[Challenge, ...]
    lost: tuple[Challenge, ...]
    open: tuple[Challenge, ...]
    open_pairs: tuple[Pair, ...]
    """What is still to be judged."""


def settle_challenges(
    labels: Qrels,
    challenges: Sequence[Challenge],
    outcomes: Mapping[Pair, PairOutcome],
    *,
    rule: ReplacementRule | None = None,
    pools: Iterable[Pool] = (),
) -> Upkeep:
    """Decide the challenges whose judgments suffice.

    Parameters
    ----------
    labels
        Those in force.
    challenges
        Those of one query in the order they came: a challenger meets whoever is best by then.
    outcomes
        The votes on each pair, by plain count.
    rule
        When a challenger has won over a best answer: best of three unless told.
    pools
        Those of the challenges, to know which documents have the text of a best answer: they are best as well.

    Returns
    -------
    Upkeep
        ``to_preference_qrels`` makes the next version of the labels of its ``results``.

    """
    by_query = {pool.query_id: pool for pool in pools}
    results = {
        query_id: BestAnswers(query_id=query_id, best=_represented(best, by_query.get(query_id)))
        for query_id, best in best_answers(labels).items()
    }
    met = _meet(results, challenges, outcomes, rule)
    for query_id, pool in by_query.items():
        if query_id in results:
            found = results[query_id]
            results[query_id] = replace(found, best=pool.with_twins(found.best))
    return Upkeep(
        results=results,
        **{state: tuple(each.challenge for each in met if each.state == state) for state in ("won", "lost", "open")},
        open_pairs=tuple(sorted(pair for each in met for pair in each.open_pairs)),
    )


def _represented(best: tuple[str, ...], pool: Pool | None) -> tuple[str, ...]:
    return best if pool is None else tuple(dict.fromkeys(pool.represent(item) for item in best))


@dataclass(frozen=True, kw_only=True)
class Replay:
    """The best answers after every challenge of an effort, and how many challengers stand where."""

    results: Mapping[str, BestAnswers]
    n_won: int = 0
    n_lost: int = 0
    n_open: int = 0
    """Not decided against the best answers as they are now."""


def replay_challenges(
    results: Mapping[str, BestAnswers],
    challenges: Iterable[Challenge],
    outcomes: Mapping[Pair, PairOutcome],
    *,
    rule: ReplacementRule | None = None,
) -> Replay:
    """Let the challengers meet the best answers of tournaments, in the order they came.

    A challenger meets those that are best by then, whichever it was queued against. In a query that is not decided
    there is nobody to meet: the challenge stays open.
    """
    now = dict(results)
    counted = Counter(each.state for each in _meet(now, challenges, outcomes, rule))
    return Replay(results=now, n_won=counted["won"], n_lost=counted["lost"], n_open=counted["open"])


@dataclass(frozen=True, kw_only=True)
class _Met:
    """A challenge of those that were best by then, and how it stands: won, lost or open."""

    challenge: Challenge
    state: str
    decisions: Mapping[Pair, Decision]

    @property
    def open_pairs(self) -> Iterator[Pair]:
        if self.state == "open":
            yield from (pair for pair, decision in self.decisions.items() if decision is Decision.ASK_AGAIN)


def _meet(
    results: dict[str, BestAnswers],
    challenges: Iterable[Challenge],
    outcomes: Mapping[Pair, PairOutcome],
    rule: ReplacementRule | None,
) -> list[_Met]:
    """Let challengers meet the best answers, each once; in ``results`` stands what that changes.

    An open challenge of an answer that another has replaced since meets that other one.
    """
    rule = find_rule(DEFAULT_RULE) if rule is None else rule
    found: dict[tuple[str, str], _Met] = {}
    waiting = list(challenges)
    while waiting:
        for challenge in waiting:
            best = _best_in(results, challenge)
            if challenge.challenger in best:
                continue
            met = replace(challenge, best=best)
            decisions = _decide(met, outcomes, rule)
            state = _settle(met, decisions, outcomes, results) if best else "open"
            found[challenge.query_id, challenge.challenger] = _Met(challenge=met, state=state, decisions=decisions)
        still_open = (each.challenge for each in found.values() if each.state == "open")
        waiting = [each for each in still_open if each.best != _best_in(results, each)]
    return list(found.values())


def _best_in(results: Mapping[str, BestAnswers], challenge: Challenge) -> tuple[str, ...]:
    return results[challenge.query_id].best if challenge.query_id in results else ()


def _decide(challenge: Challenge, outcomes: Mapping[Pair, PairOutcome], rule: ReplacementRule) -> dict[Pair, Decision]:
    return {pair: decide_pair(challenge, outcomes.get(pair), rule) for pair in challenge.pairs()}


def _settle(
    challenge: Challenge,
    decisions: Mapping[Pair, Decision],
    outcomes: Mapping[Pair, PairOutcome],
    results: dict[str, BestAnswers],
) -> str:
    """Whether the challenge is won, lost or open; in ``results`` stands what it changes."""
    if Decision.ASK_AGAIN in decisions.values():
        return "open"
    if Decision.REPLACE not in decisions.values():
        return "lost"
    result = results[challenge.query_id] = _play(challenge, decisions, outcomes)
    return "won" if challenge.challenger in result.best else "lost"


def decide_pair(challenge: Challenge, outcome: PairOutcome | None, rule: ReplacementRule) -> Decision:
    """What the votes on one of its pairs say of the challenger."""
    if outcome is None:
        return rule.decide(0, 0)
    wins, losses = round(outcome.wins_a), round(outcome.wins_b)
    if challenge.challenger == outcome.pair.b:
        wins, losses = losses, wins
    return rule.decide(wins, losses, outcome.ties)


def _play(
    challenge: Challenge, decisions: Mapping[Pair, Decision], outcomes: Mapping[Pair, PairOutcome]
) -> BestAnswers:
    """The tournament among the best answers and the challenger, who may break up a cycle of them."""

    def wins(one: str, other: str) -> float:
        pair = Pair.of(challenge.query_id, one, other)
        if pair in decisions:
            return float((decisions[pair] is Decision.REPLACE) == (one == challenge.challenger))
        outcome = outcomes.get(pair)
        winner = None if outcome is None else outcome.winner
        return TIED if winner is None else float(winner == one)

    return hold_tournament(challenge.query_id, sorted((challenge.challenger, *challenge.best)), wins)


def read_challenges(store: RecordStore) -> list[Challenge]:
    """All challenges ever made here."""
    found = []
    for number, record in enumerate(store.read(CHALLENGES), start=1):
        try:
            found.append(Challenge.from_record(record))
        except InputError as error:
            source = store.name_of(CHALLENGES)
            raise FormatError(source=source, line=number, found=str(error), expected="a challenge") from None
    return found


def pools_to_challenge(store: RecordStore, judgments: Judgments) -> list[Pool]:
    """The pools of an effort; where nothing was pooled, what was judged, but for the challengers themselves.

    They know of the documents that a challenger stands for.
    """
    return join_challengers(pools_without_challengers(store, judgments), read_challenges(store))


def pools_without_challengers(store: RecordStore, judgments: Judgments) -> list[Pool]:
    """The pools as they were made."""
    pooled = read_pools(store)
    if pooled:
        return pooled
    challengers = {(each.query_id, each.challenger) for each in read_challenges(store)}
    return [
        replace(pool, items=tuple(item for item in pool.items if (pool.query_id, item) not in challengers))
        for pool in pools_of_judgments(judgments)
    ]


def join_decided(
    pools: Iterable[Pool],
    challenges: Sequence[Challenge],
    outcomes: Mapping[Pair, PairOutcome],
    *,
    rule: ReplacementRule,
) -> list[Pool]:
    """The pools with the challengers that are decided among their items, won or lost, and who found them.

    A challenge is decided once each of its pairs is.
    """
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for each in challenges:
        if not is_asked(each, outcomes, rule):
            of_query = found.setdefault(each.query_id, {})
            of_query[each.challenger] = tuple(sorted({*of_query.get(each.challenger, ()), each.run}))
    return [_with_items(pool, found.get(pool.query_id, {})) for pool in pools]


def is_asked(challenge: Challenge, outcomes: Mapping[Pair, PairOutcome], rule: ReplacementRule) -> bool:
    """Whether votes on some pair of a challenge are still wanted."""
    return Decision.ASK_AGAIN in _decide(challenge, outcomes, rule).values()


def _with_items(pool: Pool, sources: Mapping[str, tuple[str, ...]]) -> Pool:
    new = {item: runs for item, runs in sources.items() if item not in pool.items and item not in pool.same_text}
    if not new:
        return pool
    return replace(pool, items=tuple(sorted((*pool.items, *new))), sources={**pool.sources, **new})


def rule_in(store: RecordStore) -> ReplacementRule:
    """The rule that decides challenges here: the one last noted, or best of three."""
    return find_rule(rule_name_in(store))


def rule_name_in(store: RecordStore) -> str:
    return str(store.manifest.get(CHALLENGES, {}).get("rule", DEFAULT_RULE))
