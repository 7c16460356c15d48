"""What would a model cost? Pairs, both orders, tokens by the length of the texts, and money; nothing is asked.

How many tokens a text has, only the model's own tokenizer knows: about one for four bytes of UTF-8. Where the model has
answered here before, the tokens that it counted then say how many there are of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toprung.data.judgments import AssessorKind
from toprung.labels.effort.effort import Effort
from toprung.labels.judges.answers import ANSWERS, Answered, Order, checked, orders_of
from toprung.labels.judges.endpoint import Prices
from toprung.labels.judges.prompt import to_messages
from toprung.labels.tasks.protocol import Judge, read_count
from toprung.labels.tasks.questions import Question, Texts
from toprung.words.wording import say_count

BYTES_PER_TOKEN = 4.0


@dataclass(frozen=True, kw_only=True)
class ForeseenCost:
    """What asking all that is open would take. ``most_out`` is None where nothing bounds what a model writes."""

    n_pairs: int
    n_requests: int
    n_without_text: int
    tokens_in: int
    least_out: int
    most_out: int | None
    n_measured: int
    """Answers of this judge whose tokens say how long texts are; 0 where four bytes are taken for a token."""
    prices: Prices

    @property
    def least_cost(self) -> float:
        return self.prices.cost_of(self.tokens_in, self.least_out)

    @property
    def most_cost(self) -> float | None:
        return None if self.most_out is None else self.prices.cost_of(self.tokens_in, self.most_out)

    def say(self, budget: float | None = None) -> Iterator[str]:
        """In a few lines."""
        requests = say_count(self.n_requests, "request")
        yield f"{say_count(self.n_pairs, 'pair')} to ask, every order that is open: {requests}. Nothing was asked."
        if self.n_without_text:
            yield f"Left out, for there is no text of an answer or of the query: {self.n_without_text:,} more."
        if not self.n_requests:
            return
        by = f"as in {say_count(self.n_measured, 'answer')} of this judge" if self.n_measured else "4 bytes for a token"
        yield f"About {self.tokens_in:,} tokens to read ({by}), and {self._say_out()} to write."
        if not self.prices.are_known:
            yield "What that costs is not known without --price-in and --price-out."
            return
        yield f"About {_say_range(self.least_cost, self.most_cost)} in money."
        if budget is not None:
            reached = min(1.0, budget / dearest) if (dearest := self.most_cost or self.least_cost) else 1.0
            yield f"The budget of {budget:g} is enough for about {int(reached * self.n_pairs):,} of them at least."

    def _say_out(self) -> str:
        if self.most_out == self.least_out:
            return f"about {self.least_out:,}"
        return f"from {self.least_out:,} " + (f"to {self.most_out:,}" if self.most_out is not None else "on")


def _say_range(low: float, high: float | None) -> str:
    if high is None:
        return f"{low:.4f} or more"
    return f"{low:.4f}" if high == low else f"{low:.4f} to {high:.4f}"


def foresee_cost(
    effort: Effort,
    judge: Judge,
    questions: Sequence[Question],
    texts: Texts,
    *,
    prices: Prices,
    most_tokens_out: int | None = None,
    limit: int | None = None,
    ask_again: int = 0,
) -> ForeseenCost:
    """What `judge_all` would ask of these questions, and what that takes; ``most_tokens_out`` bounds one answer."""
    answered, both = Answered.read(effort, judge.name), judge.asks_both_orders

    def open_orders(question: Question) -> list[Order]:
        found = orders_of(question, both=both)
        return [order for order in found if answered.is_open(order, ask_again=ask_again)]

    waiting = [each for each in questions if open_orders(each)]
    shown = texts.showable(waiting)
    asked = shown[:limit]
    orders = [order for question in asked for order in open_orders(question)]
    measured = _Measured.of(effort, judge.name, lambda order: _size_of(texts, order, judge.kind))
    n = len(orders)
    return ForeseenCost(
        n_pairs=len(asked),
        n_requests=n,
        n_without_text=len(waiting) - len(shown),
        tokens_in=round(sum(_size_of(texts, order, judge.kind) for order in orders) / measured.bytes_per_token),
        least_out=n if measured.tokens_out is None else round(n * measured.tokens_out),
        most_out=round(n * measured.tokens_out) if measured.tokens_out is not None else _times(n, most_tokens_out),
        n_measured=measured.n,
        prices=prices,
    )


def _times(n: int, each: int | None) -> int | None:
    return None if each is None else n * each


def _size_of(texts: Texts, order: Order, kind: AssessorKind) -> int:
    """Bytes of what is sent; of a program's request, which knows its own words, those of a model's."""
    query_id, left, right = order
    query, one, other = texts.query(query_id).text, texts.document(left).text, texts.document(right).text
    parts = (
        [each["content"] for each in to_messages(query, one, other)]
        if kind is AssessorKind.LLM
        else [query, one, other]
    )
    return sum(len(part.encode()) for part in parts)


@dataclass(frozen=True, kw_only=True)
class _Measured:
    """What the answers there are say of tokens: bytes for one that was read, and how many an answer writes."""

    n: int = 0
    bytes_per_token: float = BYTES_PER_TOKEN
    tokens_out: float | None = None

    @classmethod
    def of(cls, effort: Effort, assessor: str, size_of: Callable[[Order], int]) -> _Measured:
        counted = list(_counted(effort.read(ANSWERS), assessor, size_of))
        tokens_in, tokens_out, size = (sum(column) for column in zip(*counted, strict=True)) if counted else (0, 0, 0)
        if not tokens_in:
            return cls()
        return cls(n=len(counted), bytes_per_token=size / tokens_in, tokens_out=tokens_out / len(counted))


def _counted(
    records: Iterable[Mapping[str, Any]], assessor: str, size_of: Callable[[Order], int]
) -> Iterator[tuple[int, int, int]]:
    """Of each answer with its tokens and texts: those read, those written, and the bytes that were sent."""
    for record in records:
        found = checked(dict(record))
        tokens_in = read_count(found.get("tokens_in"))
        if found["assessor"] != assessor or not tokens_in:
            continue
        try:
            size = size_of((found["query_id"], found["left"], found["right"]))
        except KeyError:  # of a pair that is not asked now
            continue
        yield tokens_in, read_count(found.get("tokens_out")) or 0, size
