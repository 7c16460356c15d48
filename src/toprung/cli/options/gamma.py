"""How γ is read on the command line, as ``spelling`` writes it: steady:10, planned:20, power:1.5 or quadratic."""

from __future__ import annotations

import click

from toprung.errors import InputError
from toprung.stats.sequences.online import Gamma, read_gamma

GAMMA_HELP = "How alpha is shared out: (t+N)^(-1.5), evenly over N planned claims, t^(-S), or 1/(t(t+1))."


class GammaType(click.ParamType[Gamma]):
    """steady:LEAD, planned:CLAIMS, power:EXPONENT or quadratic."""

    name = "gamma"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:  # noqa: ARG002 - click calls it so
        return "steady:N|planned:N|power:S|quadratic"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Gamma:
        try:
            return read_gamma(str(value))
        except InputError as error:
            self.fail(str(error), param, ctx)
