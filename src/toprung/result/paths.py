"""Where is a value found? A path leads to it by attributes, keys and places, by calls without arguments, and by len(…).

``"score.estimate"``, ``"scale.name.lower()"``, ``"digests.qrels"``, ``"0.name"``, ``"len(rows)"``. Beyond None
there is None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from operator import itemgetter
from typing import Any

type Path = str | Callable[[Any], Any]
"""A function where no path of names leads there."""


def find(owner: object, path: Path) -> Any:
    """The value that a path leads to.

    >>> find({"date": None}, "date.year"), find({"runs": ["a", "b"]}, "len(runs)"), find({"run": "a"}, "run.upper()")
    (None, 2, 'A')
    """
    if callable(path):
        return path(owner)
    found: Any = owner
    for step in steps(path):
        found = None if found is None else step(found)
    return found


@cache
def steps(path: str) -> tuple[Callable[[Any], Any], ...]:
    """What is done one after the other along a path."""
    if path.startswith("len("):
        return (*steps(path[len("len(") : -1]), len)
    return tuple(map(_step, path.split(".")))


def _step(name: str) -> Callable[[Any], Any]:
    if name.endswith("()"):
        return lambda owner: getattr(owner, name[:-2])()
    if name.isdecimal():
        return itemgetter(int(name))
    return lambda owner: owner[name] if isinstance(owner, Mapping) else getattr(owner, name)
