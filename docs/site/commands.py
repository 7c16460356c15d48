"""What does each command take? Written from the commands themselves, as Markdown.

A page says ````` ```{commands} Score runs ````` and gets all commands under that heading of ``toprung --help``.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import click

from toprung.cli.listed import in_groups
from toprung.cli.main import GROUPS, app

COMMANDS = re.compile(r"^```\{commands\} (.+)\n```$", re.MULTILINE)
MARKDOWN = re.compile(r"([\\*_<>\[\]{}#$|])")
OPTION = re.compile(r"(?<![\w-])(--[a-z][\w-]*)")
CODE = re.compile(r"(`[^`]+`)")


def fill_commands(text: str) -> str:
    """The text of a page, with the commands where it asks for them."""
    return COMMANDS.sub(lambda found: "\n".join(describe_group(found[1])), text)


def describe_group(heading: str) -> Iterator[str]:
    """All commands that ``toprung --help`` lists under a heading."""
    with click.Context(app, info_name="toprung") as context:
        for name in in_groups(app.list_commands(context), GROUPS)[heading]:
            command = app.get_command(context, name)
            if command is not None:
                yield from describe(command, click.Context(command, info_name=name, parent=context))


def describe(command: click.Command, context: click.Context) -> Iterator[str]:
    """One command: how it is called, what it does, what it takes; then the commands below it."""
    yield f"## {context.command_path}\n"
    yield f"```text\n{context.get_usage().removeprefix('Usage: ')}\n```\n"
    yield f"{to_markdown(inspect.cleandoc(command.help or ''))}\n"
    for parameter in command.get_params(context):
        if isinstance(parameter, click.Option) and "--help" not in parameter.opts:
            yield describe_option(*(parameter.get_help_record(context) or (parameter.opts[0], "")))
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None:
                yield from describe(below, click.Context(below, info_name=name, parent=context))


def describe_option(written: str, says: str) -> str:
    """How it is written, and what it says of itself, as an entry of a definition list."""
    return f"`{written}`\n: {to_markdown(' '.join(says.split()))}\n"


def to_markdown(text: str) -> str:
    """Help as Click has it: options and what stands in backticks are code, and no other sign is one of Markdown."""
    parts = CODE.split(text.replace("\b\n", "").replace("``", "`"))
    return "".join(part if CODE.fullmatch(part) else _plain(part) for part in parts)


def _plain(text: str) -> str:
    return OPTION.sub(r"`\1`", MARKDOWN.sub(r"\\\1", text))
