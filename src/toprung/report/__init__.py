"""Reports, pages and charts. The package can be called: ``toprung.report(ev).save("report.html")``.

It asks everything that can be asked of some runs: what ``evaluate`` gave, or labels, runs and a measure, or a matrix.
``toprung.report.overview.find.report`` has its options.
"""

import inspect
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from toprung.analysis import load


class CallablePackage(ModuleType):
    """A package that has the name of a function: Python gives ``toprung.report`` to whichever was asked for first.

    Whoever asks for help on it, or what it takes, hears of the function.
    """

    def __call__(self, *given: Any, **options: Any) -> Any:
        return _function()(*given, **options)

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(_function())

    @property
    def __doc__(self) -> str:  # type: ignore[override] # of an instance it is a text that is read, never set
        told, _, _ = (inspect.getdoc(_function()) or "").partition("Examples\n")
        first, _, rest = told.partition("\n")
        return f"{first}\n\nCalled as ``report{self.__signature__}``.\n{rest}"


def _function() -> Callable[..., Any]:
    found: Callable[..., Any] = load("toprung.report.overview.find:report")
    return found


sys.modules[__name__].__class__ = CallablePackage
