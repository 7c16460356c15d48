"""What will it cost? Pairs become tasks, tasks become money: said before anyone is paid."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from toprung.errors import InputError
from toprung.labels.plans.price import Price, show_money
from toprung.result import Cell, Column, Explanation, Fact, Result, Rows, columns
from toprung.words.wording import say_count


def estimate_cost(
    n_pairs: int,
    *,
    price: Price | None = None,
    votes: int = 1,
    n_judged: int = 0,
    n_lacking: int | None = None,
    most_of_a_query: int = 0,
) -> CostEstimate:
    """What it costs to judge the pairs that are not decided yet, each by so many votes.

    ``n_lacking`` says how many votes those lack in all, where some have a part of theirs; ``most_of_a_query`` how many
    of the votes are on pairs of one query, for no query stands twice in a task.

    >>> print(estimate_cost(6980, price=Price(own_fee=Decimal("0.20"))).sentence)
    6,980 pairs fill 698 tasks of 10, which cost $1,675.20.
    """
    if not 0 <= n_judged <= n_pairs:
        raise InputError(f"Found {n_judged:,} judged of {n_pairs:,} pairs; expected counts that fit.")
    if votes < 1:
        raise InputError(f"votes: found {votes}; expected a whole number from 1.")
    lacking = votes * (n_pairs - n_judged) if n_lacking is None else n_lacking
    return CostEstimate(
        n_pairs=n_pairs,
        n_judged=n_judged,
        n_lacking=lacking,
        votes=votes,
        price=price or Price(),
        most_of_a_query=most_of_a_query,
    )


@dataclass(frozen=True, kw_only=True)
class CostEstimate(Result):
    """Tasks and money for a number of pairs, of which some may be judged already."""

    FIGURES = (
        Rows(
            "rows", (Column("what", str, "0"), *columns(int, "pairs=1 tasks=2"), Column("cost", path="3")), of="priced"
        ),
        Fact("cost_per_task", lambda self: float(self.price.per_task)),
    )
    MADE_FROM = (
        Fact("reward", lambda self: str(self.price.reward)),
        Fact("fee", lambda self: str(self.price.fee)),
        "platform=price.platform.key pairs_per_task=price.pairs_per_task votes_per_pair=votes",
    )

    n_pairs: int
    n_judged: int
    n_lacking: int
    """Votes that the others lack."""
    votes: int
    price: Price
    most_of_a_query: int = 0
    """Of the votes that are lacking."""

    @property
    def n_left(self) -> int:
        return self.n_pairs - self.n_judged

    @cached_property
    def rows(self) -> tuple[tuple[str, int, int], ...]:
        """What is counted, how many pairs that is and how many votes."""
        every = (("all pairs", self.n_pairs, self.votes * self.n_pairs),)
        return (*every, ("still to judge", self.n_left, self.n_lacking)) if self.n_judged else every

    @property
    def priced(self) -> list[tuple[str, int, int, Decimal]]:
        """The same with the tasks and the price."""
        most = self.most_of_a_query
        return [
            (
                what,
                n,
                self.price.tasks(votes, most_of_a_query=most),
                self.price.total(votes, most_of_a_query=most),
            )
            for what, n, votes in self.rows
        ]

    @property
    def n_tasks(self) -> int:
        """Of what is still to judge."""
        return self.price.tasks(self.n_lacking, most_of_a_query=self.most_of_a_query)

    @property
    def is_of_one_query(self) -> bool:
        """Whether the pairs of one query need more tasks than all would fill."""
        return self.most_of_a_query > self.price.tasks(self.n_lacking)

    @property
    def total(self) -> Decimal:
        """What those cost."""
        return self.price.total(self.n_lacking, most_of_a_query=self.most_of_a_query)

    def cells(self) -> list[Cell]:
        return [
            Cell("", lambda row: row[0]),
            Cell("pairs", lambda row: f"{row[1]:,}", is_number=True),
            Cell("tasks", lambda row: f"{row[2]:,}", is_number=True),
            Cell("cost", lambda row: show_money(row[3]), is_number=True),
        ]

    @property
    def sentence(self) -> str:
        if self.n_judged and not self.n_left:
            return f"Nothing is left to judge: {self.n_pairs:,} of {say_count(self.n_pairs, 'pair')} decided."
        pairs = say_count(self.n_left, "pair")
        if self.n_judged:
            pairs += f" of {self.n_pairs:,} are still to judge: they"
        fill, cost = ("fills", "costs") if self.n_left == 1 and not self.n_judged else ("fill", "cost")
        tasks = say_count(self.n_tasks, "task")
        size = f"{'up to ' if self.is_of_one_query else ''}{self.price.pairs_per_task}"
        return f"{pairs} {fill} {tasks} of {size}, which {cost} {show_money(self.total)}."

    @property
    def notes(self) -> tuple[str, ...]:
        n = self.most_of_a_query
        return (
            *(
                (f"No query stands twice in a task, and one lacks {say_count(n, 'vote')}.",)
                if self.is_of_one_query
                else ()
            ),
            f"Cost: {self.price.say()}, {say_count(self.votes, 'vote')} on each pair.",
            self.price.say_source(),
            "Work that fails a test question is done again, and costs again.",
        )

    @property
    def explanation(self) -> Explanation:
        return Explanation(
            how=(
                f"Pairs are put into tasks of {self.price.pairs_per_task}, each pair with "
                f"{say_count(self.votes, 'vote')}. A task costs its reward and the fee of the platform."
            ),
            assumptions=("Nothing is asked again: even splits and work that fails a test question come on top.",),
        )
