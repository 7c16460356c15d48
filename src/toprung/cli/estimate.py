"""``toprung estimate``: a model's labels of all queries, corrected by people's labels of some."""

from __future__ import annotations

from pathlib import Path

import click

from toprung.analyses.estimate.find import estimate as estimate_scores
from toprung.cli.options.common import alpha_option, output_format_option, output_option, seed_option, show
from toprung.cli.options.progress import progress
from toprung.data.formats.qrels_files import read_qrels
from toprung.report.render import OutputFormat


@click.command()
@click.argument("human_qrels")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option(
    "--model-qrels",
    required=True,
    metavar="FILE",
    help="The model's labels of all queries, those that people judged included.",
)
@click.option("--measure", "-m", help="Such as nDCG@10; chosen from people's labels when left out.")
@click.option(
    "--human-sample",
    metavar="random|DIR",
    help="How people's queries were chosen: `random` declares a random sample of the model's; DIR is the judging "
    "effort whose `labels pool --sample` drew it.",
)
@alpha_option
@seed_option("the resamples, and of how the other queries are dealt to those that people judged")
@output_format_option
@output_option
def estimate(
    *,
    human_qrels: str,
    runs: tuple[str, ...],
    model_qrels: str,
    measure: str | None,
    human_sample: str | None,
    alpha: float,
    seed: int,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Estimate scores from a model's labels of all queries, corrected by people's labels of some.

    HUMAN_QRELS has people's labels of a random sample of the queries. The bias of the model cancels; what its labels
    are worth is said in queries that people need not judge, and so is how far they alone would mislead.

    A sample that was not random cannot be corrected: without --human-sample, or where the labels speak against it,
    nothing is estimated.
    """
    human, model = read_qrels(human_qrels), read_qrels(model_qrels)
    with progress(2 * len(runs), "Scoring") as on_progress:
        found = estimate_scores(
            human,
            list(runs),
            measure,
            model=model,
            human_sample=human_sample,
            alpha=alpha,
            seed=seed,
            on_progress=on_progress,
        )
    show(found, output_format, output)
