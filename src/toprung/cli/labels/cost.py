"""``toprung labels cost``: what would judging cost?"""

from __future__ import annotations

from pathlib import Path

import click

from toprung.analyses.judging_cost.find import estimate_cost
from toprung.cli.labels.options import output_option, price_options, read_top_of_runs, tell_torn_lines, to_price
from toprung.cli.options.common import output_format_option, show
from toprung.data.formats.qrels_files import read_qrels
from toprung.errors import InputError
from toprung.labels.effort.effort import Effort
from toprung.labels.pools.pool import build_pools
from toprung.labels.pools.store import read_pools
from toprung.labels.tasks.questions import pairs_of, undecided_pairs
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
@price_options
@output_format_option
@output_option
def cost(
    *,
    arguments: tuple[str, ...],
    state: str | None,
    pairs: int | None,
    depth: int,
    reward: str,
    fee: str,
    pairs_per_task: int,
    votes: int,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Say how many tasks the pairs fill, and what they cost.

    Give labels and runs, whose first answers are pooled; or --state DIR; or --pairs N.
    """
    price = to_price(reward, fee, pairs_per_task, votes)
    if (bool(arguments), state is not None, pairs is not None).count(True) != 1:
        raise InputError("Expected one of: QRELS RUN..., --state DIR, or --pairs N.")
    n_pairs, n_judged = (pairs, 0) if pairs is not None else _count_pairs(arguments, state, depth)
    show(estimate_cost(n_pairs, price=price, n_judged=n_judged), output_format, output)


def _count_pairs(arguments: tuple[str, ...], state: str | None, depth: int) -> tuple[int, int]:
    """All pairs, and how many of them are decided."""
    if state is None:
        qrels, *runs = arguments
        if not runs:
            raise InputError("Found no runs; expected QRELS RUN..., or --state DIR, or --pairs N.")
        pools = build_pools(read_qrels(qrels), read_top_of_runs(runs, depth=depth), depth=depth)
        return sum(pool.n_pairs for pool in pools), 0
    effort = Effort.open(state)
    n_pairs = len(pairs_of(effort))
    if not n_pairs and not read_pools(effort):
        raise InputError(
            f"{state}: found no pairs to judge; expected pools, an audit or challenges: `toprung labels pool`, `audit` "
            "and `challenge` make them."
        )
    return n_pairs, n_pairs - len(undecided_pairs(effort, effort.read_judgments()))
