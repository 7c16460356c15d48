"""How large are modules, folders and functions, and which classes share a name?"""

from __future__ import annotations

import ast
import math
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from scripts.shape.figure import Figure

FOLDERS_SHOWN = 5
ARCHIVES = (
    *("bundle", "web/bundles", "web/backups", "web/publishing"),
    *("boards/archive", "web/services/bundle", "web/ops/backup", "web/ops/publish"),
)
"""Where bundle, backup and publication live, before the reshape and after it."""


class Module(NamedTuple):
    """A file of Python, parsed."""

    path: Path
    lines: int
    tree: ast.Module


def read_modules(folder: Path) -> list[Module]:
    """All modules below a folder but migrations, which Django writes."""
    paths = sorted(path for path in folder.rglob("*.py") if path.parent.name != "migrations")
    return [_read(path) for path in paths]


def measure_source(src: Path) -> list[Figure]:
    modules = read_modules(src)
    return [
        Figure("modules in src without `__init__` and migrations", sum(not _is_init(module) for module in modules)),
        Figure("lines in src without migrations", _lines_of(modules)),
        files_in_largest_folder(src),
        *function_lengths(modules),
        class_names_twice(modules, src),
        lines_with_result(modules, src),
        *archives(modules, src),
    ]


def files_in_largest_folder(src: Path) -> Figure:
    files = (path for path in src.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    sizes = Counter(_within(path.parent, src) for path in files if not _is_made(path))
    largest = sorted(sizes.items(), key=lambda item: (-item[1], item[0]))[:FOLDERS_SHOWN]
    return Figure("files in the largest folder", largest[0][1], tuple(f"{name} {size}" for name, size in largest))


def function_lengths(modules: Sequence[Module]) -> tuple[Figure, Figure]:
    """Median and 90th percentile of lines from `def` to the last, nested functions counted too."""
    lengths = sorted(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for module in modules
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    ninth = lengths[math.ceil(0.9 * len(lengths)) - 1]
    return Figure("lines of a function, median", statistics.median(lengths)), Figure("lines of a function, p90", ninth)


def class_names_twice(modules: Sequence[Module], src: Path) -> Figure:
    places = defaultdict(list)
    for module in modules:
        for each in _classes_of(module):
            places[each.name].append(_within(module.path, src))
    twice = {name: found for name, found in sorted(places.items()) if len(found) > 1}
    which = (f"{name} ({', '.join(found)})" for name, found in twice.items())
    return Figure("class names that occur twice", len(twice), tuple(which))


def lines_with_result(modules: Sequence[Module], src: Path) -> Figure:
    holding = [module for module in modules if any(_derives_from_result(each) for each in _classes_of(module))]
    which = (f"{_within(module.path, src)} {module.lines}" for module in holding)
    return Figure("lines of files with a Result class", _lines_of(holding), tuple(which))


def archives(modules: Sequence[Module], src: Path) -> tuple[Figure, Figure]:
    folders = [folder for part in ARCHIVES for folder in src.glob(f"*/{part}")]
    inside = {folder: [module for module in modules if folder in module.path.parents] for folder in folders}
    manifests = [module.path for found in inside.values() for module in found if module.path.name == "manifest.py"]
    sizes = {_within(folder, src): _lines_of(found) for folder, found in inside.items()}
    return (
        Figure(
            "lines of bundle, backup, publication",
            sum(sizes.values()),
            tuple(f"{name} {size}" for name, size in sizes.items()),
        ),
        Figure(
            "manifests of bundle, backup, publication",
            len(manifests),
            tuple(_within(path, src) for path in manifests),
        ),
    )


def measure_tests(tests: Path) -> list[Figure]:
    nodes = [node for module in read_modules(tests) for node in ast.walk(module.tree)]
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [
        Figure("test functions", sum(function.name.startswith("test_") for function in functions)),
        Figure("`assert` statements in tests", sum(isinstance(node, ast.Assert) for node in nodes)),
    ]


def _read(path: Path) -> Module:
    text = path.read_text(encoding="utf-8")
    return Module(path, len(text.splitlines()), ast.parse(text))


def _classes_of(module: Module) -> Iterator[ast.ClassDef]:
    return (node for node in module.tree.body if isinstance(node, ast.ClassDef))


def _derives_from_result(each: ast.ClassDef) -> bool:
    return any(ast.unparse(base).split("[")[0].split(".")[-1] == "Result" for base in each.bases)


def _lines_of(modules: Sequence[Module]) -> int:
    return sum(module.lines for module in modules)


def _is_init(module: Module) -> bool:
    return module.path.name == "__init__.py"


def _is_made(path: Path) -> bool:
    """Whether a file is none of the repository's but compiled from one."""
    return path.suffix in {".so", ".pyd"}


def _within(path: Path, src: Path) -> str:
    return path.relative_to(src).as_posix()
