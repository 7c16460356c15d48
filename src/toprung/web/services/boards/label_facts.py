"""What is in a file of labels? Counted once when it comes; measure and rule are proposed from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from toprung.boards.engine.defaults import choose_defaults
from toprung.data.qrels import Qrels
from toprung.web.core.store.plan import SettingFault
from toprung.web.services.labels.read import LabelPlan, find_label_faults
from toprung.words.wording import list_names, say_count, say_queries

BUCKETS = (("0", 0, 0), ("1", 1, 1), ("2", 2, 2), ("3", 3, 3), ("4–6", 4, 6), ("7+", 7, None))
MOST_GRADES = 8


@dataclass(frozen=True, kw_only=True)
class LabelFacts:
    """What a step shows of labels, so that they are read once."""

    lines: int
    queries: int
    """With at least one relevant document: those that count."""
    unanswerable: int
    """Without any: nobody is scored on them."""
    relevant: float
    """Relevant documents of a query that has any, in the mean."""
    grades: tuple[int, ...]
    below_zero: int
    """Labels with a grade below 0, which count as not relevant."""
    histogram: tuple[int, ...]
    """Queries by their number of relevant documents, in `BUCKETS`."""
    measure: str
    rule: str
    why: str

    @classmethod
    def of(cls, qrels: Qrels) -> LabelFacts:
        counts = np.bincount(qrels.query_of_row[qrels.grades >= 1], minlength=qrels.n_queries)
        found = choose_defaults(qrels)
        return cls(
            lines=len(qrels),
            queries=int((counts > 0).sum()),
            unanswerable=int((counts == 0).sum()),
            relevant=float(counts[counts > 0].mean()),
            grades=tuple(np.unique(qrels.grades).tolist()[:MOST_GRADES]),
            below_zero=int((qrels.grades < 0).sum()),
            histogram=tuple(_in_bucket(counts, low, high) for _, low, high in BUCKETS),
            measure=found.measure,
            rule=found.rule.value,
            why=found.why,
        )

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> LabelFacts:
        lists = {key: tuple(stored[key]) for key in ("grades", "histogram")}
        return cls(**dict(stored) | lists)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def has_one_answer(self) -> bool:
        """Whether most queries have one relevant document."""
        return self.rule == "no_harm"

    @property
    def said(self) -> tuple[str, ...]:
        """What is in it, a line each."""
        return tuple(self._say())

    def _say(self) -> Iterator[str]:
        n = self.queries + self.unanswerable
        each = _say_number(self.lines / n, "label")
        grades = list_names([str(grade) for grade in self.grades], most=MOST_GRADES)
        yield f"{say_queries(n)}, {each} each; {'grade' if len(self.grades) == 1 else 'grades'} {grades}"
        yield f"{_say_number(self.relevant, 'relevant document')} for each query in the mean"
        if self.unanswerable:
            yield f"{say_queries(self.unanswerable)} without any relevant document: nobody is scored on them"
        if self.below_zero:
            yield f"{say_count(self.below_zero, 'label')} with a grade below 0, which count as not relevant"


def _say_number(mean: float, noun: str) -> str:
    """With one decimal where it has one.

    >>> _say_number(1.0, "label"), _say_number(11.04, "label"), _say_number(1.5, "label")
    ('1 label', '11 labels', '1.5 labels')
    """
    shown = f"{mean:,.1f}".removesuffix(".0")
    return f"{shown} {noun}{'' if shown == '1' else 's'}"


def read_facts(plan: LabelPlan) -> tuple[LabelFacts | None, list[SettingFault]]:
    """What is in the file, or what is wrong with it by itself."""
    faults = [fault for fault in find_label_faults([plan]) if fault.key == plan.key]
    return (None, faults) if faults else (LabelFacts.of(plan.qrels), [])


def _in_bucket(counts: np.ndarray[Any, Any], low: int, high: int | None) -> int:
    return int((counts >= low).sum() if high is None else ((counts >= low) & (counts <= high)).sum())
