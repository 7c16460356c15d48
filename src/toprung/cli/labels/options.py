"""Options and inputs that several subcommands of ``toprung labels`` share, worded once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from toprung.cli.options.measures import one_measure_option
from toprung.cli.options.numbers import NumberRange
from toprung.cli.options.progress import progress
from toprung.data.formats.runs.files import names_for, read_run
from toprung.data.judgments import AssessorKind, Judgments
from toprung.data.run import Run
from toprung.errors import InputError
from toprung.labels.best.resolution import ResolutionRule
from toprung.labels.effort.effort import Effort
from toprung.labels.plans.plan import MOST_VOTES, TARGET, VOTES_BOUND, AdaptivePlan, Plan, VotesPlan
from toprung.labels.plans.price import PLATFORMS, Price, to_fee, to_money
from toprung.labels.pools.pool import Pool, keep_top, pools_of_judgments
from toprung.labels.pools.store import read_pools
from toprung.labels.votes.outcomes import VotePolicy
from toprung.labels.votes.voters import choose_voters, models_among
from toprung.words.wording import list_names


def tell_torn_lines(_context: click.Context, _option: click.Parameter, folder: str | None) -> str | None:
    """Say before anything else what a crash, or an edit by hand, has left unreadable."""
    for path in Effort(Path(folder)).torn_files() if folder else ():
        click.echo(
            f"Warning: the last line of {path} is half a record. It is left out; the next record takes its place.",
            err=True,
        )
    return folder


state_option = click.option(
    "--state",
    metavar="DIR",
    required=True,
    is_eager=True,
    callback=tell_torn_lines,
    help="The folder of the judging effort.",
)
documents_option = click.option(
    "--documents", metavar="FILE", help="Texts of documents: TSV, JSONL or irds:DATASET. Equal texts are one answer."
)
measure_option = one_measure_option("Such as nDCG@10; `toprung measures` lists them.", default="RR@10")


voter_option = click.option(
    "--assessor",
    "voters",
    multiple=True,
    metavar="NAME",
    help="Count the votes of this assessor alone, a model or a person; repeat for more.",
)
kind_option = click.option(
    "--kind",
    "kinds",
    type=click.Choice([kind.value for kind in AssessorKind]),
    multiple=True,
    show_default="human and import; with --assessor any",
    help="Whose votes count; repeat for more.",
)


def voting_options[F: Callable[..., Any]](command: F) -> F:
    """``--policy``, ``--kind`` and ``--assessor``: how votes are counted, and whose; `choose_votes` gives them."""
    for decorate in (
        voter_option,
        kind_option,
        click.option(
            "--policy",
            type=click.Choice([policy.value for policy in VotePolicy]),
            default=VotePolicy.MAJORITY.value,
            show_default=True,
            help="The majority, or votes weighted by how often their assessor seems to be right.",
        ),
    ):
        command = decorate(command)
    return command


def rule_options[F: Callable[..., Any]](command: F) -> F:
    """``--rule``, ``--at-least`` and ``--allow-incomplete``: how votes give best answers."""
    for decorate in (
        click.option(
            "--allow-incomplete",
            is_flag=True,
            help="By elimination, let the judged pairs decide where others are missing.",
        ),
        click.option(
            "--at-least",
            type=NumberRange(min=0, max=1, max_open=True),
            metavar="P",
            help="The least P(best) of a label; less leaves its query without.  [default: 0.5 by strength, else 0]",
        ),
        click.option(
            "--rule",
            type=click.Choice([rule.value for rule in ResolutionRule]),
            help="How votes give the best answer.  [default: elimination if each pair was judged once, else strength]",
        ),
    ):
        command = decorate(command)
    return command


def price_options[F: Callable[..., Any]](command: F) -> F:
    """What a task costs; hand them on with `to_price`."""
    for decorate in (
        click.option(
            "--seconds-per-pair",
            type=NumberRange(min=0, min_open=True),
            default=30.0,
            show_default=True,
            help="How long a pair takes, to say what an hour earns; `diagnose` tells.",
        ),
        click.option("--fee", help="What the platform takes on top of the reward.  [default: what --platform takes]"),
        click.option(
            "--platform",
            type=click.Choice(list(PLATFORMS)),
            default="prolific",
            show_default=True,
            help="Where assessors are found: its fee and its least pay.",
        ),
        click.option("--reward", default="2.00", show_default=True, help="What one task pays."),
    ):
        command = decorate(command)
    return command


pairs_per_task_option = click.option(
    "--pairs-per-task",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="How many pairs one task holds, beside its test questions.",
)
votes_option = click.option(
    "--votes",
    type=click.IntRange(min=1),
    show_default="as planned before, or 1",
    help="How often each pair is judged.",
)


def adaptive_options[F: Callable[..., Any]](command: F) -> F:
    """``--adaptive`` and what it aims at; hand them on with `to_plan_asked`."""
    for decorate in (
        click.option("--budget", metavar="MONEY", help="With --adaptive: what all work may cost."),
        click.option(
            "--most-votes",
            type=click.IntRange(min=1, max=VOTES_BOUND),
            help=f"With --adaptive: on one query.  [default: {MOST_VOTES}]",
        ),
        click.option(
            "--target",
            type=NumberRange(min=0, max=1, min_open=True, max_open=True),
            metavar="P",
            help=f"With --adaptive: how sure a best answer has to be.  [default: {TARGET}]",
        ),
        click.option(
            "--adaptive", is_flag=True, help="Ask where votes help most, until best answers are sure or money is spent."
        ),
    ):
        command = decorate(command)
    return command


def price_options_given() -> list[str]:
    """Those of the options of a price that stand on the command line."""
    context = click.get_current_context()
    names = ("reward", "platform", "fee", "seconds_per_pair")
    given = (name for name in names if context.get_parameter_source(name) is ParameterSource.COMMANDLINE)
    return [f"--{name.replace('_', '-')}" for name in given]


def to_price(
    reward: str,
    platform: str,
    fee: str | None,
    seconds_per_pair: float,
    *,
    pairs_per_task: int,
    golds_per_task: int = 3,
) -> Price:
    return Price(
        reward=to_money(reward),
        platform=PLATFORMS[platform],
        own_fee=None if fee is None else to_fee(fee),
        pairs_per_task=pairs_per_task,
        golds_per_task=golds_per_task,
        seconds_per_pair=seconds_per_pair,
    )


def to_plan_asked(
    *,
    votes: int | None,
    adaptive: bool,
    target: float | None,
    most_votes: int | None,
    budget: str | None,
    price: Price,
    before: Plan | None = None,
) -> Plan | None:
    """The plan that options ask for; None if they ask for none. What they leave open is as it was ``before``."""
    if adaptive and votes is not None:
        raise InputError("Found --votes and --adaptive; expected one of them.")
    if adaptive:
        known = before if isinstance(before, AdaptivePlan) else AdaptivePlan()
        return AdaptivePlan(
            target=known.target if target is None else target,
            most_votes=known.most_votes if most_votes is None else most_votes,
            budget=known.budget if budget is None else to_money(budget, name="budget"),
            price=price,
        )
    for name, value in (("--target", target), ("--most-votes", most_votes), ("--budget", budget)):
        if value is not None:
            raise InputError(f"Found {name} without --adaptive, which it belongs to.")
    return None if votes is None else VotesPlan(votes=votes)


def read_top_of_runs(paths: Sequence[str], *, depth: int = 1) -> dict[str, Run]:
    """The first documents of each run, by the name of its file."""
    names = list(names_for(list(paths)))
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise InputError(f"Found two runs called '{repeated}'; expected a name of its own for each.")
    runs: dict[str, Run] = {}
    with progress(len(paths), "Reading") as on_progress:
        for path, name in zip(paths, names, strict=True):
            runs[name] = keep_top(read_run(path, name=name), depth=depth)
            on_progress(name)
    return runs


def choose_votes(
    judgments: Judgments, voters: tuple[str, ...], kinds: tuple[str, ...]
) -> tuple[Judgments, tuple[str, ...]]:
    """The judgments that count, and the kinds of assessors; a mix of models is told of."""
    chosen, counted = choose_voters(judgments, voters, kinds)
    if voters:
        click.echo(f"Counted: the votes of {list_names(list(voters))} alone.", err=True)
    models = models_among(chosen, counted)
    if len(models) > 1:
        click.echo(
            f"Warning: the votes of {len(models)} models are counted together: {list_names(models)}. --assessor NAME "
            "chooses.",
            err=True,
        )
    return chosen, counted


def pools_in(state: Effort, judgments: Judgments) -> list[Pool]:
    """The pools of an effort; where nothing was pooled, what was judged."""
    return read_pools(state) or pools_of_judgments(judgments)
