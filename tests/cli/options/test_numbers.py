"""What is no number is outside of every range."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest

from toprung.cli.main import app
from toprung.cli.options.numbers import NumberRange


def options_of(command: click.Command, path: str = "toprung") -> Iterator[tuple[str, click.Parameter]]:
    """Every option of every command that takes a number of a range; those without one are checked where they count."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from options_of(found, f"{path} {name}")
    for each in command.params:
        if isinstance(each.type, click.FloatRange):
            yield f"{path} {each.opts[0]}", each


def test_no_option_takes_what_is_no_number() -> None:
    found = dict(options_of(app))
    assert len(found) > 15
    assert [name for name, each in found.items() if not isinstance(each.type, NumberRange)] == []


@pytest.mark.parametrize("value", ["nan", "-nan", "NaN", "-1", "two"])
def test_what_is_outside_is_refused(value: str) -> None:
    with pytest.raises(click.BadParameter):
        NumberRange(min=0).convert(value, None, None)
    assert NumberRange(min=0).convert("2.5", None, None) == 2.5
