"""What is new in these labels? Two versions of them, compared query by query and document by document, in counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from toprung.data.qrels import Qrels
from toprung.words.wording import say_count, say_queries

type Grades = Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class QrelsDifference:
    """How many queries and labels differ; queries without a relevant document count as any other."""

    queries_added: int
    queries_removed: int
    labels_added: int
    labels_removed: int
    grades_changed: int
    """Documents that have a label in both, with another grade."""
    answers_changed: int
    """Queries of both whose relevant documents are others now."""

    @property
    def is_none(self) -> bool:
        return not any(asdict(self).values())

    def to_dict(self) -> dict[str, int]:
        return asdict(self)


def compare_qrels(before: Qrels, after: Qrels) -> QrelsDifference:
    """What ``after`` changes; the order of labels in a file makes no difference.

    >>> before = Qrels.from_dict({"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 1}})
    >>> after = Qrels.from_dict({"q1": {"d1": 2, "d2": 0}, "q3": {"d4": 1}})
    >>> compare_qrels(before, after).to_dict()  # doctest: +NORMALIZE_WHITESPACE
    {'queries_added': 1, 'queries_removed': 1, 'labels_added': 1, 'labels_removed': 1, 'grades_changed': 1,
     'answers_changed': 0}
    """
    old, new = before.to_dict(), after.to_dict()
    pairs = [(old.get(query_id, {}), new.get(query_id, {})) for query_id in old.keys() | new.keys()]
    return QrelsDifference(
        queries_added=len(new.keys() - old.keys()),
        queries_removed=len(old.keys() - new.keys()),
        labels_added=sum(len(now.keys() - was.keys()) for was, now in pairs),
        labels_removed=sum(len(was.keys() - now.keys()) for was, now in pairs),
        grades_changed=sum(was[doc_id] != now[doc_id] for was, now in pairs for doc_id in was.keys() & now.keys()),
        answers_changed=sum(_answers(old[query_id]) != _answers(new[query_id]) for query_id in old.keys() & new.keys()),
    )


def say_losses(before: Qrels, after: Qrels, *, may_lower: bool = False) -> str:
    """What of graded labels another version would lose: judged documents and, unless it may, the grades of others.

    Empty where nothing is lost.

    Labels are graded if they have several relevant grades, or documents judged not relevant. Other labels name the best
    answers of each query and nothing else: a new best answer takes the place of an old one.

    >>> before = Qrels.from_dict({"q1": {"d1": 3, "d2": 0}})
    >>> say_losses(before, Qrels.from_dict({"q1": {"d9": 3, "d1": 2}}))
    '1 of 2 judged documents left out and 1 grade lowered, on 1 query'
    """
    grades = set(before.grades.tolist())
    if min(grades) > 0 and len(grades) == 1:
        return ""
    old, new = before.to_dict(), after.to_dict()
    lost = {query: _count_losses(docs, new.get(query, {}), may_lower=may_lower) for query, docs in old.items()}
    n_left_out, n_lowered = (sum(counts) for counts in zip(*lost.values(), strict=True))
    said = [f"{n_left_out:,} of {say_count(len(before), 'judged document')} left out"] if n_left_out else []
    said += [f"{say_count(n_lowered, 'grade')} lowered"] if n_lowered else []
    return f"{' and '.join(said)}, on {say_queries(sum(map(any, lost.values())))}" if said else ""


def _count_losses(was: Grades, now: Grades, *, may_lower: bool) -> tuple[int, int]:
    """How many documents have no label any more, and how many a lower grade."""
    lowered = () if may_lower else (doc_id for doc_id in was.keys() & now.keys() if now[doc_id] < was[doc_id])
    return len(was.keys() - now.keys()), len(list(lowered))


def _answers(grades: Grades) -> set[str]:
    return {doc_id for doc_id, grade in grades.items() if grade >= 1}
