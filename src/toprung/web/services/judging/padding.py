"""Does the size of a reply tell what it is about? No: replies without texts are made equally long."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

REPLY = 512
"""Bytes of a reply that carries no text."""


def pad_json(content: Mapping[str, Any]) -> bytes:
    """In JSON, filled up with blanks.

    >>> len(pad_json({"kept": True})), len(pad_json({"kept": False}))
    (512, 512)
    """
    return json.dumps(content).encode().ljust(REPLY)
