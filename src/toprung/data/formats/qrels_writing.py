"""Write labels to a file, as TREC keeps them."""

from __future__ import annotations

import os
import re

from toprung.data.formats.runs.writing import replacing
from toprung.data.qrels import Qrels
from toprung.errors import InputError

BLANK = re.compile(r"[\x00-\x20]|^$")


def write_qrels(qrels: Qrels, path: str | os.PathLike[str]) -> None:
    """Write labels as TREC qrels: ``query_id 0 doc_id grade``, in the order they are held."""
    for an_id in (*qrels.query_ids, *qrels.doc_ids):
        if BLANK.search(an_id):
            raise InputError(f"Found id {an_id!r}; a text file cannot hold ids that are empty or with blanks.")
    lines = (
        f"{qrels.query_ids[query]} 0 {doc_id} {grade}\n"
        for query, doc_id, grade in zip(qrels.query_of_row.tolist(), qrels.doc_ids, qrels.grades.tolist(), strict=True)
    )
    with replacing(path) as target:
        target.write_text("".join(lines), encoding="utf-8")
