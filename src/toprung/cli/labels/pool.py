"""``toprung labels pool``: which answers deserve a look, and what would judging them take?"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from toprung.analyses.pools.find import describe_pools, remarks_on_inputs
from toprung.analyses.run_scores import restrict
from toprung.analyses.sample_check.find import check_sample_order
from toprung.cli.labels.options import (
    documents_option,
    pairs_per_task_option,
    price_options,
    read_top_of_runs,
    state_option,
    to_price,
    votes_option,
)
from toprung.cli.options.common import output_format_option, output_option, show
from toprung.cli.options.progress import progress
from toprung.data.formats.qrels_files import read_qrels
from toprung.data.formats.runs.files import is_irds
from toprung.data.formats.tables.text_files import read_texts
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import InputError
from toprung.labels.effort.effort import Effort
from toprung.labels.plans.plan import PLAN, AdaptivePlan, VotesPlan, noted_plan, read_plan
from toprung.labels.pools.pool import Pool, build_pools, join_same_texts
from toprung.labels.pools.sample import sample_pools
from toprung.labels.pools.store import start_pools
from toprung.report.render import OutputFormat
from toprung.words.wording import say_count


@click.command()
@click.argument("qrels")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@state_option
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="How many of the first documents of each run.",
)
@click.option("--queries", metavar="FILE", help="Texts of queries: TSV, JSONL or irds:DATASET. Only these are pooled.")
@documents_option
@click.option(
    "--sample", type=click.IntRange(min=1), metavar="N", help="Only N queries, at random among pools of at least two."
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of that sample.")
@price_options
@pairs_per_task_option
@votes_option
@output_format_option
@output_option
def pool(
    *,
    qrels: str,
    runs: tuple[str, ...],
    state: str,
    depth: int,
    queries: str | None,
    documents: str | None,
    sample: int | None,
    seed: int,
    reward: str,
    platform: str,
    fee: str | None,
    seconds_per_pair: float,
    pairs_per_task: int,
    votes: int | None,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Pool the first answer of every run with each label.

    QRELS is a label file or irds:DATASET, each RUN a run file. The pools go into the folder --state, which is made if
    it is missing. What judging them would cost is said before anyone is paid, and with --sample whether the sampled
    queries put the runs in the order that all do, by RR@10 under the labels there are. --votes is kept: `tasks` asks
    for as many.
    """
    price = to_price(reward, platform, fee, seconds_per_pair, pairs_per_task=pairs_per_task)
    labels = read_qrels(qrels)
    tops = read_top_of_runs(runs, depth=depth)
    wanted = None if queries is None else _wanted(labels, read_texts(queries, kind="queries"))
    candidates = build_pools(labels, tops, depth=depth, query_ids=wanted)
    texts = None
    if documents is not None:
        texts = read_texts(documents, wanted={doc_id for each in candidates for doc_id in each.sources})
        candidates = join_same_texts(candidates, texts)
    remarks = list(remarks_on_inputs(labels, tops, candidates, texts=texts))
    if wanted is not None and len(wanted) < labels.n_queries:
        left_out = say_count(labels.n_queries - len(wanted), "labelled query", "labelled queries")
        remarks.append(f"Left out: {left_out} not in {queries}.")
    chosen = candidates if sample is None else sample_pools(candidates, sample, seed=seed)
    inputs = _inputs(labels, tops, depth=depth, queries=queries, documents=documents)
    if sample is not None:
        inputs["sample"] = {"n": sample, "of": sum(each.n_pairs > 0 for each in candidates), "seed": seed}
        remarks += _say_order(labels if wanted is None else restrict(labels, wanted), runs, chosen)
    effort = Effort(Path(state))
    if votes is not None and isinstance(noted_plan(effort), AdaptivePlan):
        raise InputError(
            f"{state}: found an adaptive plan; expected no --votes. `toprung labels tasks --state {state} --votes "
            f"{votes}` puts another plan in its place."
        )
    plan = read_plan(effort) if votes is None else VotesPlan(votes=votes)
    each = plan.votes if isinstance(plan, VotesPlan) else 1
    report = describe_pools(chosen, price=price, votes=each, remarks=remarks, inputs=inputs)
    start_pools(Effort.open_or_create(state), chosen, inputs | ({PLAN: plan.to_record()} if votes is not None else {}))
    show(report, output_format, output)


def _say_order(labels: Qrels, runs: Sequence[str], chosen: Sequence[Pool]) -> Iterator[str]:
    """Whether the sampled queries order the runs as all do: what is judged on them is to hold for all."""
    sampled = [each.query_id for each in chosen if each.label is not None]
    if len(runs) > 1 and sampled:
        with progress(len(runs), "Scoring") as on_progress:
            yield check_sample_order(labels, list(runs), sampled, on_progress=on_progress).sentence


def _wanted(labels: Qrels, texts: Any) -> list[str]:
    return [query_id for query_id in labels.query_ids if query_id in texts]


def _inputs(
    labels: Qrels, runs: dict[str, Run], *, depth: int, queries: str | None, documents: str | None
) -> dict[str, Any]:
    inputs: dict[str, Any] = {
        "qrels": {"source": _place(labels.source), "digest": labels.digest},
        "runs": sorted(runs),
        "depth": depth,
    }
    return inputs | {
        name: _place(path) for name, path in (("queries", queries), ("documents", documents)) if path is not None
    }


def _place(path: str) -> str:
    """Where a file is, also for a later command in another folder."""
    return path if is_irds(path) else os.path.abspath(path)
