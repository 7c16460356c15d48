"""What does ``--help`` say of every command, and of the commands below it?"""

from __future__ import annotations

from collections.abc import Iterator

import click
from tests.golden.part import Part
from tests.golden.varying import settle

from toprung.cli.main import app

WIDTH = 100


def make_commands_part() -> Part:
    context = click.Context(app, info_name="toprung", terminal_width=WIDTH, max_content_width=WIDTH)
    return Part(name="commands", whole={"help.txt": "\n".join(_describe(app, context))})


def _describe(command: click.Command, context: click.Context) -> Iterator[str]:
    """The command, then those below it."""
    yield f"######## {context.command_path} --help\n\n{settle(command.get_help(context))}\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from _describe(below, click.Context(below, info_name=name, parent=context))
