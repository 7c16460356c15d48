"""What are analyses asked of? Command, report and board each make one of these, and give it to an analysis."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any

from toprung.analyses.given import AskedOptions, GivenInputs
from toprung.analysis import Input
from toprung.data.matrices import FirstRanks, ScoreTable, to_scores
from toprung.data.run_metadata import Metadata
from toprung.errors import InputError


@dataclass(frozen=True, eq=False, kw_only=True)
class Material:
    """What is given, what is known of the runs, and how sure to be."""

    inputs: GivenInputs
    metadata: Metadata | None = None
    """What is known of runs; None where that is nothing."""
    options: AskedOptions = field(default_factory=AskedOptions)

    def give(self, what: Input, options: Mapping[str, Any]) -> Any:
        """An input of an analysis; of costs those that its options ask for."""
        known = self.metadata or Metadata(entries=())
        match what:
            case Input.MATRIX:
                return self.matrix
            case Input.RANKS:
                return self.ranks
            case Input.SCORES:
                return self.scores
            case Input.COSTS:
                return known.latencies() if options.get("by") == "latency" else known.costs()
            case Input.SYSTEMS:
                return known.systems()
            case Input.DATES:
                return self.dates

    @property
    def ranks(self) -> FirstRanks:
        """An InputError where there are scores alone."""
        if not isinstance(self.matrix, FirstRanks):
            raise InputError(f"Found scores of {self.measure}; expected first ranks.")
        return self.matrix

    @property
    def matrix(self) -> FirstRanks | ScoreTable:
        return self.inputs.matrix

    @property
    def runs(self) -> tuple[str, ...]:
        return self.matrix.runs

    @cached_property
    def scores(self) -> ScoreTable:
        return to_scores(self.matrix)

    @property
    def measure(self) -> str:
        return self.matrix.measure

    @cached_property
    def dates(self) -> dict[str, date]:
        return self.metadata.dates() if self.metadata else {}
