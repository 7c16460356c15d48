"""``toprung labels estimate``: a model's votes on all pairs, corrected by people's votes on some."""

from __future__ import annotations

from pathlib import Path

import click

from toprung.analyses.estimate.sampling import DECLARED
from toprung.analyses.estimate.wins import estimate_wins
from toprung.cli.labels.options import choose_votes, read_top_of_runs, state_option
from toprung.cli.options.common import alpha_option, output_format_option, output_option, seed_option, show
from toprung.data.judgments import AssessorKind
from toprung.errors import InputError
from toprung.labels.effort.effort import Effort
from toprung.labels.plans.plan import AdaptivePlan, read_plan
from toprung.labels.pools.store import read_pools
from toprung.labels.tasks.sitting import Sitting
from toprung.labels.votes.outcomes import resolve_pairs
from toprung.report.render import OutputFormat


@click.command()
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@state_option
@click.option(
    "--human-sample",
    type=click.Choice([DECLARED]),
    help="Declares that the pairs people judged are a random sample of the model's, or all those of a random sample of "
    "queries.",
)
@click.option(
    "--assessor", "voters", multiple=True, metavar="NAME", help="The model whose votes are meant; repeat for more."
)
@alpha_option
@seed_option("the resamples, and of how the other queries are dealt to those that people judged")
@output_format_option
@output_option
def estimate(
    *,
    runs: tuple[str, ...],
    state: str,
    human_sample: str | None,
    voters: tuple[str, ...],
    alpha: float,
    seed: int,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Estimate whose first answers people would prefer, from a model's votes on all pairs and people's on some.

    `wins` is the share of contests with other runs that a run's first answer wins, ties counted half. Votes of kind llm
    are the model's, all others people's; where several models voted, --assessor chooses.
    """
    effort = Effort.open(state)
    if isinstance(read_plan(effort), AdaptivePlan) or Sitting(effort).desk.penalty is not None:
        raise InputError(
            f"{state}: found pairs that an adaptive plan chose by earlier votes; expected pairs that were drawn "
            "at random, or all pairs of queries that were."
        )
    votes = effort.read_judgments()
    of_model, kinds = choose_votes(votes, voters, (AssessorKind.LLM,))
    found = estimate_wins(
        resolve_pairs(votes),
        resolve_pairs(of_model, kinds=kinds),
        read_top_of_runs(runs),
        pools=read_pools(effort),
        human_sample=human_sample,
        alpha=alpha,
        seed=seed,
    )
    show(found, output_format, output)
