"""``toprung standings``: who stands where, by evidence and by score?"""

from __future__ import annotations

from pathlib import Path

import click

from toprung.analyses.standings.find import standings as order_runs
from toprung.boards.outcomes import FacetName, FacetTest
from toprung.cli.options.common import alpha_option, output_format_option, output_option, seed_option, show
from toprung.cli.options.facets import facet_option, facet_test_option
from toprung.cli.options.matrix_inputs import MatrixInputs, matrix_inputs
from toprung.data.formats.tables.metadata_files import read_dates
from toprung.report.render import OutputFormat


@click.command()
@matrix_inputs
@facet_option
@facet_test_option
@alpha_option
@click.option(
    "--dates", metavar="FILE", help="A CSV with the columns run and date: the earlier of two alike goes first."
)
@seed_option("the permutations that few queries need")
@output_format_option
@output_option
def standings(
    *,
    arguments: tuple[str, ...],
    ranks: str | None,
    scores: str | None,
    cutoff: int,
    float32_ties: bool,
    facet: FacetName,
    facet_test: FacetTest,
    alpha: float,
    dates: str | None,
    seed: int,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Order runs by evidence, beside the order by score.

    A run stands above every run it does better than: by answering more queries, or by ranking answers higher, without
    harm to the other. Each row says from whom a run cannot be told apart.

    Give labels and runs, or --ranks FILE and, if not all are wanted, the names of runs.
    """
    inputs = MatrixInputs(arguments=arguments, ranks=ranks, scores=scores, cutoff=cutoff, float32_ties=float32_ties)
    matrix = inputs.read_ranks()
    submitted_at = None if dates is None else read_dates(dates)
    found = order_runs(matrix, facet=facet, facet_test=facet_test, alpha=alpha, submitted_at=submitted_at, seed=seed)
    show(found, output_format, output)
