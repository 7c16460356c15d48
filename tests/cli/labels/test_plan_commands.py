"""``toprung labels tasks --votes | --adaptive`` and ``cost --adaptive``: what is wanted, and what it would cost."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toprung.labels.effort.effort import Effort
from toprung.labels.tasks.sitting import Sitting

Command = Callable[..., Any]
POOL = ("labels", "pool", "qrels.txt", "good.run", "poor.run", "--state", "S")
TASKS = ("labels", "tasks", "--state", "S", "--golds-per-task", "0")


def test_the_votes_that_pool_prices_are_those_that_tasks_asks(toprung: Command, files: Path) -> None:
    # Two pairs three times: three tasks of two pairs at 2.67.
    assert toprung(*POOL, "--votes", "3").out.startswith(
        "2 queries: 2 pairs fill 3 tasks of up to 10, which cost $8.01."
    )
    assert Effort.open(files / "S").manifest["plan"] == {"kind": "votes", "votes": 3}
    assert toprung("labels", "cost", "--state", "S").out.startswith(
        "2 pairs fill 3 tasks of up to 10, which cost $8.01."
    )
    assert toprung(*TASKS).out.startswith("2 pairs of 2 queries to deal for 6 votes, in 3 tasks with 0 golds.")


def test_a_plan_of_before_is_kept_by_pool(toprung: Command, files: Path) -> None:
    toprung(*POOL, "--votes", "3")
    assert "3 votes on each pair" in toprung(*POOL).out
    assert "to deal for 4 votes, in 2 tasks" in toprung(*TASKS, "--votes", "2").out
    assert Effort.open(files / "S").manifest["plan"]["votes"] == 2


def test_an_adaptive_plan_is_kept_with_its_price(toprung: Command, files: Path) -> None:
    toprung(*POOL)
    made = toprung(*TASKS, "--adaptive", "--target", "0.8", "--budget", "$5", "--reward", "1.50", "--fee", "20%")
    assert made.out.startswith("2 pairs of 2 queries to deal, in 1 task with 0 golds.")
    assert "Plan: votes until P(best) ≥ 0.8, 30 a query at most, for $5.00 at most." in made.out
    plan = Effort.open(files / "S").manifest["plan"]
    assert (plan["kind"], plan["target"], plan["budget"]) == ("adaptive", 0.8, "5")
    assert (plan["price"]["reward"], plan["price"]["fee"]) == ("1.50", "0.2")
    sitting = Sitting(Effort.open(files / "S"))
    offers = [sitting.offer(name) for name in ("ann", "bob", "cho")]  # at 1.80 a task there is no third
    assert [each is None for each in offers] == [False, False, True]
    assert toprung(*TASKS).out.startswith("Nothing to deal: the money is spent; 2 pairs wait in open tasks.")


def test_what_is_left_open_is_as_it_was_before(toprung: Command, files: Path) -> None:
    toprung(*POOL)
    toprung(*TASKS, "--adaptive", "--budget", "50", "--reward", "1.50", "--per-task", "5")
    toprung(*TASKS, "--adaptive", "--target", "0.8")
    plan = Effort.open(files / "S").manifest["plan"]
    assert (plan["target"], plan["budget"], plan["price"]["reward"]) == (0.8, "50", "1.50")
    assert (plan["price"]["pairs_per_task"], plan["price"]["golds_per_task"]) == (5, 0)


def test_cost_of_a_state_is_that_of_its_plan(toprung: Command) -> None:
    toprung(*POOL)
    toprung(*TASKS, "--adaptive", "--budget", "50", "--reward", "1.50")
    found = toprung("labels", "cost", "--state", "S").out
    assert found.startswith("$50.00 would make the best answer 90% sure")
    assert "($1.50 and a fee" in found


def test_a_plan_with_a_budget_is_not_replaced_by_the_way(toprung: Command, files: Path) -> None:
    toprung(*POOL)
    toprung(*TASKS, "--adaptive", "--budget", "50")
    refused = toprung(*POOL, "--votes", "2")
    assert refused.code == 2
    assert "found an adaptive plan; expected no --votes" in refused.err.replace("\n", " ")
    assert Effort.open(files / "S").manifest["plan"]["kind"] == "adaptive"


def test_pairs_chosen_by_votes_are_no_random_sample(toprung: Command) -> None:
    toprung(*POOL)
    toprung(*TASKS, "--adaptive")
    refused = toprung("labels", "estimate", "good.run", "poor.run", "--state", "S", "--human-sample", "random")
    assert refused.code == 2
    assert "found pairs that an adaptive plan chose by earlier votes" in refused.err.replace("\n", " ")


def test_cost_says_what_a_budget_buys(toprung: Command, files: Path) -> None:
    toprung(*POOL)
    for where in (("--state", "S"), ("qrels.txt", "good.run", "poor.run")):
        found = toprung("labels", "cost", *where, "--adaptive", "--budget", "20", "--format", "json")
        rows = json.loads(found.out)["budgets"]
        assert [row["money"] for row in rows] == [10, 20, 40, 2.67, 8.01]
        assert rows[0]["sure"] <= rows[1]["sure"] <= rows[2]["sure"]


def test_the_fee_is_that_of_the_platform_and_pay_below_its_least_is_said(toprung: Command) -> None:
    found = toprung("labels", "cost", "--pairs", "100", "--platform", "prolific-business", "--seconds-per-pair", "90")
    assert "which cost $28.60." in found.out
    assert "Fee of 42.8%: Prolific for companies (https://www.prolific.com/pricing" in found.out
    assert "less than the $8.00 that must be paid" in found.out.replace("\n", " ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("tasks", "--state", "S", "--votes", "2", "--adaptive"),
            "Found --votes and --adaptive; expected one of them.",
        ),
        (("tasks", "--state", "S", "--target", "0.8"), "Found --target without --adaptive"),
        (("tasks", "--state", "S", "--budget", "5"), "Found --budget without --adaptive"),
        (("tasks", "--state", "S", "--reward", "5", "--fee", "0"), "Found --reward and --fee without --adaptive"),
        (("tasks", "--state", "S", "--adaptive", "--budget", "much"), "budget: found 'much'; expected a number"),
        (("tasks", "--state", "S", "--adaptive", "--budget", "1e40"), "budget: found 1E+40; expected a number from 0"),
        (("tasks", "--state", "S", "--adaptive", "--budget", "1"), "found $1; expected at least $2.67, what one task"),
        (("cost", "q", "r", "--adaptive", "--budget", "0.001"), "found $0.001; expected at least $2.67, what one task"),
        (("cost", "q", "r", "--adaptive", "--most-votes", "1001"), "1001 is not in the range 1<=x<=1000"),
        (
            ("cost", "--pairs", "9", "--reward", "1e30"),
            "reward: found 1E+30; expected a number from 0 to 1,000,000,000",
        ),
        (("cost", "--pairs", "9", "--fee", "1e30"), "fee: found 1E+30; expected a number from 0 to 10"),
        (("cost", "--pairs", "9", "--fee", "1001%"), "fee: found 1001; expected a number from 0 to 1,000"),
        (("cost", "--pairs", "9" * 30), "pairs to price; expected 1,000,000,000 at most"),
        (("cost", "--pairs", "9", "--votes", "9" * 30), "expected a whole number from 1 to 1,000"),
        (("cost", "--pairs", "9", "--seconds-per-pair", "1e-300"), "found 1e-300; expected seconds from 0.1 to 86,400"),
        (("tasks", "--state", "S", "--adaptive", "--budget", "0"), "budget: found 0; expected an amount of money"),
        (("tasks", "--state", "S", "--release-after", "1e8"), "is not in the range 0<=x<=8760"),
        (("tasks", "--state", "S", "--release-after", "inf"), "inf is not in the range 0<=x<=8760"),
        (("tasks", "--state", "S", "--release-after", "nan"), "nan is not in the range 0<=x<=8760"),
        (("tasks", "--state", "S", "--seed", "9" * 45), "is not in the range 0<=x<=9223372036854775807"),
        (("cost", "--pairs", "9", "--adaptive"), "Found --pairs with --adaptive; expected QRELS RUN... or --state DIR"),
        (("cost", "--state", "S", "--adaptive", "--reward", "0"), "Found tasks that cost nothing"),
    ],
)
def test_what_does_not_fit_is_refused(toprung: Command, arguments: tuple[str, ...], said: str) -> None:
    toprung(*POOL)
    outcome = toprung("labels", *arguments)
    assert outcome.code == 2
    assert said in outcome.err.replace("\n", " ")


def test_the_largest_seed_and_the_longest_wait_are_taken(toprung: Command, files: Path) -> None:
    toprung(*POOL)
    assert toprung(*TASKS, "--seed", str(2**63 - 1), "--release-after", "8760").code == 0
    assert Sitting(Effort.open(files / "S")).offer("ann") is not None


@pytest.mark.parametrize(
    ("entry", "edit", "said"),
    [
        ("tasks", {"per_task": 0}, "found 0 under 'tasks.per_task'; expected a whole number from 1 to 1,000,000,000"),
        ("tasks", {"golds_per_task": -1}, "found -1 under 'tasks.golds_per_task'; expected a whole number from 0"),
        ("tasks", {"seed": -1}, "found -1 under 'tasks.seed'; expected a whole number from 0"),
        ("tasks", {"release_after": 1e300}, "under 'tasks.release_after'; expected a number of hours from 0 to 8,760"),
        ("plan", {"budget": True}, "expected a plan of the kind votes or adaptive"),
        ("plan", {"price": {"reward": "1e99"}}, "expected a plan of the kind votes or adaptive"),
    ],
)
def test_a_manifest_edited_by_hand_is_refused(
    toprung: Command, files: Path, entry: str, edit: dict[str, Any], said: str
) -> None:
    toprung(*POOL)
    toprung(*TASKS, "--adaptive", "--budget", "5")
    path = files / "S" / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest[entry] |= {
        key: {**manifest[entry][key], **value} if key == "price" else value for key, value in edit.items()
    }
    path.write_text(json.dumps(manifest))
    outcome = toprung(*TASKS)
    assert outcome.code == 2
    assert said in outcome.err.replace("\n", " ")
