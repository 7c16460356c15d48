"""How a release of scores is read on the command line, as ``spelling`` writes it: full, rounded:3 or ladder:0.01."""

from __future__ import annotations

import click

from toprung.boards.disclosure.release import Release, read_release
from toprung.errors import InputError


class ReleaseType(click.ParamType[Release]):
    """full, rounded[:DIGITS], ladder[:STEP] or ladder:free."""

    name = "release"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:  # noqa: ARG002 - click calls it so
        return "full|rounded:D|ladder:STEP|ladder:free"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Release:
        try:
            return read_release(str(value))
        except InputError as error:
            self.fail(str(error), param, ctx)
