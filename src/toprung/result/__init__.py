"""What does an analysis give back? The base of every result, the table that people read, values as JSON holds them."""

from toprung.result.base import Explanation, Result
from toprung.result.table import Table
from toprung.result.values import json_safe

__all__ = ["Explanation", "Result", "Table", "json_safe"]
