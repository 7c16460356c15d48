"""What does an analysis give back? The base of every result, what a result declares, and the table that people read."""

from toprung.result.base import Explanation, Result
from toprung.result.figures import Arrays, Column, Fact, Facts, Figure, Rows, columns, tell
from toprung.result.table import NUMBERS, Cell, Table
from toprung.result.values import json_safe

__all__ = [
    "NUMBERS",
    "Arrays",
    "Cell",
    "Column",
    "Explanation",
    "Fact",
    "Facts",
    "Figure",
    "Result",
    "Rows",
    "Table",
    "columns",
    "json_safe",
    "tell",
]
