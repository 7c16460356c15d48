"""How are numbers held so that compiled code reads them and NumPy need not be loaded? As buffers, seen as arrays later.

A field that ``holds_arrays`` names may be given an ``array.array`` instead of a NumPy array. Whoever asks for the field
gets a NumPy array of the same memory, which cannot be written; compiled code asks ``buffer_of``.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, cast

from toprung.arrays import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

INT32, INT64, DOUBLE = "i", "q", "d"
"""As ``array.array`` calls them."""
SIZES = {INT32: 4, INT64: 8, DOUBLE: 8}
SAME_AS = {INT32: "il", INT64: "ql", DOUBLE: "d"}
"""What NumPy calls them: a C long has 4 or 8 bytes."""
DTYPES = {INT32: "int32", INT64: "int64", DOUBLE: "float64"}


def hold(kind: str, numbers: Iterable[int]) -> NDArray[Any]:
    """Numbers for a field that is an array once someone looks at it."""
    return as_array(array(kind, numbers))


def as_array(numbers: array[Any]) -> NDArray[Any]:
    """The same for numbers that are held already."""
    return cast("NDArray[Any]", numbers)


def holds_arrays[Class](**kinds: str) -> Callable[[type[Class]], type[Class]]:
    """Names the fields of a data class that may be given as buffers, and what numbers they hold."""

    def decorate(cls: type[Class]) -> type[Class]:
        for name, kind in kinds.items():
            setattr(cls, name, _HeldArray(name, kind))
        return cls

    return decorate


def buffer_of(owner: object, name: str) -> Any:
    """What a field was given, an ``array.array`` or a NumPy array: both are buffers, and have ``tolist``."""
    return owner.__dict__[name]


def is_of_kind(buffer: object, kind: str) -> bool:
    """Whether a buffer holds such numbers, one after the other.

    >>> is_of_kind(array("i", [1]), INT32), is_of_kind(array("d", [1]), INT64)
    (True, False)
    """
    view = memoryview(cast("Any", buffer))
    is_such = view.format in SAME_AS[kind] and view.itemsize == SIZES[kind]
    return is_such and view.ndim == 1 and view.c_contiguous


class _HeldArray:
    def __init__(self, name: str, kind: str) -> None:
        self.name = name
        self.kind = kind

    def __get__(self, owner: object | None, _: type[object]) -> Any:
        if owner is None:
            return self
        held = owner.__dict__[self.name]
        if isinstance(held, array):
            held = owner.__dict__[self.name] = np.frombuffer(held, dtype=DTYPES[self.kind])
        if held is not None:
            held.setflags(write=False)
        return held

    def __set__(self, owner: object, value: Any) -> None:
        owner.__dict__[self.name] = value
