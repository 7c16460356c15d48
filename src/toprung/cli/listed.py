"""What is each command for? Told before its module is imported, so that ``--help`` starts fast."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from keyword import iskeyword
from typing import TYPE_CHECKING, Any, Protocol

import click

from toprung.analyses import catalogue
from toprung.analysis import Place, load
from toprung.records import record

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class Lists(Protocol):
    """A command in a list: its name, the first paragraph of its help, and how it is come by."""

    @property
    def name(self) -> str: ...

    @property
    def help(self) -> str: ...

    def load(self) -> click.Command: ...


@record
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


@record
class RegisteredCommand:
    """The command of an analysis: what is typed for it, and where it is registered."""

    path: str
    place: Place

    @property
    def name(self) -> str:
        return self.path.split()[-1]

    @property
    def help(self) -> str:
        return first_paragraph(load(self.place).help)

    def load(self) -> click.Command:
        command: click.Command = load(self.place).load_command()
        return command


def first_paragraph(help_text: str) -> str:
    return help_text.split("\n\n", maxsplit=1)[0]


def registered_commands(group: str = "") -> list[RegisteredCommand]:
    """Of all analyses whose command is typed after the name of the group."""
    return [RegisteredCommand(*each) for each in catalogue.ANALYSES.items() if each[0].rpartition(" ")[0] == group]


type Groups = Mapping[str, Sequence[str]]
"""Commands by their heading. Those that no heading names stand under the one that names ``OTHERS``."""
OTHERS = "…"


class SuggestingCommands(click.Group):
    """Says what may have been meant by a command that is not there."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As Click does, which knows only commands that are loaded."""
        name, known = args[0], self.list_commands(ctx)
        if name in known or name.startswith("-") or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        from difflib import get_close_matches  # only here and below: what a command without a fault does not need

        meant = " or ".join(f"'{each}'" for each in get_close_matches(name, known))
        raise click.UsageError(f"No such command '{name}'." + (f" Did you mean {meant}?" if meant else ""), ctx=ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Each with its whole first paragraph: Click breaks it off in the middle of what a command is for."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl([(name, first_paragraph(each.help or "")) for name, each in commands if each])


class ListedCommands(SuggestingCommands):
    """Imports a command's module only when that command is run or asked for its own help."""

    def __init__(
        self,
        *arguments: Any,
        listed: Callable[[], Sequence[Lists]],
        groups: Groups | None = None,
        **attributes: Any,
    ) -> None:
        super().__init__(*arguments, **attributes)
        self.listed = listed
        self.groups: Groups = groups or {"Commands": (OTHERS,)}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click calls it so
        return [each.name for each in self.listed()]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002 - click calls it so
        return next((each.load() for each in self.listed() if each.name == name), None)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Commands without loading them, then options."""
        from click.shell_completion import CompletionItem

        commands = [
            CompletionItem(each.name, help=each.help) for each in self.listed() if each.name.startswith(incomplete)
        ]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click calls it so
        listed = {each.name: each for each in self.listed()}
        widest = max(map(len, listed))
        for heading, names in in_groups(list(listed), self.groups).items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(widest), listed[name].help) for name in names])


def in_groups(names: Sequence[str], groups: Groups) -> dict[str, list[str]]:
    """The names under their headings, in the order of the headings.

    >>> in_groups(["b", "new", "a"], {"Letters": ("a", "b"), "Words": (OTHERS,)})
    {'Letters': ['a', 'b'], 'Words': ['new']}
    """
    named = {name for group in groups.values() for name in group}
    others = [name for name in names if name not in named]
    return {
        heading: [*(each for each in group if each in names), *(others if OTHERS in group else ())]
        for heading, group in groups.items()
    }
