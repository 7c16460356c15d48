"""``toprung evaluate``: how well does each run do?"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from toprung.cli.options.common import (
    max_bytes_option,
    output_format_option,
    output_option,
    reading_workers_options,
    run_format_option,
    show,
)
from toprung.cli.options.progress import progress
from toprung.data.formats.content import Limits
from toprung.report.render import OutputFormat
from toprung.scoring.evaluate import DEFAULT_MEASURES
from toprung.scoring.evaluate import evaluate as evaluate_runs
from toprung.workers import Workers


@click.command()
@click.argument("qrels")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option(
    "--measure",
    "-m",
    "measures",
    multiple=True,
    default=DEFAULT_MEASURES,
    show_default=True,
    help="Such as nDCG@10 or 'RR(rel=2)@100'; repeat for more, or part them by commas. `toprung measures` lists them.",
)
@click.option("--per-query", "-q", is_flag=True, help="Show every query's value.")
@output_format_option
@output_option
@click.option(
    "--name-from",
    type=click.Choice(["file", "tag"]),
    default="file",
    show_default=True,
    help="Name runs by their file, or by the tag in the last column.",
)
@click.option("--float32-ties", is_flag=True, help="Compare scores as 32-bit numbers, as trec_eval up to 9 does.")
@click.option(
    "--denominator",
    type=click.Choice(["qrels", "run"]),
    default="qrels",
    show_default=True,
    help="Means over all labelled queries, or over those a run has (to compare with other tools).",
)
@run_format_option
@max_bytes_option
@reading_workers_options
def evaluate(
    *,
    qrels: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    per_query: bool,
    output_format: OutputFormat,
    output: Path | None,
    name_from: Literal["file", "tag"],
    float32_ties: bool,
    denominator: Literal["qrels", "run"],
    run_format: str | None,
    max_bytes: int,
    jobs: int,
    backend: str,
) -> None:
    """Score runs against relevance labels.

    QRELS is a label file or irds:DATASET, each RUN a TREC, MS MARCO or Parquet file, plain or compressed.

    Ties are broken by doc_id, descending, as trec_eval does; the output says how far ties alone could move
    each figure. A labelled query missing from a run scores 0.
    """
    with progress(len(runs), "Scoring") as on_progress:
        evaluation = evaluate_runs(
            qrels,
            list(runs),
            measures,
            denominator=denominator,
            float32_ties=float32_ties,
            format=run_format,
            name_from=name_from,
            limits=Limits(max_bytes=max_bytes),
            with_digests=output_format is OutputFormat.JSON,
            workers=Workers(count=jobs, backend=backend),
            on_progress=on_progress,
        )
    show(evaluation.by_query() if per_query else evaluation, output_format, output)
