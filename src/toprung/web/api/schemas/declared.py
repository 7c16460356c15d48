"""How does a schema get the fields that are declared elsewhere?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ninja import Schema
from pydantic import create_model


def with_fields[S: Schema](declare: Callable[[], dict[str, Any]]) -> Callable[[type[S]], type[S]]:
    """The class with these fields after its own; each is a type, and a default or what is said of it."""

    def add(schema: type[S]) -> type[S]:
        made = create_model(schema.__name__, __base__=schema, __module__=schema.__module__, **declare())
        made.__doc__ = schema.__doc__
        return made

    return add
