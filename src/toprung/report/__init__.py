"""Reports, pages and charts. The package can be called: ``toprung.report(ev).save("report.html")``.

It asks everything that can be asked of some runs: what ``evaluate`` gave, or labels, runs and a measure, or a matrix.
``toprung.report.overview.find.report`` has its options.
"""

import sys
from types import ModuleType
from typing import Any

from toprung.analysis import load


class CallablePackage(ModuleType):
    """A package that has the name of a function: Python gives ``toprung.report`` to whichever was asked for first."""

    def __call__(self, *given: Any, **options: Any) -> Any:
        return load("toprung.report.overview.find:report")(*given, **options)


sys.modules[__name__].__class__ = CallablePackage
