"""``toprung labels rules``: which rule's labels win votes that it has not seen?"""

from __future__ import annotations

from pathlib import Path

import click

from toprung.analyses.rules.find import FOLDS, compare_rules
from toprung.cli.labels.options import choose_votes, kind_option, state_option, voter_option
from toprung.cli.options.common import output_format_option, output_option, seed_option, show
from toprung.labels.best.upkeep import pools_to_challenge
from toprung.labels.effort.effort import Effort
from toprung.labels.effort.records import parse_records
from toprung.labels.tasks.questions import known_golds
from toprung.labels.tasks.task import Task
from toprung.report.render import OutputFormat


@click.command()
@state_option
@click.option(
    "--folds",
    type=click.IntRange(min=2),
    default=FOLDS,
    show_default=True,
    help="Into how many parts votes are put, each held out once.",
)
@kind_option
@voter_option
@seed_option("the parts and the bootstrap intervals")
@output_format_option
@output_option
def rules(
    *,
    state: str,
    folds: int,
    kinds: tuple[str, ...],
    voters: tuple[str, ...],
    seed: int,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Say which rule's labels win votes that it has not seen.

    A part of the votes is put aside, labels are found by elimination, by votes and by strength with the rest, and it is
    counted how often a label wins the votes put aside. Below stands whether a model with ties, or with the accuracy of
    each assessor, makes these votes more probable (`toprung labels tournament --ties --assessors`).
    """
    effort = Effort.open(state)
    judgments, kinds = choose_votes(effort.read_judgments(), voters, kinds)
    found = compare_rules(
        judgments,
        pools_to_challenge(effort, judgments),
        kinds=kinds,
        known_golds=known_golds(parse_records(effort, "tasks", Task.from_record)),
        folds=folds,
        seed=seed,
    )
    show(found, output_format, output)
