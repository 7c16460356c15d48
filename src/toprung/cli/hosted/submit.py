"""``toprung submit``: send a run to a hosted board, and see what comes out."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import click

from toprung.cli.hosted.options import connect, need_token, server_option, tell, timeout_option
from toprung.cli.hosted.status import look_at_run
from toprung.cli.options.common import max_bytes_option, output_format_option, output_option, show
from toprung.cli.options.progress import byte_progress
from toprung.client.address import check_label
from toprung.client.checked_file import is_accepted, is_checked, is_dry, say_check, say_dev_scores
from toprung.client.connection import Connection, ServerRefusedError
from toprung.client.following import Following, StillGoingError
from toprung.client.hosted_runs import FAILED
from toprung.client.record import Record
from toprung.client.run_card_file import CardFile, read_card
from toprung.client.sending import Sending, open_file
from toprung.client.submitter import check_may_submit, choose_team, read_quota, say_quota
from toprung.client.submitting import Submitting
from toprung.data.formats.content import Limits
from toprung.data.formats.runs.files import run_name
from toprung.data.formats.runs.validate import validate_run
from toprung.data.run_card import card_fields
from toprung.errors import InputError
from toprung.report.render import OutputFormat
from toprung.words.visible import in_one_line

USER_ERROR, RUN_FAILED, INTERRUPTED = 2, 1, 130
NOTHING_COUNTED = "Nothing was submitted, and nothing was counted."


@click.command()
@click.argument("board")
@click.argument("run", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--meta",
    type=click.Path(dir_okay=False, path_type=Path),
    help=f"A JSON object: {', '.join(each.keys[0] for each in card_fields())}.",
)
@click.option("--team", metavar="SLUG", default="", help="For which of your teams; needed where there are several.")
@click.option("--name", default="", help="What the run is called; that of --meta, or of the file, when left out.")
@click.option(
    "--dry-run",
    is_flag=True,
    help="Have the file checked, and scored on public dev labels; nothing counts. Dev queries alone will do.",
)
@click.option("--yes", "-y", is_flag=True, help="Submit without asking.")
@click.option("--no-wait", is_flag=True, help="Do not wait for the score.")
@click.option("--no-check", is_flag=True, help="Do not check the file here before it is sent.")
@timeout_option
@server_option
@max_bytes_option
@output_format_option
@output_option
@click.pass_context
def submit(
    ctx: click.Context,
    *,
    board: str,
    run: Path,
    meta: Path | None,
    team: str,
    name: str,
    dry_run: bool,
    yes: bool,
    no_wait: bool,
    no_check: bool,
    timeout: float,
    server: str,
    max_bytes: int,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Send the run file RUN to BOARD, have it checked, submit it, and wait for its score.

    BOARD is the address of its page, or the last part of it. A submission is counted; until then nothing is. If the
    line breaks or you stop it, the same command goes on where it was. Exits with 1 where the run could not be scored.
    """
    said = CardFile() if meta is None else read_card(meta)
    card = said.called(name or said.card.name or run_name(run))
    connection, slug = connect(board, server)
    need_token(connection)
    journey = Journey(connection=connection, slug=slug, path=run, timeout=timeout, is_dry_run=dry_run)
    try:
        about = connection.ask(f"boards/{slug}")
        if not no_check and not journey.is_valid_here(about, Limits(max_bytes=max_bytes)):
            ctx.exit(USER_ERROR)
        submitting = Submitting(
            connection=connection, board=slug, team=choose_team(connection.ask("me"), team or said.team), card=card
        )
        quota = read_quota(connection, slug, submitting.team)
        if not dry_run:
            check_may_submit(about, quota)
            submitting.check_card()
        tell(say_quota(quota))
        file = journey.send(submitting.team)
        if file is None:
            ctx.exit(USER_ERROR)
        if dry_run or not (yes or _confirm(submitting)):
            tell(NOTHING_COUNTED)
            return
        label = journey.submit(submitting, file)
        found = look_at_run(connection, slug, label, timeout=None if no_wait else timeout)
    except (KeyboardInterrupt, click.Abort):
        tell(f"\nStopped. {journey.how_to_go_on}")
        ctx.exit(INTERRUPTED)
    except InputError as error:
        if journey.is_submitted or isinstance(error, StillGoingError):
            raise InputError(f"{error} {journey.how_to_go_on}") from None
        raise
    show(found, output_format, output)
    if found.run.text("state") == FAILED:
        ctx.exit(RUN_FAILED)


def _confirm(submitting: Submitting) -> bool:
    """Ask whoever sits there; a script that says nothing means it."""
    if not sys.stdin.isatty():
        return True
    called = in_one_line(submitting.card.name)
    question = f"Submit it as '{called}' for {submitting.team}? It is counted, and cannot be taken back."
    return click.confirm(question, err=True)


@dataclass(kw_only=True)
class Journey:
    """A file on its way to the board, and what to do where it is stopped."""

    connection: Connection
    slug: str
    path: Path
    timeout: float
    is_dry_run: bool = False
    """Then a file with the dev queries alone will do."""
    is_submitted: bool = False
    how_to_go_on: str = f"{NOTHING_COUNTED} The same command goes on with what arrived."

    def is_valid_here(self, board: Record, limits: Limits) -> bool:
        """Whether the file has no fault that can be told without the board's queries; they are shown if it has."""
        depth = board.number("depth")
        found = validate_run(self.path, max_depth=None if depth is None else int(depth), limits=limits)
        if not found.is_valid:
            tell(str(found))
            tell(f"Nothing was sent. {NOTHING_COUNTED}")
        return found.is_valid

    def send(self, team: str) -> str | None:
        """Send the file and show what its check finds; None where it was refused."""
        with open_file(self.path) as file, byte_progress(file.size, "sending") as on_progress:
            identifier = Sending(
                connection=self.connection, board=self.slug, team=team, file=file, on_progress=on_progress
            ).send()
        self.how_to_go_on = f"{NOTHING_COUNTED} The same command sends the file once more."
        return identifier if self._is_accepted(identifier) else None

    def _is_accepted(self, file: str) -> bool:
        """Wait for its check, and show what was found."""
        following = Following(connection=self.connection, timeout=self.timeout, on_change=lambda _: None)
        checked = following.follow(f"boards/{self.slug}/files/{file}", is_checked)
        tell("\n".join(filter(None, (say_check(checked), say_dev_scores(checked)))))
        is_fine = is_accepted(checked) or (self.is_dry_run and is_dry(checked))
        if not is_fine:
            tell(NOTHING_COUNTED)
        return is_fine

    def submit(self, submitting: Submitting, file: str) -> str:
        """Submit it once; returns what the run is called on the board."""
        self.how_to_go_on = submitting.say_unknown()
        try:
            run = submitting.submit(file)
        except ServerRefusedError as refused:
            if is_checked(self.connection.ask(f"boards/{self.slug}/files/{file}")):
                raise
            tell(str(refused))  # the team submitted another run, and the file is compared with that one now
            if not self._is_accepted(file):
                raise
            run = submitting.submit(file)
        label = check_label(run.text("label"))
        self.is_submitted = True
        command = f"toprung status {submitting.address} {label} --follow"
        self.how_to_go_on = f"{label} is submitted, and goes on without you; to follow it: {command}"
        return label
