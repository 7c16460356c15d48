"""Is every name searched for once? No two classes of the source share one, and schemas of the API say what they are."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"
API = SOURCE / "toprung" / "web" / "api"


def classes_in(folder: Path) -> Iterator[tuple[Path, ast.ClassDef]]:
    """Those at the top of a module; Django wants every migration to be called Migration."""
    for file in sorted(folder.rglob("*.py")):
        if file.parent.name != "migrations":
            tree = ast.parse(file.read_text(encoding="utf-8"))
            yield from ((file.relative_to(SOURCE), node) for node in tree.body if isinstance(node, ast.ClassDef))


def schemas_of_the_api() -> set[str]:
    """All that descend from ninja's Schema."""
    bases = {node.name: {ast.unparse(base) for base in node.bases} for _, node in classes_in(API)}
    found = {"Schema"}
    while more := {name for name, above in bases.items() if above & found} - found:
        found |= more
    return found - {"Schema"}


def test_no_class_name_occurs_twice() -> None:
    places = defaultdict(list)
    for file, node in classes_in(SOURCE):
        places[node.name].append(f"{file}:{node.lineno}")
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_schemas_of_the_api_end_in_out_or_in() -> None:
    schemas = schemas_of_the_api()
    assert len(schemas) > 30
    assert sorted(name for name in schemas if not name.endswith(("Out", "In"))) == []
