"""The command ``toprung``: parses, calls the library, shows what it gives back."""

from __future__ import annotations

import importlib
import os
import sys
from keyword import iskeyword

import click

from toprung.errors import ToprungError
from toprung.version import __version__

USER_ERROR = 2
COMMANDS = (
    "evaluate",
    "leaderboard",
    "compare",
    "significance",
    "standings",
    "timeline",
    "stability",
    "agreement",
    "holdout",
    "power",
    "frontier",
    "seeds",
    "scales",
    "simulate",
    "policy",
    "labels",
    "report",
    "plot",
    "validate",
    "convert",
    "measures",
    "serve",
    "migrate",
    "web",
    "worker",
    "host",
    "publish",
    "export",
    "import",
    "verify",
    "backup",
    "restore",
    "login-link",
    "login",
    "logout",
    "submit",
    "status",
    "board",
)


class LazyCommands(click.Group):
    """Imports a command's module only when that command is run or described."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click calls it so
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002 - click calls it so
        if name not in COMMANDS:
            return None
        python_name = name.replace("-", "_") + ("_" if iskeyword(name) else "")
        module = importlib.import_module(f"toprung.cli.{python_name}")
        command: click.Command = getattr(module, python_name)
        return command


@click.command(cls=LazyCommands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="toprung", message="%(prog)s %(version)s")
def app() -> None:
    """Who really stands on the top rung? Honest evaluation of ranked-retrieval runs."""


def main() -> None:
    """Run the command; what a user can mend is said in one line and exits with 2."""
    # OpenBLAS' idle threads spin before they sleep, which costs more than a small evaluation takes.
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")
    try:
        app()
    except ToprungError as error:
        _fail(str(error))
    except MemoryError:
        _fail("not enough memory for this; a lower --max-bytes refuses large files before they are read.")
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        _fail(f"{place}{error.strerror or error}.")


def _fail(message: str) -> None:
    click.echo(f"toprung: {message}", err=True)
    sys.exit(USER_ERROR)
