"""``toprung host export-judgments`` and ``import-judgments``: between a campaign and the folder of an effort."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from toprung.cli.server.organisers import open_board, organiser_option
from toprung.cli.server.web_options import data_option, need_django
from toprung.errors import InputError
from toprung.labels.effort.effort import Effort
from toprung.words.wording import say_count

if TYPE_CHECKING:
    from toprung.web.core.models.boards import Board
    from toprung.web.core.models.judging import Campaign


@click.command("export-judgments")
@click.argument("slug")
@click.argument("campaign")
@click.argument("folder", type=click.Path(path_type=Path))
@organiser_option
@data_option
def export_judgments(*, slug: str, campaign: str, folder: Path, organiser: str | None, data: Path | None) -> None:
    """Write the records of CAMPAIGN on the board SLUG to FOLDER, for `toprung labels`.

    Without identities. `toprung labels tournament --rule strength` gives the same labels there, byte for byte.
    """
    need_django()
    board, by = open_board(slug, organiser, data)
    found = _find(board, campaign)
    from toprung.web.services.judging.campaigns.export import export_folder

    judgments = export_folder(found, Effort.open_or_create(folder), by=by)
    click.echo(f"{say_count(len(judgments), 'judgment')} of {found.slug} in {folder}, digest {judgments.digest}.")


@click.command("import-judgments")
@click.argument("slug")
@click.argument("campaign")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@organiser_option
@data_option
def import_judgments(*, slug: str, campaign: str, folder: Path, organiser: str | None, data: Path | None) -> None:
    """Add the records of the judging effort in FOLDER to CAMPAIGN on the board SLUG.

    Each once: what is there already stays, and the same folder again adds nothing.
    """
    need_django()
    board, by = open_board(slug, organiser, data)
    found = _find(board, campaign)
    from toprung.web.services.judging.campaigns.importing import take_folder

    n = take_folder(found, Effort.open(folder), by=by)
    click.echo(f"{say_count(n, 'judgment')} added to {found.slug} on {board}.")


def _find(board: Board, name: str) -> Campaign:
    found = board.campaigns.select_related("board", "label_set", "design").filter(slug=name).first()
    if found is None:
        known = ", ".join(board.campaigns.values_list("slug", flat=True)) or "none yet"
        raise InputError(f"Found no campaign '{name}' on {board.slug}; expected one of: {known}.")
    return found
