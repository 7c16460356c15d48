"""``toprung holdout``: does what the public leaderboard shows hold on private queries?"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import click

from toprung.analyses.holdout import count_steps
from toprung.analyses.holdout import holdout as compare_with_private
from toprung.analyses.holdout_scores import ScoreHoldout, score_holdout
from toprung.cli.matrix_inputs import MatrixInputs, matrix_inputs
from toprung.cli.options import output_format_option, output_option, seed_option, show
from toprung.cli.progress import progress
from toprung.data.formats.leaderboard_files import read_leaderboard, read_submissions
from toprung.data.formats.run_files import run_name
from toprung.data.matrices import ScoreTable
from toprung.errors import InputError
from toprung.report.render import OutputFormat


@click.command()
@matrix_inputs
@click.option(
    "--private",
    "private_files",
    multiple=True,
    metavar="[NAME=]FILE",
    help="Private labels, or a CSV of scores or ranks where the public ones are one; repeat for several.",
)
@click.option("--measure", "-m", help="What is compared, such as nDCG@10; RR up to the cutoff when left out.")
@click.option("--reference", metavar="RUN", help="The run that gains are counted from: best a baseline nobody tuned.")
@click.option("--submissions", metavar="FILE", help="A CSV with the columns run, team and date: follow teams too.")
@click.option(
    "--confidence",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="Of the intervals.",
)
@click.option("--leaderboard", metavar="FILE", help="A published leaderboard (CSV) with both scores, instead.")
@click.option("--public-column", metavar="NAME", help="Its column of public scores.")
@click.option("--private-column", metavar="NAME", help="Its column of hidden scores.")
@seed_option
@output_format_option
@output_option
def holdout(
    *,
    arguments: tuple[str, ...],
    ranks: str | None,
    scores: str | None,
    cutoff: int,
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
        if arguments or ranks or scores or private_files or submissions:
            raise InputError("Found --leaderboard with runs, scores or submissions; expected it alone.")
        show(_compare_columns(leaderboard, public_column, private_column), output_format, output)
        return
    if public_column or private_column:
        raise InputError("Found --public-column or --private-column without --leaderboard; expected both.")
    if not private_files:
        raise InputError("Found no --private; expected private labels, or a CSV of private scores or ranks.")
    inputs = MatrixInputs(arguments=arguments, ranks=ranks, scores=scores, cutoff=cutoff, float32_ties=float32_ties)
    private = _read_private(inputs, private_files, measure)
    public = inputs.read_scores(measure)
    made = None if submissions is None else read_submissions(submissions)
    with progress(count_steps(private), "Comparing") as on_progress:
        found = compare_with_private(
            public,
            private,
            reference=reference,
            submissions=made,
            confidence=confidence,
            seed=seed,
            on_progress=on_progress,
        )
    show(found, output_format, output)


def _read_private(inputs: MatrixInputs, files: tuple[str, ...], measure: str | None) -> dict[str, ScoreTable]:
    """The same runs on other labels, or other matrices, by the names of the sets."""
    tables: dict[str, ScoreTable] = {}
    for given in files:
        name, path = _split_name(given)
        if name in tables:
            raise InputError(f"Found two private sets called '{name}'; name them apart: --private NAME=FILE.")
        tables[name] = _on_private(inputs, path).read_scores(measure)
    return tables


def _on_private(inputs: MatrixInputs, path: str) -> MatrixInputs:
    if inputs.scores is not None:
        return replace(inputs, scores=path)
    if inputs.ranks is not None:
        return replace(inputs, ranks=path)
    return replace(inputs, arguments=(path, *inputs.arguments[1:]))


def _split_name(given: str) -> tuple[str, str]:
    """NAME=FILE, or a file that names itself."""
    name, equals, path = given.partition("=")
    if equals and name and not os.path.exists(given):
        return name, path
    return run_name(given).removesuffix(".csv").removesuffix(".qrels") or given, given


def _compare_columns(path: str, public_column: str | None, private_column: str | None) -> ScoreHoldout:
    if public_column is None or private_column is None:
        raise InputError("Found --leaderboard without its columns; expected --public-column and --private-column.")
    public = read_leaderboard(path, score_column=public_column)
    return score_holdout(public, read_leaderboard(path, score_column=private_column))
