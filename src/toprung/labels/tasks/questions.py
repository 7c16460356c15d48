"""What is there to ask? The slots of tasks where there are any, else the pairs of pools and audits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from toprung.data.judgments import AssessorKind, Choice, Judgments, Pair
from toprung.errors import InputError
from toprung.labels.best.replacement import Decision
from toprung.labels.best.upkeep import decide_pair, read_challenges, rule_in
from toprung.labels.effort.effort import Effort
from toprung.labels.effort.records import parse_records
from toprung.labels.plans.ask import lacking
from toprung.labels.plans.plan import VotesPlan, read_plan
from toprung.labels.pools.pool import Pool
from toprung.labels.pools.store import read_pools
from toprung.labels.tasks.assignments import Assignment, AssignmentStage
from toprung.labels.tasks.protocol import Text, storable
from toprung.labels.tasks.task import Task
from toprung.labels.votes.audit import read_audits
from toprung.labels.votes.outcomes import merge_same_texts, resolve_pairs


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

    def can_show(self, question: Question) -> bool:
        """Whether there is a text for the query and for both answers."""
        return question.query_id in self.queries and {question.left, question.right} <= self.documents.keys()

    def showable(self, questions: Iterable[Question]) -> list[Question]:
        """Those that can be shown; refused where none can, before anyone is asked."""
        asked = list(questions)
        found = [each for each in asked if self.can_show(each)]
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


def pairs_of(effort: Effort) -> list[Pair]:
    """Every pair of the pools, the audits and the challenges, in order; none of two items with the same text."""
    pools = {pool.query_id: pool for pool in read_pools(effort)}
    pooled = (pair for pool in pools.values() for pair in pool.pairs())
    audited = (each.pair for plan in read_audits(effort).values() for each in plan.pairs)
    challenged = (pair for each in read_challenges(effort) for pair in each.pairs())
    differing = (pair for pair in chain(audited, challenged) if not _is_same_text(pair, pools.get(pair.query_id)))
    found = dict.fromkeys(chain(pooled, differing))  # keeps their order: sorting is nearly done
    return sorted(found, key=lambda pair: (pair.query_id, pair.a, pair.b))


def _is_same_text(pair: Pair, pool: Pool | None) -> bool:
    return pool is not None and pool.represent(pair.a) == pool.represent(pair.b)


def undecided_pairs(effort: Effort, judgments: Judgments, *, votes: int | None = None) -> list[Pair]:
    """The pairs that ask for an official vote, in order; see `votes_lacking`."""
    return list(votes_lacking(effort, judgments, votes=votes))


def votes_lacking(
    effort: Effort, judgments: Judgments, *, votes: int | None = None, is_pooled: bool = True
) -> dict[Pair, int]:
    """How many official votes the pairs lack that lack any: of those planned, to break a tie or decide a challenge.

    ``votes`` on each pair stand in for the plan's; an adaptive plan asks for one on each pair of a pool, if all were
    asked. Without ``is_pooled`` only audits and challenges are looked at.
    """
    planned = read_plan(effort) if votes is None else VotesPlan(votes=votes)
    plan = planned if isinstance(planned, VotesPlan) else VotesPlan()
    as_voted = resolve_pairs(judgments)
    # A pooled item has the votes on those with its text; an audit asks for the very items of its run.
    outcomes = as_voted | merge_same_texts(as_voted, read_pools(effort))
    challenged = {pair: each for each in read_challenges(effort) for pair in each.pairs()}
    rule = rule_in(effort)

    def lacks(pair: Pair) -> int:
        outcome, challenge = outcomes.get(pair), challenged.get(pair)
        if challenge is None:
            return lacking(plan, outcome)
        return int(outcome is None or decide_pair(challenge, outcome, rule) is Decision.ASK_AGAIN)

    pooled = set() if is_pooled else {pair for pool in read_pools(effort) for pair in pool.pairs()}
    found = {pair: lacks(pair) for pair in pairs_of(effort) if pair not in pooled or pair in challenged}
    return {pair: n for pair, n in found.items() if n}


def pairs_in_work(tasks: Iterable[Task], assignments: Iterable[Assignment]) -> Counter[Pair]:
    """In how many tasks that are still to be done each pair is."""
    done = {each.task_id for each in assignments if each.stage is AssignmentStage.ACCEPTED}
    return Counter(pair for task in newest_attempts(tasks) if task.task_id not in done for pair in task.pairs)


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


def questions_for(effort: Effort, *, assessor: str, kind: AssessorKind, seed: int = 0) -> list[Question]:
    """What an assessor who takes no tasks can be asked.

    A language model is asked all there is: its answers are a stream of its own. Anyone else is asked what the official
    votes do not decide, and nothing twice.
    """
    tasks = parse_records(effort, "tasks", Task.from_record)
    if tasks:
        return task_questions(tasks)
    pairs = pairs_of(effort)
    questions = to_questions(pairs, seed=seed)  # of all pairs, so that order and sides stay as the work goes on
    if kind is AssessorKind.LLM:
        return questions
    judgments = effort.read_judgments()
    open_pairs = set(undecided_pairs(effort, judgments))
    own = {each.pair for each in judgments.current if each.assessor == assessor and each.choice is not Choice.SKIP}
    return [each for each in questions if each.pair in open_pairs and each.pair not in own]
