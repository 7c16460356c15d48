"""``toprung labels rescore``: what do better labels do to the leaderboard?"""

from __future__ import annotations

from pathlib import Path

import click

from toprung.analyses.relabel.find import TOP
from toprung.analyses.relabel.find import rescore as rescore_runs
from toprung.cli.labels.options import measure_option
from toprung.cli.options.common import output_format_option, output_option, reading_workers_options, seed_option, show
from toprung.cli.options.progress import progress
from toprung.data.formats.qrels_files import read_qrels
from toprung.data.formats.runs.files import is_irds
from toprung.data.qrels import Qrels
from toprung.labels.best.preference_qrels import PreferenceQrels
from toprung.labels.best.version_files import find_label_file
from toprung.report.render import OutputFormat
from toprung.workers import Workers


@click.command()
@click.argument("original_qrels")
@click.argument("new_qrels")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@measure_option
@click.option(
    "--top",
    type=click.IntRange(min=2),
    default=TOP,
    show_default=True,
    metavar="N",
    help="Say Kendall's τ also among the N runs that were first before.",
)
@seed_option("the bootstrap intervals")
@reading_workers_options
@output_format_option
@output_option
def rescore(
    *,
    original_qrels: str,
    new_qrels: str,
    runs: tuple[str, ...],
    measure: str,
    top: int,
    seed: int,
    jobs: int,
    backend: str,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Score runs under the original and under new labels: who moves, and who does better than perfect?

    Only queries with labels in both files count. The perfect ranking, which puts the original labels first, is scored
    under the new ones as well. Soft labels (`toprung labels tournament --soft`) are drawn from P(best): beside the
    interval over queries stands how far a score moves with the labels, and who may be first.
    """
    original, new = read_qrels(original_qrels), _read_new(new_qrels)
    with progress(2 * len(runs), "Scoring") as on_progress:
        found = rescore_runs(
            original,
            new,
            list(runs),
            measure,
            top=top,
            seed=seed,
            workers=Workers(count=jobs, backend=backend),
            on_progress=on_progress,
        )
    show(found, output_format, output)


def _read_new(place: str) -> Qrels | PreferenceQrels:
    """New labels, with what made them where a manifest lies beside them."""
    if is_irds(place):
        return read_qrels(place)
    found = find_label_file(Path(place))
    qrels = read_qrels(found.path)
    return qrels if found.manifest is None else PreferenceQrels(qrels=qrels, manifest=found.manifest)
