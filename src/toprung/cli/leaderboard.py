"""``toprung leaderboard``: where does every run stand, and how sure is that?"""

from __future__ import annotations

from pathlib import Path

import click

from toprung.analyses.leaderboard.find import leaderboard as make_leaderboard
from toprung.cli.options.common import (
    alpha_option,
    output_format_option,
    output_option,
    seed_option,
    show,
    workers_options,
)
from toprung.cli.options.matrix_inputs import MatrixInputs, matrix_inputs, measure_option, rule_option
from toprung.data.formats.tables.metadata_files import read_metadata
from toprung.data.run_metadata import Metadata
from toprung.report.render import OutputFormat
from toprung.workers import Workers


@click.command()
@matrix_inputs
@measure_option
@rule_option
@click.option(
    "--dates",
    "metadata_file",
    metavar="FILE",
    help="What is known of the runs, a CSV or JSON with the column run: date, team, tags, is_baseline.",
)
@click.option("--baseline", "baselines", multiple=True, metavar="RUN", help="A run that was there from the start.")
@alpha_option
@seed_option("the resamples behind the intervals")
@workers_options
@output_format_option
@output_option
def leaderboard(
    *,
    arguments: tuple[str, ...],
    ranks: str | None,
    scores: str | None,
    cutoff: int | None,
    rel: int,
    mth: int,
    float32_ties: bool,
    measure: str | None,
    rule: str | None,
    metadata_file: str | None,
    baselines: tuple[str, ...],
    alpha: float,
    seed: int,
    jobs: int,
    backend: str,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Make the leaderboard: scores and ranks with intervals, who may be best, and who proved it.

    Runs stand in order of score; a run may be best if no other is better, all compared at once. With the dates of all
    runs the claims are tested in that order: which submissions proved an improvement when they came.

    Give labels and runs, or --ranks FILE or --scores FILE and, if not all are wanted, the names of runs. Without a
    measure the labels choose one.
    """
    inputs = MatrixInputs(
        arguments=arguments, ranks=ranks, scores=scores, cutoff=cutoff, rel=rel, mth=mth, float32_ties=float32_ties
    )
    matrix = inputs.read(measure)
    known = Metadata(entries=()) if metadata_file is None else read_metadata(metadata_file).select(matrix.runs)
    found = make_leaderboard(
        matrix,
        dates=known.dates() or None,
        baselines=tuple(dict.fromkeys((*known.baselines(), *baselines))),
        teams=known.teams(),
        tags=known.tags(),
        rule=inputs.rule_for(matrix, rule),
        alpha=alpha,
        seed=seed,
        workers=Workers(count=jobs, backend=backend),
    )
    show(found, output_format, output)
