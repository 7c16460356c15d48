"""Are a run's answers better than the labels? One comparison for each query, as Arabzadeh et al. (2021), section 3.

Category A: the run's first item is the label; it is compared with the run's second. Category B: it is another item; it
is compared with the label. A ranking that always puts the label first is "perfect": if assessors prefer the run's item
in category B, the run is better than perfect.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

from toprung.data.judgments import Pair
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import InputError
from toprung.labels.effort.effort import Effort
from toprung.labels.effort.records import parse_records
from toprung.labels.effort.store import RecordStore
from toprung.labels.pools.pool import first_labels, top_documents
from toprung.labels.votes.audit_report import Audit, CategoryCount
from toprung.labels.votes.outcomes import PairOutcome

AUDITS = "audits"
LOOK_AHEAD = 20
"""How far down a second item is looked for, if texts are known and the first items all say the same."""


class Category(StrEnum):
    """Whether the run's first item is the label."""

    A = "A"
    B = "B"


@dataclass(frozen=True, kw_only=True, slots=True)
class AuditPair:
    """The comparison of one query: the label against the run's second item (A) or its first (B)."""

    query_id: str
    category: Category
    label: str
    other: str

    @property
    def pair(self) -> Pair:
        return Pair.of(self.query_id, self.label, self.other)


@dataclass(frozen=True, kw_only=True)
class AuditPlan:
    """What is to be compared, and how many queries cannot be, by reason."""

    run: str
    pairs: tuple[AuditPair, ...]
    left_out: Mapping[str, int]
    qrels_digest: str

    def to_record(self) -> dict[str, Any]:
        """As a line of JSONL holds it."""
        pairs = [[each.query_id, str(each.category), each.label, each.other] for each in self.pairs]
        return {"run": self.run, "qrels": self.qrels_digest, "left_out": dict(self.left_out), "pairs": pairs}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        """From a line of JSONL."""
        try:
            pairs = tuple(
                AuditPair(query_id=query_id, category=Category(category), label=label, other=other)
                for query_id, category, label, other in record["pairs"]
            )
            return cls(run=record["run"], pairs=pairs, left_out=record["left_out"], qrels_digest=record["qrels"])
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"{str(record)[:200]}, which is no audit ({error!r})") from None


def plan_audit(qrels: Qrels, run: Run, *, texts: Mapping[str, str] | None = None) -> AuditPlan:
    """One comparison for each query of the labels.

    With ``texts`` an item that says the same as the label counts as the label, and items that say the same are never
    compared.

    >>> qrels = Qrels.from_dict({"q1": {"d1": 1}, "q2": {"d2": 1}})
    >>> run = Run.from_dict({"q1": {"d1": 2, "d3": 1}, "q2": {"d4": 1}}, name="ours")
    >>> [(str(each.category), each.label, each.other) for each in plan_audit(qrels, run).pairs]
    [('A', 'd1', 'd3'), ('B', 'd2', 'd4')]
    """
    labels = first_labels(qrels)
    tops = top_documents(run, depth=2 if texts is None else LOOK_AHEAD)
    said = texts or {}
    pairs = []
    left_out = {"without a label": qrels.n_queries - len(labels), "not in the run": 0, "without a second item": 0}
    for query_id in sorted(labels):
        label, ranked = labels[query_id], tops.get(query_id, [])
        others = [doc_id for doc_id in ranked if doc_id != label and not _says_the_same(doc_id, label, said)]
        if not ranked:
            left_out["not in the run"] += 1
        elif not others:
            left_out["without a second item"] += 1
        else:
            category = Category.B if others[0] == ranked[0] else Category.A
            pairs.append(AuditPair(query_id=query_id, category=category, label=label, other=others[0]))
    if not pairs:
        raise InputError(
            f"{run.name}: found no query to compare; expected queries of the labels with two items or more."
        )
    counted = {reason: n for reason, n in left_out.items() if n}
    return AuditPlan(run=run.name, pairs=tuple(pairs), left_out=counted, qrels_digest=qrels.digest)


def documents_to_compare(qrels: Qrels, run: Run) -> set[str]:
    """Whose texts `plan_audit` looks at."""
    tops = top_documents(run, depth=LOOK_AHEAD)
    return {*first_labels(qrels).values(), *(doc_id for doc_ids in tops.values() for doc_id in doc_ids)}


def _says_the_same(one: str, other: str, texts: Mapping[str, str]) -> bool:
    return one in texts and texts[one] == texts.get(other)


def audit(
    plan: AuditPlan, outcomes: Mapping[Pair, PairOutcome], *, judgments_digest: str = "", alpha: float = 0.05
) -> Audit:
    """The "better than perfect" table from what was judged so far."""
    counts = [_count(category, plan.pairs, outcomes) for category in Category]
    return Audit(
        run=plan.run,
        agreed=counts[0],
        differing=counts[1],
        left_out=plan.left_out,
        alpha=alpha,
        qrels_digest=plan.qrels_digest,
        judgments_digest=judgments_digest,
    )


def _count(category: Category, pairs: Iterable[AuditPair], outcomes: Mapping[Pair, PairOutcome]) -> CategoryCount:
    n = label_wins = other_wins = n_even = 0
    for each in pairs:
        if each.category is not category:
            continue
        n += 1
        outcome = outcomes.get(each.pair)
        if outcome is None:
            continue
        winner = outcome.winner
        label_wins += winner == each.label
        other_wins += winner == each.other
        n_even += winner is None
    return CategoryCount(n_queries=n, label_wins=label_wins, other_wins=other_wins, n_even=n_even)


def read_audits(store: RecordStore) -> dict[str, AuditPlan]:
    """The audits of a state, by run."""
    return {plan.run: plan for plan in parse_records(store, AUDITS, AuditPlan.from_record)}


def start_audit(effort: Effort, plan: AuditPlan) -> bool:
    """Keep the pairs of an audit; whether they are new. Another audit of a run of that name is refused."""
    with effort.alone():
        known = read_audits(effort).get(plan.run)
        if known is None:
            effort.append(AUDITS, [plan.to_record()])
            return True
    if known.pairs != plan.pairs:
        raise InputError(
            f"{effort.folder}: found an audit of '{plan.run}' with other pairs; expected the same labels and the same "
            "run. Start a new state for another run or other labels."
        )
    return False
