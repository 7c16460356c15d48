"""Options that several commands share, worded once."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from toprung.cli.options.given import was_given
from toprung.cli.options.numbers import NumberRange
from toprung.cli.options.output_file import OutputOption
from toprung.data.formats.content import Limits
from toprung.data.formats.runs.recognise import RunFormat
from toprung.report.render import ENDINGS, PICTURE_ENDINGS, OutputFormat, render
from toprung.result import Result
from toprung.workers import LOKY, THREADING

run_format_option = click.option(
    "--from",
    "run_format",
    type=click.Choice(list(RunFormat), case_sensitive=False),
    help="Format of run files; recognised when left out.",
)
output_format_option = click.option(
    "--format",
    "-f",
    "output_format",
    type=click.Choice(list(OutputFormat), case_sensitive=False),
    default=OutputFormat.TABLE,
    show_default="table",
    help="How the result is written.",
)
output_option = click.option(
    "--output",
    "-o",
    cls=OutputOption,
    endings=(*ENDINGS, *PICTURE_ENDINGS),
    help="Write to this file, not to the screen; without --format its ending says how, such as .csv, .tex or .svg.",
)
max_bytes_option = click.option(
    "--max-bytes",
    type=click.IntRange(min=1),
    default=Limits().max_bytes,
    show_default=True,
    help="Refuse files that hold more, once unpacked.",
)


alpha_option = click.option(
    "--alpha",
    type=NumberRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="The level of the tests.",
)

confidence_option = click.option(
    "--confidence",
    type=NumberRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="Of the intervals.",
)


def seed_option[F: Callable[..., Any]](of: str) -> Callable[[F], F]:
    """``--seed``, which says what is drawn with it."""
    return click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help=f"Of {of}.")


def add_workers_options[F: Callable[..., Any]](command: F, *, count: int, backend: str) -> F:
    """``-j`` and ``--backend``; hand them on with ``Workers(count=jobs, backend=backend)``."""
    for decorate in (
        click.option(
            "--backend",
            metavar="NAME",
            default=backend,
            show_default=True,
            help="What starts the workers: loky (processes), threading, dask, or another of joblib's.",
        ),
        click.option(
            "--jobs",
            "-j",
            type=click.IntRange(min=0),
            default=count,
            show_default="all cores" if count == 0 else True,
            metavar="N",
            help="Work on so many cores, 0 for all; the results are the same.",
        ),
    ):
        command = decorate(command)
    return command


def workers_options[F: Callable[..., Any]](command: F) -> F:
    """For work that Python does itself: in this process unless asked."""
    return add_workers_options(command, count=1, backend=LOKY)


def reading_workers_options[F: Callable[..., Any]](command: F) -> F:
    """For reading, which is compiled code: threads on all cores unless asked."""
    return add_workers_options(command, count=0, backend=THREADING)


type ShowResult = Callable[[Result, Path | None], None]
SHOWN_BY = "toprung.cli.shown_by"
"""The place in a context's ``meta`` for who shows the result instead: so one command can draw what another computes."""


def show(result: Result, output_format: OutputFormat, output: Path | None) -> None:
    """Write a result to a file or to the screen."""
    context = click.get_current_context(silent=True)
    shown_by: ShowResult | None = None if context is None else context.meta.get(SHOWN_BY)
    if shown_by is not None:
        shown_by(result, output)
        return
    if output is not None:
        _write(result, output_format, output)
    elif output_format is OutputFormat.TABLE:
        click.echo(result.to_text(width=terminal_width()))
    else:
        click.echo(render(result, output_format), nl=False)


def _write(result: Result, output_format: OutputFormat, output: Path) -> None:
    """As --format says; without it as the ending of the file does. A pipe has none."""
    from toprung.data.formats.runs.writing import is_stream, replacing  # only here: it loads what packs files

    if not was_given("output_format") and not is_stream(output):
        result.save(output)
        return
    text = render(result, output_format)
    with replacing(output) as target:
        target.write_text(text, encoding="utf-8")


def terminal_width() -> int | None:
    """How many characters a line may have; files and pipes take all."""
    if not sys.stdout.isatty():
        return None
    from shutil import get_terminal_size  # only here: it loads archives

    return get_terminal_size().columns
