"""What is there to ask? The slots of tasks where there are any, else the pairs of pools and audits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from toprung.data.judgments import AssessorKind, Choice, Judgments, Pair
from toprung.errors import InputError
from toprung.labels.best.replacement import Decision
from toprung.labels.best.upkeep import decide_pair, read_challenges, rule_in
from toprung.labels.effort.records import parse_records
from toprung.labels.effort.store import RecordStore
from toprung.labels.plans.plan import Plan, VotesPlan, read_plan
from toprung.labels.pools.pool import Pool
from toprung.labels.pools.store import read_pools
from toprung.labels.tasks.desk_records import GOLDS, TASKS
from toprung.labels.tasks.golds import Gold
from toprung.labels.tasks.protocol import Text, storable
from toprung.labels.tasks.task import GOLDS_PER_TASK, PER_TASK, Task
from toprung.labels.votes.audit import read_audits
from toprung.labels.votes.outcomes import PairOutcome, merge_same_texts, resolve_pairs


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """Two answers to compare, on the sides they are shown; a slot of a task, or none."""

    query_id: str
    left: str
    right: str
    task_id: str | None = None
    slot: int | None = None
    good: str | None = None

    @property
    def pair(self) -> Pair:
        return Pair.of(self.query_id, self.left, self.right)

    @property
    def is_gold(self) -> bool:
        return self.good is not None


@dataclass(frozen=True, kw_only=True)
class Texts:
    """What queries and documents say, by id."""

    queries: Mapping[str, str]
    documents: Mapping[str, str]

    def query(self, query_id: str) -> Text:
        return Text(query_id, storable(self.queries[query_id]))

    def document(self, doc_id: str) -> Text:
        return Text(doc_id, storable(self.documents[doc_id]))

    def can_show(self, pair: Pair) -> bool:
        """Whether there is a text for the query and for both answers."""
        return pair.query_id in self.queries and {pair.a, pair.b} <= self.documents.keys()

    def showable(self, questions: Iterable[Question]) -> list[Question]:
        """Those that can be shown; refused where none can, before anyone is asked."""
        asked = list(questions)
        found = [each for each in asked if self.can_show(each.pair)]
        if asked and not found:
            wanted = {each.query_id for each in asked}
            _refuse_missing(sorted(wanted - self.queries.keys()), len(wanted), "queries")
            wanted = {doc_id for each in asked for doc_id in (each.left, each.right)}
            _refuse_missing(sorted(wanted - self.documents.keys()), len(wanted), "documents")
        return found


def _refuse_missing(missing: Sequence[str], n: int, noun: str) -> None:
    if missing:
        raise InputError(
            f"Found no text for {len(missing):,} of {n:,} {noun}, '{missing[0]}' first; expected one for each."
        )


def pairs_of(store: RecordStore) -> list[Pair]:
    """Every pair of the pools, the audits and the challenges, in order; none of two items with the same text."""
    return VoteNeeds(store, VotesPlan()).pairs


def _pairs_from(pools: Mapping[str, Pool], audited: Iterable[Pair], challenged: Iterable[Pair]) -> list[Pair]:
    pooled = (pair for pool in pools.values() for pair in pool.pairs())
    differing = (pair for pair in chain(audited, challenged) if not _is_same_text(pair, pools.get(pair.query_id)))
    found = dict.fromkeys(chain(pooled, differing))  # keeps their order: sorting is nearly done
    return sorted(found, key=lambda pair: (pair.query_id, pair.a, pair.b))


def _is_same_text(pair: Pair, pool: Pool | None) -> bool:
    return pool is not None and pool.represent(pair.a) == pool.represent(pair.b)


class VoteNeeds:
    """How many official votes pairs lack: of those planned, to break a tie, or to decide a challenge.

    Without a plan it is that of the store; an adaptive one asks for no pair in particular, and lacks one vote on each.
    """

    def __init__(self, store: RecordStore, plan: Plan | None = None) -> None:
        wanted = plan or read_plan(store)
        self._plan = wanted if isinstance(wanted, VotesPlan) else VotesPlan()
        self._pools = {pool.query_id: pool for pool in read_pools(store)}
        self._challenged = {pair: each for each in read_challenges(store) for pair in each.pairs()}
        self._rule = rule_in(store)
        self._audited = {each.pair for plan in read_audits(store).values() for each in plan.pairs}
        self.pairs = _pairs_from(self._pools, self._audited, self._challenged)

    def lacking(self, pair: Pair, outcome: PairOutcome | None) -> int:
        """How many votes a pair with this outcome lacks."""
        challenge = self._challenged.get(pair)
        if challenge is None:
            return self._plan.lacking(outcome)
        return int(outcome is None or decide_pair(challenge, outcome, self._rule) is Decision.ASK_AGAIN)

    def beside_pools(self) -> list[Pair]:
        """The pairs of audits and challenges, which are asked whatever a plan for pools asks."""
        return [pair for pair in self.pairs if pair in self._audited or pair in self._challenged]

    def merge(self, as_voted: Mapping[Pair, PairOutcome], query_ids: Iterable[str]) -> Mapping[Pair, PairOutcome]:
        """The outcomes of these queries: a pooled item has the votes on those with its text.

        An audit asks for the very items of its run.
        """
        pools = [self._pools[each] for each in query_ids if each in self._pools and self._pools[each].same_text]
        return {**as_voted, **merge_same_texts(as_voted, pools)} if pools else as_voted

    def is_voted_on_by(self, pair: Pair) -> tuple[Pair, ...]:
        """The pairs that a vote on this pair is for: itself, and the one that stands for its texts."""
        pool = self._pools.get(pair.query_id)
        if pool is None or not pool.same_text:
            return (pair,)
        a, b = pool.represent(pair.a), pool.represent(pair.b)
        return (pair,) if a == b else tuple({pair, Pair.of(pair.query_id, a, b)})


def votes_lacking(store: RecordStore, judgments: Judgments, *, plan: Plan | None = None) -> dict[Pair, int]:
    """How many official votes the pairs lack that lack any, in order; see `VoteNeeds`."""
    needs = VoteNeeds(store, plan)
    as_voted = resolve_pairs(judgments)
    outcomes = needs.merge(as_voted, {pair.query_id for pair in as_voted})
    found = {pair: needs.lacking(pair, outcomes.get(pair)) for pair in needs.pairs}
    return {pair: n for pair, n in found.items() if n}


def count_by_query(lacking: Mapping[Pair, int]) -> Counter[str]:
    """How many votes the pairs of each query lack: each needs a task of its own."""
    found: Counter[str] = Counter()
    for pair, n in lacking.items():
        found[pair.query_id] += n
    return found


def newest_attempts(tasks: Iterable[Task]) -> list[Task]:
    newest: dict[int, Task] = {}
    for task in tasks:
        if task.number not in newest or newest[task.number].attempt < task.attempt:
            newest[task.number] = task
    return list(newest.values())


def known_golds(tasks: Iterable[Task]) -> dict[Pair, str]:
    """The good answer of every gold that was shown."""
    return {slot.pair: slot.good for task in tasks for slot in task.slots if slot.good is not None}


def to_questions(pairs: Iterable[Pair], *, seed: int = 0) -> list[Question]:
    """Pairs in an order drawn at random, each with its sides tossed."""
    given = list(pairs)
    rng = np.random.default_rng([seed, 1])
    order, tosses = rng.permutation(len(given)).tolist(), rng.integers(2, size=len(given)).tolist()
    questions = []
    for place, is_swapped in zip(order, tosses, strict=True):
        pair = given[place]
        left, right = (pair.b, pair.a) if is_swapped else (pair.a, pair.b)
        questions.append(Question(query_id=pair.query_id, left=left, right=right))
    return questions


def task_questions(tasks: Iterable[Task]) -> list[Question]:
    """The slots of the newest attempts, each pair once: a judge that is no person is asked nothing twice."""
    found: dict[Pair, Question] = {}
    for task in newest_attempts(tasks):
        for number, slot in enumerate(task.slots):
            question = Question(
                query_id=slot.query_id,
                left=slot.left,
                right=slot.right,
                task_id=task.task_id,
                slot=number,
                good=slot.good,
            )
            found.setdefault(question.pair, question)
    return list(found.values())


def questions_for(store: RecordStore, *, assessor: str, kind: AssessorKind, seed: int = 0) -> list[Question]:
    """What an assessor who takes no tasks can be asked.

    A language model is asked all there is: its answers are a stream of its own. Anyone else is asked the tasks, and
    without tasks what the official votes do not decide, and nothing twice.
    """
    in_tasks = task_questions(parse_records(store, TASKS, Task.from_record))
    if kind is not AssessorKind.LLM and in_tasks:
        return in_tasks
    pairs = pairs_of(store)
    questions = to_questions(pairs, seed=seed)  # of all pairs, so that order and sides stay as the work goes on
    if kind is AssessorKind.LLM:
        asked = {each.pair: each for each in (*questions, *in_tasks)}  # as people are shown them where they are
        return [*asked.values(), *_gold_questions(store, n_pairs=len(pairs), known=asked, seed=seed)]
    judgments = store.read_judgments()
    open_pairs = votes_lacking(store, judgments)
    own = {each.pair for each in judgments.current if each.assessor == assessor and each.choice is not Choice.SKIP}
    return [each for each in questions if each.pair in open_pairs and each.pair not in own]


def _gold_questions(store: RecordStore, *, n_pairs: int, known: Collection[Pair], seed: int) -> list[Question]:
    """As many golds as tasks of all pairs would have."""
    noted = store.manifest.get("tasks", {})
    per_task, golds_per_task = noted.get("per_task", PER_TASK), noted.get("golds_per_task", GOLDS_PER_TASK)
    golds = {gold.pair: gold for gold in parse_records(store, GOLDS, Gold.from_record)}
    wanted = -(-n_pairs // per_task) * golds_per_task - sum(pair in golds for pair in known)
    drawn = to_questions(sorted(golds.keys() - set(known)), seed=seed)[: max(0, wanted)]
    return [replace(each, good=golds[each.pair].good) for each in drawn]
