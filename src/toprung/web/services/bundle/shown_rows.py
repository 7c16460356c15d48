"""Can the leaderboard show what another server stored? Numbers where it writes numbers, and runs that are there."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from toprung.boards.archive.rows import Row
from toprung.boards.row import BoardRow, OutcomeShares, field_types
from toprung.web.core.models.results import Standing
from toprung.web.core.store.rows import LENGTH_INTERVAL, to_row, to_shares

NUMBERS: dict[object, tuple[type, ...]] = {
    int: (int,),
    int | None: (int, type(None)),
    float: (int, float),
    float | None: (int, float, type(None)),
}
"""What may stand in a field of this type; cells show numbers as they are."""
CHECKED: dict[type, dict[str, tuple[type, ...]]] = {
    shown: {name: NUMBERS[kind] for name, kind in field_types(shown).items() if kind in NUMBERS}
    for shown in (BoardRow, OutcomeShares)
}


def check_standing(row: Row) -> None:
    """Refuse a row of the leaderboard that is not as a task stores it."""
    content = row["content"]
    try:
        shown = to_row(Standing(content=content), team="", tags=())
        shares = [shown.outcomes, *(to_shares(each) for each in content["against"].values())]
        beside = [*_numbers_beside(content)]
    except (AttributeError, KeyError, TypeError, ValueError):
        row.refuse("a content of another form", "a row of the leaderboard")
    if shown.run != row["run"]:
        row.refuse("the row of another run", f"that of {row['run']}")
    for each in (shown, *(each for each in shares if each is not None)):
        _check_numbers(row, each)
    if not all(isinstance(each, int | float) for each in beside):
        row.refuse("a figure beside the score that is no number", "one")


def _numbers_beside(content: Any) -> Iterator[object]:
    """Of other measures, of differences to other runs, and of search lengths."""
    low, high = content[LENGTH_INTERVAL] or (0.0, 0.0)
    yield from (low, high)
    for each in content["others"]:
        yield from (each[name] for name in ("mean", "low", "high"))
    for each in (content["difference"], *content["differences"].values()):
        value, low, high = (0.0, 0.0, 0.0) if each is None else each
        yield from (value, low, high)


def check_board(row: Row, runs: Collection[str]) -> None:
    """Refuse what stands around the rows where it names a run that is not there."""
    content = row["content"]
    if row["kind"] != "board":
        return
    holder, references = content.get("holder"), content.get("references")
    holders = [] if holder is None else [holder]  # nobody where no claim has passed
    named = [*holders, *references] if isinstance(references, list) else [None]
    if not all(isinstance(each, str) and each in runs for each in named):
        row.refuse("runs that are not there", "the holder, and baselines, of the board")


def _check_numbers(row: Row, shown: Any) -> None:
    for name, kinds in CHECKED[type(shown)].items():
        if not isinstance(getattr(shown, name), kinds):
            row.refuse(f"{name} that is no number", "one")
