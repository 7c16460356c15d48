"""Which first answers of a new run are news? Those in no pool, by id or by text: they challenge the best ones known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from toprung.data.judgments import Pair
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import InputError
from toprung.labels.pools.near_texts import find_twin
from toprung.labels.pools.pool import Pool, top_documents


@dataclass(frozen=True, kw_only=True)
class Challenge:
    """A new answer to a query, and the best answers it has to beat."""

    query_id: str
    challenger: str
    best: tuple[str, ...]
    run: str
    """Who found it."""
    team: str = ""
    """Whose run that is; a run is a team of its own unless one is named."""
    same_text: tuple[str, ...] = ()
    """The run's own answer, where an earlier challenger with nearly the same text stands for it."""

    @property
    def owner(self) -> str:
        return self.team or self.run

    def pairs(self) -> list[Pair]:
        return [Pair.of(self.query_id, self.challenger, item) for item in self.best]

    def to_record(self) -> dict[str, Any]:
        """As a line of JSONL holds it."""
        record = {**vars(self), "best": list(self.best), "same_text": list(self.same_text)}
        return {name: value for name, value in record.items() if value or name not in ("team", "same_text")}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        """From a line of JSONL."""
        try:
            return cls(**{**record, "best": tuple(record["best"]), "same_text": tuple(record.get("same_text", ()))})
        except (KeyError, TypeError) as error:
            raise InputError(f"Found {str(record)[:200]}; expected a challenge ({error!r}).") from None


@dataclass(frozen=True, kw_only=True)
class RunChallenges:
    """What a new run's first answers are to the labels; every query of the labels is counted once."""

    run: str
    challenges: tuple[Challenge, ...]
    n_best: int
    """Queries whose best answer it has first."""
    n_pooled: int
    """Queries where its first answer was in the pool, and is not the best."""
    n_without_pool: int
    n_missing: int
    """Queries it has no answer to."""
    is_graded: bool = False
    """Whether labels of lower grades stand beside the best answers."""


def find_challenges(
    pools: Iterable[Pool],
    labels: Qrels,
    run: Run,
    *,
    name: str | None = None,
    team: str = "",
    known: Iterable[Challenge] = (),
    texts: Mapping[str, str] | None = None,
) -> RunChallenges:
    """The first answers of a run that are in no pool, each against the best answers of its query.

    ``labels`` are those in force: of their relevant documents, a query's highest grade are the best answers known.
    A first answer with the text of a pooled one is no challenge (``join_first_answers``); for one with the text of a
    ``known`` challenger, nearly the same too, that one stands.

    >>> pool, labels = Pool(query_id="q", items=("d1", "d2")), Qrels.from_dict({"q": {"d1": 1}})
    >>> found = find_challenges([pool], labels, Run.from_dict({"q": {"d9": 1.0}}, name="new"))
    >>> found.challenges[0].pairs()
    [Pair(query_id='q', a='d1', b='d9')]
    """
    name = run.name if name is None else name
    by_query = {pool.query_id: pool for pool in pools}
    tops = {query_id: doc_ids[0] for query_id, doc_ids in top_documents(run).items()}
    counts = {"best": 0, "pooled": 0, "without_pool": 0, "missing": 0}
    challenges = []
    challengers = _challengers_by_query(known)
    for query_id, best in best_answers(labels).items():
        top, pool = tops.get(query_id), by_query.get(query_id)
        if top is None:
            counts["missing"] += 1
        elif top in best or (pool is not None and pool.represent(top) in map(pool.represent, best)):
            counts["best"] += 1
        elif pool is None:
            counts["without_pool"] += 1
        elif top in pool.sources or top in pool.items:
            counts["pooled"] += 1
        else:
            champions = tuple(dict.fromkeys(pool.represent(item) for item in best))
            earlier = find_twin(top, challengers.get(query_id, ()), texts or {}) or pool.represent(top)
            challenges.append(
                Challenge(
                    query_id=query_id,
                    challenger=earlier,
                    best=champions,
                    run=name,
                    team=team,
                    same_text=() if earlier == top else (top,),
                )
            )
    return RunChallenges(
        run=name,
        challenges=tuple(challenges),
        is_graded=_is_graded(labels),
        **{f"n_{what}": count for what, count in counts.items()},
    )


def _challengers_by_query(challenges: Iterable[Challenge]) -> dict[str, dict[str, None]]:
    found: dict[str, dict[str, None]] = {}
    for each in challenges:
        found.setdefault(each.query_id, {}).setdefault(each.challenger)
    return found


def join_challengers(pools: Iterable[Pool], challenges: Iterable[Challenge]) -> list[Pool]:
    """The pools, knowing of the documents that a challenger stands for: they win and lose with it."""
    stands_for: dict[str, dict[str, str]] = {}
    for each in challenges:
        stands_for.setdefault(each.query_id, {}).update(dict.fromkeys(each.same_text, each.challenger))
    return [
        replace(pool, same_text={**stands_for[pool.query_id], **pool.same_text})
        if stands_for.get(pool.query_id)
        else pool
        for pool in pools
    ]


def join_first_answers(pools: Iterable[Pool], run: Run, texts: Mapping[str, str], *, name: str) -> list[Pool]:
    """The pools, with a run's first answers that have nearly the text of a pooled one: that one stands for them."""
    tops = top_documents(run)
    return [_join(pool, tops[pool.query_id][0], texts, name) if pool.query_id in tops else pool for pool in pools]


def _join(pool: Pool, top: str, texts: Mapping[str, str], name: str) -> Pool:
    pooled = (*pool.items, *pool.same_text)
    twin = None if top in pooled else find_twin(top, pooled, texts)
    if twin is None:
        return pool
    same_text = {**pool.same_text, top: pool.represent(twin)}
    return replace(pool, sources={**pool.sources, top: (name,)}, same_text=same_text)


def best_answers(labels: Qrels) -> dict[str, tuple[str, ...]]:
    """For each query its relevant documents of the highest grade, in the order of the queries' ids.

    >>> best_answers(Qrels.from_dict({"q": {"d1": 3, "d2": 1, "d3": 3}, "r": {"d1": 0}}))
    {'q': ('d1', 'd3')}
    """
    found = {}
    for query_id, docs in sorted(labels.to_dict().items()):
        highest = max(docs.values(), default=0)
        if highest >= 1:
            found[query_id] = tuple(doc_id for doc_id, grade in docs.items() if grade == highest)
    return found


def _is_graded(labels: Qrels) -> bool:
    best = best_answers(labels)
    return any(
        grade >= 1 and doc_id not in best[query_id]
        for query_id, docs in labels.to_dict().items()
        for doc_id, grade in docs.items()
    )
