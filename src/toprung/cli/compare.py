"""``toprung compare``: is B really better than A?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from toprung.analyses.compare.find import all_pairs_of, pairs_with
from toprung.analyses.compare.find import compare as compare_runs
from toprung.analyses.compare.pair import LIN2021, Pair, PairRule
from toprung.boards.engine.rules import Rule
from toprung.boards.lin2021.breakdown import FacetName, FacetTest
from toprung.cli.options.common import alpha_option, output_format_option, output_option, seed_option, show
from toprung.cli.options.correction import correction_option
from toprung.cli.options.facets import facet_option, facet_test_option
from toprung.cli.options.matrix_inputs import MatrixInputs, matrix_inputs_of_several_mths, measure_option
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.errors import InputError
from toprung.report.render import OutputFormat
from toprung.scoring.catalogue import scale_of


@click.command()
@matrix_inputs_of_several_mths
@click.option("--baseline", metavar="NAME", help="The run the others are compared with; the first when left out.")
@click.option("--all-pairs", is_flag=True, help="Compare every pair, the earlier run as A.")
@measure_option
@click.option(
    "--rule",
    type=click.Choice([*(rule.value for rule in Rule), LIN2021]),
    help=(
        "What a claim must show; no_harm for sparse labels, else measure, when left out. lin2021 gives the verdict of "
        "Lin et al. 2021 instead."
    ),
)
@facet_option
@facet_test_option
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
    cutoff: int | None,
    rel: int,
    mth: tuple[int, ...],
    float32_ties: bool,
    baseline: str | None,
    all_pairs: bool,
    measure: str | None,
    rule: str | None,
    facet: FacetName,
    facet_test: FacetTest,
    correction: str,
    alpha: float,
    seed: int,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Say whether one run is really better than another, and in which way.

    QRELS A B [MORE...]: A is the holder or baseline, B and the others challenge it. With --ranks or --scores the
    arguments name the runs wanted, all when left out.

    Two runs differ if their mean does, beyond chance. Where ranks are there (RR, --ranks), it is also said whether B
    answers more queries, ranks the answers higher, and does no harm; and what the pair would mean as a claim.
    """
    mths = tuple(dict.fromkeys(mth))
    inputs = MatrixInputs(
        arguments=arguments,
        ranks=ranks,
        scores=scores,
        cutoff=cutoff,
        rel=rel,
        mth=mths[0],
        float32_ties=float32_ties,
    )
    matrices = _read(inputs, measure, mths)
    result = compare_runs(
        matrices,
        pairs=_pairs(matrices[0].runs, baseline, all_pairs=all_pairs),
        rule=_rule(inputs, matrices[0], rule),
        scale=scale_of(matrices[0].measure),
        facet=facet,
        facet_test=facet_test,
        correction=correction,
        alpha=alpha,
        tells_paper=inputs.is_sparse,
        seed=seed,
    )
    show(result, output_format, output)


def _read(inputs: MatrixInputs, measure: str | None, mths: Sequence[int]) -> Sequence[FirstRanks | ScoreTable]:
    """One matrix, or one for each document asked for."""
    return inputs.read_mth_ranks(mths=mths) if len(mths) > 1 and measure is None else [inputs.read(measure)]


def _rule(inputs: MatrixInputs, matrix: FirstRanks | ScoreTable, rule: str | None) -> PairRule:
    return LIN2021 if rule == LIN2021 else inputs.rule_for(matrix, rule)


def _pairs(runs: tuple[str, ...], baseline: str | None, *, all_pairs: bool) -> list[Pair] | None:
    if all_pairs and baseline:
        raise InputError("Found both --all-pairs and --baseline; expected one of them.")
    if all_pairs:
        return all_pairs_of(runs)
    return pairs_with(baseline, runs) if baseline else None
