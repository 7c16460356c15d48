"""``toprung plot``: one figure, for a paper, a page or a notebook.

Each kind of figure is a subcommand that takes what the command takes that computes its result: the very same parameters
and the very same function, whose result is then drawn instead of shown.
"""

from __future__ import annotations

from copy import copy
from pathlib import Path
from typing import Any

import click

from toprung.cli.listed import SuggestingCommands
from toprung.cli.options.common import SHOWN_BY
from toprung.cli.options.numbers import NumberRange
from toprung.cli.options.output_file import OutputOption
from toprung.cli.options.plot_output import FigureOutput
from toprung.errors import InputError
from toprung.report.charts.catalogue import FigureKind, all_kinds, kinds_of
from toprung.report.charts.figure import PNG_SCALE, Figure
from toprung.report.render import OutputFormat
from toprung.result import Result
from toprung.words.wording import list_names

FIGURE_OPTIONS: list[click.Parameter] = [
    click.Option(["--dark"], is_flag=True, help="On dark paper, for slides and dark pages."),
    click.Option(
        ["--scale"],
        type=NumberRange(min=0.1, max=20),
        show_default=str(PNG_SCALE),
        help="Pixels for each point of a PNG.",
    ),
]


class FigureCommand(click.Command):
    """Runs another command and draws what it computes."""

    def __init__(self, kind: FigureKind, computes: click.Command) -> None:
        self.kind = kind
        super().__init__(
            name=kind.name,
            params=[_worded_for_figures(each) for each in computes.params if each.name != "output_format"],
            callback=computes.callback,
            help=f"Draw {kind.shows}.\n\nTakes what `toprung {kind.computed_by}` takes:\n\n{computes.help}",
        )

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """With the options of figures, which are not in ``params``: the command that computes does not know them."""
        *own, help_option = super().get_params(ctx)
        return [*own, *FIGURE_OPTIONS, help_option]

    def invoke(self, ctx: click.Context) -> Any:
        wanted = FigureOutput(path=ctx.params["output"], dark=ctx.params.pop("dark"), scale=ctx.params.pop("scale"))

        def draw(result: Result, _path: Path | None) -> None:
            wanted.write(_draw(self.kind, result.to_draw()))

        ctx.meta[SHOWN_BY] = draw
        ctx.params["output_format"] = OutputFormat.TABLE  # what the command takes by default; nothing is written so
        return super().invoke(ctx)


def _worded_for_figures(parameter: click.Parameter) -> click.Parameter:
    """The command's own ``--output``, which may have checks of its own, said for figures."""
    if parameter.name != "output" or not isinstance(parameter, click.Option):
        return parameter
    output = copy(parameter)
    if isinstance(output, OutputOption):
        output.endings = ()  # `FigureOutput` knows those of figures
    output.metavar = "FILE"
    output.help = "Write to this file: .svg, .png, .pdf, .html, or .csv and .json for its data. A pipe gets SVG."
    return output


def _draw(kind: FigureKind, result: Result) -> Figure:
    found = type(result).__name__
    if found != kind.result:
        others = [f"`toprung plot {each.name}`" for each in kinds_of(result)]
        advice = f" {list_names(others)} can draw this one." if others else ""
        raise InputError(f"{kind.name}: found a {found}; expected arguments that give a {kind.result}.{advice}")
    figure = kind.draw(result)
    if figure is None:
        raise InputError(f"{kind.name}: found nothing to draw in this {found}; expected one that tells {kind.shows}.")
    return figure


class FigureCommands(SuggestingCommands):
    """Imports the command behind a figure only when that figure is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click calls it so
        return [kind.name for kind in all_kinds()]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        kind = next((kind for kind in all_kinds() if kind.name == name), None)
        if kind is None:
            return None
        return FigureCommand(kind, _find_command(ctx, kind.computed_by))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click calls it so
        with formatter.section("Figures"):
            formatter.write_dl([(kind.name, f"{kind.shows[0].upper()}{kind.shows[1:]}.") for kind in all_kinds()])


def _find_command(ctx: click.Context, path: str) -> click.Command:
    from toprung.cli.main import app  # here: it imports this module

    command: click.Command | None = app
    for name in path.split():
        command = command.get_command(ctx, name) if isinstance(command, click.Group) else None
    if command is None:
        raise LookupError(path)
    return command


@click.command(cls=FigureCommands, subcommand_metavar="KIND [ARGS]...")
def plot() -> None:
    """Draw one figure and write it to a file.

    Each kind takes the arguments of the command that computes what it shows, and -o FILE.
    """
