"""How do figures reach a chart? As rows inside it: a figure is one file, and nothing is fetched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from toprung.result import json_safe

if TYPE_CHECKING:
    import altair as alt


def values(rows: Iterable[Mapping[str, object]]) -> alt.InlineData:
    """Rows as the data of a chart; what is not a number is left empty."""
    from toprung.extras.charts import alt

    data = alt.InlineData(values=[])
    # Given at once, Altair would check each row; as a list, it would copy each for every layer: that takes seconds.
    data["values"] = tuple(json_safe(row) for row in rows)
    return data
