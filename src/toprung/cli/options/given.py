"""Which options stand on the command line?"""

from __future__ import annotations

import click
from click.core import ParameterSource

from toprung.errors import InputError


def was_given(option: str) -> bool:
    """Whether an option stands on the command line, be it with its default."""
    context = click.get_current_context(silent=True)
    return context is not None and context.get_parameter_source(option) is ParameterSource.COMMANDLINE


def refuse_if_given(option: str, beside: str, expected: str) -> None:
    """What would have no effect is an error, not silence."""
    if was_given(option):
        raise InputError(f"Found --{option.replace('_', '-')} with {beside}; expected {expected}.")
