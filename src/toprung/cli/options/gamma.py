"""How γ is read on the command line, as ``spelling`` writes it: quadratic, power:1.5 or planned:20."""

from __future__ import annotations

import click

from toprung.errors import InputError
from toprung.stats.sequences.online import Gamma, read_gamma


class GammaType(click.ParamType[Gamma]):
    """quadratic, power:EXPONENT or planned:CLAIMS."""

    name = "gamma"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:  # noqa: ARG002 - click calls it so
        return "quadratic|power:S|planned:N"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Gamma:
        try:
            return read_gamma(str(value))
        except InputError as error:
            self.fail(str(error), param, ctx)
