"""The boards of the data beside the repository, as matrices."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from toprung.data.formats.tables.matrix_files import read_scores
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.scoring.evaluate import evaluate


@lru_cache(maxsize=1)
def read_dev215(data: Path) -> FirstRanks:
    """10 runs on 215 queries of MS MARCO, sparse labels: RR@10."""
    folder = data / "msmarco-passage-dev215"
    return evaluate(folder / "qrels.dev215.txt", sorted(folder.glob("*.run.gz")), "RR").first_ranks(10)


@lru_cache(maxsize=1)
def read_trec_covid(data: Path) -> ScoreTable:
    """11 runs on 30 topics of TREC-COVID, graded labels: nDCG@10."""
    folder = data / "trec-covid-r1"
    return evaluate(folder / "qrels.covid-round1.txt", sorted(folder.glob("*.gz")), "nDCG@10").score_table("nDCG@10")


def every_board(data: Path) -> Iterator[tuple[str, FirstRanks | ScoreTable]]:
    yield "dev215", read_dev215(data)
    yield "trec-covid", read_trec_covid(data)
    for path in sorted((data / "score-matrices").glob("*.csv")):
        yield path.stem, read_scores(path, measure=path.stem)
