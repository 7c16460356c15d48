"""Where is a value found? A path leads to it by attributes, keys and places, by calls without arguments, and by len(…).

``"score.estimate"``, ``"scale.name.lower()"``, ``"digests.qrels"``, ``"0.name"``, ``"len(rows)"``. Beyond None
there is None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from operator import attrgetter, itemgetter
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


def find_all(owners: Iterable[object], path: Path) -> list[Any]:
    """The values that a path leads to from each of many: a step for all of them before the next.

    >>> find_all([{"run": "a"}, None], "run.upper()")
    ['A', None]
    """
    if callable(path):
        return [path(owner) for owner in owners]
    found: list[Any] = list(owners)
    for step in steps(path):
        kinds = set(map(type, found))
        if len(kinds) == 1 and isinstance(step, _Named) and kinds != {type(None)}:
            found = list(map(step.for_kind_of(found[0]), found))  # rows are of one class as a rule
        else:
            found = [None if each is None else step(each) for each in found]
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
    return _Named(name)


class _Named:
    """The step to what has a name: a key of what has keys, else an attribute."""

    def __init__(self, name: str) -> None:
        self._by_key, self._by_attribute = itemgetter(name), attrgetter(name)

    def __call__(self, owner: object) -> Any:
        return self.for_kind_of(owner)(owner)

    def for_kind_of(self, owner: object) -> Callable[[Any], Any]:
        """What takes it from any owner of the same class."""
        return self._by_key if _has_keys(owner) else self._by_attribute


def _has_keys(owner: object) -> bool:
    """Asked once for each class: to ask an abstract class for every value takes longer than to find them."""
    kind = type(owner)
    if kind not in _WITH_KEYS:
        _WITH_KEYS[kind] = isinstance(owner, Mapping)
    return _WITH_KEYS[kind]


_WITH_KEYS: dict[type[object], bool] = {}
