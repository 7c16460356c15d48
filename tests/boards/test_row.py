"""A figure of a row that is not for everyone must be one that can be left out."""

from __future__ import annotations

from dataclasses import make_dataclass
from typing import Annotated

import pytest

from toprung.boards import row


def test_a_figure_for_organisers_alone_may_be_none(monkeypatch: pytest.MonkeyPatch) -> None:
    declare("depth", Annotated[int | None, row.RowColumn()], monkeypatch)
    assert row.row_columns()[-1].name == "depth"


def test_one_that_cannot_be_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or rows for everyone would be stored that no other server takes."""
    declare("depth", Annotated[int, row.RowColumn()], monkeypatch)
    with pytest.raises(TypeError, match="depth: found no None in its type"):
        row.row_columns()


def declare(name: str, kind: object, monkeypatch: pytest.MonkeyPatch) -> None:
    more = make_dataclass("BoardRow", [(name, kind, None)], bases=(row.BoardRow,), frozen=True, kw_only=True)
    monkeypatch.setattr(row, "BoardRow", more)
