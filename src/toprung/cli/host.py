"""``toprung host``: make a board from a file, and bring runs of the past onto it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from toprung.cli.progress import progress
from toprung.cli.web_options import FIRST_ORGANISER, data_option, need_django
from toprung.data.formats.metadata_files import read_metadata
from toprung.errors import InputError
from toprung.wording import say_count

if TYPE_CHECKING:
    from toprung.web.accounts.models import User
    from toprung.web.boards.models import Board

organiser_option = click.option(
    "--organiser", metavar="EMAIL", help="Who does it, as the audit log has it; needed where there are several."
)


@click.group()
def host() -> None:
    """Make boards and fill them, on the machine that hosts them; the server may run or not.

    `toprung serve` hosts what is made here.
    """


@host.command()
@click.argument("file", metavar="BOARD.toml", type=click.Path(path_type=Path))
@organiser_option
@data_option
def create(*, file: Path, organiser: str | None, data: Path | None) -> None:
    """Make a board of the settings and label files that BOARD.toml names.

    Paths are relative to the file. All that is wrong is said at once, and nothing is stored then.
    """
    need_django()
    from toprung.web.serving import set_up

    set_up(data)
    from toprung.web.boards.board_toml import read_board_file
    from toprung.web.boards.creating import create_board

    found = read_board_file(file)
    board = create_board(found.plan, found.labels, by=_find_creator(organiser))
    click.echo(f"{board} is at /b/{board.slug}/, organised by {board.created_by.email}.")


@host.command("import-runs")
@click.argument("slug")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--metadata",
    "metadata_file",
    metavar="FILE",
    required=True,
    help="A CSV or JSON with the columns run, team, date; tags, description, cost, is_baseline and others if known.",
)
@organiser_option
@data_option
def import_runs(*, slug: str, folder: Path, metadata_file: str, organiser: str | None, data: Path | None) -> None:
    """Put the run files of FOLDER onto the board SLUG, all or none, in the order of their dates.

    Each file is checked as an upload is; each run is charged on its day, scored, and held to the board's rules.
    """
    need_django()
    metadata = read_metadata(metadata_file)
    board, by = _open(slug, organiser, data)
    from toprung.web.boards import importing

    with progress(len(metadata.entries), "checking") as tell:
        submissions = importing.import_runs(board, folder, metadata, by=by, on_progress=tell)
    with progress(len(submissions), "scoring") as tell:
        importing.score_now(board, on_progress=tell)
    board.refresh_from_db()
    runs, claims = say_count(len(submissions), "run"), say_count(board.claims.count(), "claim")
    held = f"{board.holder.label} holds the top rung" if board.holder else "nobody holds the top rung"
    click.echo(f"{runs} on {board}: {claims}, {held}.")


@host.command("import-leaderboard")
@click.argument("slug")
@click.argument("file", metavar="LEADERBOARD.csv", type=click.Path(path_type=Path))
@click.option("--score-column", metavar="NAME", default="", help="The column of the score, where there are several.")
@organiser_option
@data_option
def import_leaderboard(*, slug: str, file: Path, score_column: str, organiser: str | None, data: Path | None) -> None:
    """Show the entries of a published leaderboard on the timeline page of the board SLUG.

    They have dates and scores and no run files, so they are shown as such and claim nothing.
    """
    need_django()
    board, by = _open(slug, organiser, data)
    from toprung.web.boards.history import import_history, read_history

    found = read_history(file, file_name=file.name, score_column=score_column)
    import_history(board, found, by=by)
    click.echo(found.sentence)


def _open(slug: str, organiser: str | None, data: Path | None) -> tuple[Board, User]:
    from toprung.web.serving import open_folder

    open_folder(data)
    from toprung.web.boards.models import Board

    board = Board.objects.filter(slug=slug).first()
    if board is None:
        known = ", ".join(Board.objects.order_by("slug").values_list("slug", flat=True)) or "none yet"
        raise InputError(f"Found no board '{slug}'; expected one of those there: {known}.")
    return board, _find_organiser(board, organiser)


def _find_creator(email: str | None) -> User:
    """Who may make boards; the first comes with the name that ``toprung serve`` gives them too."""
    from toprung.web.accounts.models import User
    from toprung.web.serving import find_organiser

    known = list(User.objects.filter(may_create_boards=True, is_active=True).order_by("pk"))
    if email is not None or not known:
        return find_organiser(email or FIRST_ORGANISER)
    return _only(known)


def _find_organiser(board: Board, email: str | None) -> User:
    from toprung.web.boards.models import Role

    roles = board.roles.filter(role=Role.ORGANISER, user__is_active=True).select_related("user").order_by("pk")
    known = [role.user for role in roles if email is None or role.user.email == email.lower()]
    if not known:
        raise InputError(f"Found no organiser {email or ''} of {board.slug}; expected one who organises it.")
    return _only(known)


def _only(known: list[User]) -> User:
    if len(known) > 1:
        raise InputError(f"--organiser: found nobody named; expected one of {', '.join(each.email for each in known)}.")
    return known[0]
