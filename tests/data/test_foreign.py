"""Runs and labels as other tools hold them score as the same dicts do."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pandas as pd
import polars as pl
import pytest

import toprung as tr

LABELS = {"q1": {"a": 2, "b": 0}, "q2": {"c": 1}}
RUN = {"q1": {"b": 3.0, "a": 2.0}, "q2": {"c": 1.0}}  # RR 1/2 and 1
ROWS = [(query, doc, score) for query, docs in RUN.items() for doc, score in docs.items()]
LABEL_ROWS = [(query, doc, grade) for query, docs in LABELS.items() for doc, grade in docs.items()]


class HeldTable:
    """As a table of `datasets`: columns by name, and a way to pandas."""

    def __init__(self, rows: list[Any]) -> None:
        self.column_names = ["query-id", "corpus-id", "score"]
        self.rows = rows

    def to_pandas(self) -> pd.DataFrame:
        return pd.DataFrame(self.rows, columns=self.column_names)


def mean_rr(labels: Any, runs: Any) -> float:
    (score,) = tr.evaluate(labels, runs, "RR").scores
    return score.value


@pytest.mark.parametrize("kind", [pd.DataFrame, lambda rows, columns: pl.DataFrame(rows, schema=columns, orient="row")])
def test_frames_of_beir(kind: Any) -> None:
    columns = ["query-id", "corpus-id", "score"]
    assert mean_rr(kind(LABEL_ROWS, columns=columns), kind(ROWS, columns=columns)) == 0.75


def test_frames_of_pyterrier() -> None:
    run = pd.DataFrame([(*row, 0, "text") for row in ROWS], columns=["qid", "docno", "score", "rank", "query"])
    assert mean_rr(pd.DataFrame(LABEL_ROWS, columns=["qid", "docno", "label"]), run) == 0.75


def test_tables_of_datasets() -> None:
    assert mean_rr(HeldTable(LABEL_ROWS), HeldTable(ROWS)) == 0.75
    assert mean_rr(LABELS, {"mine": HeldTable(ROWS)}) == 0.75


def test_runs_and_labels_of_ranx() -> None:
    ranx = pytest.importorskip("ranx")
    found = tr.evaluate(ranx.Qrels(LABELS), ranx.Run(RUN, name="dense"), "RR")
    assert found.value("dense", "RR") == 0.75
    several = tr.evaluate(LABELS, [ranx.Run(RUN, name="dense"), ranx.Run(RUN, name="again")], "RR")
    assert [run.name for run in several.runs] == ["dense", "again"]


def test_hits_of_pyserini() -> None:
    hits = {
        query: [SimpleNamespace(docid=doc, score=score) for doc, score in docs.items()] for query, docs in RUN.items()
    }
    assert mean_rr(LABELS, hits) == 0.75
    assert mean_rr(LABELS, {"bm25": {**hits, "q3": []}}) == 0.75
