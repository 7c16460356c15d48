"""What is new in a version of the labels? Counts in words: exact for organisers, about where labels are hidden."""

from __future__ import annotations

from collections.abc import Mapping

from toprung.boards.disclosure.disclosure import nearest_ten
from toprung.words.wording import list_names, say_count

KINDS = (
    ("queries_added", "query", "queries", "new"),
    ("queries_removed", "query", "queries", "left out"),
    ("labels_added", "label", "labels", "added"),
    ("labels_removed", "label", "labels", "taken away"),
    ("grades_changed", "grade", "grades", "changed"),
    ("answers_changed", "query", "queries", "with other answers than before"),
)
FEW = 10
"""To the nearest ten there is nothing between none and this."""


def say_difference(difference: Mapping[str, int], *, is_exact: bool) -> str:
    """Against the version before; nothing of the first.

    >>> say_difference({"labels_added": 14, "answers_changed": 1}, is_exact=True)
    '14 labels added and 1 query with other answers than before'
    >>> say_difference({"labels_added": 14, "answers_changed": 1}, is_exact=False)
    'about 10 labels added and fewer than 10 queries with other answers than before'
    """
    said = [
        f"{_say_number(difference[key], one, many, is_exact=is_exact)} {what}"
        for key, one, many, what in KINDS
        if difference.get(key)
    ]
    return list_names(said) if said else ""


def _say_number(number: int, one: str, many: str, *, is_exact: bool) -> str:
    if is_exact:
        return say_count(number, one, many)
    if number < FEW:
        return f"fewer than {FEW} {many}"
    return f"about {nearest_ten(number):,} {many}"
