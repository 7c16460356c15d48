"""Runs and labels as literal text, and every measure read naively, for the tests of scoring."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

import toprung as tr

Grades = Sequence[int | None]


@dataclass(frozen=True)
class Query:
    """One query's ranking as grades, best first (None = no label), its labels, and the highest grade of all."""

    ranking: Grades
    labels: Sequence[int]
    highest: int


Naive = Callable[[Query], float]


@pytest.fixture
def evaluate_text(tmp_path: Path) -> Callable[..., tr.Evaluation]:
    """Evaluates a run called ``run`` against labels, both given as the text of their files."""

    def evaluate(labels: str, run: str, *measures: str, **options: object) -> tr.Evaluation:
        (tmp_path / "labels.txt").write_text(labels, encoding="utf-8")
        (tmp_path / "run.txt").write_text(run, encoding="utf-8")
        return tr.evaluate(tmp_path / "labels.txt", tmp_path / "run.txt", measures, **options)  # type: ignore[arg-type]

    return evaluate


@pytest.fixture
def score(evaluate_text: Callable[..., tr.Evaluation]) -> Callable[..., dict[str, float]]:
    """The value of each query under one measure."""

    def score(measure: str, labels: str, run: str, **options: object) -> dict[str, float]:
        table = evaluate_text(labels, run, measure, **options).score_table(measure)
        return dict(zip(table.query_ids, table.values[:, 0].tolist(), strict=True))

    return score


@pytest.fixture(scope="session")
def to_query() -> type[Query]:
    return Query


@pytest.fixture(scope="session")
def naive_measures() -> dict[str, Naive]:
    """Each native measure as its definition reads, one document after the other."""
    return {
        "RR": lambda query: reciprocal(first_rank(query.ranking, 1)),
        "RR(rel=2)@2": lambda query: reciprocal(first_rank(query.ranking[:2], 2)),
        "ESL": lambda query: first_rank(query.ranking, 1),
        "ESL@2": lambda query: first_rank(query.ranking[:2], 1),
        "ESL(rel=2)@3": lambda query: first_rank(query.ranking[:3], 2),
        "nDCG": lambda query: ndcg(query, None, gain),
        "nDCG@3": lambda query: ndcg(query, 3, gain),
        "nDCG(dcg='exp-log2')@3": lambda query: ndcg(query, 3, exponential_gain),
        "NCG@2": lambda query: share(sum(map(gain, query.ranking[:2])), sum(map(gain, ideal(query)[:2]))),
        "AP": lambda query: average_precision(query, None, 1),
        "AP(rel=2)@3": lambda query: average_precision(query, 3, 2),
        "P@2": lambda query: count(query.ranking[:2], 1) / 2,
        "P(rel=2)@3": lambda query: count(query.ranking[:3], 2) / 3,
        "R": lambda query: share(count(query.ranking, 1), count(query.labels, 1)),
        "R(rel=2)@2": lambda query: share(count(query.ranking[:2], 2), count(query.labels, 2)),
        "Success@2": lambda query: float(count(query.ranking[:2], 1) > 0),
        "RBP": lambda query: rbp(query.ranking, 0.8, lambda grade: gain(grade) / query.highest),
        "RBP(p=0.5)@2": lambda query: rbp(query.ranking[:2], 0.5, lambda grade: gain(grade) / query.highest),
        "RBP(p=0.5, rel=2)": lambda query: rbp(query.ranking, 0.5, lambda grade: float(gain(grade) >= 2)),
        "ERR": lambda query: expected_reciprocal_rank(query.ranking),
        "ERR@2": lambda query: expected_reciprocal_rank(query.ranking[:2]),
        "Interval(of='nDCG')@3": lambda query: interval("nDCG@3", query, 3),
        "Interval(of='AP(rel=2)')@2": lambda query: interval("AP(rel=2)@2", query, 2),
        "Interval(of='RBP')@2": lambda query: interval("RBP@2", query, 2),
        "Judged": lambda query: judged(query.ranking),
        "Judged@2": lambda query: judged(query.ranking[:2]),
        "NumRet": lambda query: len(query.ranking),
        "NumRel(rel=2)": lambda query: count(query.labels, 2),
        "NumRelRet": lambda query: count(query.ranking, 1),
    }


def count(grades: Grades, rel: int) -> int:
    return sum(grade is not None and grade >= rel for grade in grades)


def share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def first_rank(ranking: Grades, rel: int) -> float:
    return next((rank for rank, grade in enumerate(ranking, 1) if grade is not None and grade >= rel), math.nan)


def reciprocal(rank: float) -> float:
    return 0.0 if math.isnan(rank) else 1 / rank


def gain(grade: int | None) -> float:
    return max(grade or 0, 0)


def exponential_gain(grade: int | None) -> float:
    return 2 ** gain(grade) - 1


def dcg(ranking: Grades, gain_of: Callable[[int | None], float]) -> float:
    return sum(gain_of(grade) / math.log2(rank + 1) for rank, grade in enumerate(ranking, 1))


def ideal(query: Query) -> Grades:
    return sorted(query.labels, reverse=True)


def ndcg(query: Query, cutoff: int | None, gain_of: Callable[[int | None], float]) -> float:
    return share(dcg(query.ranking[:cutoff], gain_of), dcg(ideal(query)[:cutoff], gain_of))


def judged(ranking: Grades) -> float:
    return share(sum(grade is not None for grade in ranking), len(ranking))


def average_precision(query: Query, cutoff: int | None, rel: int) -> float:
    ranking = query.ranking[:cutoff]
    precisions = [count(ranking[:rank], rel) / rank for rank, grade in enumerate(ranking, 1) if count([grade], rel)]
    return share(sum(precisions), count(query.labels, rel))


def rbp(ranking: Grades, p: float, gain_of: Callable[[int | None], float]) -> float:
    return (1 - p) * sum(gain_of(grade) * p ** (rank - 1) for rank, grade in enumerate(ranking, 1))


def expected_reciprocal_rank(ranking: Grades) -> float:
    goes_on, expected = 1.0, 0.0
    for rank, grade in enumerate(ranking, 1):
        stops = exponential_gain(grade) / 16
        expected += goes_on * stops / rank
        goes_on *= 1 - stops
    return expected


NAIVE_OF_INTERVAL: dict[str, Naive] = {
    "nDCG@3": lambda query: ndcg(query, 3, gain),
    "AP(rel=2)@2": lambda query: average_precision(query, 2, 2),
    "RBP@2": lambda query: rbp(query.ranking[:2], 0.8, lambda grade: gain(grade) / query.highest),
}


def interval(measure: str, query: Query, length: int) -> float:
    """The place of the query's value among those of all rankings its labels allow, from 0 to 1."""
    values = possible_values(measure, tuple(sorted(map(int, map(gain, query.labels)))), query.highest, length)
    value = round(NAIVE_OF_INTERVAL[measure](query), 10)
    return share(values.index(value), len(values) - 1)


@cache
def possible_values(measure: str, labels: tuple[int, ...], highest: int, length: int) -> list[float]:
    """Of rankings of labelled documents and as many others as are wanted."""
    rankings = set(itertools.permutations([*labels, *[0] * length], length))
    return sorted({round(NAIVE_OF_INTERVAL[measure](Query(ranking, labels, highest)), 10) for ranking in rankings})
