"""How a release of scores is read on the command line, as ``spelling`` writes it: full, rounded:3 or ladder:0.01."""

from __future__ import annotations

import click

from toprung.errors import InputError
from toprung.stats.release import FullRelease, Ladder, ParameterFreeLadder, RoundedRelease, ScoreRelease


class ReleaseType(click.ParamType[ScoreRelease]):
    """full, rounded[:DIGITS], ladder[:STEP] or ladder:free."""

    name = "release"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:  # noqa: ARG002 - click calls it so
        return "full|rounded:D|ladder:STEP|ladder:free"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> ScoreRelease:
        try:
            return _parse(str(value))
        except InputError as error:
            self.fail(str(error), param, ctx)
        except ValueError:
            expected = "full, or such as rounded:3, ladder:0.01 or ladder:free"
            self.fail(f"found '{value}'; expected {expected}.", param, ctx)


def _parse(text: str) -> ScoreRelease:
    named: dict[str, ScoreRelease] = {
        FullRelease.spelling: FullRelease(),
        "rounded": RoundedRelease(),
        "ladder": Ladder(),
        ParameterFreeLadder.spelling: ParameterFreeLadder(),
    }
    if text in named:
        return named[text]
    kind, _, number = text.partition(":")
    if kind == "rounded":
        return RoundedRelease(digits=int(number))
    if kind == "ladder":
        return Ladder(step=float(number))
    raise ValueError(text)
