"""``toprung labels tasks``: what is one assessor given at a time?"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from toprung.cli.labels.options import (
    adaptive_options,
    price_options,
    price_options_given,
    state_option,
    to_plan_asked,
    to_price,
    votes_option,
)
from toprung.cli.options.common import output_format_option, output_option, show
from toprung.cli.options.numbers import NumberRange
from toprung.errors import InputError
from toprung.labels.effort.effort import Effort
from toprung.labels.effort.manifest_check import HOURS_OF_A_YEAR, MOST_SEED
from toprung.labels.plans.plan import AdaptivePlan, noted_plan
from toprung.labels.tasks.blocking import BlockRule
from toprung.labels.tasks.dealing import NOTED
from toprung.labels.tasks.golds import read_golds
from toprung.labels.tasks.make import plan_tasks
from toprung.labels.tasks.quality import VoidScope
from toprung.labels.tasks.sitting import Sitting
from toprung.labels.tasks.task import GOLDS_PER_TASK, PER_TASK
from toprung.report.render import OutputFormat
from toprung.words.wording import list_names


@click.command()
@state_option
@click.option("--golds", metavar="FILE", help="Lines of query id, good answer, bad answer; drawn when left out.")
@click.option(
    "--per-task",
    type=click.IntRange(min=1),
    show_default="what it was before, or 10",
    help="How many pairs are in a task.",
)
@click.option(
    "--golds-per-task",
    type=click.IntRange(min=0),
    show_default="what it was before, or 3",
    help="How many golds are among them.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, MOST_SEED),
    show_default="that of the tasks there are, or 0",
    help="Of the order, the sides and the golds; it is stored.",
)
@click.option(
    "--scope",
    type=click.Choice([each.value for each in VoidScope]),
    show_default="what it was before, or task",
    help="What a failed gold voids: the task, or all work of its assessor; it is stored.",
)
@click.option(
    "--block",
    type=click.Choice([each.value for each in BlockRule]),
    show_default="what it was before, or test",
    help="Who is offered no more work: who misses more golds than a careful person would, by a test over all of their "
    "golds at 1%, whoever misses one, or nobody by the desk itself; it is stored.",
)
@click.option(
    "--release-after",
    type=NumberRange(0, HOURS_OF_A_YEAR),
    metavar="HOURS",
    show_default="what it was before, or never",
    help="Time out work that was begun so long ago and not handed in, now and at every offer; it is stored. 0 times "
    "out all of it, once.",
)
@votes_option
@adaptive_options
@price_options
@output_format_option
@output_option
def tasks(
    *,
    state: str,
    golds: str | None,
    per_task: int | None,
    golds_per_task: int | None,
    seed: int | None,
    scope: str | None,
    block: str | None,
    release_after: float | None,
    votes: int | None,
    adaptive: bool,
    target: float | None,
    most_votes: int | None,
    budget: str | None,
    reward: str,
    platform: str,
    fee: str | None,
    seconds_per_pair: float,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Have the pairs that ask for a vote dealt in tasks.

    A task holds ten pairs of different queries and three golds: pairs whose better answer is known. All are shuffled,
    and a coin decides the sides. It is dealt when someone asks for work (`toprung labels judge`), of the pairs that
    are neither decided nor in another task then: pairs of runs that were pooled meanwhile, and of votes that split
    evenly, are among them. The CSV lists what waits now.

    The plan says what is asked, and is stored: each pair --votes times, by different people; or --adaptive, of each
    query whose best answer is not sure the pair that tells most about it, until the query is sure, has its
    --most-votes or would not profit from more, or --budget is spent.
    """
    effort = Effort.open(state)
    before = noted_plan(effort)
    noted = effort.manifest.get(NOTED, {})
    n_pairs = noted.get("per_task", PER_TASK) if per_task is None else per_task
    n_golds = noted.get("golds_per_task", GOLDS_PER_TASK) if golds_per_task is None else golds_per_task
    price = to_price(reward, platform, fee, seconds_per_pair, pairs_per_task=n_pairs, golds_per_task=n_golds)
    if isinstance(before, AdaptivePlan) and not price_options_given():
        price = replace(before.price, pairs_per_task=n_pairs, golds_per_task=n_golds)
    if price_options_given() and not adaptive:
        raise InputError(f"Found {list_names(price_options_given())} without --adaptive, which counts money.")
    plan = to_plan_asked(
        votes=votes,
        adaptive=adaptive,
        target=target,
        most_votes=most_votes,
        budget=budget,
        price=price,
        before=before,
    )
    given = None if golds is None else read_golds(golds)
    if release_after is not None:
        Sitting(effort).release_stale(datetime.now(UTC) - timedelta(hours=release_after))
    report = plan_tasks(
        effort,
        golds=given,
        per_task=per_task,
        golds_per_task=golds_per_task,
        seed=seed,
        scope=scope,
        block=block,
        release_after=release_after or None,
        plan=plan,
    )
    show(report, output_format, output)
