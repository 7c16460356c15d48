"""``toprung host``: make a board from a file, and bring runs of the past onto it."""

from __future__ import annotations

from pathlib import Path

import click

from toprung.cli.listed import SuggestingCommands
from toprung.cli.options.progress import progress
from toprung.cli.server.judgments import export_judgments, import_judgments
from toprung.cli.server.organisers import find_creator, open_board, organiser_option
from toprung.cli.server.web_options import data_option, need_django
from toprung.data.formats.tables.metadata_files import read_metadata
from toprung.words.wording import say_count, say_queries


@click.group(cls=SuggestingCommands)
def host() -> None:
    """Make boards and fill them, on the machine that hosts them; the server may run or not.

    `toprung serve` hosts what is made here.
    """


host.add_command(export_judgments)
host.add_command(import_judgments)


@host.command()
@click.argument("file", metavar="BOARD.toml", type=click.Path(path_type=Path))
@organiser_option
@data_option
def create(*, file: Path, organiser: str | None, data: Path | None) -> None:
    """Make a board of the settings and label files that BOARD.toml names.

    Paths are relative to the file. All that is wrong is said at once, and nothing is stored then.
    """
    need_django()
    from toprung.web.ops.start import open_or_make

    open_or_make(data)
    from toprung.web.services.boards.create import create_board
    from toprung.web.services.boards.defaults import complete
    from toprung.web.services.boards.toml import read_board_file

    found = read_board_file(file)
    why = complete(found.plan, found.labels).why
    board = create_board(found.plan, found.labels, by=find_creator(organiser))
    click.echo(f"{board} is at /b/{board.slug}/, organised by {board.created_by.email}.")
    if why:
        click.echo(f"Chosen from the labels: {why}.")


@host.command("import-runs")
@click.argument("slug")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--metadata",
    "metadata_file",
    metavar="FILE",
    help="A CSV or JSON with the columns run, team, date; tags, description, cost, is_baseline and others if known. "
    "Without it all files are baselines.",
)
@organiser_option
@data_option
def import_runs(
    *, slug: str, folder: Path, metadata_file: str | None, organiser: str | None, data: Path | None
) -> None:
    """Put the run files of FOLDER onto the board SLUG, all or none, in the order of their dates.

    Each file is checked as an upload is; each run is charged on its day, scored, and held to the board's rules.
    """
    need_django()
    metadata = read_metadata(metadata_file) if metadata_file else None
    board, by = open_board(slug, organiser, data)
    from toprung.web.services.boards import import_runs as importing

    n_files = len(metadata.entries) if metadata else sum(path.is_file() for path in folder.glob("[!.]*"))
    with progress(n_files, "checking") as tell:
        submissions = importing.import_runs(board, folder, metadata, by=by, on_progress=tell)
    with progress(len(submissions), "scoring") as tell:
        importing.score_now(board, on_progress=tell)
    board.refresh_from_db()
    runs, claims = say_count(len(submissions), "run"), say_count(board.claims.count(), "claim")
    held = f"{board.holder.run_id} is the holder" if board.holder else "there is no holder"
    click.echo(f"{runs} on {board}: {claims}, {held}.")


@host.command("import-leaderboard")
@click.argument("slug")
@click.argument("file", metavar="LEADERBOARD.csv", type=click.Path(path_type=Path))
@click.option("--score-column", metavar="NAME", default="", help="The column of the score, where there are several.")
@organiser_option
@data_option
def import_leaderboard(*, slug: str, file: Path, score_column: str, organiser: str | None, data: Path | None) -> None:
    """Show the entries of a published leaderboard in the history of the board SLUG.

    They have dates and scores and no run files, so they are shown as such and claim nothing.
    """
    need_django()
    board, by = open_board(slug, organiser, data)
    from toprung.web.services.boards.history import import_history, read_history

    found = read_history(file, file_name=file.name, score_column=score_column)
    import_history(board, found, by=by)
    click.echo(found.sentence)


@host.command("restore-labels")
@click.argument("slug")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@organiser_option
@data_option
def restore_labels(*, slug: str, files: tuple[Path, ...], organiser: str | None, data: Path | None) -> None:
    """Give the board SLUG its labels again, which was imported without them.

    Each FILE is known by its digest. Runs are scored on it anew and must score what is on record; once no set is
    missing, the board takes runs again.
    """
    need_django()
    board, by = open_board(slug, organiser, data)
    from toprung.web.services.bundle.labels_back import restore_labels as put_back

    with progress(len(files), "scoring") as tell:
        restored = put_back(board, files, by=by, on_progress=tell)
    board.refresh_from_db()
    state = "some are still missing" if board.lacks_labels else "it takes runs again"
    click.echo(f"{say_count(len(restored), 'set')} of labels on {board}: {state}.")


@host.command("publish-labels")
@click.argument("slug")
@click.argument("file", type=click.Path(exists=True, path_type=Path))
@click.option("--changes", metavar="TEXT", required=True, help="What is new, for everyone to read; Markdown.")
@click.option(
    "--use",
    type=click.Choice(["official", "private", "dev", "extra"]),
    default="official",
    show_default=True,
    help="Which labels of the board these replace.",
)
@click.option("--set", "name", metavar="NAME", default="", help="The name of the set, where several have that use.")
@click.option(
    "--source",
    type=click.Choice(["given", "preference"]),
    help="Where they come from; known of files that `toprung labels` made, `given` of others.",
)
@click.option("--wait", "waits", is_flag=True, help="Follow the workers until the labels are current.")
@organiser_option
@data_option
def publish_labels(
    *,
    slug: str,
    file: Path,
    changes: str,
    use: str,
    name: str,
    source: str | None,
    waits: bool,
    organiser: str | None,
    data: Path | None,
) -> None:
    """Publish FILE as a new version of the labels of the board SLUG.

    FILE is qrels, or the folder of a judging effort, whose latest labels are taken. The workers score every run on
    them; until that is done the board goes by the labels before.
    """
    need_django()
    from toprung.labels.best.version_files import find_label_file

    board, by = open_board(slug, organiser, data)
    from toprung.cli.hosted.following import follow_version
    from toprung.web.services.labels.access_log import describe
    from toprung.web.services.labels.prepare import preparation_of
    from toprung.web.services.labels.publish import current_version, plan_version, publish

    found = find_label_file(file)
    current = current_version(board, use, name)
    plan = plan_version(current, found.path, found.path.name)
    origin = source or ("preference" if found.is_preference else "given")
    labels = publish(board, current, plan, changes=changes, source=origin, by=by)
    click.echo(f"{board}: labels {describe(labels)} on {say_queries(labels.n_queries)} are published.")
    if waits:
        follow_version(labels)
    elif not labels.is_current:
        runs = say_count(preparation_of(labels).n_runs, "run")
        click.echo(f"The workers score {runs} on them; until then the board goes by {describe(current)}.")
