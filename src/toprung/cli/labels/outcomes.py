"""``toprung labels outcomes``: what do the votes say so far?"""

from __future__ import annotations

from pathlib import Path

import click

from toprung.analyses.next_pairs.find import report_next_pairs
from toprung.analyses.outcomes.find import report_outcomes
from toprung.cli.labels.options import choose_votes, state_option, voting_options
from toprung.cli.options.common import output_format_option, output_option, show
from toprung.cli.options.output_file import OutputOption
from toprung.data.formats.judgments.writing import WRITERS, write_judgments
from toprung.data.judgments import Judgments
from toprung.labels.best.upkeep import join_decided, pools_to_challenge, read_challenges, rule_in
from toprung.labels.effort.effort import Effort
from toprung.labels.plans.plan import AdaptivePlan, read_plan
from toprung.labels.pools.pool import Pool
from toprung.labels.tasks.questions import pairs_of
from toprung.labels.votes.outcomes import merge_same_texts, resolve_pairs
from toprung.labels.votes.voters import are_of_models
from toprung.report.render import OutputFormat


@click.command()
@state_option
@voting_options
@click.option(
    "--export",
    cls=OutputOption,
    metavar="FILE",
    help="Also write the judgments to this file, for other tools.",
)
@click.option(
    "--export-format",
    type=click.Choice([each.value for each in WRITERS], case_sensitive=False),
    default="jsonl",
    show_default=True,
    help="Format of that file.",
)
@click.option(
    "--next", "n_next", type=click.IntRange(min=1), metavar="N", help="Show the N pairs whose judgment helps most."
)
@output_format_option
@output_option
def outcomes(
    *,
    state: str,
    policy: str,
    kinds: tuple[str, ...],
    voters: tuple[str, ...],
    export: Path | None,
    export_format: str,
    n_next: int | None,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Say which pairs are decided, even, or without a vote.

    The CSV and JSON list every pair with its votes and its winner. With --next, the pairs to judge next are listed:
    those that `tasks --adaptive` would ask, each with how sure the best answer of its query is. Challengers that are
    decided are among the answers.
    """
    effort = Effort.open(state)
    judgments, kinds = choose_votes(effort.read_judgments(), voters, kinds)
    if export is not None:
        write_judgments(judgments, export, format=export_format)
    if n_next is None:
        pairs, pools = pairs_of(effort), pools_to_challenge(effort, judgments)
        show(report_outcomes(judgments, pairs=pairs, pools=pools, policy=policy, kinds=kinds), output_format, output)
        return
    votes = resolve_pairs(judgments, policy=policy, kinds=kinds)
    pools, ties = _pools_with_decided(effort, judgments), are_of_models(judgments, kinds)
    plan = read_plan(effort)
    wanted = plan if isinstance(plan, AdaptivePlan) else None
    show(report_next_pairs(pools, votes, n_next, plan=wanted, ties=ties), output_format, output)


def _pools_with_decided(effort: Effort, judgments: Judgments) -> list[Pool]:
    """The pools with the challengers that are decided; others are asked about by the rule of challenges."""
    pools = pools_to_challenge(effort, judgments)
    counted = merge_same_texts(resolve_pairs(judgments), pools)
    return join_decided(pools, read_challenges(effort), counted, rule=rule_in(effort))
