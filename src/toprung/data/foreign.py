"""What do other tools hand over? Their runs and labels become dicts and frames, and nothing of theirs is imported.

ranx has ``Run`` and ``Qrels``, Hugging Face has tables of ``datasets``, and Pyserini's ``batch_search`` gives lists of
hits by query. Frames, as of PyTerrier and BEIR, are read by the names of their columns: see ``toprung.data.frames``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def to_plain(given: Any) -> Any:
    """A dict of dicts or a frame where another tool's object was given; anything else as it is.

    >>> from types import SimpleNamespace as Hit
    >>> to_plain({"q1": [Hit(docid="d7", score=2.5), Hit(docid="d3", score=1.0)]})
    {'q1': {'d7': 2.5, 'd3': 1.0}}
    """
    package = type(given).__module__.partition(".")[0]
    if package == "ranx" and hasattr(given, "to_dict"):
        return given.to_dict()
    if hasattr(given, "column_names") and hasattr(given, "to_pandas"):
        return given.to_pandas()
    return _from_hits(given) if is_hits(given) else given


def is_hits(given: object) -> bool:
    """Whether this is what Pyserini found: a list of hits for each query."""
    if not isinstance(given, Mapping):
        return False
    first = next((hits for hits in given.values() if not isinstance(hits, Sequence) or hits), None)
    return isinstance(first, list) and hasattr(first[0], "docid") and hasattr(first[0], "score")


def _from_hits(given: Mapping[str, Sequence[Any]]) -> dict[str, dict[str, float]]:
    return {query_id: {hit.docid: float(hit.score) for hit in hits} for query_id, hits in given.items()}


def name_given(given: object) -> str | None:
    """The name that another tool's run has."""
    name = getattr(given, "name", None)
    return name if type(given).__module__.startswith("ranx.") and isinstance(name, str) else None
