"""``toprung judge``: the desk of a hosted campaign, in the terminal."""

from __future__ import annotations

import click

from toprung.cli.hosted.options import connect, need_token, server_option
from toprung.cli.options.keyboard import at_terminal, read_key
from toprung.client.hosted_desk import HostedDesk, find_desk
from toprung.client.judging_there import judge_task, take_back, try_example
from toprung.client.record import Record
from toprung.labels.judges.session import Session
from toprung.labels.judges.terminal import ENDS, TerminalJudge, clean
from toprung.labels.tasks.protocol import LeaveError, QuitError
from toprung.words.wording import say_count

INTERRUPTED = 130
LEAVES = "Leave this task for good? What you answered is paid by its share, and the pairs go to someone else."
LAST_PAIR = "That was the last pair.  h hand in · u undo · q save and quit"


@click.command()
@click.argument("board")
@click.option("--campaign", metavar="NAME", help="Which, where several of the board give out work.")
@click.option(
    "--tasks", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help="At most N tasks now."
)
@server_option
def judge(*, board: str, campaign: str | None, tasks: int, server: str) -> None:
    """Judge pairs of a campaign of BOARD that you are invited to, in the terminal.

    As on the pages: consent, guidelines with a pair to try, then a task of some pairs, each answered by one key. Every
    answer is kept at once and once; quit when you like, here or in a browser you go on where you were. Who leaves a
    task early is paid for what was answered. It needs a token with the scope judge (toprung login).
    """
    connection, slug = connect(board, server)
    need_token(connection)
    desk = find_desk(connection, slug, campaign)
    session = Session()
    try:
        _sit_down(desk, session, tasks)
    except QuitError:
        session.ended = "quit"
    except KeyboardInterrupt:
        click.echo("Interrupted; every answer is kept, and the same command goes on from here.", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None
    ended = " Ended: quit; the same command goes on from here." if session.ended else ""
    click.echo(f"{say_count(session.n_pairs, 'pair')} judged.{ended}")


def _sit_down(desk: HostedDesk, session: Session, tasks: int) -> None:
    about = desk.look()
    screen = at_terminal("", allows_ties=about.claim("allows_ties"), can_leave=True)
    if about.text("step") == "consent":
        agreed = _ask_consent(desk, about)
        if agreed is None:
            return
        about = agreed
    if about.text("step") == "guidelines":
        _show_guidelines(desk, about)
    for _ in range(tasks):
        task = desk.take_task()
        click.echo(f"{say_count(task.n_pairs, 'pair')}; pays {task.pay}.")
        if not _judge_all(desk, screen, session) or not _hand_in(desk, session, screen):
            return


def _judge_all(desk: HostedDesk, screen: TerminalJudge, session: Session) -> bool:
    """Whether all of the task is answered; not where someone quits, or leaves and means it."""
    while True:
        try:
            return judge_task(desk, screen, session, click.echo)
        except LeaveError:
            if _leave(desk):
                return False


def _leave(desk: HostedDesk) -> bool:
    click.echo(f"{LEAVES}  y leave · any other key goes on")
    if read_key().lower() != "y":
        return False
    receipt = desk.leave()
    answered = f"{receipt.whole('n_answered')} of {say_count(receipt.whole('n_pairs'), 'pair')} answered"
    click.echo(f"Left early: {answered}, which pays {receipt.text('pay')}. Thank you.")
    return True


def _ask_consent(desk: HostedDesk, about: Record) -> Record | None:
    """None where someone does not agree."""
    click.echo(clean(str(about.fields.get("consent") or "")))
    agrees = click.confirm("Do you agree?", default=False)
    after = desk.consent(version=about.whole("consent_version"), agree=agrees)
    if agrees:
        return after
    click.echo("You did not agree, so nothing was asked and nothing is kept.")
    return None


def _show_guidelines(desk: HostedDesk, about: Record) -> None:
    click.echo(clean(str(about.fields.get("guidelines") or "")))
    *worked, trial = about.records("examples")
    for each in worked:
        click.echo(f"\nExample: {each.text('question')}\n[1] {each.text('left')}\n[2] {each.text('right')}")
        click.echo(f"Better: {'1' if each.text('better') == 'left' else '2'}. {each.text('why')}")
    told = try_example(desk, at_terminal("", allows_ties=False), trial)
    click.echo(f"{'Yes.' if told.claim('is_right') else 'Not quite.'} {told.text('why')}")


def _hand_in(desk: HostedDesk, session: Session, screen: TerminalJudge) -> bool:
    """Until here the last answer can be taken back."""
    while True:
        click.echo(LAST_PAIR)
        key = read_key().lower()
        if key == "h":
            break
        if key == "u":
            take_back(desk, desk.start(), session)
            if not _judge_all(desk, screen, session):
                return False
        elif key == "q" or key in ENDS:
            session.ended = "quit"
            return False
    receipt = desk.hand_in()
    click.echo(f"Handed in: {say_count(receipt.whole('n_answered'), 'pair')}, {receipt.text('pay')}. Thank you.")
    return receipt.claim("may_go_on")
