"""What is wanted, and where does it stand?"""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from tests.labels.builders import note_plan

from toprung.data.judgments import Pair
from toprung.errors import FormatError, InputError
from toprung.labels.effort.effort import Effort
from toprung.labels.plans.plan import AdaptivePlan, Plan, VotesPlan, read_plan
from toprung.labels.plans.price import Price
from toprung.labels.votes.outcomes import PairOutcome

ADAPTIVE = AdaptivePlan(target=0.8, most_votes=12, budget=Decimal("10.50"), price=Price(own_fee=Decimal("0.20")))


@pytest.fixture
def effort(tmp_path: Path) -> Effort:
    return Effort.open_or_create(tmp_path / "state")


def votes(for_a: int, for_b: int) -> PairOutcome:
    return PairOutcome(pair=Pair("q", "A", "B"), wins_a=for_a, wins_b=for_b, ties=0, n=for_a + for_b)


@pytest.mark.parametrize("plan", [VotesPlan(votes=3), ADAPTIVE, AdaptivePlan(asked_for={"q1": 12})])
def test_a_plan_is_kept_in_the_manifest(effort: Effort, plan: Plan) -> None:
    assert read_plan(effort) == VotesPlan(votes=1)
    note_plan(effort, plan)
    assert read_plan(effort) == plan


def test_money_pays_for_whole_tasks() -> None:
    assert ADAPTIVE.most_tasks == 4  # 10.50 / 2.40
    assert AdaptivePlan().most_tasks is None


def test_a_plan_is_said() -> None:
    assert VotesPlan(votes=3).say() == "3 votes on each pair"
    assert ADAPTIVE.say() == "votes until P(best) ≥ 0.8, 12 a query at most, for $10.50 at most"


@pytest.mark.parametrize(
    "record",
    [
        {"kind": "random"},
        {"votes": 3},
        {"kind": "votes", "votes": "3"},
        {"kind": "votes", "votes": 0},
        {**ADAPTIVE.to_record(), "target": 1.5},
        {**ADAPTIVE.to_record(), "asked_for": {"q1": 0}},
        {**ADAPTIVE.to_record(), "asked_for": ["q1"]},
        {**ADAPTIVE.to_record(), "budget": "much"},
        {**ADAPTIVE.to_record(), "budget": True, "price": {**Price().to_record(), "reward": "0.10"}},
        {**ADAPTIVE.to_record(), "budget": "1e40"},
        {**ADAPTIVE.to_record(), "most_votes": 1001},
        {**ADAPTIVE.to_record(), "target": 10**400},
        {**ADAPTIVE.to_record(), "price": {}},
        {**ADAPTIVE.to_record(), "price": {**Price().to_record(), "pairs_per_task": float("inf")}},
    ],
)
def test_a_plan_edited_by_hand_is_refused_with_what_to_do(effort: Effort, record: dict[str, object]) -> None:
    effort.note({"plan": record})
    with pytest.raises(FormatError, match="a plan of the kind votes or adaptive"):
        read_plan(effort)


def test_a_plan_that_is_no_object_is_refused(effort: Effort) -> None:
    effort.note({"plan": "adaptive"})
    with pytest.raises(FormatError, match="under 'plan'"):
        read_plan(effort)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target": 1.0}, "target: found 1"),
        ({"most_votes": 0}, "most_votes: found 0"),
        ({"most_votes": 1001}, "most_votes: found 1001; expected a whole number from 1 to 1,000"),
        ({"budget": Decimal(0)}, "budget: found 0; expected an amount of money above zero"),
        ({"budget": Decimal("1.00")}, r"found \$1.00; expected at least \$2.67, what one task costs"),
        ({"budget": Decimal("0.001")}, r"found \$0.001; expected at least \$2.67"),
        ({"budget": Decimal("1e40")}, r"budget: found 1E\+40; expected a number from 0 to 1,000,000,000"),
        ({"budget": Decimal("NaN")}, "budget: found NaN"),
    ],
)
def test_what_would_never_stop_or_never_start_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        AdaptivePlan(**options)


def test_money_for_one_task_is_enough() -> None:
    assert AdaptivePlan(budget=Decimal("2.67")).most_tasks == 1
    assert AdaptivePlan(budget=Decimal("0.01"), price=Price(reward=Decimal(0))).most_tasks is None


@pytest.mark.parametrize(
    ("outcome", "planned", "n"),
    [
        (None, 3, 3),
        (votes(1, 0), 3, 2),
        (votes(2, 1), 3, 0),
        (votes(1, 1), 2, 1),  # an even split asks for one more
        (votes(1, 1), 1, 1),
        (votes(4, 1), 3, 0),
    ],
)
def test_how_many_votes_a_pair_lacks(outcome: PairOutcome | None, planned: int, n: int) -> None:
    assert VotesPlan(votes=planned).lacking(outcome) == n
