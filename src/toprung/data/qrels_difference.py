"""What is new in these labels? Two versions of them, compared query by query and document by document, in counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from toprung.data.qrels import Qrels
from toprung.words.visible import quoted
from toprung.words.wording import list_names, say_count, say_queries

type Grades = Mapping[str, int]

MOST_BEST_ANSWERS = 1.25
"""Documents per query, on average: some best answers are tied, and sparse labels such as MS MARCO's have 1.07."""
SHOWN_QUERIES = 3


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


@dataclass(frozen=True, kw_only=True)
class Losses:
    """What another version of labels would lose."""

    queries: tuple[str, ...]
    """All that lose something."""
    n_queries_left_out: int
    n_queries: int
    n_left_out: int
    """Judged documents that have no label any more."""
    n_judged: int
    n_lowered: int
    """Grades."""

    def say(self, owner: str = "") -> str:
        """What the version would do, with the first queries by name; ``owner`` is whose labels these are.

        >>> before = Qrels.from_dict({"q1": {"d1": 3, "d2": 0}})
        >>> print(find_losses(before, Qrels.from_dict({"q1": {"d9": 3, "d1": 2}})).say(" of gr.txt"))
        leave out 1 of the 2 judged documents of gr.txt and lower 1 grade (query q1)
        """
        said = []
        if self.n_queries_left_out:
            said.append(f"leave out {self.n_queries_left_out:,} of the {say_queries(self.n_queries)}")
        if self.n_left_out:
            verb = "" if said else "leave out "
            said.append(f"{verb}{self.n_left_out:,} of the {say_count(self.n_judged, 'judged document')}{owner}")
        if self.n_lowered:
            said.append(f"lower {say_count(self.n_lowered, 'grade')}")
        named = list_names([quoted(query)[1:-1] for query in self.queries], SHOWN_QUERIES)
        return f"{' and '.join(said)} ({'query' if len(self.queries) == 1 else 'queries'} {named})"


def find_losses(before: Qrels, after: Qrels, *, may_lower: bool = False) -> Losses | None:
    """Judged documents that another version would leave out and, unless it may, grades that it would lower.

    None where nothing is lost. A new best answer takes the place of an old one where labels are best answers alone;
    a query that is left out is a loss in any labels.
    """
    old, new = before.to_dict(), after.to_dict()
    compared = {query: docs for query, docs in old.items() if not new.get(query)} if _are_best_answers(old) else old
    lost = {query: _count_losses(docs, new.get(query, {}), may_lower=may_lower) for query, docs in compared.items()}
    queries = tuple(query for query, counts in lost.items() if any(counts))
    if not queries:
        return None
    return Losses(
        queries=queries,
        n_queries_left_out=sum(not new.get(query) for query in queries),
        n_queries=len(old),
        n_left_out=sum(lost[query][0] for query in queries),
        n_judged=len(before),
        n_lowered=sum(lost[query][1] for query in queries),
    )


def _are_best_answers(labels: Mapping[str, Grades]) -> bool:
    """Whether there is one grade, and hardly more than one document per query; queries with no answer do not count."""
    answered = [docs for docs in labels.values() if _answers(docs)]
    grades = {grade for docs in answered for grade in docs.values()}
    return len(grades) == 1 and sum(map(len, answered)) <= MOST_BEST_ANSWERS * len(answered)


def _count_losses(was: Grades, now: Grades, *, may_lower: bool) -> tuple[int, int]:
    """How many documents have no label any more, and how many a lower grade."""
    lowered = () if may_lower else (doc_id for doc_id in was.keys() & now.keys() if now[doc_id] < was[doc_id])
    return len(was.keys() - now.keys()), len(list(lowered))


def _answers(grades: Grades) -> set[str]:
    return {doc_id for doc_id, grade in grades.items() if grade >= 1}
