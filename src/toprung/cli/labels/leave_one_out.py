"""``toprung labels leave-one-out``: what is it worth to a run that it was pooled?"""

from __future__ import annotations

from pathlib import Path

import click

from toprung.analyses.leave_one_out.find import leave_one_out as leave_out_each
from toprung.cli.labels.options import (
    choose_votes,
    measure_option,
    read_top_of_runs,
    rule_options,
    state_option,
    voting_options,
)
from toprung.cli.options.common import output_format_option, output_option, seed_option, show, workers_options
from toprung.cli.options.progress import progress
from toprung.data.formats.qrels_files import read_qrels
from toprung.data.judgments import Judgments
from toprung.errors import InputError
from toprung.labels.best.challenges import join_challengers
from toprung.labels.best.upkeep import read_challenges, rule_name_in
from toprung.labels.effort.effort import Effort
from toprung.labels.pools.pool import Pool, build_pools, pools_of_judgments
from toprung.labels.pools.store import read_pools
from toprung.labels.votes.outcomes import resolve_pairs
from toprung.labels.votes.voters import are_of_models
from toprung.report.render import OutputFormat
from toprung.workers import Workers


@click.command(name="leave-one-out")
@click.argument("qrels")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@state_option
@measure_option
@rule_options
@voting_options
@seed_option("the bootstrap intervals")
@workers_options
@output_format_option
@output_option
def leave_one_out(
    *,
    qrels: str,
    runs: tuple[str, ...],
    state: str,
    measure: str,
    rule: str | None,
    at_least: float | None,
    allow_incomplete: bool,
    policy: str,
    kinds: tuple[str, ...],
    voters: tuple[str, ...],
    seed: int,
    jobs: int,
    backend: str,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Score runs again as if the answers that only one of them found had never been judged.

    QRELS are the labels the pools were built with: only their queries count. Each run in turn loses what it alone put
    into the pools, and the challenges that it alone made; best answers are found again by the same rule and everyone is
    scored by the labels that remain. That takes no new judgments.
    """
    effort = Effort.open(state)
    judgments, kinds = choose_votes(effort.read_judgments(), voters, kinds)
    challenges = read_challenges(effort)
    pools = join_challengers(_pools(effort, judgments, qrels, runs), challenges)
    outcomes = resolve_pairs(judgments, policy=policy, kinds=kinds)
    with progress(len(runs), "Leaving out") as on_progress:
        found = leave_out_each(
            pools,
            outcomes,
            list(runs),
            measure,
            rule=rule,
            at_least=at_least,
            allow_incomplete=allow_incomplete,
            challenges=challenges,
            challenge_rule=rule_name_in(effort),
            counted=resolve_pairs(judgments, kinds=kinds),
            ties=are_of_models(judgments, kinds),
            seed=seed,
            workers=Workers(count=jobs, backend=backend),
            on_progress=on_progress,
        )
    show(found, output_format, output)


def _pools(effort: Effort, judgments: Judgments, qrels: str, runs: tuple[str, ...]) -> list[Pool]:
    """The pools of the labels' queries; where nothing was pooled, what was judged, with the runs that have it first."""
    labels = read_qrels(qrels)
    pooled = read_pools(effort)
    if not pooled:
        judged = {pool.query_id: set(pool.items) for pool in pools_of_judgments(judgments)}
        built = build_pools(labels, read_top_of_runs(runs), query_ids=judged.keys() & set(labels.query_ids))
        pooled = [pool for pool in built if set(pool.items) <= judged[pool.query_id]]
    wanted = set(labels.query_ids)
    found = [pool for pool in pooled if pool.query_id in wanted]
    if not found:
        raise InputError(f"{qrels}: found no query with a pool in {effort.folder}; expected labels of pooled queries.")
    return found
