"""``toprung labels audit``: are a run's answers better than the labels?"""

from __future__ import annotations

from pathlib import Path

import click

from toprung.cli.labels.options import choose_votes, documents_option, tell_torn_lines, voting_options
from toprung.cli.options.common import alpha_option, output_format_option, output_option, show
from toprung.data.formats.judgments.files import read_judgments
from toprung.data.formats.qrels_files import read_qrels
from toprung.data.formats.runs.files import read_run
from toprung.data.formats.tables.text_files import read_texts
from toprung.errors import InputError
from toprung.labels.effort.effort import Effort
from toprung.labels.votes.audit import audit as audit_run
from toprung.labels.votes.audit import documents_to_compare, plan_audit, start_audit
from toprung.labels.votes.outcomes import resolve_pairs
from toprung.report.render import OutputFormat


@click.command()
@click.argument("qrels")
@click.argument("run")
@click.option(
    "--state",
    metavar="DIR",
    is_eager=True,
    callback=tell_torn_lines,
    help="The folder of the judging effort; made if it is missing.",
)
@click.option("--judgments", metavar="FILE", help="Judgments made elsewhere, instead of a state.")
@documents_option
@voting_options
@alpha_option
@output_format_option
@output_option
def audit(
    *,
    qrels: str,
    run: str,
    state: str | None,
    judgments: str | None,
    documents: str | None,
    policy: str,
    kinds: tuple[str, ...],
    voters: tuple[str, ...],
    alpha: float,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Compare one run's first answers with the labels, one pair a query.

    Where RUN puts the label first, the label meets the run's second answer; where not, the run's first. With --state
    the first call keeps these pairs, for `toprung labels tasks` and `judge`; later calls show what was judged so far.
    """
    if (state is None) == (judgments is None):
        raise InputError("Found both or neither of --state and --judgments; expected one of them.")
    labels, ranked = read_qrels(qrels), read_run(run)
    texts = None if documents is None else read_texts(documents, wanted=documents_to_compare(labels, ranked))
    plan = plan_audit(labels, ranked, texts=texts)
    if state is not None:
        effort = Effort.open_or_create(state)
        start_audit(effort, plan)
        made = effort.read_judgments()
    else:
        made = read_judgments(str(judgments)).judgments
    made, kinds = choose_votes(made, voters, kinds)
    outcomes = resolve_pairs(made, policy=policy, kinds=kinds)
    show(audit_run(plan, outcomes, judgments_digest=made.digest, alpha=alpha), output_format, output)
