"""``toprung labels winratio``: which run's first answer do people prefer?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from toprung.analyses.order_agreement.find import DEPTH, order_agreement
from toprung.analyses.run_strengths.find import run_strengths
from toprung.analyses.win_ratio.find import win_ratios
from toprung.cli.labels.options import choose_votes, read_top_of_runs, state_option, voting_options
from toprung.cli.options.common import alpha_option, output_format_option, output_option, show
from toprung.cli.options.correction import correction_option
from toprung.data.formats.qrels_files import read_qrels
from toprung.errors import InputError
from toprung.labels.effort.effort import Effort
from toprung.labels.pools.store import read_pools
from toprung.labels.votes.outcomes import resolve_pairs
from toprung.report.render import OutputFormat


@click.command()
@click.argument("qrels")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@state_option
@click.option("--pairs", is_flag=True, help="List every pair with its n, interval and p-value.")
@click.option("--strengths", is_flag=True, help="Instead, one Bradley–Terry strength a run, with ranges of its rank.")
@click.option(
    "--order", is_flag=True, help="Instead, how often each run orders two judged answers of its top 10 as preferred."
)
@correction_option("many comparisons", default="bonferroni")
@alpha_option
@voting_options
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the ranges of --strengths.")
@output_format_option
@output_option
def winratio(
    *,
    qrels: str,
    runs: tuple[str, ...],
    state: str,
    pairs: bool,
    strengths: bool,
    order: bool,
    correction: str,
    alpha: float,
    policy: str,
    kinds: tuple[str, ...],
    voters: tuple[str, ...],
    seed: int,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Compare runs by whose first answer people prefer.

    QRELS gives `perfect`, the ranking that always has the label first. Every query counts once, however many votes its
    pair had.
    """
    if (pairs, strengths, order).count(True) > 1:
        raise InputError("Found several of --pairs, --strengths and --order; expected one table to show.")
    effort = Effort.open(state)
    judgments, kinds = choose_votes(effort.read_judgments(), voters, kinds)
    outcomes, pools = resolve_pairs(judgments, policy=policy, kinds=kinds), read_pools(effort)
    if order:
        show(order_agreement(read_top_of_runs(runs, depth=DEPTH), outcomes), output_format, output)
        return
    labels, tops = read_qrels(qrels), read_top_of_runs(runs)
    if strengths:
        show(run_strengths(outcomes, tops, qrels=labels, pools=pools, seed=seed), output_format, output)
        return
    found = win_ratios(outcomes, tops, qrels=labels, pools=pools, correction=correction, alpha=alpha)
    show(replace(found, shows_pairs=pairs), output_format, output)
