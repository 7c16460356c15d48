"""Which challenges are to be judged? Those queued: each once, and of a team only so many at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from toprung.data.judgments import Pair
from toprung.data.qrels import Qrels
from toprung.labels.best.challenges import Challenge
from toprung.labels.best.replacement import ReplacementRule, find_rule
from toprung.labels.best.upkeep import CHALLENGES, DEFAULT_RULE, read_challenges, settle_challenges
from toprung.labels.effort.store import RecordStore
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome

MOST = "most_per_team"
"""In the manifest, beside the rule."""


def queue_challenges(
    store: RecordStore,
    challenges: Iterable[Challenge],
    *,
    rule: str = DEFAULT_RULE,
    most_per_team: int | None = None,
    n_open: Mapping[str, int] | None = None,
) -> int:
    """Keep the challenges that are not there yet, for their pairs to be judged; returns how many are held back.

    The rule is noted: a pair asks for votes until it is decided by that. With ``most_per_team``, which is noted too, a
    team that has so many open ones (``n_open`` says how many of those known here are) has the rest held back: they can
    be queued when others are decided.
    """
    find_rule(rule)
    with store.alone():
        most = cap_in(store) if most_per_team is None else most_per_team
        store.note({CHALLENGES: {"rule": rule} if most is None else {"rule": rule, MOST: most}})
        before = read_challenges(store)
        known = {_key_of(each) for each in before}
        counted = {(each.query_id, each.challenger) for each in before}
        taken = Counter(n_open or {})
        new, held_back = [], 0
        for each in challenges:
            if _key_of(each) in known:
                continue
            is_another = (each.query_id, each.challenger) not in counted
            if is_another and most is not None and taken[each.owner] >= most:
                held_back += 1
                continue
            taken[each.owner] += is_another
            new.append(each)
        if new:
            store.append(CHALLENGES, [each.to_record() for each in new])
    return held_back


def _key_of(challenge: Challenge) -> tuple[object, ...]:
    return challenge.query_id, challenge.challenger, challenge.best, challenge.same_text


def cap_in(store: RecordStore) -> int | None:
    """How many open challenges a team may have here; None if any number."""
    found: int | None = store.manifest.get(CHALLENGES, {}).get(MOST)
    return found


def count_open(
    labels: Qrels,
    challenges: Sequence[Challenge],
    outcomes: Mapping[Pair, PairOutcome],
    *,
    rule: ReplacementRule,
    pools: Iterable[Pool],
) -> Counter[str]:
    """How many challenges of each team are open: those of a text count once, for whoever found it first."""
    first: dict[tuple[str, str], str] = {}
    for each in challenges:
        first.setdefault((each.query_id, each.challenger), each.owner)
    still_open = settle_challenges(labels, challenges, outcomes, rule=rule, pools=pools).open
    return Counter(first[each.query_id, each.challenger] for each in still_open)
