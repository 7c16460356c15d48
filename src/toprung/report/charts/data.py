"""How do figures reach a chart? As rows inside it: a figure is one file, and nothing is fetched.

Encodings are given as channels (``alt.X("low:Q")``), never as bare texts or ``alt.value``: to find the channel of one,
Altair looks at its whole schema each time, which took longer than to draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from toprung.result import json_safe

if TYPE_CHECKING:
    import altair as alt


def values(rows: Iterable[Mapping[str, object]]) -> alt.InlineData:
    """Rows as the data of a chart; what is not a number is left empty."""
    from toprung.report.charts.shared_rows import SharedRows

    data = SharedRows(values=[])
    data["values"] = [json_safe(row) for row in rows]  # given at once, Altair would check each row: that takes seconds
    return data


def fixed(channel: Any, value: object) -> Any:
    """A channel that is the same for every mark, such as ``fixed(alt.XValue, 0)``."""
    return channel(value)
