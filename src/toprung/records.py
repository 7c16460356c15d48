"""Data classes that take a tenth of the time to declare, for modules that every command loads.

``dataclass(frozen=True)`` writes and compiles the methods of each class, half a millisecond for every one: a third of
the start of a small evaluation. A record is a frozen data class whose methods are the same functions for all classes.
To make one takes a little longer, so what is made by the thousand stays a data class.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from functools import cache, partial
from typing import Any, cast, dataclass_transform, overload


@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record[Class](cls: type[Class], /) -> type[Class]: ...


@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record[Class](*, kw_only: bool = ..., eq: bool = ..., repr: bool = ...) -> Callable[[type[Class]], type[Class]]: ...


def record(cls: Any = None, /, *, kw_only: bool = False, eq: bool = True, repr: bool = True) -> Any:  # noqa: A002 - as in dataclass
    """Make a class a frozen data class: ``fields``, ``replace`` and the like work on it.

    >>> @record
    ... class Rung:
    ...     height: int
    ...     name: str = "top"
    >>> Rung(3), Rung(3) == Rung(height=3, name="top")
    (Rung(height=3, name='top'), True)
    """
    make = partial(_make, kw_only=kw_only, eq=eq, repr=repr)
    return make if cls is None else make(cls)


def _make[Class](cls: type[Class], *, kw_only: bool, eq: bool, repr: bool) -> type[Class]:  # noqa: A002 - as above
    made = dataclass(init=False, repr=False, eq=False, kw_only=kw_only)(cls)
    shared: dict[str, Any] = {"__init__": _init, "__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete}
    shared |= {"__eq__": _equals, "__hash__": _hash} if eq else {}
    shared |= {"__repr__": _repr} if repr else {}
    for name, method in shared.items():
        if name not in cls.__dict__:
            setattr(made, name, method)
    return made


@cache
def _fields(cls: Hashable) -> tuple[tuple[Field[Any], ...], tuple[str, ...]]:
    """All of them, and the names of those that may be given by place."""
    own = fields(cast("Any", cls))
    return own, tuple(each.name for each in own if not each.kw_only)


def _init(self: Any, *given: Any, **named: Any) -> None:
    own, positional = _fields(cast("Hashable", type(self)))
    if len(given) > len(positional):
        raise TypeError(
            f"{type(self).__name__}: found {len(given)} values by place; expected at most {len(positional)}"
        )
    values = dict(zip(positional, given, strict=False))
    if repeated := values.keys() & named.keys():
        raise TypeError(f"{type(self).__name__}: found {', '.join(repeated)} twice")
    values |= named
    for each in own:
        if each.name not in values:
            values[each.name] = _default_of(each, self)
    if len(values) > len(own):
        unknown = values.keys() - {each.name for each in own}
        raise TypeError(f"{type(self).__name__}: found {', '.join(unknown)}, which is no field")
    self.__dict__.update(values)
    if hasattr(self, "__post_init__"):
        self.__post_init__()


def _default_of(each: Field[Any], owner: object) -> Any:
    if each.default is not MISSING:
        return each.default
    if each.default_factory is MISSING:
        raise TypeError(f"{type(owner).__name__}: found no {each.name}")
    return each.default_factory()


def _values(self: Any) -> tuple[Any, ...]:
    return tuple(getattr(self, each.name) for each in fields(self))


def _equals(self: Any, other: object) -> Any:
    return _values(self) == _values(other) if type(other) is type(self) else NotImplemented


def _hash(self: Any) -> int:
    return hash(_values(self))


def _repr(self: Any) -> str:
    said = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{type(self).__qualname__}({said})"


def _refuse_to_set(_: object, name: str, __: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(_: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")
