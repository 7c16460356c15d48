"""What a child process sends back: JSON with packed arrays, read by the type that the work declares.

It is never a pickle: a file may have taken the child over, and reading a pickle runs code in the parent. The parent
takes the values that the return annotation of the work names, and the errors of `ERRORS`, and nothing else.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Annotated, Any, get_type_hints

import numpy as np
from numpy.typing import NDArray
from pydantic import PlainValidator, TypeAdapter
from pydantic_core import to_json

from toprung.errors import (
    FormatError,
    InputError,
    MeasureError,
    MissingPackageError,
    NoOverlapError,
    TooLargeError,
    ToprungError,
)

VALUE, ERROR = b"v", b"e"
MOST_VALUES = 10_000_000
"""In one reply, beside those in arrays: reading JSON takes about 150 bytes of memory for each."""
SIZE_BYTES = 8
"""Before a reply: its length, so that one that was cut short is known."""
FORMAT_ERRORS = {each.__name__: each for each in (FormatError, TooLargeError)}
ERRORS: dict[str, type[Exception]] = {
    each.__name__: each
    for each in (
        *(ToprungError, InputError, MeasureError, NoOverlapError, MissingPackageError),
        *(MemoryError, OSError, FileNotFoundError, PermissionError, KeyError, IndexError, LookupError),
        *(ArithmeticError, ValueError, TypeError, RuntimeError),
    )
}
"""Errors that are raised in the parent as what they were in the child; of others, the nearest class that is here."""


def _read_array(dtype: str, said: Any) -> NDArray[Any]:
    found = _array.validate_python(said)
    if found.dtype != dtype:
        raise ValueError(f"an array of {found.dtype[:20]}")
    return np.frombuffer(base64.b64decode(found.data, validate=True), dtype=dtype)


Int32s = Annotated[NDArray[np.int32], PlainValidator(partial(_read_array, "int32"))]
Int64s = Annotated[NDArray[np.int64], PlainValidator(partial(_read_array, "int64"))]
Float64s = Annotated[NDArray[np.float64], PlainValidator(partial(_read_array, "float64"))]


@dataclass(frozen=True, kw_only=True)
class _SentArray:
    dtype: str
    data: str


@dataclass(frozen=True, kw_only=True)
class _SentError:
    kind: str
    message: str = ""
    source: str = ""
    line: int | None = None
    found: str = ""
    expected: str = ""
    advice: str = ""

    @classmethod
    def of(cls, error: Exception) -> _SentError:
        names = [each.__name__ for each in type(error).__mro__]
        kind = next((name for name in names if name in FORMAT_ERRORS or name in ERRORS), "")
        if isinstance(error, FormatError):
            texts = {name: _plain(getattr(error, name)) for name in ("source", "found", "expected", "advice")}
            return cls(kind=kind, line=error.line, **texts)
        message = error.args[0] if len(error.args) == 1 and isinstance(error.args[0], str) else str(error)
        return cls(kind=kind, message=_plain(message)) if kind else cls.of(RuntimeError(f"{names[0]}: {message}"))

    def to_error(self) -> Exception:
        if self.kind in FORMAT_ERRORS:
            return FORMAT_ERRORS[self.kind](
                source=self.source, line=self.line, found=self.found, expected=self.expected, advice=self.advice
            )
        return ERRORS.get(self.kind, RuntimeError)(self.message)


_array = TypeAdapter(_SentArray)
_error = TypeAdapter(_SentError)


def _read_error(said: Any) -> Exception:
    return _error.validate_python(said).to_error()


def _read_format_error(said: Any) -> FormatError:
    error = _read_error(said)
    if not isinstance(error, FormatError):
        raise ValueError(f"an error of kind {type(error).__name__}")
    return error


SentError = Annotated[Exception, PlainValidator(_read_error)]
SentFormatError = Annotated[FormatError, PlainValidator(_read_format_error)]


def write_value(value: object) -> bytes:
    """In the child: data classes, arrays, errors and what they hold; a TypeError names anything else."""
    return VALUE + to_json(value, fallback=_pack, inf_nan_mode="constants")


def write_error(error: Exception) -> bytes:
    return ERROR + to_json(_SentError.of(error))


def read_reply(work: Callable[..., Any], reply: bytes | bytearray) -> Any:
    """In the parent: what the work returned; raises what it raised, and a BadReplyError for anything else."""
    kind, said = reply[:1], reply[1:]
    if sum(map(said.count, (b",", b"[", b"{"))) > MOST_VALUES:
        raise BadReplyError
    try:
        if kind == VALUE:
            return type_returned_by(work).validate_json(said, strict=True)
        error = _error.validate_json(said, strict=True).to_error()
    except (ValueError, RecursionError):
        raise BadReplyError from None
    raise error


class BadReplyError(Exception):
    """A reply that is not what the work declares."""


@cache
def type_returned_by(work: Callable[..., Any]) -> TypeAdapter[Any]:
    """What the annotation of a function says it returns."""
    return TypeAdapter(get_type_hints(work, include_extras=True)["return"])


def _pack(value: object) -> Any:
    """What JSON has no form for."""
    if isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype in (np.int32, np.int64, np.float64):
        return _SentArray(dtype=value.dtype.name, data=base64.b64encode(value.tobytes()).decode())
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Exception):
        return _SentError.of(value)
    raise TypeError(f"found a {type(value).__name__} to send back; expected plain values and arrays of numbers.")


def _plain(text: str) -> str:
    return text.encode(errors="backslashreplace").decode()
