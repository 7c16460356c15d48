"""What are two runs to each other with all runs of the board compared at once? Read from their rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toprung.boards.engine.words import say_relation
from toprung.web.core.access.viewer import Viewer
from toprung.web.core.models.results import StoredResult
from toprung.web.core.store.relations import relation_of
from toprung.web.core.store.run_pairs import RunPair, comparison_key


def key_of(viewer: Viewer, pair: RunPair) -> str:
    """By which its comparison is stored; empty on a board without labels."""
    labels = viewer.labels()
    return "" if labels is None else comparison_key(viewer.board, labels, pair)


def find_comparison(viewer: Viewer, pair: RunPair) -> StoredResult | None:
    """The pair by itself, and first what it is on the board; None where either is not there yet."""
    found, on_board = viewer.result("compare", key_of(viewer, pair)), _find_relation(viewer, pair)
    if found is None or on_board is None:
        return None
    found.content = found.content | on_board
    return found


def _find_relation(viewer: Viewer, pair: RunPair) -> Mapping[str, Any] | None:
    rows = {each.submission_id: each for each in viewer.standings().filter(submission__in=pair.both)}
    if len(rows) < len(pair.both):
        return None
    a, b = (rows[each.pk] for each in pair.both)
    a.submission, b.submission = pair.both
    relation, n_runs = relation_of(a, b), viewer.standings().count()
    words = say_relation(pair.holder.run_id, pair.challenger.run_id, relation, n_runs)
    return {"relation": relation, "n_runs": n_runs, "on_board": " ".join(words)}
