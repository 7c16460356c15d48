"""How much does a run answer, and how far down? Of first ranks alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from toprung.data.matrices import FirstRanks, ScoreTable


@dataclass(frozen=True, kw_only=True)
class Answers:
    """``share`` of all queries, and the mean rank over those; None where there is nothing to tell it from."""

    share: float | None = None
    mean_esl: float | None = None


def find_answers(matrix: FirstRanks | ScoreTable) -> dict[str, Answers]:
    """Of every run; nothing is known of scores alone.

    >>> ranks = FirstRanks(query_ids=("1", "2"), runs=("x",), values=np.array([[4], [0]], dtype=np.int32), cutoff=10)
    >>> find_answers(ranks)["x"]
    Answers(share=0.5, mean_esl=4.0)
    """
    if not isinstance(matrix, FirstRanks):
        return dict.fromkeys(matrix.runs, Answers())
    n_queries = len(matrix.query_ids)
    answered = np.count_nonzero(matrix.values, axis=0).tolist()
    ranks = matrix.values.sum(axis=0, dtype=np.int64).tolist()
    return {
        run: Answers(share=n_answered / n_queries, mean_esl=total / n_answered if n_answered else None)
        for run, n_answered, total in zip(matrix.runs, answered, ranks, strict=True)
    }
