"""``toprung table``: what goes into the paper?"""

from __future__ import annotations

from pathlib import Path

import click

from toprung.analyses.table.find import MARKS, MOST_DECIMALS, ORDERS, Marks, RowOrder
from toprung.analyses.table.find import table as make_table
from toprung.cli.options.common import alpha_option, output_format_option, output_option, seed_option, show
from toprung.cli.options.given import refuse_if_given
from toprung.cli.options.matrix_inputs import MatrixInputs, matrix_inputs
from toprung.cli.options.output_file import OutputOption
from toprung.data.formats.runs.writing import replacing
from toprung.report.render import OutputFormat


@click.command()
@matrix_inputs
@click.option(
    "--measure",
    "-m",
    "measures",
    multiple=True,
    help="Such as nDCG@10; repeat for more columns. Chosen from the labels when left out.",
)
@click.option(
    "--baseline", metavar="RUN", help="Mark who is better and who is worse than this run, instead of letters."
)
@click.option(
    "--marks",
    type=click.Choice(MARKS),
    default="differs",
    show_default=True,
    help="Letters name the runs that a run differs from, or only those that it is better than.",
)
@click.option(
    "--order",
    type=click.Choice(ORDERS),
    default="score",
    show_default=True,
    help="Rows by the first measure, the best first, or as given.",
)
@click.option(
    "--decimals",
    type=click.IntRange(0, MOST_DECIMALS),
    default=4,
    show_default=True,
    help="Of figures and differences.",
)
@click.option("--bibtex", cls=OutputOption, metavar="FILE", help="Write the references to this file as well.")
@alpha_option
@seed_option("the resamples behind the marks")
@output_format_option
@output_option
def table(
    *,
    arguments: tuple[str, ...],
    ranks: str | None,
    scores: str | None,
    cutoff: int | None,
    rel: int,
    mth: int,
    float32_ties: bool,
    measures: tuple[str, ...],
    baseline: str | None,
    marks: Marks,
    order: RowOrder,
    decimals: int,
    bibtex: Path | None,
    alpha: float,
    seed: int,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Make the table of a paper: several measures, what differs beyond chance, caption, methods and BibTeX.

    The best value of each measure is bold, every run that may be best has a dagger, and letters name the runs that a
    run differs from, all runs compared at once as on the leaderboard. With --baseline arrows show who is better and
    who is worse than it.

    Give labels and runs, or --ranks FILE or --scores FILE for one measure. --format latex writes a table for booktabs.
    """
    if baseline is not None:
        refuse_if_given("marks", "--baseline", "one of them: arrows against a baseline, or letters for all pairs")
    inputs = MatrixInputs(
        arguments=arguments, ranks=ranks, scores=scores, cutoff=cutoff, rel=rel, mth=mth, float32_ties=float32_ties
    )
    found = make_table(
        inputs.read_measures(measures),
        baseline=baseline,
        marks=marks,
        order=order,
        decimals=decimals,
        alpha=alpha,
        seed=seed,
    )
    if bibtex is not None:
        with replacing(bibtex) as target:
            target.write_text(f"{found.bibtex}\n", encoding="utf-8")
    show(found, output_format, output)
