"""Tests, demo and scripts take a port that is free: a fixed one may be taken where tests run side by side."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HERE = {"127.0.0.1", "localhost", "0.0.0.0", "::1"}


def fixed_ports(code: str) -> list[int]:
    """Lines with a call that is given an address of this machine with a port, or ``--port`` with a number."""
    calls = (node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call))
    return sorted({call.lineno for call in calls if any(_is_fixed(*pair) for pair in _pairs(call))})


def _pairs(call: ast.Call) -> Iterator[tuple[ast.expr, ast.expr]]:
    given = [*call.args, *(each.value for each in call.keywords)]
    for several in (call.args, *(each.elts for each in given if isinstance(each, ast.Tuple | ast.List))):
        yield from pairwise(several)


def _is_fixed(one: ast.expr, other: ast.expr) -> bool:
    if not (isinstance(one, ast.Constant) and isinstance(other, ast.Constant)):
        return False
    if one.value == "--port":
        return str(other.value) != "0"
    return one.value in HERE and type(other.value) is int and other.value > 0


@pytest.mark.parametrize("code", ['bind(("127.0.0.1", 80))', 'run(["web", "--port", "80"])', 'serve("localhost", 80)'])
def test_a_fixed_port_is_seen(code: str) -> None:
    assert fixed_ports(code) == [1]
    assert fixed_ports(code.replace("80", "0")) == []


def test_no_file_takes_a_fixed_port() -> None:
    files = [path for folder in ("tests", "demo", "scripts") for path in (ROOT / folder).rglob("*.py")]
    found = {str(path.relative_to(ROOT)): fixed_ports(path.read_text(encoding="utf-8")) for path in files}
    assert len(files) > 100
    assert {name: lines for name, lines in found.items() if lines} == {}
