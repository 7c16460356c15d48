"""The command ``toprung``: parses, calls the library, shows what it gives back."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Sequence

import click

from toprung.cli.listed import OTHERS, Listed, ListedCommands, Lists, registered_commands
from toprung.data.formats.whole_files import say_missing_folder
from toprung.errors import FormatError, ToprungError
from toprung.version import __version__
from toprung.words.visible import in_one_line, spell_hidden

USER_ERROR = 2
OBJECTS_BEFORE_COLLECTING = 100_000
"""Loading a command makes tens of thousands of objects, all of which stay: to look for garbage among them takes a tenth
of a small evaluation."""
OWN = "toprung.cli"
FILES, HOSTED, SERVER = f"{OWN}.files", f"{OWN}.hosted", f"{OWN}.server"
OTHER_COMMANDS = (
    Listed("labels", OWN, "Pool answers, compare them two at a time, and derive new labels."),
    Listed("report", OWN, "Write one page with everything there is to know of some runs."),
    Listed("plot", OWN, "Draw one figure and write it to a file."),
    Listed("validate", FILES, "Check a run file and report every fault, with line numbers."),
    Listed("convert", FILES, "Write a run in another format, in ranking order."),
    Listed("measures", FILES, "List the measures, with their parameters and defaults."),
    Listed("serve", SERVER, "Host leaderboards with hidden labels: a web server and workers, until Ctrl-C."),
    Listed(
        "migrate", SERVER, "Make the tables of a board, or bring them and the static files to this version of Toprung."
    ),
    Listed("web", SERVER, "Run the web server of a board alone, until Ctrl-C or SIGTERM."),
    Listed("worker", SERVER, "Check and score runs and compute what pages show, until Ctrl-C or SIGTERM."),
    Listed("host", SERVER, "Make boards and fill them, on the machine that hosts them; the server may run or not."),
    Listed("publish", SERVER, "Write the public pages of BOARD into DIR, as files that need no server."),
    Listed("export", SERVER, "Write BOARD into one signed file, with which it can be restored on another server."),
    Listed(
        "import",
        SERVER,
        "Restore the board in FILE, which `toprung export` wrote on another server, or on this one before.",
    ),
    Listed("verify", SERVER, "Check a bundle that `toprung export` wrote: every byte of it, and what it says."),
    Listed("backup", SERVER, "Write the database and all files of a server to a new FILE, while the server runs."),
    Listed("restore", SERVER, "Bring back what FILE holds, into a place that is empty: no database, no files."),
    Listed("login-link", SERVER, "Print a link that lets EMAIL into a board without a password, once, for a day."),
    Listed("login", HOSTED, "Keep a token for the boards at URL, so that you can submit from here."),
    Listed("logout", HOSTED, "Forget the token for the boards at URL; it may be left out where there is only one."),
    Listed(
        "data",
        HOSTED,
        "Fetch what BOARD offers to work with, all files or those of these NAMES, and check that each is whole.",
    ),
    Listed("judge", HOSTED, "Judge pairs of a campaign of BOARD that you are invited to, in the terminal."),
    Listed("submit", HOSTED, "Send the run file RUN to BOARD, have it checked, submit it, and wait for its score."),
    Listed("status", HOSTED, "Show how far the runs of your teams on BOARD are, or RUN alone, such as R32."),
    Listed(
        "board",
        HOSTED,
        "Show the leaderboard of BOARD, in order of score: the address of its page, or the last part of it.",
    ),
)


GROUPS = {
    "Score runs": ("evaluate", "measures", "validate", "convert", "plot", "report"),
    "Compare runs": ("compare", "significance", "standings", OTHERS),
    "Boards": (
        *("leaderboard", "timeline", "policy", "simulate"),
        *("login", "data", "submit", "status", "board", "judge", "logout"),
    ),
    "Labels": ("labels",),
    "Host boards": (
        *("serve", "host", "publish", "login-link", "web", "worker", "migrate"),
        *("export", "import", "verify", "backup", "restore"),
    ),
}


def all_commands() -> Sequence[Lists]:
    """Those of analyses, then the others."""
    return [*registered_commands(), *OTHER_COMMANDS]


@click.command(
    cls=ListedCommands,
    listed=all_commands,
    groups=GROUPS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="toprung", message="%(prog)s %(version)s")
def app() -> None:
    """Who really stands on the top rung? Honest evaluation of ranked-retrieval runs."""


def main() -> None:
    """Run the command; what a user can mend is said in at most three lines and exits with 2."""
    # OpenBLAS' idle threads spin before they sleep, which costs more than a small evaluation takes.
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")
    gc.set_threshold(OBJECTS_BEFORE_COLLECTING)
    atexit.register(gc.freeze)  # else Python looks for garbage among all of them once more, before it ends
    try:
        sys.exit(app(standalone_mode=False))
    except click.ClickException as error:
        _fail_by_usage(error)
    except click.Abort:
        click.echo("Aborted!", err=True)
        sys.exit(1)
    except FormatError as error:
        _fail(in_one_line(str(error)))  # it quotes what others wrote
    except ToprungError as error:
        _fail(str(error))
    except MemoryError:
        _fail("not enough memory for this; a lower --max-bytes refuses large files before they are read.")
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        _fail(_say_of_file(error))
    except Exception as error:
        if said := _say_of_database(error):
            _fail(said)
        raise


def _fail(message: str) -> None:
    click.echo(f"toprung: {spell_hidden(message)}", err=True)
    sys.exit(USER_ERROR)


def _fail_by_usage(error: click.ClickException) -> None:
    """What was found, how the command is called, and where to read on: a line each."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
        sys.exit(USER_ERROR)
    message = " ".join(error.format_message().split())
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is not None:
        usage = " ".join(context.get_usage().split())
        message = f"{message}\n{usage}\nTry '{context.command_path} --help' for help."
    _fail(message)


def _say_of_database(error: Exception) -> str:
    """Empty where it is no fault of a board's database."""
    if type(error).__module__ != "django.db.utils":
        return ""
    from toprung.web.core.config.databases import explain

    return str(explain(error) or "")


def _say_of_file(error: OSError) -> str:
    name = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else ""
    if isinstance(error, FileNotFoundError) and (missing := say_missing_folder(name)):
        return missing
    return f"{name}: {error.strerror or error}." if name else f"{error.strerror or error}."
