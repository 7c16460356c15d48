"""``--format`` is how a result is written, ``--from`` what a file is in: of every command."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest

from toprung.cli.main import app
from toprung.data.formats.runs.recognise import RunFormat
from toprung.report.render import OutputFormat


def leaves(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    if not isinstance(command, click.Group):
        yield " ".join(path), command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found is not None
        yield from leaves(found, (*path, name))


COMMANDS = {path: command for path, command in leaves(app) if not path.startswith("plot")}


@pytest.mark.parametrize("path", COMMANDS)
def test_formats_are_asked_for_in_one_way(path: str) -> None:
    for option in COMMANDS[path].params:
        offered = set(getattr(option.type, "choices", ()))
        if "--format" in option.opts:
            assert offered <= set(OutputFormat), f"{path}: --format is of the output"
            assert "-f" in option.opts
        elif offered and offered <= set(RunFormat):
            assert option.opts in (["--from"], ["--to"]), f"{path}: a format of runs"
