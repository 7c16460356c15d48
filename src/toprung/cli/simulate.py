"""``toprung simulate``: which policy should a leaderboard open with?"""

from __future__ import annotations

from pathlib import Path

import click

from toprung.analyses.simulate.boards import Setting
from toprung.analyses.simulate.crowns import RULE_NAMES
from toprung.analyses.simulate.find import RELEASES, Pilot
from toprung.analyses.simulate.find import simulate as live_boards
from toprung.analyses.simulate.work import count_steps
from toprung.boards.disclosure.release import Release
from toprung.cli.options.common import output_format_option, output_option, seed_option, show, workers_options
from toprung.cli.options.gamma import GammaType
from toprung.cli.options.matrix_inputs import MatrixInputs, matrix_inputs, measure_option
from toprung.cli.options.numbers import NumberRange
from toprung.cli.options.progress import progress
from toprung.cli.options.release import ReleaseType
from toprung.data.matrices import ScoreTable
from toprung.report.render import OutputFormat
from toprung.stats.sequences.online import Gamma
from toprung.workers import Workers


@click.command()
@matrix_inputs
@measure_option
@click.option(
    "--queries", type=int, default=Setting.queries, show_default=True, help="How many hidden queries there are."
)
@click.option(
    "--submissions", type=int, default=Setting.submissions, show_default=True, help="How many runs a board gets."
)
@click.option(
    "--improvements",
    type=int,
    default=Setting.improvements,
    show_default=True,
    help="How many of them are truly better.",
)
@click.option(
    "--gain",
    "gains",
    type=float,
    multiple=True,
    default=Setting.gains,
    show_default=True,
    help="By how much, in the mean; repeat for more, which are taken in turn.",
)
@click.option(
    "--follow",
    type=float,
    default=Setting.follow,
    show_default=True,
    help="The share of other runs that are as good as the best so far; the rest is as good as the first.",
)
@click.option("--boards", type=int, default=Setting.boards, show_default=True, help="How many boards are made up.")
@click.option(
    "--rule",
    "rules",
    type=click.Choice(RULE_NAMES),
    multiple=True,
    help="What a claim must show; repeat for more, all when left out.",
)
@click.option(
    "--gamma",
    "gammas",
    type=GammaType(),
    multiple=True,
    help="How alpha is shared out; repeat for more. When left out steady:10, planned:SUBMISSIONS and two more.",
)
@click.option(
    "--release",
    "releases",
    type=ReleaseType(),
    multiple=True,
    default=[each.spelling for each in RELEASES],
    show_default=True,
    help="What a team is shown of its scores; repeat for more.",
)
@click.option(
    "--attack",
    type=int,
    default=Setting.attack,
    show_default=True,
    help="How many runs a team hands in that is no better and learns from what it is shown; 0 for no such team.",
)
@click.option(
    "--attackers", type=int, default=Setting.attackers, show_default=True, help="How many such teams are tried."
)
@click.option(
    "--power",
    "pairs",
    type=int,
    default=Setting.pairs,
    metavar="PAIRS",
    help="Draw so many pairs for each gain and way to be better, and see how often the better run passes.",
)
@click.option(
    "--alpha",
    type=NumberRange(0, 1, min_open=True, max_open=True),
    default=Setting.alpha,
    show_default=True,
    help="What all claims share: about the chance that any false one passes.",
)
@seed_option("boards and attacks")
@workers_options
@output_format_option
@output_option
def simulate(
    *,
    arguments: tuple[str, ...],
    ranks: str | None,
    scores: str | None,
    cutoff: int | None,
    rel: int,
    mth: int,
    float32_ties: bool,
    measure: str | None,
    queries: int,
    submissions: int,
    improvements: int,
    gains: tuple[float, ...],
    follow: float,
    boards: int,
    rules: tuple[str, ...],
    gammas: tuple[Gamma, ...],
    releases: tuple[Release, ...],
    attack: int,
    attackers: int,
    pairs: int,
    alpha: float,
    seed: int,
    jobs: int,
    backend: str,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Make up whole leaderboards, and see what each policy gets wrong, before you open one.

    Rules for claims: score (the highest is on top, nothing is tested), naive (the measure at alpha, every time), and at
    the levels of online fallback measure, no_harm and both, decided as a hosted board decides.

    The boards are like document ranking on MS MARCO, or like real runs: give labels and runs, --ranks FILE or --scores
    FILE. From scores only the measure can be tested.
    """
    inputs = MatrixInputs(
        arguments=arguments, ranks=ranks, scores=scores, cutoff=cutoff, rel=rel, mth=mth, float32_ties=float32_ties
    )
    pilot = _read_pilot(inputs, measure)
    n_gains = len(set(gains)) if pairs else 0
    steps = count_steps(
        boards=boards, attack=attack, attackers=attackers, n_gains=n_gains, has_ranks=not isinstance(pilot, ScoreTable)
    )
    with progress(steps, "Simulating") as on_progress:
        found = live_boards(
            queries=queries,
            submissions=submissions,
            improvements=improvements,
            gains=gains,
            follow=follow,
            boards=boards,
            rules=rules or None,
            gammas=gammas or None,
            releases=releases,
            attack=attack,
            attackers=attackers,
            pairs=pairs,
            alpha=alpha,
            pilot=pilot,
            seed=seed,
            workers=Workers(count=jobs, backend=backend),
            on_progress=on_progress,
        )
    show(found, output_format, output)


def _read_pilot(inputs: MatrixInputs, measure: str | None) -> Pilot | None:
    is_given = bool(inputs.arguments) or inputs.ranks is not None or inputs.scores is not None or measure is not None
    return inputs.read(measure) if is_given else None
