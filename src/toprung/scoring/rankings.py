"""Which rankings are there? All that some labels allow, scored as if each were a query of its own.

Grade 0 stands for a document without a label. Every ranking is scored against the same labels, so that each of them
could have occurred for the same query.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING

from toprung.arrays import np
from toprung.data.qrels import Qrels
from toprung.errors import InputError
from toprung.scoring.measure import Measure
from toprung.scoring.ranked_labels import Floats, Ints, LabelledQueries, RankedLabels

if TYPE_CHECKING:
    from numpy.typing import NDArray

type Grades = NDArray[np.int32]

# Rankings × documents that are tried at most: as many as all rankings of 20 documents with 2 grades hold.
MOST_CELLS = 20 * 2**20
# So many rankings are scored at once: enough for whole-array work, little enough for memory.
CHUNK = 2**14


@dataclass(frozen=True, eq=False)
class Rankings:
    """All rankings of ``length`` documents that labels allow, in the order of their grades: (0, 0), (0, 1), …

    ``available`` says how many documents of each grade from 1 there are. ``grades`` is rankings × documents;
    ``counts`` is rankings × the grades of ``available``, ascending: how many documents of each a ranking holds.
    """

    available: Mapping[int, int]
    grades: Grades
    counts: Ints

    @classmethod
    def of(cls, available: Mapping[int, int], length: int) -> Rankings:
        """Try all of them.

        >>> Rankings.of({1: 1}, 2).grades.tolist()
        [[0, 0], [0, 1], [1, 0]]
        """
        longest = longest_length(available, length)
        if longest < length:
            raise InputError(
                f"Found more rankings of {length:,} documents with {len(available) + 1:,} grades than can be tried; "
                f"expected a length of at most {longest}."
            )
        caps = np.array([available[grade] for grade in sorted(available)], dtype=np.int64)
        parents, added, counts = _grow(caps, length)
        values = np.array([0, *sorted(available)], dtype=np.int32)
        return cls(available, _trace_back(parents, [values[grade] for grade in added], len(counts)), counts)

    def __len__(self) -> int:
        return len(self.grades)

    def score(self, measure: Measure) -> Floats:
        """The measure's value of each ranking."""
        return score_grades(measure, self.grades, self.available)


def longest_length(available: Mapping[int, int], at_most: int) -> int:
    """How long rankings can be, up to ``at_most``, for all of them to be tried.

    >>> longest_length({1: 100}, 100), longest_length({1: 100, 2: 100, 3: 100}, 100), longest_length({1: 1}, 100)
    (20, 10, 100)
    """
    counts: list[list[int]] = [[] for _ in range(len(available) + 1)]  # of the first few grades; of each length
    for length in range(at_most + 1):
        counts[0].append(1)
        for number, grade in enumerate(sorted(available), start=1):
            fewer = counts[number - 1]
            most = min(available[grade], length)
            counts[number].append(sum(comb(length, n) * fewer[length - n] for n in range(most + 1)))
        if counts[-1][length] * length > MOST_CELLS:
            return length - 1
    return at_most


def _grow(caps: Ints, length: int) -> tuple[list[Ints], list[Ints], Ints]:
    """Lengthen all rankings document by document: whose continuation each is, by which grade, and their counts."""
    counts = np.zeros((1, len(caps)), dtype=np.int64)
    parents, added = [], []
    for _ in range(length):
        may_follow = np.hstack([np.ones((len(counts), 1), dtype=bool), counts < caps])
        parent, grade = np.nonzero(may_follow)
        counts = counts[parent]
        is_labelled = grade > 0
        counts[is_labelled, grade[is_labelled] - 1] += 1
        parents.append(parent)
        added.append(grade)
    return parents, added, counts


def _trace_back(parents: list[Ints], added: list[Grades], n: int) -> Grades:
    """Each ranking from its last document up to its first."""
    columns = np.empty((n, len(parents)), dtype=np.int32)
    ancestor = np.arange(n)
    for position in reversed(range(len(parents))):
        columns[:, position] = added[position][ancestor]
        ancestor = parents[position][ancestor]
    return columns


def improvements(length: int, n_grades: int) -> Iterator[tuple[Ints, Ints]]:
    """Pairs of a ranking and one a step better, as places among all rankings with grades from 0 to n_grades - 1.

    A step makes one document a grade better, or lets a better document change places with a worse one above it.
    """
    place = np.arange(n_grades**length)
    weights = [n_grades**power for power in reversed(range(length))]
    for upper, weight in enumerate(weights):
        grade = place // weight % n_grades
        worse = np.flatnonzero(grade < n_grades - 1)
        yield worse, worse + weight
        # With 2 grades, changes between neighbours lead to all others.
        reach = upper + 2 if n_grades == 2 else length
        for lower_weight in weights[upper + 1 : reach]:
            gain = place // lower_weight % n_grades - grade
            worse = np.flatnonzero(gain > 0)
            yield worse, worse + gain[worse] * (weight - lower_weight)


def score_grades(measure: Measure, grades: Grades, available: Mapping[int, int]) -> Floats:
    """The measure's value of rankings given as their grades, against labels with so many documents of each grade."""
    n_at_once = max(1, min(len(grades), CHUNK))
    labels = _labels(tuple(sorted(available.items())), n_at_once)
    values = [
        measure.score(_to_ranked(grades[start : start + n_at_once], labels))[: len(grades) - start]
        for start in range(0, len(grades), n_at_once)
    ]
    return np.concatenate([np.empty(0), *values])


def _to_ranked(grades: Grades, labels: LabelledQueries) -> RankedLabels:
    """Each ranking as a query; queries for which there is no ranking stay empty."""
    query, position = np.nonzero(grades)
    rank = position + 1
    retrieved = np.zeros(len(labels), dtype=np.int64)
    retrieved[: len(grades)] = grades.shape[1]
    return RankedLabels(labels, query, rank, grades[query, position].astype(np.int64), rank, rank, retrieved)


@lru_cache(maxsize=8)
def _labels(available: tuple[tuple[int, int], ...], n: int) -> LabelledQueries:
    """The same labels for each of n queries."""
    grades = [grade for grade, count in available for _ in range(count)]
    docs = tuple(f"grade {grade}, document {i}" for grade, count in available for i in range(1, count + 1))
    qrels = Qrels(
        query_ids=tuple(map(str, range(n))),
        starts=np.arange(n + 1, dtype=np.int64) * len(docs),
        doc_ids=docs * n,
        grades=np.tile(np.array(grades, dtype=np.int32), n),
        source="all rankings",
    )
    return LabelledQueries(qrels, qrels.query_ids, np.arange(n))
