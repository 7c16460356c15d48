"""Channels are given by their class: of a text Altair looks through all its classes, and that takes longest."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import toprung.report.charts

CHARTS = Path(toprung.report.charts.__file__).parent


def texts_in_encodings(tree: ast.AST) -> Iterator[ast.expr]:
    """Texts, and calls of ``alt.value``, that a call of ``encode`` gives as they are, or in a list."""
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "encode":
            for given in (keyword.value for keyword in call.keywords if keyword.arg):
                for each in given.elts if isinstance(given, ast.List) else [given]:
                    if isinstance(each, ast.Constant | ast.JoinedStr) or ast.unparse(each).startswith("alt.value("):
                        yield each


def test_every_channel_is_given_by_its_class() -> None:
    found = [
        f"{path.name}:{each.lineno}: {ast.unparse(each)}"
        for path in sorted(CHARTS.rglob("*.py"))
        for each in texts_in_encodings(ast.parse(path.read_text()))
    ]
    assert found == []


def test_texts_are_found_where_there_are_any() -> None:
    tree = ast.parse(
        'chart.encode(x="run:N", y=alt.Y("score:Q"), tooltip=["a:N", alt.Tooltip("b:N")], x2=alt.value(1))'
    )
    assert [ast.unparse(each) for each in texts_in_encodings(tree)] == ["'run:N'", "'a:N'", "alt.value(1)"]
