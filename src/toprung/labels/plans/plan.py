"""What is wanted? Each pair so many times, or best answers as sure as asked for the money there is.

The plan of an effort stands in its manifest, and whoever prices, deals or offers work asks it there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

from toprung.errors import FormatError, InputError
from toprung.labels.effort.store import RecordStore
from toprung.labels.plans.price import Price, check_amount, read_amount, show_money
from toprung.labels.votes.outcomes import PairOutcome
from toprung.stats.inputs import check_share
from toprung.words.wording import say_count

PLAN = "plan"
"""In the manifest."""
TARGET = 0.9
MOST_VOTES = 30
VOTES_BOUND = 1_000
"""More votes on a query, or on a pair, nobody wants."""


@dataclass(frozen=True, kw_only=True)
class VotesPlan:
    """Each pair so many times."""

    votes: int = 1

    def __post_init__(self) -> None:
        _check_count("votes", self.votes)

    def say(self) -> str:
        return f"{say_count(self.votes, 'vote')} on each pair"

    def lacking(self, outcome: PairOutcome | None) -> int:
        """How many votes a pair lacks: those planned, and one more where they split evenly.

        >>> VotesPlan(votes=3).lacking(None)
        3
        """
        if outcome is None:
            return self.votes
        return max(self.votes - outcome.n, 0 if outcome.is_decided else 1)

    def to_record(self) -> dict[str, Any]:
        """As the manifest holds it."""
        return {"kind": "votes", "votes": self.votes}


@dataclass(frozen=True, kw_only=True)
class AdaptivePlan:
    """Votes where they help most, until a query's best answer is as sure as ``target``.

    A query gets ``most_votes`` at most, and all work costs ``budget`` at most; without one the money is not counted.
    A query in ``asked_for`` gets so many votes in any case, though it is sure before or could get no more.
    """

    target: float = TARGET
    most_votes: int = MOST_VOTES
    budget: Decimal | None = None
    price: Price = field(default_factory=Price)
    asked_for: Mapping[str, int] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        check_share(self.target, name="target")
        for query_id, votes in self.asked_for.items():
            _check_count(f"votes asked for on {query_id}", votes)
        _check_count("most_votes", self.most_votes)
        if self.budget is not None:
            self._check_budget(self.budget)

    def _check_budget(self, budget: Decimal) -> None:
        check_amount("budget", budget)
        if budget == 0:
            raise InputError("budget: found 0; expected an amount of money above zero.")
        if budget < self.price.per_task:
            least = f"at least {show_money(self.price.per_task)}, what one task costs"
            raise InputError(f"budget: found ${budget:,}; expected {least}.")

    @property
    def most_tasks(self) -> int | None:
        """How many tasks the money pays for; None without a limit."""
        return None if self.budget is None else self.price.affordable_tasks(self.budget)

    def say(self) -> str:
        money = "" if self.budget is None else f", for {show_money(self.budget)} at most"
        return f"votes until P(best) ≥ {self.target:g}, {self.most_votes} a query at most{money}"

    def to_record(self) -> dict[str, Any]:
        """As the manifest holds it."""
        record: dict[str, Any] = {"kind": "adaptive", "target": self.target, "most_votes": self.most_votes}
        if self.budget is not None:
            record["budget"] = str(self.budget)
        if self.asked_for:
            record["asked_for"] = dict(self.asked_for)
        return record | {"price": self.price.to_record()}


type Plan = VotesPlan | AdaptivePlan


def _check_count(name: str, value: int) -> None:
    if not 1 <= value <= VOTES_BOUND:
        raise InputError(f"{name}: found {value}; expected a whole number from 1 to {VOTES_BOUND:,}.")


def to_plan(record: dict[str, Any]) -> Plan:
    """From a manifest."""
    try:
        if record["kind"] == "votes":
            return VotesPlan(votes=_whole(record["votes"]))
        if record["kind"] == "adaptive":
            budget = record.get("budget")
            return AdaptivePlan(
                target=float(record["target"]),
                most_votes=_whole(record["most_votes"]),
                budget=None if budget is None else read_amount(budget),
                price=Price.from_record(record["price"]),
                asked_for={query_id: _whole(votes) for query_id, votes in record.get("asked_for", {}).items()},
            )
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError, InvalidOperation) as error:
        raise InputError(f"{str(record)[:200]}, which is no plan ({error!r})") from None
    raise InputError(f"a plan of the kind {record['kind']!r}")


def _whole(value: object) -> int:
    if type(value) is not int:
        raise TypeError(f"{value!r} is no whole number")
    return value


def read_plan(store: RecordStore) -> Plan:
    """The plan of an effort; each pair once where none was made."""
    noted = store.manifest.get(PLAN)
    if noted is None:
        return VotesPlan()
    try:
        return to_plan(noted)
    except InputError as error:
        raise FormatError(
            source="manifest",
            found=str(error),
            expected="a plan of the kind votes or adaptive",
            advice="Undo the edit by hand, or make the plan anew: `toprung labels tasks --votes K` or `--adaptive`.",
        ) from None


def noted_plan(store: RecordStore) -> Plan | None:
    """The plan that was made; None where none was, or where it was spoilt by hand."""
    try:
        return read_plan(store) if PLAN in store.manifest else None
    except FormatError:
        return None
