"""``toprung labels tournament``: which answers are best, and what labels do they make?"""

from __future__ import annotations

from pathlib import Path

import click

from toprung.analyses.best_answers.find import derive_labels
from toprung.cli.labels.options import choose_votes, rule_options, state_option, voting_options
from toprung.cli.options.common import output_format_option, show
from toprung.cli.options.output_file import OutputOption
from toprung.data.formats.qrels_files import read_qrels
from toprung.labels.best.preference_qrels import QRELS, keep_version
from toprung.labels.best.upkeep import pools_to_challenge, read_challenges, rule_name_in
from toprung.labels.effort.effort import Effort
from toprung.labels.effort.records import parse_records
from toprung.labels.tasks.questions import known_golds
from toprung.labels.tasks.task import Task
from toprung.report.render import OutputFormat


@click.command()
@state_option
@click.option(
    "--output",
    "-o",
    required=True,
    cls=OutputOption,
    metavar="FILE",
    help="Where the new labels go, as TREC qrels; their manifest lies beside them.",
)
@click.option(
    "--qrels", "parent", metavar="FILE", help="The labels these derive from; those of the pools when left out."
)
@rule_options
@click.option(
    "--soft", is_flag=True, help="Make every answer that may be the best a label, with P(best) in percent as its grade."
)
@click.option(
    "--ties/--no-ties",
    default=None,
    help="Behind P(best), take ties for outcomes of their own, not half a win each.  [default: of models' votes]",
)
@click.option(
    "--assessors",
    is_flag=True,
    help="Behind P(best), count votes by how often their assessor is right, golds as known.",
)
@voting_options
@output_format_option
def tournament(
    *,
    state: str,
    output: Path,
    parent: str | None,
    rule: str | None,
    at_least: float | None,
    allow_incomplete: bool,
    soft: bool,
    ties: bool | None,
    assessors: bool,
    policy: str,
    kinds: tuple[str, ...],
    voters: tuple[str, ...],
    output_format: OutputFormat,
) -> None:
    """Make the best answers of each query its labels.

    By strength, the answer that is most probably the best is the label, if that is at least --at-least. By votes, the
    one with most single votes. By elimination, the one that wins most pairs; leaders play again among themselves until
    one is left or they go round in a circle, which makes all of them labels, and a query with a pair that nobody judged
    gets none. Where nothing was pooled, the pool of a query is what was judged. Challenges that are decided count, by
    the rule noted with them. `toprung labels rules` says which rule's labels win votes that it has not seen.
    """
    effort = Effort.open(state)
    judgments, kinds = choose_votes(effort.read_judgments(), voters, kinds)
    labels = effort.manifest.get(QRELS, {}).get("digest") if parent is None else read_qrels(parent)
    report = derive_labels(
        judgments,
        pools_to_challenge(effort, judgments),
        parent=labels,
        policy=policy,
        kinds=kinds,
        voters=voters,
        rule=rule,
        at_least=at_least,
        soft=soft,
        ties=ties,
        assessors=assessors,
        known_golds=known_golds(parse_records(effort, "tasks", Task.from_record)) if assessors else None,
        allow_incomplete=allow_incomplete,
        challenges=read_challenges(effort),
        challenge_rule=rule_name_in(effort),
    )
    keep_version(effort, report.version, output)
    show(report, output_format, None)
