"""``toprung policy``: what did submissions break of a board's policy?"""

from __future__ import annotations

from pathlib import Path

import click

from toprung.analyses.policy.find import audit_policy
from toprung.boards.policy import Embargo, Policy, SmallChanges, Window
from toprung.cli.options.common import output_format_option, output_option, run_format_option, show
from toprung.cli.options.numbers import NumberRange
from toprung.cli.options.progress import progress
from toprung.data.formats.runs.files import read_run, run_name
from toprung.data.formats.runs.recognise import RunFormat
from toprung.data.formats.tables.metadata_files import read_submissions
from toprung.data.run import Run
from toprung.errors import InputError
from toprung.report.render import OutputFormat

DEFAULT = Policy()


@click.command()
@click.argument("submissions", metavar="SUBMISSIONS")
@click.argument("runs", nargs=-1, metavar="[RUN...]")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=DEFAULT.window.limit,
    show_default=True,
    help="How many runs a team may submit in the window.",
)
@click.option(
    "--days", type=click.IntRange(min=1), default=DEFAULT.window.days, show_default=True, help="How long the window is."
)
@click.option(
    "--rbo",
    type=NumberRange(0, 1, min_open=True),
    default=DEFAULT.small_changes.rbo,
    show_default=True,
    help="Two runs of a team are close from this mean overlap of their top lists on.",
)
@click.option(
    "--identical",
    type=NumberRange(0, 1, min_open=True),
    default=DEFAULT.small_changes.identical,
    show_default=True,
    help="Or from this share of queries with identical top lists on.",
)
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    default=DEFAULT.small_changes.depth,
    show_default=True,
    help="How many documents of each query are looked at.",
)
@click.option(
    "--embargo-months",
    type=click.IntRange(min=0),
    default=DEFAULT.embargo.months,
    show_default=True,
    help="How long a name may be kept back.",
)
@run_format_option
@output_format_option
@output_option
def policy(
    *,
    submissions: str,
    runs: tuple[str, ...],
    limit: int,
    days: int,
    rbo: float,
    identical: float,
    depth: int,
    embargo_months: int,
    run_format: RunFormat | None,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Say which submissions broke a board's policy.

    SUBMISSIONS is a CSV with the columns run, team and date, and embargo_until if names were kept back. Give the
    runs too, named as in that file, to find those of a team that differ by very small changes only.
    """
    rules = Policy(
        window=Window(limit=limit, days=days),
        small_changes=SmallChanges(rbo=rbo, identical=identical, depth=depth),
        embargo=Embargo(months=embargo_months),
    )
    made = read_submissions(submissions)
    top_lists = _read_top_lists(runs, depth, run_format) if runs else None
    with progress(len(made.entries), "Auditing") as on_progress:
        audit = audit_policy(made, top_lists, policy=rules, on_progress=on_progress)
    show(audit, output_format, output)


def _read_top_lists(paths: tuple[str, ...], depth: int, run_format: RunFormat | None) -> dict[str, Run]:
    """The runs by name, cut to what is looked at, so that many fit into memory."""
    found: dict[str, Run] = {}
    with progress(len(paths), "Reading") as on_progress:
        for path in paths:
            name = run_name(path)
            if name in found:
                raise InputError(f"Found two runs called '{name}'; expected each run once.")
            found[name] = read_run(path, name=name, format=run_format).top(depth)
            on_progress(name)
    return found
