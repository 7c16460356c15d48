"""``toprung labels cost``: what would judging cost?"""

from __future__ import annotations

from pathlib import Path

import click

from toprung.analyses.budget.find import forecast_budget
from toprung.analyses.judging_cost.find import CostEstimate, estimate_cost
from toprung.cli.labels.options import (
    adaptive_options,
    pairs_per_task_option,
    price_options,
    read_top_of_runs,
    tell_torn_lines,
    to_plan_asked,
    to_price,
    votes_option,
)
from toprung.cli.options.common import output_format_option, output_option, show
from toprung.data.formats.qrels_files import read_qrels
from toprung.errors import InputError
from toprung.labels.effort.effort import Effort
from toprung.labels.plans.plan import AdaptivePlan, VotesPlan, read_plan
from toprung.labels.plans.price import Price
from toprung.labels.pools.pool import Pool, build_pools
from toprung.labels.pools.store import read_pools
from toprung.labels.tasks.questions import count_by_query, pairs_of, votes_lacking
from toprung.labels.votes.outcomes import Outcomes, resolve_pairs
from toprung.report.render import OutputFormat


@click.command()
@click.argument("arguments", nargs=-1, metavar="[QRELS RUN...]")
@click.option(
    "--state",
    metavar="DIR",
    is_eager=True,
    callback=tell_torn_lines,
    help="The folder of a judging effort: its pairs that want a vote are counted.",
)
@click.option("--pairs", type=click.IntRange(min=0), metavar="N", help="Or simply so many pairs.")
@click.option("--depth", type=click.IntRange(min=1), default=1, show_default=True, help="Of pools from QRELS RUN...")
@votes_option
@adaptive_options
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the votes made up.")
@price_options
@pairs_per_task_option
@output_format_option
@output_option
def cost(
    *,
    arguments: tuple[str, ...],
    state: str | None,
    pairs: int | None,
    depth: int,
    votes: int | None,
    adaptive: bool,
    target: float | None,
    most_votes: int | None,
    budget: str | None,
    seed: int,
    reward: str,
    platform: str,
    fee: str | None,
    seconds_per_pair: float,
    pairs_per_task: int,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Say how many tasks the pairs fill, and what they cost.

    Give labels and runs, whose first answers are pooled; or --state DIR; or --pairs N. With --adaptive, votes are made
    up to say what half of --budget, all of it and twice as much would find in these pools; without --budget, as much as
    one vote on each pair costs. The plan of --state is priced unless another is asked for.
    """
    price = to_price(reward, platform, fee, seconds_per_pair, pairs_per_task=pairs_per_task)
    plan = to_plan_asked(
        votes=votes, adaptive=adaptive, target=target, most_votes=most_votes, budget=budget, price=price
    )
    if (bool(arguments), state is not None, pairs is not None).count(True) != 1:
        raise InputError("Expected one of: QRELS RUN..., --state DIR, or --pairs N.")
    if plan is None and state is not None:
        plan = read_plan(Effort.open(state))
    if isinstance(plan, AdaptivePlan):
        if pairs is not None:
            raise InputError("Found --pairs with --adaptive; expected QRELS RUN... or --state DIR, which have pools.")
        pools, outcomes = _pools_and_votes(arguments, state, depth)
        show(forecast_budget(plan, pools, outcomes, seed=seed), output_format, output)
        return
    if state is not None and plan is not None:
        show(_cost_of_state(Effort.open(state), plan, price), output_format, output)
        return
    counts = [pool.n_pairs for pool in _pool(arguments, depth)] if pairs is None else []
    each = 1 if plan is None else plan.votes
    found = estimate_cost(
        sum(counts) if pairs is None else pairs, price=price, votes=each, most_of_a_query=each * max(counts, default=0)
    )
    show(found, output_format, output)


def _pool(arguments: tuple[str, ...], depth: int) -> list[Pool]:
    qrels, *runs = arguments
    if not runs:
        raise InputError("Found no runs; expected QRELS RUN..., or --state DIR, or --pairs N.")
    return build_pools(read_qrels(qrels), read_top_of_runs(runs, depth=depth), depth=depth)


def _pools_and_votes(arguments: tuple[str, ...], state: str | None, depth: int) -> tuple[list[Pool], Outcomes]:
    if state is None:
        return _pool(arguments, depth), {}
    effort = Effort.open(state)
    return read_pools(effort), resolve_pairs(effort.read_judgments())


def _cost_of_state(effort: Effort, plan: VotesPlan, price: Price) -> CostEstimate:
    """Of its pairs that lack votes."""
    n_pairs = len(pairs_of(effort))
    if not n_pairs and not read_pools(effort):
        raise InputError(
            f"{effort.folder}: found no pairs to judge; expected pools, an audit or challenges: `toprung labels pool`, "
            "`audit` and `challenge` make them."
        )
    lacking = votes_lacking(effort, effort.read_judgments(), plan=plan)
    n_judged, n_lacking = n_pairs - len(lacking), sum(lacking.values())
    most = max(count_by_query(lacking).values(), default=0)
    return estimate_cost(
        n_pairs, price=price, votes=plan.votes, n_judged=n_judged, n_lacking=n_lacking, most_of_a_query=most
    )
