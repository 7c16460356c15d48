"""What does a task cost? Its reward and what the platform takes on top, with the source of that figure."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Any, Self

from toprung.errors import InputError

CENT = Decimal("0.01")
MOST_MONEY = Decimal(1_000_000_000)
MOST_FEE = Decimal(10)
MOST_PAIRS = 1_000_000_000
SECONDS = (0.1, 86_400.0)
"""What a pair may take: nobody is quicker, and nobody works longer at one."""


@dataclass(frozen=True, kw_only=True)
class Platform:
    """Where assessors are found: its fee as a share of the reward, and the least it lets them earn in an hour."""

    key: str
    title: str
    fee: Decimal
    least_hourly: Decimal
    source: str
    """Where both figures stand, and when they stood there; they change."""


PLATFORMS = {
    each.key: each
    for each in (
        Platform(
            key="prolific",
            title="Prolific for universities and non-profits",
            fee=Decimal("0.333"),
            least_hourly=Decimal("8.00"),
            source="https://www.prolific.com/pricing, September 2026",
        ),
        Platform(
            key="prolific-business",
            title="Prolific for companies",
            fee=Decimal("0.428"),
            least_hourly=Decimal("8.00"),
            source="https://www.prolific.com/pricing, September 2026",
        ),
        Platform(
            key="own",
            title="your own link, without a platform",
            fee=Decimal(0),
            least_hourly=Decimal(0),
            source="nobody takes a fee; the law of your country has the least pay",
        ),
    )
}
PROLIFIC = PLATFORMS["prolific"]


@dataclass(frozen=True, kw_only=True)
class Price:
    """What a task pays, what the platform takes on top, and how much is judged in one."""

    reward: Decimal = Decimal("2.00")
    platform: Platform = PROLIFIC
    own_fee: Decimal | None = None
    """As a share of the reward, in place of the platform's."""
    pairs_per_task: int = 10
    golds_per_task: int = 3
    """Test pairs, which take time as well."""
    seconds_per_pair: float = 30.0
    """A guess until there are votes: `toprung labels diagnose` tells how long they took."""

    def __post_init__(self) -> None:
        check_amount("reward", self.reward)
        check_amount("fee", self.fee, most=MOST_FEE)
        for name, count, least in (
            ("pairs_per_task", self.pairs_per_task, 1),
            ("golds_per_task", self.golds_per_task, 0),
        ):
            if not least <= count <= MOST_PAIRS:
                raise InputError(f"{name}: found {count}; expected a whole number from {least} to {MOST_PAIRS:,}.")
        shortest, longest = SECONDS
        if not shortest <= self.seconds_per_pair <= longest:
            expected = f"seconds from {shortest:g} to {longest:,.0f}"
            raise InputError(f"seconds_per_pair: found {self.seconds_per_pair}; expected {expected}.")

    @property
    def fee(self) -> Decimal:
        return self.platform.fee if self.own_fee is None else self.own_fee

    @property
    def per_task(self) -> Decimal:
        """See `cost_of_task`.

        >>> Price(own_fee=Decimal("0.20")).per_task
        Decimal('2.40')
        """
        return cost_of_task(self.reward, self.fee)

    @property
    def hourly(self) -> Decimal:
        """What an assessor earns in an hour, test pairs among the work.

        >>> Price(golds_per_task=0).hourly, Price(golds_per_task=10).hourly
        (Decimal('24.00'), Decimal('12.00'))
        """
        return (self.reward * 3600 / self._seconds_per_task).quantize(CENT, ROUND_HALF_UP)

    @property
    def _seconds_per_task(self) -> Decimal:
        return Decimal(str(self.seconds_per_pair)) * (self.pairs_per_task + self.golds_per_task)

    def hours(self, n_votes: int) -> float:
        """How long people work for so many votes, in whole tasks."""
        return float(self.tasks(n_votes) * self._seconds_per_task / 3600)

    def tasks(self, n_votes: int, *, most_of_a_query: int = 0) -> int:
        """How many tasks the votes fill; the last one may be short.

        No query stands twice in a task, so that the votes on pairs of one query need as many.
        """
        if n_votes > MOST_PAIRS:
            raise InputError(f"Found {n_votes:,} pairs to price; expected {MOST_PAIRS:,} at most.")
        return max(-(-n_votes // self.pairs_per_task), most_of_a_query)

    def total(self, n_votes: int, *, most_of_a_query: int = 0) -> Decimal:
        """What so many votes cost.

        >>> Price(own_fee=Decimal("0.20")).total(4210)
        Decimal('1010.40')
        """
        return self.tasks(n_votes, most_of_a_query=most_of_a_query) * self.per_task

    def affordable_tasks(self, money: Decimal) -> int | None:
        """How many tasks the money pays for; None if they cost nothing.

        >>> Price(own_fee=Decimal("0.20")).affordable_tasks(Decimal(10))
        4
        """
        return int(money // self.per_task) if self.per_task else None

    def say(self) -> str:
        return f"{show_money(self.per_task)} a task ({show_money(self.reward)} and a fee of {self._say_fee()})"

    def _say_fee(self) -> str:
        return f"{(100 * self.fee).normalize():f}%"

    def say_source(self) -> str:
        """Whose fee it is and where that stands, and what an hour earns."""
        whose = f"{self.platform.title} ({self.platform.source})" if self.own_fee is None else "as given"
        hourly = f"At {round(self.seconds_per_pair, 1):g} seconds a pair an hour earns {show_money(self.hourly)}"
        least = show_money(self.platform.least_hourly)
        if self.hourly < self.platform.least_hourly:
            hourly += f", less than the {least} that must be paid: raise the reward, or put fewer pairs into a task"
        elif self.platform.least_hourly:
            hourly += f"; {least} is the least"
        return f"Fee of {self._say_fee()}: {whose}. {hourly}."

    def to_record(self) -> dict[str, Any]:
        """As a manifest holds it."""
        record: dict[str, Any] = {"reward": str(self.reward), "platform": self.platform.key}
        if self.own_fee is not None:
            record["fee"] = str(self.own_fee)
        return record | {
            "pairs_per_task": self.pairs_per_task,
            "golds_per_task": self.golds_per_task,
            "seconds_per_pair": self.seconds_per_pair,
        }

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        """From a manifest."""
        try:
            return cls(
                reward=read_amount(record["reward"]),
                platform=PLATFORMS[record["platform"]],
                own_fee=read_amount(record["fee"]) if "fee" in record else None,
                pairs_per_task=int(record["pairs_per_task"]),
                golds_per_task=int(record["golds_per_task"]),
                seconds_per_pair=float(record["seconds_per_pair"]),
            )
        except (KeyError, TypeError, ValueError, OverflowError, InvalidOperation) as error:
            raise InputError(f"{str(record)[:200]}, which is no price ({error!r})") from None


def cost_of_task(reward: Decimal, fee: Decimal) -> Decimal:
    """Reward and fee, up to the cent: thousands of tasks keep within a budget, whichever way a platform rounds.

    >>> cost_of_task(Decimal("1.00"), Decimal("0.333"))
    Decimal('1.34')
    """
    return (reward * (1 + fee)).quantize(CENT, ROUND_CEILING)


def to_fee(text: str) -> Decimal:
    """A fee as people write it: ``20%`` or ``0.2``.

    >>> to_fee("20%"), to_fee("0.2")
    (Decimal('0.2'), Decimal('0.2'))
    """
    parts = 100 if text.strip().endswith("%") else 1
    return to_money(text.strip().removesuffix("%"), name="fee", most=MOST_FEE * parts) / parts


def to_money(text: str, *, name: str = "reward", most: Decimal = MOST_MONEY) -> Decimal:
    """An amount as people write it, with or without the sign of the currency."""
    try:
        amount = Decimal(text.strip().removeprefix("$"))
    except InvalidOperation:
        raise InputError(f"{name}: found '{text}'; expected a number such as 2.00.") from None
    check_amount(name, amount, most=most)
    return amount


def read_amount(value: object) -> Decimal:
    """An amount as a record holds it, which somebody may have edited."""
    if isinstance(value, bool):
        raise TypeError(f"{value} is no amount")
    return Decimal(str(value))


def check_amount(name: str, value: Decimal, *, most: Decimal = MOST_MONEY) -> None:
    """Refuse what no amount of money is: beyond these bounds sums are no longer exact."""
    if not (value.is_finite() and 0 <= value <= most):
        raise InputError(f"{name}: found {value}; expected a number from 0 to {most:,}.")


def show_money(amount: Decimal) -> str:
    """An amount to the cent.

    >>> show_money(Decimal("34053.6"))
    '$34,053.60'
    """
    return f"${amount.quantize(CENT, ROUND_HALF_UP):,}"
