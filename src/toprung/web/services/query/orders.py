"""In which order are queries browsed? What each order is called, and what it sorts by."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from toprung.analyses.queries.rows import QueryRow

LARGEST = "difference"
ORDERS: dict[str, str] = {
    LARGEST: "Largest difference first",
    "b": "Where B does better first",
    "a": "Where A does better first",
    "hard": "Hardest for both first",
    "easy": "Easiest for both first",
}
_SORTED_BY: dict[str, Callable[[QueryRow], float]] = {
    "b": lambda row: -row.difference,
    "a": lambda row: row.difference,
    "hard": lambda row: row.score_a + row.score_b,
    "easy": lambda row: -row.score_a - row.score_b,
}


def put_in_order(rows: Sequence[QueryRow], order: str) -> list[QueryRow]:
    """They come with the largest difference first; queries that are equal in another order keep that one."""
    return sorted(rows, key=_SORTED_BY[order]) if order in _SORTED_BY else list(rows)
