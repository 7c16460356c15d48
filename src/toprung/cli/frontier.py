"""``toprung frontier``: which runs are worth their cost?"""

from __future__ import annotations

from pathlib import Path

import click

from toprung.analyses.frontier.find import COST_KINDS, CostKind
from toprung.analyses.frontier.find import frontier as find_frontier
from toprung.cli.options.common import alpha_option, output_format_option, output_option, seed_option, show
from toprung.cli.options.correction import correction_option
from toprung.cli.options.matrix_inputs import MatrixInputs, matrix_inputs
from toprung.cli.options.metadata import metadata_option, say_ignored
from toprung.data.formats.tables.metadata_files import read_metadata
from toprung.errors import InputError
from toprung.report.render import OutputFormat


@click.command()
@matrix_inputs
@metadata_option("run and cost or latency")
@click.option(
    "--by",
    type=click.Choice(COST_KINDS),
    default="cost",
    show_default=True,
    help="What runs cost: the column cost, of any unit, or latency, in milliseconds per query.",
)
@click.option(
    "--measure", "-m", help="Such as nDCG@10; RR up to the cutoff when left out. Names the scores of --scores."
)
@correction_option("all pairs of runs that have a cost")
@alpha_option
@seed_option("the resamples behind the intervals of the scores")
@output_format_option
@output_option
def frontier(
    *,
    arguments: tuple[str, ...],
    ranks: str | None,
    scores: str | None,
    cutoff: int,
    float32_ties: bool,
    metadata: str,
    by: CostKind,
    measure: str | None,
    correction: str,
    alpha: float,
    seed: int,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Hold score against cost, and say which runs are worth it.

    The front holds the runs that no run at the same cost or less scores above. A run is worth its cost where it does
    better than every cheaper run beyond chance, and dominated where a run that costs no more does better beyond chance.

    Give labels and runs, or --ranks FILE, or --scores FILE. Runs without a cost are left out and named.
    """
    inputs = MatrixInputs(arguments=arguments, ranks=ranks, scores=scores, cutoff=cutoff, float32_ties=float32_ties)
    known = read_metadata(metadata)
    costs = known.costs() if by == "cost" else known.latencies()
    if not costs:
        raise InputError(f"{metadata}: found no run with a {by}; expected a column '{by}'.{say_ignored(known)}")
    table = inputs.read_scores(measure)
    show(find_frontier(table, costs, by=by, correction=correction, alpha=alpha, seed=seed), output_format, output)
