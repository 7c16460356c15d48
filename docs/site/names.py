"""What is each public name of ``toprung`` for? Written from its docstring.

A page lists names in a block ````` ```{names} `````, one a line, and gets what each says of itself.
"""

from __future__ import annotations

import importlib
import inspect
import re

NAMES = re.compile(r"^```\{names\}\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def fill_names(text: str) -> str:
    """The text of a page, with what its names say of themselves."""
    return NAMES.sub(lambda found: "\n".join(map(describe, found[1].split())), text)


def describe(name: str) -> str:
    """What Sphinx is asked to put there."""
    path = name if "." in name else f"toprung.{name}"
    return f"```{{eval-rst}}\n.. auto{kind_of(find(path))}:: {path}\n```\n"


def find(path: str) -> object:
    """What a path such as ``toprung.evaluate`` names."""
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(module), name)


def kind_of(named: object) -> str:
    """As Sphinx calls it."""
    if not inspect.isclass(named):
        return "function" if callable(named) else "data"
    return "exception" if issubclass(named, Exception) else "class"
