"""``toprung compare``: is B really better than A?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from toprung.analyses.compare.find import Pair, all_pairs_of, pairs_with
from toprung.analyses.compare.find import compare as compare_runs
from toprung.boards.lin2021.breakdown import FacetName, FacetTest
from toprung.boards.lin2021.verdict import LinRule
from toprung.cli.options.common import alpha_option, output_format_option, output_option, seed_option, show
from toprung.cli.options.correction import correction_option
from toprung.cli.options.facets import facet_option, facet_test_option
from toprung.cli.options.matrix_inputs import MatrixInputs, matrix_inputs
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.errors import InputError
from toprung.report.render import OutputFormat
from toprung.scoring.catalogue import scale_of


@click.command()
@matrix_inputs
@click.option("--baseline", metavar="NAME", help="The run the others are compared with; the first when left out.")
@click.option("--all-pairs", is_flag=True, help="Compare every pair, the earlier run as A.")
@click.option("--rel", type=int, default=1, show_default=True, help="The lowest grade that answers a query.")
@click.option(
    "--mth",
    "mths",
    type=click.IntRange(min=1),
    multiple=True,
    default=(1,),
    show_default=True,
    help="Compare by the m-th such document; repeat for several. Queries that have fewer are left out.",
)
@click.option("--measure", "-m", help="Compare this measure naively instead, such as nDCG@10.")
@facet_option
@facet_test_option
@click.option(
    "--rule",
    type=click.Choice([rule.value for rule in LinRule]),
    default=LinRule.NO_HARM.value,
    show_default=True,
    help="What a claim must show: both facets, or one without harm to the other.",
)
@correction_option("many comparisons")
@alpha_option
@seed_option("bootstrap intervals, and of the permutations that few queries need")
@output_format_option
@output_option
def compare(
    *,
    arguments: tuple[str, ...],
    ranks: str | None,
    scores: str | None,
    cutoff: int,
    float32_ties: bool,
    baseline: str | None,
    all_pairs: bool,
    rel: int,
    mths: tuple[int, ...],
    measure: str | None,
    facet: FacetName,
    facet_test: FacetTest,
    rule: str,
    correction: str,
    alpha: float,
    seed: int,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Say whether one run is really better than another, and in which way.

    QRELS A B [MORE...]: A is the holder or baseline, B and the others challenge it. With --ranks or --scores the
    arguments name the runs wanted, all when left out.

    A query is answered by neither run, by one only, or by both; each outcome is tested on its own. Scores of other
    measures (--scores, --measure) can only be compared naively.
    """
    inputs = MatrixInputs(arguments=arguments, ranks=ranks, scores=scores, cutoff=cutoff, float32_ties=float32_ties)
    is_naive = measure is not None or not inputs.has_ranks
    if is_naive and (rel, mths) != (1, (1,)):
        raise InputError("Found --rel or --mth with scores; expected first ranks: leave out --measure and --scores.")
    matrices: Sequence[FirstRanks | ScoreTable] = (
        [inputs.read_scores(measure)] if is_naive else inputs.read_mth_ranks(rel=rel, mths=tuple(dict.fromkeys(mths)))
    )
    result = compare_runs(
        matrices,
        _pairs(matrices[0].runs, baseline, all_pairs=all_pairs),
        scale=scale_of(measure) if measure else None,
        facet=facet,
        facet_test=facet_test,
        rule=LinRule(rule),
        correction=correction,
        alpha=alpha,
        seed=seed,
    )
    show(result, output_format, output)


def _pairs(runs: tuple[str, ...], baseline: str | None, *, all_pairs: bool) -> list[Pair] | None:
    if all_pairs and baseline:
        raise InputError("Found both --all-pairs and --baseline; expected one of them.")
    if all_pairs:
        return all_pairs_of(runs)
    return pairs_with(baseline, runs) if baseline else None
