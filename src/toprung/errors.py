"""What can go wrong, said once.

::

    ToprungError                    anything Toprung raises on purpose
    ├── InputError (ValueError)     what was given cannot be used
    │   ├── FormatError             a file or table does not hold what its format promises
    │   │   └── TooLargeError       a file is over the size or decompression cap
    │   ├── MeasureError            a measure's name or parameters are not known
    │   └── NoOverlapError          run and labels share no query
    ├── MissingPackageError         an optional package is needed and not installed
    └── WorkerLostError             a worker process was ended from outside

Every message says what was found, what was expected and what to do. The command line prints it and exits
with 2; the web shows it beside the form.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial


class ToprungError(Exception):
    """Base of all errors Toprung raises on purpose."""


class InputError(ToprungError, ValueError):
    """What was given cannot be used as it is."""


LONGEST_FOUND = 600
"""Characters of what was found: names and ids in a file may be as long as the file."""


class FormatError(InputError):
    """A file or table does not hold what its format promises."""

    def __init__(
        self,
        *,
        source: str,
        line: int | None = None,
        found: str,
        expected: str,
        advice: str = "",
    ) -> None:
        self.source = source
        self.line = line
        self.found = found if len(found) <= LONGEST_FOUND else f"{found[:LONGEST_FOUND]}…"
        self.expected = expected
        self.advice = advice
        place = source if line is None else f"{source}, line {line}"
        message = f"{place}: found {self.found}; expected {expected}."
        super().__init__(f"{message} {advice}".rstrip())

    def __reduce__(self) -> tuple[object, ...]:
        """Errors travel between processes: by default only the message would, and no error could be made of it."""
        names = ("source", "line", "found", "expected", "advice")
        return partial(type(self), **{name: getattr(self, name) for name in names}), ()


class TooLargeError(FormatError):
    """A file is over the size cap, or unpacks to far more than it takes on disk."""


class MeasureError(InputError):
    """A measure's name or parameters are not known."""


class NoOverlapError(InputError):
    """A run and the labels share no query, so nothing can be scored."""


class MissingPackageError(ToprungError):
    """An optional package is needed and not installed."""


class WorkerLostError(ToprungError):
    """A worker process was ended from outside, most likely for want of memory."""


def check_choice(value: object, choices: Iterable[str], *, name: str) -> None:
    """Refuse what is none of the choices that an argument has.

    >>> check_choice("coin", ("majority", "dawid-skene"), name="policy")
    Traceback (most recent call last):
        ...
    toprung.errors.InputError: policy: found 'coin'; expected one of majority, dawid-skene.
    """
    known = tuple(choices)
    if value not in known:
        found = str(value) if isinstance(value, str) else value  # a member of another enumeration as its text
        raise InputError(f"{name}: found {found!r}; expected one of {', '.join(known)}.")
