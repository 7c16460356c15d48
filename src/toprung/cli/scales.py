"""``toprung scales``: may a measure's values be averaged, or only ordered?"""

from __future__ import annotations

from pathlib import Path

import click

from toprung.analyses.scales.find import GRADES, LENGTH, check_scale, check_scales
from toprung.analyses.scales.observed import check_observed_scale
from toprung.cli.options.common import output_format_option, output_option, show
from toprung.cli.options.matrix_inputs import MatrixInputs
from toprung.errors import InputError
from toprung.report.render import OutputFormat
from toprung.result import Result


@click.command()
@click.argument("measures", nargs=-1, metavar="MEASURE...")
@click.option(
    "--length", metavar="N", type=click.IntRange(min=1), help=f"Documents in a ranking; {LENGTH} when left out."
)
@click.option(
    "--grades",
    metavar="N",
    type=click.IntRange(min=2),
    help=f"How many grades there are; {GRADES} when left out: relevant or not.",
)
@click.option("--qrels", metavar="FILE", help="Look at the values of runs instead: their labels.")
@click.option("--run", "runs", metavar="FILE", multiple=True, help="A run; may be given several times.")
@click.option("--scores", metavar="FILE", help="Look at the values in a CSV of scores, queries × runs, instead.")
@click.option("--ranks", metavar="FILE", help="Look at the RR of a CSV of first relevant ranks instead.")
@output_format_option
@output_option
def scales(
    *,
    measures: tuple[str, ...],
    length: int | None,
    grades: int | None,
    qrels: str | None,
    runs: tuple[str, ...],
    scores: str | None,
    ranks: str | None,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Check whether a measure's values may be averaged, or only ordered.

    Computes each measure on all rankings of --length documents with --grades grades: does it ever fall for a better
    ranking, and are its values equi-spaced? One measure shows its values, several show a row each.

    With --qrels and --run, or --scores, or --ranks, looks instead whether the values seen there are equi-spaced.
    """
    sources = [name for name, given in (("--qrels", qrels), ("--scores", scores), ("--ranks", ranks)) if given]
    if bool(qrels) != bool(runs):
        raise InputError("Found --qrels without --run, or --run without --qrels; expected both.")
    if len(sources) > 1:
        raise InputError(f"Found {' and '.join(sources)}; expected one of them.")
    if not sources:
        show(_try_rankings(measures, length or LENGTH, grades or GRADES), output_format, output)
        return
    _refuse_sizes(sources[0], length=length, grades=grades)
    _check_one_scale(measures, ranks)
    inputs = MatrixInputs(
        arguments=(qrels, *runs) if qrels else (), ranks=ranks, scores=scores, cutoff=None, float32_ties=False
    )
    show(check_observed_scale(inputs.read_scores(*measures)), output_format, output)


def _try_rankings(measures: tuple[str, ...], length: int, grades: int) -> Result:
    if len(measures) == 1:
        return check_scale(measures[0], length=length, grades=grades)
    return check_scales(measures, length=length, grades=grades)


def _refuse_sizes(source: str, **sizes: int | None) -> None:
    """What only trying all rankings has a use for."""
    for name, size in sizes.items():
        if size is not None:
            raise InputError(
                f"Found --{name} with {source}; expected either a measure to try on all rankings, or values to look at."
            )


def _check_one_scale(measures: tuple[str, ...], ranks: str | None) -> None:
    if len(measures) > 1:
        raise InputError(f"Found {len(measures)} measures; expected one where values seen are looked at.")
    if measures and ranks:
        raise InputError(f"Found {measures[0]} with --ranks; expected no measure: ranks give only RR.")
