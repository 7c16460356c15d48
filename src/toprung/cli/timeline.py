"""``toprung timeline``: who held the top, by score and by evidence?"""

from __future__ import annotations

from pathlib import Path

import click

from toprung.analyses.timeline.find import timeline as follow_timeline
from toprung.analyses.timeline.published import score_timeline
from toprung.boards.claims import RULES, TopRule
from toprung.boards.lin2021.breakdown import FacetName, FacetTest
from toprung.cli.options.common import output_format_option, output_option, show
from toprung.cli.options.facets import facet_option, facet_test_option
from toprung.cli.options.gamma import GammaType
from toprung.cli.options.matrix_inputs import MatrixInputs, matrix_inputs
from toprung.data.formats.tables.leaderboard_files import read_leaderboard
from toprung.data.formats.tables.metadata_files import read_dates, read_metadata
from toprung.data.run_metadata import Metadata
from toprung.errors import InputError
from toprung.report.render import OutputFormat
from toprung.stats.sequences.online import Gamma


@click.command()
@matrix_inputs
@click.option(
    "--dates",
    metavar="FILE",
    help="A CSV or JSON with the columns run and date, and tags or is_baseline if any: when each run was submitted.",
)
@click.option("--tag", "chosen_tags", multiple=True, metavar="TAG", help="Set apart in the figure runs with this tag.")
@click.option("--baseline", "baselines", multiple=True, metavar="RUN", help="A run that was there from the start.")
@click.option(
    "--rule",
    type=click.Choice([str(rule) for rule in RULES]),
    default="no_harm",
    show_default=True,
    help="What a claim to the top rung must show.",
)
@facet_option
@facet_test_option
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="The chance that any false claim is supported, over all of them.",
)
@click.option(
    "--gamma",
    type=GammaType(),
    default="quadratic",
    show_default=True,
    help="How alpha is shared out: 1/(t(t+1)), t^(-S), or evenly over N planned claims.",
)
@click.option("--leaderboard", metavar="FILE", help="A published leaderboard (CSV), instead: scores only.")
@click.option("--score-column", metavar="NAME", help="Which of its columns is the score, if several could be.")
@output_format_option
@output_option
def timeline(
    *,
    arguments: tuple[str, ...],
    ranks: str | None,
    scores: str | None,
    cutoff: int | None,
    float32_ties: bool,
    dates: str | None,
    chosen_tags: tuple[str, ...],
    baselines: tuple[str, ...],
    rule: TopRule,
    facet: FacetName,
    facet_test: FacetTest,
    alpha: float,
    gamma: Gamma,
    leaderboard: str | None,
    score_column: str | None,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Follow the top rung over time.

    By score, the top goes to the highest mean so far. By evidence, the first run holds it, and each later run that
    scores above the holder makes a claim, tested at the level that online fallback gives.

    Give labels and runs, or --ranks FILE; or --leaderboard FILE, from whose scores nothing can be tested. Without
    --dates the runs count as submitted in the order given. In the figure of it (toprung plot timeline) runs that have
    a tag are set apart; --tag says which tags count.
    """
    if leaderboard is not None:
        if arguments or ranks or scores or dates or chosen_tags or baselines:
            raise InputError("Found --leaderboard with runs, ranks or dates; expected it alone: it has its own dates.")
        show(score_timeline(read_leaderboard(leaderboard, score_column=score_column)), output_format, output)
        return
    if score_column is not None:
        raise InputError("Found --score-column without --leaderboard; expected both.")
    inputs = MatrixInputs(arguments=arguments, ranks=ranks, scores=scores, cutoff=cutoff, float32_ties=float32_ties)
    when = None if dates is None else read_dates(dates)
    known = Metadata(entries=()) if dates is None else read_metadata(dates)
    first_ranks = inputs.read_ranks()
    followed = follow_timeline(
        first_ranks,
        when,
        rule=rule,
        facet=facet,
        facet_test=facet_test,
        alpha=alpha,
        gamma=gamma,
        baselines=tuple(dict.fromkeys((*known.select(first_ranks.runs).baselines(), *baselines))),
        tags=_choose_tags(known.tags(), chosen_tags),
    )
    show(followed, output_format, output)


def _choose_tags(known: dict[str, tuple[str, ...]], chosen: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Of each run those that were chosen, or all."""
    there = list(dict.fromkeys(tag for tags in known.values() for tag in tags))
    for tag in chosen:
        if tag not in there:
            expected = f"one of {', '.join(there)}" if there else "a column tags in the file of --dates"
            raise InputError(f"--tag: found '{tag}'; expected {expected}.")
    return {run: tuple(tag for tag in tags if not chosen or tag in chosen) for run, tags in known.items()}
