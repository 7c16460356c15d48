"""New labels for the board of the cast, small enough to check by hand, and their publication without the pages.

Runs of the cast have ten documents for each query: the relevant one at some rank, others named after their ranks.
Under `OTHER_ANSWERS` the answer to q01 … q20 is the document that most runs put first, and q21 … q40 keep theirs:

==========================  =====================  ===================================
a run that has the answer   scored before          under the new labels
==========================  =====================  ===================================
at rank 1                   1                      (20 × 0 + 20 × 1) / 40 = 1/2
at rank 2                   1/2                    (20 × 1 + 20 × 1/2) / 40 = 3/4
at rank 4                   1/4                    (20 × 1 + 20 × 1/4) / 40 = 5/8
at rank 5                   1/5                    (20 × 1 + 20 × 1/5) / 40 = 3/5
==========================  =====================  ===================================

What stands at rank 1 is the answer of before, so the first of these runs does not have the new one at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django_ox.testing import run_tasks
from tests.web.cast import OFFICIAL, Cast

from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.services.labels.publish import current_version, plan_version, publish

ANSWERS = {query: {f"rel-{query}": 1} for query in OFFICIAL}
OTHER_ANSWERS = ANSWERS | {query: {f"other-{query}-1": 1} for query in OFFICIAL[:20]}
NO_ANSWERS = {query: dict.fromkeys(docs, 0) for query, docs in ANSWERS.items()}
"""Of a query with these alone nothing is scored; a version may not leave it out."""
WHY = "Twenty answers were judged again."


def write_labels(path: Path, labels: Mapping[str, Mapping[str, int]]) -> Path:
    rows = [f"{query} 0 {doc} {grade}\n" for query, docs in labels.items() for doc, grade in docs.items()]
    path.write_text("".join(rows))
    return path


def publish_labels(
    cast: Cast,
    folder: Path,
    labels: Mapping[str, Mapping[str, int]] = OTHER_ANSWERS,
    *,
    use: str = LabelUse.OFFICIAL,
    changes: str = WHY,
    **more: Any,
) -> LabelSet:
    """Publish, and leave all else to the workers."""
    current = current_version(cast.board, use)
    plan = plan_version(current, write_labels(folder / "new.txt", labels), "new.txt")
    return publish(cast.board, current, plan, changes=changes, by=cast.organiser, **more)


def do_tasks(cast: Cast) -> None:
    run_tasks(raise_failures=True)
    cast.board.refresh_from_db()


def version_of(cast: Cast, number: int) -> LabelSet:
    return cast.board.label_sets.get(use=LabelUse.OFFICIAL, version=number)
