"""``toprung labels tournament``: which answers are best, and what labels do they make?"""

from __future__ import annotations

from pathlib import Path

import click

from toprung.analyses.best_answers.find import derive_labels
from toprung.cli.labels.options import keep_off_state, state_option, voting_options
from toprung.cli.options.common import output_format_option, show
from toprung.cli.options.output_file import OutputFile
from toprung.data.formats.qrels_files import read_qrels
from toprung.labels.best.preference_qrels import QRELS, keep_version
from toprung.labels.best.upkeep import pools_to_challenge, read_challenges, rule_name_in
from toprung.labels.effort.effort import Effort
from toprung.report.render import OutputFormat


@click.command()
@state_option
@click.option(
    "--output",
    "-o",
    required=True,
    type=OutputFile(),
    callback=keep_off_state,
    metavar="FILE",
    help="Where the new labels go, as TREC qrels; their manifest lies beside them.",
)
@click.option(
    "--qrels", "parent", metavar="FILE", help="The labels these derive from; those of the pools when left out."
)
@click.option("--allow-incomplete", is_flag=True, help="Let the judged pairs decide where others are missing.")
@voting_options
@output_format_option
def tournament(
    *,
    state: str,
    output: Path,
    parent: str | None,
    allow_incomplete: bool,
    policy: str,
    kinds: tuple[str, ...],
    output_format: OutputFormat,
) -> None:
    """Make the best answers of each query its labels.

    The answer that wins most pairs is best; leaders play again among themselves until one is left or they go round in a
    circle, which makes all of them labels. A query with a pair that nobody judged gets none. Where nothing was pooled,
    the pool of a query is what was judged. Challenges that are decided count, by the rule noted with them.
    """
    effort = Effort.open(state)
    judgments = effort.read_judgments()
    labels = effort.manifest.get(QRELS, {}).get("digest") if parent is None else read_qrels(parent)
    report = derive_labels(
        judgments,
        pools_to_challenge(effort, judgments),
        parent=labels,
        policy=policy,
        kinds=kinds,
        allow_incomplete=allow_incomplete,
        challenges=read_challenges(effort),
        rule=rule_name_in(effort),
    )
    keep_version(effort, report.version, output)
    show(report, output_format, None)
