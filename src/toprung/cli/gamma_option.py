"""How γ is read on the command line, as ``spelling`` writes it: quadratic, power:1.5 or planned:20."""

from __future__ import annotations

import click

from toprung.errors import InputError
from toprung.stats.online import Gamma, PlannedGamma, PowerLawGamma, QuadraticGamma


class GammaType(click.ParamType[Gamma]):
    """quadratic, power:EXPONENT or planned:CLAIMS."""

    name = "gamma"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:  # noqa: ARG002 - click calls it so
        return "quadratic|power:S|planned:N"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Gamma:
        try:
            return _parse(str(value))
        except InputError as error:
            self.fail(str(error), param, ctx)
        except ValueError:
            self.fail(f"found '{value}'; expected quadratic, or such as power:1.5 or planned:20.", param, ctx)


def _parse(text: str) -> Gamma:
    kind, _, number = text.partition(":")
    if kind == "power":
        return PowerLawGamma(exponent=float(number))
    if kind == "planned":
        return PlannedGamma(claims=int(number))
    if text == QuadraticGamma.spelling:
        return QuadraticGamma()
    raise ValueError(text)
