"""How are arrays kept that grow at their end? One file for each, and an index that says how much of them counts."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

INDEX = "index.json"

type Layout = Mapping[str, tuple[tuple[int, ...], str]]
"""The shape of each array, and the kind of its numbers."""


@dataclass(frozen=True, kw_only=True)
class KeptArrays:
    """A folder of them; whoever uses it holds it (``data.folder_lock``)."""

    folder: Path
    made_of: Sequence[Any]
    """What all of it depends on: what was made of anything else is not taken."""
    layout_of: Callable[[int], Layout]
    """Of so many keys."""

    def read(self) -> tuple[tuple[str, ...], dict[str, NDArray[Any]]] | None:
        """The keys and the arrays, mapped; None where anything is missing or cut short."""
        try:
            index = json.loads((self.folder / INDEX).read_bytes())
            keys = tuple(index["keys"])
            if index["made_of"] != list(self.made_of) or not keys:
                return None
            layout = self.layout_of(len(keys))
            return keys, {name: self._map(name, shape, kind) for name, (shape, kind) in layout.items()}
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _map(self, name: str, shape: tuple[int, ...], kind: str) -> NDArray[Any]:
        if not all(shape):
            return np.empty(shape, dtype=kind)
        return np.memmap(self.folder / name, dtype=kind, mode="r", shape=shape)

    def add(self, arrays: Mapping[str, NDArray[Any]], *, keys: Sequence[str], after: Sequence[str] = ()) -> None:
        """Write arrays behind those of the keys ``after``, or in their place; the index is written last."""
        if not after:
            (self.folder / INDEX).unlink(missing_ok=True)
        for name, (shape, kind) in self.layout_of(len(after)).items():
            start = math.prod(shape) * np.dtype(kind).itemsize if after else 0
            self._write(name, np.ascontiguousarray(arrays[name], dtype=kind), start=start)
        partial = self.folder / f"{INDEX}.partial"
        partial.write_text(json.dumps({"made_of": self.made_of, "keys": [*after, *keys]}))
        partial.replace(self.folder / INDEX)

    def _write(self, name: str, values: NDArray[Any], *, start: int) -> None:
        path = self.folder / name
        if not start:
            path.unlink(missing_ok=True)  # others may read from the old file: it stays theirs
        with path.open("r+b" if start else "xb") as file:
            file.truncate(start)
            file.seek(0, os.SEEK_END)
            file.write(values.data)
            file.flush()
            os.fsync(file.fileno())
