"""What does an analysis give back? The base of every result, what a result declares, and the table that people read."""

from toprung.result.base import Explanation, Result
from toprung.result.figures import Arrays, Column, Fact, Facts, Figure, Rows, columns, tell
from toprung.result.passages import Citation, Passage, PassageKind
from toprung.result.table import NUMBERS, Cell, Mark, Table
from toprung.result.values import json_safe

__all__ = [
    "NUMBERS",
    "Arrays",
    "Cell",
    "Citation",
    "Column",
    "Explanation",
    "Fact",
    "Facts",
    "Figure",
    "Mark",
    "Passage",
    "PassageKind",
    "Result",
    "Rows",
    "Table",
    "columns",
    "json_safe",
    "tell",
]
