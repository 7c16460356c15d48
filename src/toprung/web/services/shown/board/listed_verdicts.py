"""Who may be best on a board, in one sentence with names? For its own pages, lists, feeds, cards and badges alike.

Results are stored with the labels of runs; by which name a run may be called is asked when it is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import F

from toprung.web.core.access.namer import Namer
from toprung.web.core.asked import has_come
from toprung.web.core.models.boards import Board
from toprung.web.core.models.results import Audience, StoredResult
from toprung.web.core.models.runs import Submission
from toprung.web.services.shown.board.verdict import BoardVerdict, named_in, say_named

NOTHING_YET = BoardVerdict(bold="No run yet.", rest="", because="")
"""Of a board with no baseline either."""


def say_boards(boards: Sequence[Board]) -> dict[int, BoardVerdict]:
    """Of each board by its key, as everyone sees it; two questions to the database, however many boards."""
    results = StoredResult.objects.filter(board__in=boards, kind="board", audience=Audience.PUBLIC)
    contents = dict(results.filter(labels_version=F("board__shown_version")).values_list("board_id", "content"))
    by_board = {each.pk: each for each in boards}
    labels = {label for content in contents.values() for label in named_in(content)}
    runs = Submission.objects.filter(board__in=contents, run_id__in=labels).select_related("team")
    names = _name(by_board, runs)
    said = {pk: say_named(content, names.get(pk, {})) for pk, content in contents.items()}
    return {board.pk: said.get(board.pk, NOTHING_YET) for board in boards}


def say_state(board: Board, content: Mapping[str, Any] | None) -> str:
    """In a few words, without names: for a badge."""
    if content is None or not content["has_runs"]:
        return "no run yet"
    n_best, n_runs = len(content["top_group"]), content["n_runs"]
    state = "1 run" if n_runs == 1 else f"{n_best:,} of {n_runs:,} runs may be best"
    is_over = board.closes_at is not None and has_come(board.closes_at)
    return f"{state}, closed" if is_over else state


def _name(boards: Mapping[int, Board], runs: Iterable[Submission]) -> dict[int, dict[str, str]]:
    namers = {pk: Namer.of(board, AnonymousUser()) for pk, board in boards.items()}
    names: dict[int, dict[str, str]] = {}
    for each in runs:
        names.setdefault(each.board_id, {})[each.run_id] = namers[each.board_id].name(each).name
    return names
