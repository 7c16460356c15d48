"""What numbers may an option have? Those of a range, and nothing that is no number."""

from __future__ import annotations

from math import isnan
from typing import Any

import click


class NumberRange(click.FloatRange):
    """A range of numbers; what is no number is outside."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = super().convert(value, param, ctx)
        if isnan(found):
            self.fail(f"{value} is not in the range {self._describe_range()}.", param, ctx)
        return found
