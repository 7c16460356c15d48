"""``toprung holdout``: does what the public leaderboard shows hold on private queries?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click
from click.core import ParameterSource

from toprung.analyses.holdout.find import count_steps
from toprung.analyses.holdout.find import holdout as compare_with_private
from toprung.analyses.holdout.published import ScoreHoldout, score_holdout
from toprung.cli.options.common import (
    confidence_option,
    output_format_option,
    output_option,
    seed_option,
    show,
    workers_options,
)
from toprung.cli.options.matrix_inputs import MatrixInputs, matrix_inputs
from toprung.cli.options.measures import one_measure_option
from toprung.cli.options.named_files import read_named
from toprung.cli.options.progress import progress
from toprung.data.formats.runs.files import names_for
from toprung.data.formats.tables.leaderboard_files import read_twice_scored
from toprung.data.formats.tables.metadata_files import read_submissions
from toprung.data.matrices import ScoreTable
from toprung.errors import InputError, NoOverlapError
from toprung.report.render import OutputFormat
from toprung.scoring.evaluate import evaluate
from toprung.words.wording import list_names
from toprung.workers import Workers

OF_LEADERBOARD = ("leaderboard", "public_column", "private_column", "output_format", "output")


@click.command()
@matrix_inputs
@click.option(
    "--private",
    "private_files",
    multiple=True,
    metavar="[NAME=]FILE",
    help="Private labels, or a CSV of scores or ranks where the public ones are one; repeat for several.",
)
@one_measure_option("What is compared, such as nDCG@10; chosen from the labels when left out.")
@click.option(
    "--reference",
    metavar="RUN",
    help="The run that gains are counted from: best a baseline nobody tuned. Without it the earliest of --submissions; "
    "without both the mean of the other runs.",
)
@click.option("--submissions", metavar="FILE", help="A CSV with the columns run, team and date: follow teams too.")
@confidence_option
@click.option("--leaderboard", metavar="FILE", help="A published leaderboard (CSV) with both scores, instead.")
@click.option("--public-column", metavar="NAME", help="Its column of public scores.")
@click.option("--private-column", metavar="NAME", help="Its column of hidden scores.")
@seed_option("the resamples behind intervals and tests")
@workers_options
@output_format_option
@output_option
@click.pass_context
def holdout(
    context: click.Context,
    *,
    arguments: tuple[str, ...],
    ranks: str | None,
    scores: str | None,
    cutoff: int | None,
    rel: int,
    mth: int,
    float32_ties: bool,
    private_files: tuple[str, ...],
    measure: str | None,
    reference: str | None,
    submissions: str | None,
    confidence: float,
    leaderboard: str | None,
    public_column: str | None,
    private_column: str | None,
    seed: int,
    jobs: int,
    backend: str,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Say whether what the public queries show holds on private ones.

    A run that is fitted to the public queries gains there and not on others. For every run the gain over a reference
    is compared between public and private, and so are the two orders of all runs.

    Give public labels, runs and --private LABELS; or --scores PUBLIC --private PRIVATE; or --ranks likewise. From
    --leaderboard FILE the orders can be compared, and nothing tested.
    """
    if leaderboard is not None:
        _refuse_others(context)
        show(_compare_columns(leaderboard, public_column, private_column), output_format, output)
        return
    if public_column or private_column:
        raise InputError("Found --public-column or --private-column without --leaderboard; expected both.")
    if not private_files:
        raise InputError("Found no --private; expected private labels, or a CSV of private scores or ranks.")
    inputs = MatrixInputs(
        arguments=arguments,
        ranks=ranks,
        scores=scores,
        cutoff=cutoff,
        rel=rel,
        mth=mth,
        float32_ties=float32_ties,
        expects_other_queries=True,  # a run holds those of all sets
    )
    private = {
        name: _read_private(_on_private(inputs, path), inputs.settle_measure(measure))
        for name, path in read_named("--private", private_files).items()
    }
    public = inputs.read_scores(measure)
    made = None if submissions is None else read_submissions(submissions)
    with progress(count_steps(private, made), "Comparing") as on_progress:
        found = compare_with_private(
            public,
            private,
            reference=reference,
            submissions=made,
            confidence=confidence,
            seed=seed,
            workers=Workers(count=jobs, backend=backend),
            on_progress=on_progress,
        )
    show(found, output_format, output)


def _on_private(inputs: MatrixInputs, path: str) -> MatrixInputs:
    """The same runs on other labels, or another matrix."""
    if inputs.scores is not None:
        return replace(inputs, scores=path)
    if inputs.ranks is not None:
        return replace(inputs, ranks=path)
    return replace(inputs, arguments=(path, *inputs.arguments[1:]))


def _read_private(inputs: MatrixInputs, measure: str | None) -> ScoreTable:
    """Scores on a private set, of those runs that have a query of it: `holdout` says which do not."""
    try:
        return inputs.read_scores(measure)
    except NoOverlapError:
        labels, *runs = inputs.arguments
        names = dict(zip(runs, names_for(runs), strict=True))  # as all runs together are called
        known = [run for run in runs if _has_labelled_query(run, labels)]
        if not known:
            raise
        table = replace(inputs, arguments=(labels, *known)).read_scores(measure)
        return replace(table, runs=tuple(names[run] for run in known))


def _has_labelled_query(run: str, labels: str) -> bool:
    try:
        evaluate(labels, run, "NumRet")
    except NoOverlapError:
        return False
    return True


def _refuse_others(context: click.Context) -> None:
    """A leaderboard is compared by its columns alone: what else was given would not count."""
    given = [
        name
        for parameter in context.command.params
        if parameter.name not in OF_LEADERBOARD
        and context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
        for name in [max(parameter.opts, key=len) if isinstance(parameter, click.Option) else "runs"]
    ]
    if given:
        raise InputError(
            f"Found --leaderboard with {list_names(given)}; expected it alone, with --public-column and "
            "--private-column: from scores nothing is computed anew or tested."
        )


def _compare_columns(path: str, public_column: str | None, private_column: str | None) -> ScoreHoldout:
    if public_column is None or private_column is None:
        raise InputError("Found --leaderboard without its columns; expected --public-column and --private-column.")
    return score_holdout(read_twice_scored(path, public_column=public_column, private_column=private_column))
