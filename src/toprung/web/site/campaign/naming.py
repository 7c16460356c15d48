"""What are runs called on the pages of a campaign? By their names; codes are for files and addresses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from toprung.labels.pools.pool import LABEL
from toprung.web.core.models.boards import Board
from toprung.words.wording import list_names

THE_LABEL = "the label"


def names_of_runs(board: Board) -> dict[str, str]:
    """By their codes, those of baselines too; what the labels brought into a pool has a name as well."""
    named = dict(board.submissions.values_list("run_id", "name"))
    return {**{code: name or code for code, name in named.items()}, LABEL: THE_LABEL}


def call(codes: Iterable[str], names: Mapping[str, str]) -> str:
    """In words; of many, the first by name and how many more. Nothing of none."""
    named = sorted(names.get(code, code) for code in codes)
    return list_names(named) if named else ""
