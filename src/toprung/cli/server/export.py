"""``toprung export``: a board as one signed file."""

from __future__ import annotations

from pathlib import Path

import click

from toprung.cli.options.progress import byte_progress
from toprung.cli.server.ending import undone_if_ended
from toprung.cli.server.organisers import open_board, organiser_option
from toprung.cli.server.web_options import data_option, need_django
from toprung.errors import InputError
from toprung.words.wording import say_count

MEGABYTE = 1_000_000


@click.command()
@click.argument("slug", metavar="BOARD")
@click.option("-o", "--output", metavar="FILE", type=click.Path(path_type=Path), help="BOARD.toprung when left out.")
@click.option("--with-labels", is_flag=True, help="Put the hidden labels in, and what runs score on each query.")
@click.option(
    "--with-texts",
    is_flag=True,
    help="Put the files of queries, passages and the collection in; hidden ones only --with-labels.",
)
@click.option("--reason", metavar="TEXT", help="Why the hidden labels leave this server; goes on record.")
@organiser_option
@data_option
def export(
    *,
    slug: str,
    output: Path | None,
    with_labels: bool,
    with_texts: bool,
    reason: str | None,
    organiser: str | None,
    data: Path | None,
) -> None:
    """Write BOARD into one signed file, with which it can be restored on another server.

    Settings, runs, claims, results, announcements, campaigns and the audit log are in it; hidden labels, and campaigns
    on them, only if asked for, with a reason. Assessors are in it under names drawn for this file alone. It is for
    organisers: names of anonymous teams, exact results and golds are in it. The server may run meanwhile.
    """
    need_django()
    if with_labels != (reason is not None):
        found, missing = ("--with-labels", "--reason") if with_labels else ("--reason", "--with-labels")
        raise InputError(f"Found {found} alone; expected {missing} too: who takes hidden labels says why.")
    board, by = open_board(slug, organiser, data)
    from toprung.web.services.bundle.exporting import export_from_here

    path = output or Path(f"{slug}.toprung")
    with undone_if_ended(), byte_progress(0, "writing") as tell:
        made = export_from_here(board, path, by=by, reason=reason, with_texts=with_texts, tell=tell)
    facts = made.manifest.facts
    runs, claims = say_count(facts.counts["runs"], "run"), say_count(facts.counts["claims"], "claim")
    click.echo(f"{path}: {board}, {runs}, {claims}, {path.stat().st_size / MEGABYTE:.1f} MB.")
    click.echo(f"Signed by key {made.key}.")
    if made.n_anonymous:
        anonymous = say_count(made.n_anonymous, "anonymous run")
        click.echo(f"It tells whose {anonymous} it has: give it to nobody who may not know.")
    if made.n_left:
        files = say_count(made.n_left, "data file")
        click.echo(f"{files} with texts, or hidden, not in it: --with-texts, and --with-labels for hidden ones.")
    if facts.has_hidden_labels:
        click.echo("Hidden labels are in it: keep it as secret as they are.")
    else:
        click.echo("Hidden labels are not in it: where it is imported, the board can be read, and takes no runs.")
