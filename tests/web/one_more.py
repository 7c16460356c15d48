"""A plugin that declares one more thing that teams say of runs, and one more column of a board, before all else loads.

What is made of the two declarations when modules are loaded, such as the schemas of the API, follows them then, as it
would if somebody had written a line into each of the two files.
"""

from __future__ import annotations

from dataclasses import make_dataclass
from typing import Annotated

import pytest

from toprung.boards import row
from toprung.data import run_card

LICENCE = run_card.CardField(
    holds=run_card.CardValue.LINE,
    label="Licence",
    limit=20,
    columns=("licence", "license"),
    hint="Under which others may use it.",
    about="Under which others may use it.",
)
DEPTH = row.RowColumn(about="How deep the ranking goes.")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    run_card.RunCard = make_dataclass(  # type: ignore[misc]
        "RunCard",
        [("licence", Annotated[str, LICENCE], "")],
        bases=(run_card.RunCard,),
        frozen=True,
        kw_only=True,
    )
    row.BoardRow = make_dataclass(  # type: ignore[misc]
        "BoardRow",
        [("depth", Annotated[int | None, DEPTH], 100)],
        bases=(row.BoardRow,),
        frozen=True,
        kw_only=True,
    )
