"""``toprung power``: what could these queries show?"""

from __future__ import annotations

from pathlib import Path

import click

from toprung.analyses.power.find import power as ask_pilot
from toprung.analyses.power.plan import plan
from toprung.cli.options.common import alpha_option, output_format_option, output_option, show, workers_options
from toprung.cli.options.given import was_given
from toprung.cli.options.matrix_inputs import MatrixInputs, matrix_inputs, measure_option
from toprung.cli.options.numbers import NumberRange
from toprung.errors import InputError
from toprung.report.render import OutputFormat
from toprung.workers import Workers


@click.command()
@matrix_inputs
@measure_option
@click.option("--baseline", metavar="RUN", help="Compare every run with this one; every pair when left out.")
@click.option("--difference", type=float, help="One that would matter: the power to find it, and the queries it needs.")
@click.option("--margin", type=float, help="One that would not matter: which pairs are equivalent within it (TOST).")
@click.option(
    "--power",
    "wanted",
    type=NumberRange(0, 1, min_open=True, max_open=True),
    default=0.8,
    show_default=True,
    help="The chance with which a difference is to be found.",
)
@alpha_option
@click.option("--sd", type=float, help="Without runs: the standard deviation expected of differences by query.")
@click.option("--queries", type=int, help="Without runs: how many queries there would be.")
@workers_options
@output_format_option
@output_option
def power(
    *,
    arguments: tuple[str, ...],
    ranks: str | None,
    scores: str | None,
    cutoff: int | None,
    rel: int,
    mth: int,
    float32_ties: bool,
    measure: str | None,
    baseline: str | None,
    difference: float | None,
    margin: float | None,
    wanted: float,
    alpha: float,
    sd: float | None,
    queries: int | None,
    jobs: int,
    backend: str,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Say which differences the queries could show, and how many queries a smaller one needs.

    From pilot runs: give labels and runs, or --ranks FILE or --scores FILE and, if not all are wanted, the names of
    runs. Without any: give --sd, and --queries or --difference or both.

    The table has up to 15 pairs; --format csv and json have every pair.
    """
    if sd is not None:
        _refuse_runs(
            runs=arguments or ranks or scores,
            baseline=baseline,
            margin=margin,
            measure=measure,
            cutoff=was_given("cutoff"),
            rel=was_given("rel"),
            mth=was_given("mth"),
            float32_ties=float32_ties,
        )
        show(plan(sd=sd, queries=queries, difference=difference, alpha=alpha, power=wanted), output_format, output)
        return
    if queries is not None:
        raise InputError("Found --queries without --sd; expected both, or runs, which tell how many queries there are.")
    inputs = MatrixInputs(
        arguments=arguments, ranks=ranks, scores=scores, cutoff=cutoff, rel=rel, mth=mth, float32_ties=float32_ties
    )
    table = inputs.read_scores(measure)
    found = ask_pilot(
        table,
        baseline=baseline,
        difference=difference,
        margin=margin,
        alpha=alpha,
        power=wanted,
        workers=Workers(count=jobs, backend=backend),
    )
    show(found, output_format, output)


def _refuse_runs(**given: object) -> None:
    """What only runs have a use for."""
    for name, value in given.items():
        if value:
            what = name if name == "runs" else f"--{name.replace('_', '-')}"
            raise InputError(f"Found {what} with --sd; expected either runs, or --sd with --queries or --difference.")
