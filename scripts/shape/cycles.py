"""Which packages have a cycle among their direct parts, as import-linter's `acyclic_siblings` sees it?"""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import grimp
from scripts.shape.figure import Figure

Imports = Mapping[str, set[str]]


def measure_cycles(src: Path) -> Figure:
    cycles = find_cycles(src)
    which = (f"{package}: {' → '.join(cycle)}" for package, cycle in cycles.items())
    return Figure("packages with a cycle", len(cycles), tuple(which))


def find_cycles(src: Path) -> dict[str, list[str]]:
    """For each package with a cycle among its parts, the shortest one; imports for types alone do not count."""
    packages = sorted(path.parent.name for path in src.glob("*/__init__.py"))
    with _first_on_path(src):
        graph = grimp.build_graph(*packages, exclude_type_checking_imports=True, cache_dir=None)
    found = {package: _shortest_cycle(_imports_among_parts(graph, package)) for package in sorted(graph.modules)}
    return {package: cycle for package, cycle in found.items() if cycle}


@contextlib.contextmanager
def _first_on_path(folder: Path) -> Iterator[None]:
    """So that the packages of this tree are read, whichever are installed."""
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(folder))


def _imports_among_parts(graph: grimp.ImportGraph, package: str) -> Imports:
    inside = f"{package}."
    imports = defaultdict(set)
    for module in graph.find_descendants(package):
        part = _part(module, inside)
        for imported in graph.find_modules_directly_imported_by(module):
            if imported.startswith(inside) and _part(imported, inside) != part:
                imports[part].add(_part(imported, inside))
    return imports


def _part(module: str, inside: str) -> str:
    return module.removeprefix(inside).partition(".")[0]


def _shortest_cycle(imports: Imports) -> list[str]:
    cycles = (cycle for part in sorted(imports) if (cycle := _way_back(imports, part)))
    return min(cycles, key=len, default=[])


def _way_back(imports: Imports, start: str) -> list[str]:
    """The shortest way from a part to itself, breadth first; empty where there is none."""
    ways, seen = [[start]], {start}
    for way in ways:
        for part in sorted(imports.get(way[-1], ())):
            if part == start:
                return [*way, part]
            if part not in seen:
                seen.add(part)
                ways.append([*way, part])
    return []
