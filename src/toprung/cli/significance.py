"""``toprung significance``: which of many runs differ beyond chance?"""

from __future__ import annotations

from pathlib import Path

import click

from toprung.analyses.significance.find import count_steps
from toprung.analyses.significance.find import significance as test_all_pairs
from toprung.analyses.significance.grid_tests import TESTS
from toprung.cli.options.common import alpha_option, output_format_option, output_option, seed_option, show
from toprung.cli.options.matrix_inputs import MatrixInputs, matrix_inputs
from toprung.cli.options.progress import progress
from toprung.report.render import OutputFormat
from toprung.stats.tests.corrections import CORRECTION_NAMES


@click.command()
@matrix_inputs
@click.option(
    "--measure", "-m", help="Such as nDCG@10; RR up to the cutoff when left out. Names the scores of --scores."
)
@click.option(
    "--test",
    "tests",
    type=click.Choice(list(TESTS)),
    multiple=True,
    default=tuple(TESTS),
    show_default=True,
    help="Rank sum, signed ranks, paired t, sign; repeat for more. The table is by t, or else by the first.",
)
@click.option(
    "--correction",
    "corrections",
    type=click.Choice(list(CORRECTION_NAMES)),
    multiple=True,
    default=tuple(CORRECTION_NAMES),
    show_default=True,
    help="For all pairs together; repeat for more. The table is by holm, or else by the first.",
)
@alpha_option
@seed_option("the permutations that fewer than 50 queries need")
@output_format_option
@output_option
def significance(
    *,
    arguments: tuple[str, ...],
    ranks: str | None,
    scores: str | None,
    cutoff: int,
    float32_ties: bool,
    measure: str | None,
    tests: tuple[str, ...],
    corrections: tuple[str, ...],
    alpha: float,
    seed: int,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Test every pair of runs, and say which cannot be told apart.

    Give the older runs first: in each pair the later run is B, and a difference is B less A. With --ranks or --scores
    the arguments name the runs wanted, all when left out.

    The table has a row for each run; --format csv and json have every pair.
    """
    inputs = MatrixInputs(arguments=arguments, ranks=ranks, scores=scores, cutoff=cutoff, float32_ties=float32_ties)
    table = inputs.read_scores(measure)
    with progress(count_steps(len(table.runs)), "Testing") as on_progress:
        grid = test_all_pairs(
            table,
            tests=tests,
            corrections=corrections,
            alpha=alpha,
            seed=seed,
            on_progress=on_progress,
        )
    show(grid, output_format, output)
