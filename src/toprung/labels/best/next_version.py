"""What is the next version of some labels? As they were, but for the queries whose best answer is another now."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from toprung.data.qrels import Qrels
from toprung.labels.best.challenges import best_answers

type BestByQuery = Mapping[str, Collection[str]]


def changed_queries(old: Qrels, best: BestByQuery) -> list[str]:
    """Queries whose best answers would be others.

    >>> changed_queries(Qrels.from_dict({"q": {"d1": 1}, "r": {"d1": 1}}), {"q": ["d2"], "r": ["d1"]})
    ['q']
    """
    before = best_answers(old)
    return sorted(query for query, found in best.items() if set(found) != set(before.get(query, ())))


def next_version(old: Qrels, best: BestByQuery) -> Qrels:
    """All labels: the best answers take the highest grade of their query, those that had it go one below.

    >>> next_version(Qrels.from_dict({"q": {"d1": 3, "d3": 1}, "r": {"d1": 1}}), {"q": ["d2"], "r": ["d4"]}).to_dict()
    {'q': {'d2': 3, 'd1': 2, 'd3': 1}, 'r': {'d4': 1}}
    """
    grades = {query: dict(docs) for query, docs in old.to_dict().items()}
    for query_id in changed_queries(old, best):
        grades[query_id] = _replace(grades.get(query_id, {}), best[query_id])
    return Qrels.from_dict(grades, source="new labels")


def _replace(before: Mapping[str, int], best: Collection[str]) -> dict[str, int]:
    """What had the highest grade of 1 has no label then; others stay as they were."""
    highest = max(1, *before.values()) if before else 1
    beaten = {doc_id: grade - 1 if grade == highest else grade for doc_id, grade in before.items()}
    kept = {doc_id: grade for doc_id, grade in beaten.items() if grade > 0 and doc_id not in best}
    return {**dict.fromkeys(best, highest), **kept}
