"""``toprung seeds``: how good is a system over its seeds?"""

from __future__ import annotations

from pathlib import Path

import click

from toprung.analyses.seeds.find import seeds as spread_over_seeds
from toprung.cli.options.common import alpha_option, output_format_option, output_option, show
from toprung.cli.options.correction import correction_option
from toprung.cli.options.matrix_inputs import MatrixInputs, matrix_inputs
from toprung.cli.options.metadata import metadata_option, say_ignored
from toprung.data.formats.tables.metadata_files import read_metadata
from toprung.errors import InputError
from toprung.report.render import OutputFormat


@click.command()
@matrix_inputs
@metadata_option("run and system, and seed if you like")
@click.option(
    "--measure", "-m", help="Such as nDCG@10; RR up to the cutoff when left out. Names the scores of --scores."
)
@correction_option("all pairs of systems with several seeds")
@alpha_option
@output_format_option
@output_option
def seeds(
    *,
    arguments: tuple[str, ...],
    ranks: str | None,
    scores: str | None,
    cutoff: int,
    float32_ties: bool,
    metadata: str,
    measure: str | None,
    correction: str,
    alpha: float,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Say how good systems are over their seeds, and which differ beyond chance.

    A system's score is the mean over its seeds, with an interval from how far they spread. Two systems are compared by
    a test for which seeds and queries are both samples.

    Give labels and runs, or --ranks FILE, or --scores FILE. Runs of no system are left out.
    """
    inputs = MatrixInputs(arguments=arguments, ranks=ranks, scores=scores, cutoff=cutoff, float32_ties=float32_ties)
    known = read_metadata(metadata)
    if not known.systems():
        raise InputError(f"{metadata}: found no run with a system; expected a column 'system'.{say_ignored(known)}")
    table = inputs.read_scores(measure)
    show(spread_over_seeds(table, known.systems(), correction=correction, alpha=alpha), output_format, output)
