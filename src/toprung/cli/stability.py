"""``toprung stability``: would the same runs lead if other queries had been drawn?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import click

from toprung.analyses.stability.find import count_steps
from toprung.analyses.stability.find import stability as draw_trials
from toprung.cli.options.common import (
    alpha_option,
    output_format_option,
    output_option,
    seed_option,
    show,
    workers_options,
)
from toprung.cli.options.matrix_inputs import MatrixInputs, matrix_inputs
from toprung.cli.options.named_files import name_of_file, read_named
from toprung.cli.options.progress import progress
from toprung.data.formats.runs.validate import read_query_ids
from toprung.data.matrices import ScoreTable
from toprung.errors import InputError
from toprung.report.render import OutputFormat
from toprung.scoring.names import split_names
from toprung.stats.ranks.mass import TRIALS
from toprung.workers import Workers


@click.command()
@matrix_inputs
@click.option(
    "--measure",
    "-m",
    "measures",
    multiple=True,
    help="Such as nDCG@10; repeat for more. Chosen from the labels when left out. Names the scores of --scores.",
)
@click.option("--labels", multiple=True, metavar="[NAME=]QRELS", help="More labels for the same runs; repeat for more.")
@click.option(
    "--queries", multiple=True, metavar="[NAME=]FILE", help="Only the queries that a file lists; repeat for more."
)
@click.option(
    "--follow", multiple=True, metavar="RUN", help="Show this run; repeat for more. CSV and JSON always have all."
)
@click.option("--top", type=click.IntRange(min=1), default=5, show_default=True, help="The ranks to show.")
@click.option(
    "--trials", type=click.IntRange(min=1), default=TRIALS, show_default=True, help="How often queries are drawn."
)
@alpha_option
@click.option(
    "--tau", type=click.IntRange(min=1), default=1, show_default=True, help="Ask which runs may be among the best TAU."
)
@seed_option("the trials, and of the resamples behind the intervals")
@workers_options
@output_format_option
@output_option
def stability(
    *,
    arguments: tuple[str, ...],
    ranks: str | None,
    scores: str | None,
    cutoff: int | None,
    rel: int,
    mth: int,
    float32_ties: bool,
    measures: tuple[str, ...],
    labels: tuple[str, ...],
    queries: tuple[str, ...],
    follow: tuple[str, ...],
    top: int,
    trials: int,
    alpha: float,
    tau: int,
    seed: int,
    jobs: int,
    backend: str,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Draw queries anew, many times, and see which ranks each run takes.

    Beside the share of trials at each rank stand confidence intervals for the ranks, and which runs may be best, as on
    the leaderboard.

    Give labels and runs, or --ranks FILE or --scores FILE and, if not all are wanted, the names of runs. With several
    measures, labels or query sets every combination of them is a condition, and the table follows the first runs of
    the first condition, or those of --follow, through all.
    """
    inputs = MatrixInputs(
        arguments=arguments, ranks=ranks, scores=scores, cutoff=cutoff, rel=rel, mth=mth, float32_ties=float32_ties
    )
    query_sets = {name: read_query_ids(path) for name, path in read_named("--queries", queries).items()}
    tables = dict(_read_conditions(inputs, measures, read_named("--labels", labels)))
    conditions = dict(_split_conditions(tables, query_sets)) if query_sets else tables
    with progress(count_steps(conditions), "Drawing") as on_progress:
        found = draw_trials(
            conditions,
            trials=trials,
            top=top,
            follow=follow,
            alpha=alpha,
            tau=tau,
            seed=seed,
            workers=Workers(count=jobs, backend=backend),
            on_progress=on_progress,
        )
    show(found, output_format, output)


def _read_conditions(
    inputs: MatrixInputs, measures: Sequence[str], labels: dict[str, str]
) -> Iterator[tuple[str, ScoreTable]]:
    """A table for each set of labels and each measure, named by what is not the same in all."""
    if inputs.ranks is not None or inputs.scores is not None:
        if labels or len(measures) > 1:
            raise InputError("Found --labels or several measures with a matrix; expected labels and runs for those.")
        yield "", inputs.read_scores(measures[0] if measures else None)
        return
    measures = split_names(measures)
    qrels = inputs.arguments[0] if inputs.arguments else ""
    first = name_of_file(qrels)
    if first in labels:
        raise InputError(f"--labels: found '{first}', the name of {qrels}; expected another name.")
    if labels and not measures:  # one measure for all of them, not one each
        settled = inputs.settle_measure(None)
        measures = [] if settled is None else [settled]
    for name, path in {first: qrels, **labels}.items():
        for table in inputs.read_tables(measures, qrels=path):
            parts = [*([table.measure] if len(measures) > 1 else []), *([name] if labels else [])]
            yield " / ".join(parts), table


def _split_conditions(
    tables: dict[str, ScoreTable], query_sets: dict[str, list[str]]
) -> Iterator[tuple[str, ScoreTable]]:
    for (name, table), (query_set, query_ids) in product(tables.items(), query_sets.items()):
        condition = f"{name} / {query_set}" if name else query_set
        yield condition, table.select_queries(query_ids, name=condition)
