"""How much of each score's interval is doubt about labels? By the votes that made them, for each run once.

The answers that may be best are drawn as probable as they are, query by query: how far the score of a run moves then is
what better labels could still change. Of hidden labels it is for organisers: it would tell of single queries.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toprung.analyses.relabel.soft import SoftScores
from toprung.data.qrels import Qrels
from toprung.web.core.access.viewer import Viewer
from toprung.web.core.models.boards import Board
from toprung.web.core.models.campaigns import LabelOrigin
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.results import Audience
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.files import local_path
from toprung.web.services.results.material import BoardMaterial
from toprung.words.wording import say_queries, show_number

DOUBT = "label_doubt"
"""The kind of the stored result."""
DECIMALS = 4


def show_doubt(material: BoardMaterial) -> dict[str, Any] | None:
    """Of every run; None where votes did not make the labels, and for everyone where these are hidden."""
    chances, same_text = _read_chances(material.labels)
    if not chances or (material.is_public and material.release.is_hidden):
        return None
    board, known = material.board, _known(material.board, material.labels)
    n_queries = len(material.findings.scores.query_ids)
    moves = {
        each.run_id: known[each.run_id] if each.run_id in known else _move(board, each, chances, same_text, n_queries)
        for each in material.submissions
    }
    halves = {run: (each.high - each.low) / 2 for run, each in material.findings.score_intervals.items()}
    return {
        "measure": board.official_measure,
        "n_in_doubt": len(chances),
        "runs": moves,
        "halves": {run: halves[run] for run in moves},
        "sentence": say_doubt(len(chances), n_queries, moves, halves),
    }


def _read_chances(labels: LabelSet) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, str]]]:
    """Of the queries in doubt: what may be the label, in percent, and which documents have one text."""
    origin = LabelOrigin.objects.filter(label_set=labels).first()
    if origin is None:
        return {}, {}
    chances, same_text = origin.doubt.get("chances", {}), origin.doubt.get("same_text", {})
    in_doubt = {
        query_id: docs
        for query_id, docs in chances.items()
        if len({same_text.get(query_id, {}).get(doc_id, doc_id) for doc_id in docs}) > 1
    }
    return in_doubt, same_text


def _known(board: Board, labels: LabelSet) -> dict[str, float]:
    """What was found of runs under these labels before, and holds for good."""
    found = board.results.filter(labels_version=labels.version, kind=DOUBT, audience=Audience.ORGANISERS).first()
    is_same = found is not None and found.content["measure"] == board.official_measure
    return found.content["runs"] if found is not None and is_same else {}


def _move(
    board: Board,
    run: Submission,
    chances: Mapping[str, Mapping[str, int]],
    same_text: Mapping[str, Mapping[str, str]],
    n_queries: int,
) -> float:
    """By how much its mean over all queries moves either way in 95% of draws of the labels."""
    with local_path(run.upload.parquet) as path:
        labels = Qrels.from_dict(chances, source="labels in doubt")
        soft = SoftScores.of(labels, same_text, {run.run_id: path}, board.official_measure)
    return float(soft.spread[0]) * len(chances) / n_queries


def doubt_of_runs(viewer: Viewer) -> Mapping[str, float]:
    """How far doubt about labels moves the score of each run, for who may know."""
    found = viewer.result(DOUBT)
    return {} if found is None else found.content["runs"]


def say_doubt(n_in_doubt: int, n_queries: int, moves: Mapping[str, float], halves: Mapping[str, float]) -> str:
    """Of all runs together.

    >>> say_doubt(3, 40, {"a": 0.012}, {"a": 0.05, "b": 0.9})
    'The labels of 3 of 40 queries are in doubt: that moves scores by ±0.0120, of intervals of ±0.0500.'
    """
    of = [halves[run] for run in moves]
    return (
        f"The labels of {n_in_doubt:,} of {say_queries(n_queries)} are in doubt: that moves scores by "
        f"{_range(moves.values())}, of intervals of {_range(of)}."
    )


def say_doubt_of(run: str, content: Mapping[str, Any]) -> str:
    """Of one run, from what is stored.

    >>> say_doubt_of("a", {"measure": "RR@10", "runs": {"a": 0.012}, "halves": {"a": 0.05}})
    'Doubt about labels alone moves its RR@10 by ±0.0120 (95%), of an interval of ±0.0500.'
    """
    if run not in content["runs"]:
        return ""
    moved, half = (show_number(content[each][run], DECIMALS) for each in ("runs", "halves"))
    return f"Doubt about labels alone moves its {content['measure']} by ±{moved} (95%), of an interval of ±{half}."


def _range(values: Any) -> str:
    shown = [f"±{show_number(value, DECIMALS)}" for value in (min(values), max(values))]
    return shown[0] if shown[0] == shown[1] else " to ".join(shown)
