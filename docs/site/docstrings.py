"""What does Sphinx read of a docstring, and what of a class?"""

from __future__ import annotations

import inspect
from typing import Any

from sphinx.application import Sphinx
from sphinx.ext.napoleon.docstring import NumpyDocstring

from toprung.result import Result

WITHOUT_SECTIONS = ("attribute", "data", "property")


def read_sections(_app: Sphinx, kind: str, _name: str, _named: Any, _options: Any, lines: list[str]) -> None:
    """Parameters, returns and examples, as NumPy writes them.

    Sphinx's own extension for that would take what stands before a colon in the docstring of a field for its type.
    """
    if kind not in WITHOUT_SECTIONS:
        lines[:] = NumpyDocstring(lines).lines()


def hide_constructor(
    _app: Sphinx, _kind: str, _name: str, named: Any, _options: Any, _signature: str, returns: str
) -> tuple[str, str] | None:
    """Nobody makes a result: what its constructor takes says nothing. None keeps a signature."""
    is_result = inspect.isclass(named) and issubclass(named, Result)
    return ("", returns) if is_result else None
