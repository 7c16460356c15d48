"""What will it cost? Pairs become tasks, tasks become money: said before anyone is paid."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from functools import cached_property

from toprung.errors import InputError
from toprung.result import Cell, Column, Explanation, Fact, Result, Rows, columns
from toprung.words.wording import say_count

CENT = Decimal("0.01")


@dataclass(frozen=True, kw_only=True)
class Price:
    """What a task pays, what the platform takes on top, and how much is judged in one."""

    reward: Decimal = Decimal("2.00")
    fee: Decimal = Decimal("0.20")
    """As a share of the reward."""
    pairs_per_task: int = 10
    votes_per_pair: int = 1

    def __post_init__(self) -> None:
        for name in ("reward", "fee"):
            value = getattr(self, name)
            if not value.is_finite() or value < 0:
                raise InputError(f"{name}: found {value}; expected zero or more.")
        for name in ("pairs_per_task", "votes_per_pair"):
            if getattr(self, name) < 1:
                raise InputError(f"{name}: found {getattr(self, name)}; expected a whole number from 1.")

    @property
    def per_task(self) -> Decimal:
        """To the cent.

        >>> Price().per_task
        Decimal('2.40')
        """
        return (self.reward * (1 + self.fee)).quantize(CENT, ROUND_HALF_UP)

    def tasks(self, n_pairs: int) -> int:
        """How many tasks the pairs fill; the last one may be short."""
        return -(-n_pairs // self.pairs_per_task) * self.votes_per_pair

    def total(self, n_pairs: int) -> Decimal:
        """What judging the pairs costs.

        >>> Price().total(4210)
        Decimal('1010.40')
        """
        return self.tasks(n_pairs) * self.per_task

    def say(self) -> str:
        fee = f"{(100 * self.fee).normalize():f}%"
        return f"{show_money(self.per_task)} a task ({show_money(self.reward)} and a fee of {fee})"


def to_fee(text: str) -> Decimal:
    """A fee as people write it: ``20%`` or ``0.2``.

    >>> to_fee("20%"), to_fee("0.2")
    (Decimal('0.2'), Decimal('0.2'))
    """
    number = to_money(text.strip().removesuffix("%"), name="fee")
    return number / 100 if text.strip().endswith("%") else number


def to_money(text: str, *, name: str = "reward") -> Decimal:
    """An amount as people write it, with or without the sign of the currency."""
    try:
        return Decimal(text.strip().removeprefix("$"))
    except InvalidOperation:
        raise InputError(f"{name}: found '{text}'; expected a number such as 2.00.") from None


def show_money(amount: Decimal) -> str:
    """An amount to the cent.

    >>> show_money(Decimal("34053.6"))
    '$34,053.60'
    """
    return f"${amount.quantize(CENT, ROUND_HALF_UP):,}"


def estimate_cost(n_pairs: int, *, price: Price | None = None, n_judged: int = 0) -> CostEstimate:
    """What it costs to judge the pairs that are not decided yet.

    >>> print(estimate_cost(6980).sentence)
    6,980 pairs fill 698 tasks of 10, which cost $1,675.20.
    """
    if not 0 <= n_judged <= n_pairs:
        raise InputError(f"Found {n_judged:,} judged of {n_pairs:,} pairs; expected counts that fit.")
    return CostEstimate(n_pairs=n_pairs, n_judged=n_judged, price=price or Price())


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
        "pairs_per_task=price.pairs_per_task votes_per_pair=price.votes_per_pair",
    )

    n_pairs: int
    n_judged: int
    price: Price

    @property
    def n_left(self) -> int:
        return self.n_pairs - self.n_judged

    @cached_property
    def rows(self) -> tuple[tuple[str, int], ...]:
        """What is counted, and how many pairs that is."""
        every = (("all pairs", self.n_pairs),)
        return (*every, ("still to judge", self.n_left)) if self.n_judged else every

    @property
    def priced(self) -> list[tuple[str, int, int, Decimal]]:
        """The same with the tasks and the price."""
        return [(what, n, self.price.tasks(n), self.price.total(n)) for what, n in self.rows]

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
        tasks = say_count(self.price.tasks(self.n_left), "task")
        fill, cost = ("fills", "costs") if self.n_left == 1 and not self.n_judged else ("fill", "cost")
        total = show_money(self.price.total(self.n_left))
        return f"{pairs} {fill} {tasks} of {self.price.pairs_per_task}, which {cost} {total}."

    @property
    def notes(self) -> tuple[str, ...]:
        return (
            f"Cost: {self.price.say()}, {say_count(self.price.votes_per_pair, 'vote')} on each pair.",
            "Work that fails a test question is done again, and costs again.",
        )

    @property
    def explanation(self) -> Explanation:
        return Explanation(
            how=(
                f"Pairs are put into tasks of {self.price.pairs_per_task}, each pair with "
                f"{say_count(self.price.votes_per_pair, 'vote')}. A task costs its reward and the fee of the platform."
            ),
            assumptions=("Nothing is asked again: even splits and work that fails a test question come on top.",),
        )
