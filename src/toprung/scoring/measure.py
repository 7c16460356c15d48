"""Which measure is meant? Names as in ir_measures: ``nDCG@10``, ``RR(rel=2)@100``, ``RBP(p=0.5)``."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Buffer, Callable, Mapping, Sequence
from dataclasses import field
from enum import Enum
from typing import Any, NamedTuple, cast

from toprung.errors import MeasureError
from toprung.records import record
from toprung.scoring.ranked_labels import Floats, RankedLabels
from toprung.stats.finding import Scale

SYNTAX = re.compile(r"(?P<name>\w+)(?:\((?P<arguments>.*)\))?(?:@(?P<cutoff>[0-9.]+))?", re.DOTALL)
LARGEST_CUTOFF = 2**31 - 1


class Cutoff(Enum):
    """Whether a measure takes ``@k``."""

    NONE = "takes no cutoff"
    OPTIONAL = "may have a cutoff, @k"
    REQUIRED = "needs a cutoff, @k"


class Aggregate(Enum):
    """How the values of the queries become one figure."""

    MEAN = "mean"
    SUM = "sum"
    MEAN_OF_ANSWERED = "mean over answered queries"


@record(kw_only=True, eq=False)
class Definition:
    """What a measure is: its name, its parameters with their defaults, and how it is computed.

    There is one object of each: two are the same only if they are one.
    """

    name: str
    summary: str
    score: Callable[..., Floats]
    """Called with the ranked labels, and with ``cutoff`` and the parameters by name."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    check: Callable[..., str | None] = lambda **_: None
    """Says what is wrong with parameters of the right type, or None."""
    needed: tuple[str, ...] = ()
    """Parameters that must be given and are always written; what ``parameters`` has of them is an example."""
    respell: Callable[..., Mapping[str, Any]] = dict
    """Gives the checked parameters in the one spelling they are known by."""
    cutoff: Cutoff = Cutoff.OPTIONAL
    scale: Scale = Scale.ORDINAL
    """What its values permit: to be ordered, subtracted, or divided."""
    aggregate: Aggregate = Aggregate.MEAN
    higher_is_better: bool = True
    is_from_0_to_1: bool = True
    aliases: tuple[str, ...] = ()

    @property
    def signature(self) -> str:
        """How the measure is written, with its defaults."""
        return spell(self.name, self.parameters, None) + {Cutoff.NONE: "", Cutoff.OPTIONAL: "[@k]"}.get(
            self.cutoff, "@k"
        )


@record
class Measure:
    """A measure with its parameters and cutoff settled."""

    definition: Definition
    parameters: tuple[tuple[str, Any], ...] = ()
    """All parameters, also those left at their default."""
    cutoff: int | None = None

    def score(self, ranked: RankedLabels) -> Floats:
        """Its value for each scored query; NaN where it has none."""
        options = dict(self.parameters)
        if self.definition.cutoff is not Cutoff.NONE:
            options["cutoff"] = self.cutoff
        return self.definition.score(ranked, **options)

    @property
    def rel(self) -> int | None:
        """The grade from which a document is simply relevant; None where the measure tells grades apart."""
        rel = dict(self.parameters).get("rel")
        return None if rel is None else int(rel)

    @property
    def aggregate(self) -> Aggregate:
        return self.definition.aggregate

    @property
    def higher_is_better(self) -> bool:
        return self.definition.higher_is_better

    def __str__(self) -> str:
        defaults, needed = self.definition.parameters, self.definition.needed
        written = {key: value for key, value in self.parameters if key in needed or value != defaults[key]}
        return spell(self.definition.name, written, self.cutoff)


class Summary(NamedTuple):
    """One figure for all queries, and how many of them have a value."""

    figure: float
    n: int


def floats_of(row: Buffer) -> Sequence[float]:
    """The numbers of an array or a buffer, one after the other, without a list of them."""
    return cast("Sequence[float]", memoryview(row))


def summarise(values: Sequence[float], aggregate: Aggregate) -> Summary:
    """One figure for all queries, by exact summation; NaN where none has a value.

    >>> summarise([0.5, math.nan, 1.0], Aggregate.MEAN)
    Summary(figure=0.75, n=2)
    """
    total = math.fsum(values)
    if math.isnan(total):
        values = [value for value in values if not math.isnan(value)]
        total = math.fsum(values)
    if aggregate is Aggregate.SUM:
        return Summary(total, len(values))
    return Summary(total / len(values) if values else math.nan, len(values))


def spell(name: str, parameters: Mapping[str, Any], cutoff: int | float | None) -> str:
    """Write a measure as it is read."""
    written = ", ".join(f"{key}={value!r}" for key, value in parameters.items())
    return f"{name}{f'({written})' if written else ''}{f'@{cutoff}' if cutoff is not None else ''}"


def split_name(text: str) -> tuple[str, dict[str, Any], int | float | None]:
    """Take a measure's text apart: its name, its parameters, its cutoff (a share of recall in IPrec@0.1)."""
    match = SYNTAX.fullmatch(text.strip())
    if not match:
        raise MeasureError(f"Found measure '{text}'; expected a name such as RR, nDCG@10 or P(rel=2)@5.")
    return match["name"], _parse_arguments(text, match["arguments"] or ""), _parse_cutoff(match["cutoff"])


def _parse_cutoff(digits: str | None) -> int | float | None:
    if digits is None:
        return None
    if re.fullmatch(r"0?\.[0-9]{1,9}", digits):
        return float(digits)
    if not digits.isdigit() or len(digits) > len(str(LARGEST_CUTOFF)) or not 1 <= int(digits) <= LARGEST_CUTOFF:
        raise MeasureError(f"Found cutoff @{digits[:20]}; expected a whole number from 1 to {LARGEST_CUTOFF}.")
    return int(digits)


def _parse_arguments(text: str, arguments: str) -> dict[str, Any]:
    try:
        call = ast.parse(f"f({arguments})", mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.args:
            raise ValueError
        names = [str(keyword.arg) for keyword in call.keywords]
        if len(set(names)) < len(names):
            raise ValueError
        return {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise MeasureError(
            f"Found '({arguments})' in measure '{text}'; expected parameters such as (rel=2) or (p=0.8, rel=1)."
        ) from None


def settle(definition: Definition, parameters: Mapping[str, Any], cutoff: int | float | None) -> Measure:
    """A measure of this definition, its parameters checked and completed."""
    text = spell(definition.name, parameters, cutoff)
    if isinstance(cutoff, float):
        raise MeasureError(f"Found '{text}'; expected a whole number of documents behind the @.")
    for key, value in parameters.items():
        if key not in definition.parameters:
            known = ", ".join(definition.parameters) or "none"
            raise MeasureError(f"Found parameter '{key}' in '{text}'; {definition.name} has: {known}.")
        _check_type(text, key, value, definition.parameters[key])
    for key in definition.needed:
        if key not in parameters:
            raise MeasureError(f"Found '{text}'; {definition.name} needs {key}: write it as {definition.signature}.")
    complete = {**definition.parameters, **parameters}
    complaint = definition.check(**complete)
    if complaint:
        raise MeasureError(f"Found '{text}'; expected {complaint}.")
    if definition.cutoff is Cutoff.REQUIRED and cutoff is None:
        raise MeasureError(f"Found '{text}'; {definition.name} needs a cutoff: write {text}@10.")
    if definition.cutoff is Cutoff.NONE and cutoff is not None:
        raise MeasureError(f"Found '{text}'; {definition.name} takes no cutoff: leave out @{cutoff}.")
    return Measure(definition, tuple(definition.respell(**complete).items()), cutoff)


def _check_type(text: str, key: str, value: object, default: object) -> None:
    kind = int if default is None else type(default)
    is_fine = isinstance(value, (int, float) if kind is float else kind) and not isinstance(value, bool)
    if not is_fine:
        names = {int: "a whole number", float: "a number", str: "a text in quotes"}
        raise MeasureError(f"Found {key}={value!r} in '{text}'; expected {names[kind]}.")
