"""``toprung leaderboard``: where does every run stand, and how sure is that?"""

from __future__ import annotations

from pathlib import Path

import click

from toprung.analyses.leaderboard.find import leaderboard as make_leaderboard
from toprung.cli.options.common import (
    alpha_option,
    confidence_option,
    output_format_option,
    output_option,
    seed_option,
    show,
)
from toprung.cli.options.matrix_inputs import MatrixInputs, matrix_inputs
from toprung.data.formats.tables.metadata_files import read_metadata
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.data.run_metadata import Metadata
from toprung.report.render import OutputFormat


@click.command()
@matrix_inputs
@click.option(
    "--measure", "-m", help="Rank by this measure, such as nDCG@10; RR up to the cutoff when left out. Names --scores."
)
@click.option(
    "--dates",
    "metadata_file",
    metavar="FILE",
    help="What is known of the runs, a CSV or JSON with the column run: date, team, tags, is_baseline.",
)
@click.option("--baseline", "baselines", multiple=True, metavar="RUN", help="A run that was there from the start.")
@alpha_option
@confidence_option
@seed_option("the resamples behind the intervals")
@output_format_option
@output_option
def leaderboard(
    *,
    arguments: tuple[str, ...],
    ranks: str | None,
    scores: str | None,
    cutoff: int,
    float32_ties: bool,
    measure: str | None,
    metadata_file: str | None,
    baselines: tuple[str, ...],
    alpha: float,
    confidence: float,
    seed: int,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Make the leaderboard: scores and ranks with intervals, and who cannot be told apart.

    With the dates of all runs the claims, in that order, decide who holds the top rung; without them the run that
    stands first by evidence does.

    Give labels and runs, or --ranks FILE or --scores FILE and, if not all are wanted, the names of runs. By another
    measure, or from --scores, runs can only be compared by their means.
    """
    inputs = MatrixInputs(arguments=arguments, ranks=ranks, scores=scores, cutoff=cutoff, float32_ties=float32_ties)
    matrix: FirstRanks | ScoreTable = (
        inputs.read_ranks() if inputs.has_ranks and measure is None else inputs.read_scores(measure)
    )
    known = Metadata(entries=()) if metadata_file is None else read_metadata(metadata_file).select(matrix.runs)
    found = make_leaderboard(
        matrix,
        dates=known.dates() or None,
        baselines=tuple(dict.fromkeys((*known.baselines(), *baselines))),
        teams=known.teams(),
        tags=known.tags(),
        alpha=alpha,
        confidence=confidence,
        seed=seed,
    )
    show(found, output_format, output)
