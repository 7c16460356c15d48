"""Which answers deserve a look? For each query the top of every run and the label: the pool its best answer comes from.

A pool of the label alone is settled: every run found it. Items with the same text are one class, so that nobody is
asked which of two equal texts is better.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any, Self

import numpy as np

from toprung.data.judgments import Choice, Judgments, Pair
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import InputError

LABEL = "qrel"
"""The source of an item that is in the pool because it is the label."""


@dataclass(frozen=True, kw_only=True)
class Pool:
    """The candidates for the best answer to one query.

    ``items`` are ids in order, one for each class of items with the same text; ``same_text`` names for each of the
    other items the one that stands for it. ``sources`` says for every item, those others too, which runs put it here.
    """

    query_id: str
    items: tuple[str, ...]
    sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    label: str | None = None
    """The first document of the highest grade that the query has in the label file."""
    same_text: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_settled(self) -> bool:
        """Whether nothing but the label is here. One answer that is no label is not settled: nobody vouched for it."""
        return self.label is not None and self.items == (self.represent(self.label),)

    @property
    def n_pairs(self) -> int:
        return len(self.items) * (len(self.items) - 1) // 2

    def check_order(self) -> None:
        """Refuse items that are not in the order of their ids."""
        if not all(map(operator.lt, self.items, self.items[1:])):
            for pair in combinations(self.items, 2):
                Pair(self.query_id, *pair)  # says what is wrong

    def pairs(self) -> list[Pair]:
        """Every two items, in the order of their ids."""
        self.check_order()
        return [Pair._make((self.query_id, *pair)) for pair in combinations(self.items, 2)]

    def represent(self, doc_id: str) -> str:
        """The item that stands for a document: itself, or the one with the same text."""
        return self.same_text.get(doc_id, doc_id)

    def with_twins(self, doc_ids: Iterable[str]) -> tuple[str, ...]:
        """These items, and the documents that have their texts."""
        chosen = dict.fromkeys(doc_ids)
        if not self.same_text:
            return tuple(chosen)
        twins = (doc_id for doc_id, item in self.same_text.items() if item in chosen)
        return tuple(dict.fromkeys((*chosen, *twins)))

    @cached_property
    def sources_of_class(self) -> dict[str, tuple[str, ...]]:
        """For each item, who put it or another with its text here."""
        merged: dict[str, set[str]] = {item: set() for item in self.items}
        for doc_id, names in self.sources.items():
            merged[self.represent(doc_id)].update(names)
        return {item: tuple(sorted(names)) for item, names in merged.items()}

    def to_record(self) -> dict[str, Any]:
        """As a line of JSONL holds it."""
        record: dict[str, Any] = {"query_id": self.query_id, "items": list(self.items)}
        record["sources"] = {doc_id: list(names) for doc_id, names in self.sources.items()}
        if self.label is not None:
            record["label"] = self.label
        if self.same_text:
            record["same_text"] = dict(self.same_text)
        return record

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        """From a line of JSONL."""
        try:
            return cls(
                query_id=record["query_id"],
                items=tuple(record["items"]),
                sources={doc_id: tuple(names) for doc_id, names in record.get("sources", {}).items()},
                label=record.get("label"),
                same_text=record.get("same_text", {}),
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise InputError(f"Found {str(record)[:200]}; expected a pool ({error!r}).") from None


def build_pools(
    qrels: Qrels | None,
    runs: Mapping[str, Run],
    *,
    depth: int = 1,
    texts: Mapping[str, str] | None = None,
    query_ids: Iterable[str] | None = None,
) -> list[Pool]:
    """The pool of every query, in the order of their ids.

    Parameters
    ----------
    qrels
        The labels; their queries are pooled. Without labels, all queries of the runs.
    runs
        The runs by name.
    depth
        How many of the first documents of each run are taken.
    texts
        The texts of documents, to find those that are the same.
    query_ids
        Only these queries.

    Examples
    --------
    >>> qrels = Qrels.from_dict({"q1": {"d1": 1}})
    >>> one, other = Run.from_dict({"q1": {"d1": 2, "d2": 1}}), Run.from_dict({"q1": {"d3": 2}})
    >>> [pool] = build_pools(qrels, {"one": one, "other": other})
    >>> pool.items, pool.sources["d1"]
    (('d1', 'd3'), ('one', 'qrel'))

    """
    _check(runs, depth)
    labels = {} if qrels is None else first_labels(qrels)
    sources: dict[str, dict[str, list[str]]] = {query_id: {} for query_id in (() if qrels is None else qrels.query_ids)}
    for name in sorted(runs):
        for query_id, doc_ids in top_documents(runs[name], depth=depth).items():
            if qrels is None or query_id in sources:
                docs = sources.setdefault(query_id, {})
                for doc_id in doc_ids:
                    docs.setdefault(doc_id, []).append(name)
    for query_id, doc_id in labels.items():
        sources[query_id].setdefault(doc_id, []).append(LABEL)
    wanted = sorted(sources) if query_ids is None else _choose(query_ids, sources)
    pools = [_to_pool(query_id, sources[query_id], labels.get(query_id)) for query_id in wanted if sources[query_id]]
    return pools if texts is None else join_same_texts(pools, texts)


def join_same_texts(pools: Iterable[Pool], texts: Mapping[str, str]) -> list[Pool]:
    """The same pools with one item for each text; of documents without a text nothing is known."""
    return [_join(pool, _find_same_texts(pool.sources, pool.label, texts)) for pool in pools]


def _join(pool: Pool, same_text: Mapping[str, str]) -> Pool:
    items = tuple(sorted(doc_id for doc_id in pool.sources if doc_id not in same_text))
    return replace(pool, items=items, same_text=same_text)


def top_documents(run: Run, *, depth: int = 1) -> dict[str, list[str]]:
    """For each query the first documents of a run, from the top."""
    sizes = np.minimum(np.diff(run.starts), depth)
    ends = np.cumsum(sizes)
    rows = np.arange(ends[-1] if len(ends) else 0) + np.repeat(run.starts[:-1] - (ends - sizes), sizes)
    doc_ids = run.doc_ids.gather(rows).to_list()
    return {
        query_id: doc_ids[end - size : end]
        for query_id, end, size in zip(run.query_ids, ends.tolist(), sizes.tolist(), strict=True)
    }


def keep_top(run: Run, *, depth: int = 1) -> Run:
    """A run of only its first documents: many long runs would fill the memory. Its scores are not kept."""
    tops = top_documents(run, depth=depth)
    return Run.from_dict(
        {query_id: {doc_id: -float(rank) for rank, doc_id in enumerate(docs)} for query_id, docs in tops.items()},
        name=run.name,
    )


def first_labels(qrels: Qrels) -> dict[str, str]:
    """For each query the first document of its highest grade, in the order of the file; queries without any left out.

    >>> first_labels(Qrels.from_dict({"q": {"d1": 1, "d2": 3, "d3": 3}, "r": {"d1": 0}}))
    {'q': 'd2'}
    """
    found: dict[str, str] = {}
    highest: dict[str, int] = {}
    for query, doc_id, grade in zip(qrels.query_of_row.tolist(), qrels.doc_ids, qrels.grades.tolist(), strict=True):
        query_id = qrels.query_ids[query]
        if grade > highest.get(query_id, 0):
            found[query_id], highest[query_id] = doc_id, grade
    return found


def pools_of_judgments(judgments: Judgments) -> list[Pool]:
    """Where no pools were built: the pool of a query is what was judged for it."""
    from toprung.extras.frames import pl

    is_vote = (pl.col("choice") != Choice.SKIP) & ~pl.col("is_gold")
    votes = judgments.current_columns.filter(is_vote)
    items = pl.concat([votes.select("query_id", item=side) for side in ("left", "right")]).unique()
    by_query = items.sort("query_id", "item").group_by("query_id", maintain_order=True).agg("item")
    return [Pool(query_id=query_id, items=tuple(judged)) for query_id, judged in by_query.iter_rows()]


def _check(runs: Mapping[str, Run], depth: int) -> None:
    if not runs:
        raise InputError("Found no run; expected at least one to take top documents from.")
    if depth < 1:
        raise InputError(f"depth: found {depth}; expected a whole number from 1.")
    if LABEL in runs:
        raise InputError(f"Found a run called '{LABEL}', which names the label's own place in a pool; rename the run.")


def _choose(query_ids: Iterable[str], known: Mapping[str, object]) -> list[str]:
    wanted = sorted(set(query_ids))
    unknown = [query_id for query_id in wanted if query_id not in known]
    if unknown:
        raise InputError(
            f"Found {len(unknown):,} of {len(wanted):,} wanted queries without labels, '{unknown[0]}' first; "
            "expected queries of the label file."
        )
    return wanted


def _to_pool(query_id: str, sources: Mapping[str, list[str]], label: str | None) -> Pool:
    items = tuple(sorted(sources))
    return Pool(
        query_id=query_id, items=items, sources={doc_id: tuple(sources[doc_id]) for doc_id in items}, label=label
    )


def _find_same_texts(doc_ids: Iterable[str], label: str | None, texts: Mapping[str, str]) -> dict[str, str]:
    """Each document that another with the same text stands for; the label stands for its class."""
    first: dict[str, str] = {}
    same: dict[str, str] = {}
    for doc_id in sorted(doc_ids, key=lambda each: (each != label, each)):
        text = texts.get(doc_id)
        representative = first.setdefault(text, doc_id) if text else doc_id
        if representative != doc_id:
            same[doc_id] = representative
    return same
