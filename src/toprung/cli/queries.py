"""``toprung queries``: which queries decide between two runs?"""

from __future__ import annotations

from pathlib import Path

import click

from toprung.analyses.queries.find import SHOWN
from toprung.analyses.queries.find import queries as find_queries
from toprung.cli.options.common import alpha_option, output_format_option, output_option, show
from toprung.cli.options.matrix_inputs import MatrixInputs, matrix_inputs, measure_option
from toprung.errors import InputError
from toprung.report.render import OutputFormat


@click.command()
@matrix_inputs
@measure_option
@click.option(
    "--top",
    type=click.IntRange(min=1),
    default=SHOWN,
    show_default=True,
    help="How many queries are shown, the weightiest first; CSV and JSON have all.",
)
@click.option("--queries", "questions", metavar="FILE", help="Texts of queries: TSV, JSONL or irds:DATASET.")
@click.option(
    "--docs",
    metavar="FILE",
    help="Texts of documents: TSV, JSONL or irds:DATASET. Those of the queries shown are kept, no others.",
)
@click.option(
    "--slices", metavar="FILE", help="A CSV with query_id and attributes: each value is a slice, and is tested."
)
@alpha_option
@output_format_option
@output_option
def queries(
    *,
    arguments: tuple[str, ...],
    ranks: str | None,
    scores: str | None,
    cutoff: int | None,
    rel: int,
    mth: int,
    float32_ties: bool,
    measure: str | None,
    top: int,
    questions: str | None,
    docs: str | None,
    slices: str | None,
    alpha: float,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Say which queries decide between two runs, and on which kinds of queries they differ.

    QRELS A B: the labels, and two runs. With --ranks or --scores the arguments name the two.

    Queries are in order of their weight: their share in all differences. With --queries and --docs the question, the
    labelled answers and what each run put first can be read; --format html folds them under each query.

    With --slices every value of an attribute is tested on its own queries, the false discovery rate over all of them
    held at --alpha. A slice of too few queries is listed and not tested.
    """
    inputs = MatrixInputs(
        arguments=arguments,
        ranks=ranks,
        scores=scores,
        cutoff=cutoff,
        rel=rel,
        mth=mth,
        float32_ties=float32_ties,
    )
    _check_arguments(inputs)
    found = find_queries(
        inputs.qrels if inputs.has_labels else inputs.read(measure),
        list(arguments[1:]) if inputs.has_labels else None,
        inputs.measure_asked_for(measure) if inputs.has_labels else None,
        top=top,
        queries=questions,
        docs=docs,
        slices=slices,
        alpha=alpha,
        float32_ties=float32_ties,
    )
    show(found, output_format, output)


def _check_arguments(inputs: MatrixInputs) -> None:
    """Three files, or a matrix and two of its runs."""
    found = "nothing" if not inputs.arguments else " ".join(inputs.arguments)
    if inputs.has_labels and len(inputs.arguments) != 3:
        raise InputError(f"Found {found}; expected three files: QRELS A B.")
    if not inputs.has_labels and len(inputs.arguments) not in (0, 2):
        raise InputError(f"Found {found}; expected the names of two runs.")
