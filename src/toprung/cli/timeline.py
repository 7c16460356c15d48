"""``toprung timeline``: which submissions proved an improvement when they came?"""

from __future__ import annotations

from pathlib import Path

import click

from toprung.analyses.timeline.find import timeline as follow_timeline
from toprung.analyses.timeline.published import score_timeline
from toprung.boards.engine.margins import Margins
from toprung.cli.options.common import output_format_option, output_option, show
from toprung.cli.options.gamma import GAMMA_HELP, GammaType
from toprung.cli.options.margins import margin_options
from toprung.cli.options.matrix_inputs import MatrixInputs, matrix_inputs, measure_option, rule_option
from toprung.cli.options.numbers import NumberRange
from toprung.data.formats.tables.leaderboard_files import read_leaderboard
from toprung.data.formats.tables.metadata_files import read_dated_metadata
from toprung.data.run_metadata import Metadata
from toprung.errors import InputError
from toprung.report.render import OutputFormat
from toprung.stats.sequences.online import Gamma


@click.command()
@matrix_inputs
@measure_option
@click.option(
    "--dates",
    metavar="FILE",
    help="A CSV or JSON with the columns run and date, and tags or is_baseline if any: when each run was submitted.",
)
@click.option("--tag", "chosen_tags", multiple=True, metavar="TAG", help="Set apart in the figure runs with this tag.")
@click.option("--baseline", "baselines", multiple=True, metavar="RUN", help="A run that was there from the start.")
@rule_option
@margin_options
@click.option(
    "--alpha",
    type=NumberRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="What all claims share: about the chance that any false one passes.",
)
@click.option(
    "--gamma",
    type=GammaType(),
    default="steady:10",
    show_default=True,
    help=GAMMA_HELP,
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
    rel: int,
    mth: int,
    float32_ties: bool,
    measure: str | None,
    dates: str | None,
    chosen_tags: tuple[str, ...],
    baselines: tuple[str, ...],
    rule: str | None,
    margin_answered: float | None,
    margin_ranking: float | None,
    alpha: float,
    gamma: Gamma,
    leaderboard: str | None,
    score_column: str | None,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Follow claims over time: which submissions proved an improvement when they came.

    By score, the top goes to the highest mean so far. By evidence, the first run is to be beaten, and each later run
    that scores above it makes a claim, tested at the level that online fallback gives; if the claim passes, that run is
    to be beaten next.

    Give labels and runs, --ranks FILE or --scores FILE; or --leaderboard FILE, from whose scores nothing can be tested.
    Without --dates the runs count as submitted in the order of the command line. In the figure of it (toprung plot
    timeline) runs that have a tag are set apart; --tag says which tags count.
    """
    if leaderboard is not None:
        if arguments or ranks or scores or dates or chosen_tags or baselines or measure or rule:
            raise InputError(
                "Found --leaderboard with runs, ranks, dates, a measure or rule; expected it alone: it has only scores."
            )
        show(score_timeline(read_leaderboard(leaderboard, score_column=score_column)), output_format, output)
        return
    if score_column is not None:
        raise InputError("Found --score-column without --leaderboard; expected both.")
    inputs = MatrixInputs(
        arguments=arguments, ranks=ranks, scores=scores, cutoff=cutoff, rel=rel, mth=mth, float32_ties=float32_ties
    )
    matrix = inputs.read(measure)
    named = Metadata(entries=()) if dates is None else read_dated_metadata(dates)
    known = named.select(matrix.runs)
    followed = follow_timeline(
        matrix,
        dates=None if dates is None else known.dates(),
        rule=inputs.rule_for(matrix, rule),
        alpha=alpha,
        gamma=gamma,
        margins=Margins(answered=margin_answered, ranking=margin_ranking),
        baselines=tuple(dict.fromkeys((*known.baselines(), *baselines))),
        tags=_choose_tags(named, chosen_tags, matrix.runs),
    )
    show(followed, output_format, output)


def _choose_tags(named: Metadata, chosen: tuple[str, ...], runs: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Of each run those that were chosen, or all."""
    there = list(dict.fromkeys(tag for tags in named.tags().values() for tag in tags))
    for tag in chosen:
        if tag not in there:
            expected = f"one of {', '.join(there)}" if there else "a column tags in the file of --dates"
            raise InputError(f"--tag: found '{tag}'; expected {expected}.")
    known = named.select(runs).tags()
    return {run: tuple(tag for tag in tags if not chosen or tag in chosen) for run, tags in known.items()}
