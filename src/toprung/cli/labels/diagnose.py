"""``toprung labels diagnose``: can these judgments be trusted?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

from toprung.analyses.diagnose.find import diagnose as look_for_signs
from toprung.cli.labels.options import pools_in, state_option
from toprung.cli.options.common import output_format_option, output_option, show
from toprung.labels.effort.effort import Effort
from toprung.labels.effort.records import parse_records
from toprung.labels.judges.answers import ANSWERS, checked
from toprung.labels.judges.noted import family_warnings
from toprung.labels.tasks.assignments import AssignmentStage
from toprung.labels.tasks.questions import known_golds
from toprung.labels.tasks.sitting import Sitting
from toprung.labels.votes.voters import with_people_beside
from toprung.report.render import OutputFormat
from toprung.words.wording import say_count


@click.command()
@state_option
@click.option(
    "--family",
    "families",
    multiple=True,
    metavar="NAME",
    help="Warn of runs whose name holds this family of models; repeat for more. Those of judges are looked for anyway.",
)
@click.option(
    "--assessor",
    "voters",
    multiple=True,
    metavar="NAME",
    help="Look at this one alone; a model still beside people. Repeat for more.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the coins for large pools.")
@output_format_option
@output_option
def diagnose(
    *,
    state: str,
    voters: tuple[str, ...],
    families: tuple[str, ...],
    seed: int,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Look for signs of careless or biased judging.

    Queries whose best answers go in a circle, beside fair coins; the share of left choices; agreement on repeated
    pairs; a language model's agreement with people, beside theirs with each other on the same pairs; golds passed;
    seconds for a pair. Of a model that was asked in both orders: whether it stays with its choice, and how far it leans
    to one side.
    """
    effort = Effort.open(state)
    sitting = Sitting(effort)
    judgments = with_people_beside(effort.read_judgments(), voters)
    answers = parse_records(effort, ANSWERS, checked)
    found = look_for_signs(
        judgments,
        pools=pools_in(effort, judgments),
        answers=[each for each in answers if not voters or each["assessor"] in voters],
        known_golds=known_golds(sitting.tasks.values()),
        remarks=[*_say_work(sitting), *family_warnings(effort, families)],
        seed=seed,
    )
    show(found, output_format, output)


def _say_work(sitting: Sitting[Effort]) -> Iterator[str]:
    if sitting.n_impossible_events:
        n = sitting.n_impossible_events
        yield f"Passed over: {say_count(n, 'event')} of assignments that cannot follow the one before."
    if not sitting.assignments:
        return
    stages = Counter(each.stage for each in sitting.assignments)
    said = ", ".join(f"{stages[stage]:,} {stage}".replace("_", " ") for stage in AssignmentStage if stages[stage])
    yield f"Assignments: {said}."
    for assessor in sitting.desk.blocked(sitting.block):
        n_golds, n_missed = sitting.desk.golds_of(assessor)
        yield f"Blocked: {assessor}, who missed {n_missed} of {say_count(n_golds, 'gold')}."
