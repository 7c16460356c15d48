"""``toprung import``: restore a board from its bundle."""

from __future__ import annotations

from pathlib import Path

import click

from toprung.cli.options.progress import byte_progress
from toprung.cli.server.ending import undone_if_ended
from toprung.cli.server.organisers import find_creator, organiser_option
from toprung.cli.server.verify import bundle_argument, check_is_file, key_option
from toprung.cli.server.web_options import data_option, need_django
from toprung.words.visible import in_one_line
from toprung.words.wording import say_count


@click.command("import")
@bundle_argument
@key_option
@click.option("--join-teams", is_flag=True, help="Teams of the same name here are the same: they get their runs.")
@organiser_option
@data_option
def import_(*, file: Path, key: str | None, join_teams: bool, organiser: str | None, data: Path | None) -> None:
    """Restore the board in FILE, which `toprung export` wrote on another server, or on this one before.

    All of the file is verified first. The board has the same standings, claims and audit log, which goes on from
    there; who imports it organises it. Teams come without members, people by their names alone: invite them anew.
    """
    need_django()
    check_is_file(file)
    from toprung.boards.archive.verifying import verify_bundle

    with byte_progress(file.stat().st_size, "verifying") as tell:
        verified = verify_bundle(file, key=key, tell=tell)
    from toprung.web.ops.start import open_or_make

    open_or_make(data)
    from toprung.web.services.bundle.restoring import restore_board

    counts = verified.bundle.facts.counts
    with undone_if_ended(), byte_progress(file.stat().st_size, "restoring") as tell:
        made = restore_board(verified, by=find_creator(organiser), joins_teams=join_teams, tell=tell)
    board = made.board
    runs, claims = say_count(counts["runs"], "run"), say_count(counts["claims"], "claim")
    click.echo(f"{board} is at /b/{board.slug}/, organised by {board.created_by.email}: {runs}, {claims}.")
    made_by = in_one_line(verified.bundle.facts.made_by)
    click.echo(f"Made by {made_by}, signed by key {verified.bundle.signature.fingerprint}.")
    for each in made.renamed:
        click.echo(f"{each}.")
    if board.lacks_labels:
        click.echo(
            "Its hidden labels were not in the file: it can be read, and takes no runs until they are given again "
            f"(toprung host restore-labels {board.slug} FILE...)."
        )
