"""What is each command for? Told before its module is imported, so that ``--help`` starts fast."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from keyword import iskeyword
from typing import Any, Protocol

import click

from toprung.analyses.catalogue import all_analyses
from toprung.analysis import Analysis


class Lists(Protocol):
    """A command in a list: its name, the first paragraph of its help, and how it is come by."""

    @property
    def name(self) -> str: ...

    @property
    def help(self) -> str: ...

    def load(self) -> click.Command: ...


@dataclass(frozen=True)
class Listed:
    """A command ``leave-one-out`` is the function ``leave_one_out`` in the module of that name.

    ``import``, which Python keeps for itself, is ``import_``.
    """

    name: str
    package: str
    """Where its module stands."""
    help: str
    """The first paragraph of what the command says of itself: a test holds them equal."""

    def load(self) -> click.Command:
        python_name = self.name.replace("-", "_") + ("_" if iskeyword(self.name) else "")
        module = importlib.import_module(f"{self.package}.{python_name}")
        command: click.Command = getattr(module, python_name)
        return command


@dataclass(frozen=True)
class RegisteredCommand:
    """The command of an analysis."""

    analysis: Analysis

    @property
    def name(self) -> str:
        return self.analysis.command_path.split()[-1]

    @property
    def help(self) -> str:
        return self.analysis.help.split("\n\n")[0]

    def load(self) -> click.Command:
        command: click.Command = self.analysis.load_command()
        return command


def registered_commands(group: str = "") -> list[RegisteredCommand]:
    """Of all analyses whose command is typed after the name of the group."""
    return [RegisteredCommand(each) for each in all_analyses() if each.command_path.rpartition(" ")[0] == group]


class ListedCommands(click.Group):
    """Imports a command's module only when that command is run or asked for its own help."""

    def __init__(self, *arguments: Any, listed: Callable[[], Sequence[Lists]], **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        self.listed = listed

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click calls it so
        return [each.name for each in self.listed()]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002 - click calls it so
        return next((each.load() for each in self.listed() if each.name == name), None)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click calls it so
        listed = self.listed()
        room = formatter.width - 6 - max(len(each.name) for each in listed)
        with formatter.section("Commands"):
            formatter.write_dl([(each.name, _shorten(each, room)) for each in listed])


def _shorten(listed: Lists, room: int) -> str:
    """As Click shortens the help of a command that it has."""
    return click.Command(listed.name, help=listed.help).get_short_help_str(room)
