"""``toprung agreement``: would other queries have said the same?"""

from __future__ import annotations

from pathlib import Path

import click

from toprung.analyses.agreement.find import SPLIT_METHODS, SplitMethod
from toprung.analyses.agreement.find import agreement as compare_halves
from toprung.cli.options.common import (
    alpha_option,
    output_format_option,
    output_option,
    seed_option,
    show,
    workers_options,
)
from toprung.cli.options.matrix_inputs import MatrixInputs, matrix_inputs
from toprung.cli.options.progress import progress
from toprung.report.render import OutputFormat
from toprung.stats.pairs.split_half import READINGS, Reading
from toprung.workers import Workers


@click.command()
@matrix_inputs
@click.option(
    "--measure", "-m", help="Such as nDCG@10; RR up to the cutoff when left out. Names the scores of --scores."
)
@click.option(
    "--splits", type=click.IntRange(min=1), default=100, show_default=True, help="How often the queries are halved."
)
@click.option(
    "--reading",
    type=click.Choice(READINGS),
    default="text",
    show_default=True,
    help="What counts as agreement: as the paper says, or as its tables 4a and 4b count. JSON has both.",
)
@click.option(
    "--method",
    type=click.Choice(SPLIT_METHODS),
    default="asymptotic",
    show_default=True,
    help="Of the signed-rank test: as published, or exact and permuted where a half has fewer than 50 queries.",
)
@alpha_option
@seed_option("the random splits")
@workers_options
@output_format_option
@output_option
def agreement(
    *,
    arguments: tuple[str, ...],
    ranks: str | None,
    scores: str | None,
    cutoff: int,
    float32_ties: bool,
    measure: str | None,
    splits: int,
    reading: Reading,
    method: SplitMethod,
    alpha: float,
    seed: int,
    jobs: int,
    backend: str,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Halve the queries at random, many times, and see how often the halves agree.

    In each half every pair of runs is compared by the sign, rank-sum, signed-rank and paired t-test; the mean or the
    median says which run is ahead. The table is that of Craswell et al. 2021 (section 4.3).

    Give labels and runs, or --ranks FILE or --scores FILE and, if not all are wanted, the names of runs.
    """
    inputs = MatrixInputs(arguments=arguments, ranks=ranks, scores=scores, cutoff=cutoff, float32_ties=float32_ties)
    table = inputs.read_scores(measure)
    with progress(splits, "Splitting") as on_progress:
        found = compare_halves(
            table,
            splits=splits,
            alpha=alpha,
            method=method,
            reading=reading,
            seed=seed,
            workers=Workers(count=jobs, backend=backend),
            on_progress=on_progress,
        )
    show(found, output_format, output)
