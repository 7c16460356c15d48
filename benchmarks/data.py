"""What do the benchmarks read? Makes every input from its fixed seed: ``python -m benchmarks.data``."""

import argparse
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchmarks.inputs import (
    DEFAULT_FOLDER,
    INPUT_NAMES,
    INPUTS,
    BenchmarkInput,
    InputFiles,
    LabelStyle,
    ScoreStyle,
    files_of,
)

type Ints = NDArray[np.int64]
type Floats = NDArray[np.float64]
type Bools = NDArray[np.bool_]

# Ids as in MS MARCO: seven digits each.
FIRST_QUERY_ID, LAST_QUERY_ID = 1_000_000, 1_102_400
FIRST_DOC_ID, LAST_DOC_ID = 1_000_000, 8_841_823

# Runs draw from a pool twice their depth, so that two runs share about half of their documents.
POOL_PER_DEPTH = 2
RETRIEVED_SHARE = 0.85
TIED_SHARE = 0.02
GRADE_SHARES = (0.6, 0.2, 0.12, 0.08)
# Bounds memory: each score becomes a Python string on its way to the file.
QUERIES_PER_BLOCK = 500


@dataclass(frozen=True, kw_only=True)
class Topics:
    """Queries by row; by column the documents that may be judged, and those that never are."""

    query_ids: Ints
    judged_docs: Ints
    is_judged: Bools
    grades: Ints
    other_docs: Ints


def ensure_input(recipe: BenchmarkInput, files: InputFiles) -> bool:
    """Make the input unless it is there; says whether it was made."""
    if files.folder.exists():
        return False
    # Renamed only when complete: an interrupted generation must not be taken for an input.
    partial = InputFiles(files.folder.with_suffix(".partial"), files.n_runs)
    shutil.rmtree(partial.folder, ignore_errors=True)
    partial.folder.mkdir(parents=True)
    write_input(recipe, partial)
    partial.folder.rename(files.folder)
    return True


def write_input(recipe: BenchmarkInput, files: InputFiles) -> None:
    rng = np.random.default_rng(recipe.seed)
    topics = draw_topics(recipe, rng)
    write_qrels(files.qrels, topics)
    for path in files.runs:
        rankings = rank_documents(topics, recipe.depth, rng)
        scores = draw_scores(recipe.scores, rankings.shape, rng)
        order = draw_line_order(rankings.shape, is_shuffled=recipe.is_shuffled, rng=rng)
        write_run(path, query_ids=topics.query_ids, rankings=rankings, scores=scores, order=order)


def draw_topics(recipe: BenchmarkInput, rng: np.random.Generator) -> Topics:
    is_judged = draw_is_judged(recipe.labels, recipe.n_queries, rng)
    most_judged = is_judged.shape[1]
    docs = draw_distinct_docs(recipe.n_queries, most_judged + POOL_PER_DEPTH * recipe.depth, rng)
    return Topics(
        query_ids=rng.choice(np.arange(FIRST_QUERY_ID, LAST_QUERY_ID), recipe.n_queries, replace=False),
        judged_docs=docs[:, :most_judged],
        is_judged=is_judged,
        grades=draw_grades(recipe.labels, is_judged.shape, rng),
        other_docs=docs[:, most_judged:],
    )


def draw_is_judged(labels: LabelStyle, n_queries: int, rng: np.random.Generator) -> Bools:
    """One row per query, with as many true columns (the first ones) as the query has judgments."""
    match labels:
        case "single":
            n_judged = np.ones(n_queries, dtype=np.int64)
        case "sparse":
            n_judged = 1 + rng.poisson(0.07, n_queries)
        case "graded":
            n_judged = rng.poisson(150, n_queries)
    return np.arange(n_judged.max()) < n_judged[:, np.newaxis]


def draw_grades(labels: LabelStyle, shape: tuple[int, ...], rng: np.random.Generator) -> Ints:
    if labels == "graded":
        return rng.choice(len(GRADE_SHARES), size=shape, p=GRADE_SHARES)
    return np.ones(shape, dtype=np.int64)


def draw_distinct_docs(n_queries: int, n_docs: int, rng: np.random.Generator) -> Ints:
    n_ids = LAST_DOC_ID - FIRST_DOC_ID
    return FIRST_DOC_ID + np.stack([rng.choice(n_ids, n_docs, replace=False) for _ in range(n_queries)])


def rank_documents(topics: Topics, depth: int, rng: np.random.Generator) -> Ints:
    """Doc ids by query and rank; judged ones at log-uniform ranks, so that the top is rich in them.

    Two judged documents of a query may draw the same rank: one of them is then not retrieved.
    """
    rankings = rng.permuted(topics.other_docs, axis=1)[:, :depth]
    is_retrieved = topics.is_judged & (rng.random(topics.is_judged.shape) < RETRIEVED_SHARE)
    positions = (depth ** rng.random(topics.is_judged.shape)).astype(np.int64) - 1
    query, column = np.nonzero(is_retrieved)
    rankings[query, positions[query, column]] = topics.judged_docs[query, column]
    return rankings


def draw_scores(style: ScoreStyle, shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    """Scores that do not increase along a row, with some ties."""
    gaps = rng.exponential(0.01, shape) * (rng.random(shape) >= TIED_SHARE)
    below_first = np.cumsum(gaps, axis=1) - gaps[:, :1]
    column = (shape[0], 1)
    match style:
        case "short":
            decimals = rng.integers(4, 6, column, endpoint=True)
            return round_decimals(rng.uniform(25, 50, column) - below_first, decimals)
        case "long":
            return rng.uniform(25, 50, column) - below_first
        case "negative":
            # Log-probabilities: a confident first score is so near to zero that it prints as -3.2e-05.
            return round_decimals(-(10 ** rng.uniform(-5.5, 0, column)) - below_first, np.array(6))


def round_decimals(values: Floats, decimals: Ints) -> Floats:
    power = 10.0**decimals
    # A whole number over a power of ten is the double nearest to that decimal, so its repr stays short.
    rounded: Floats = np.round(values * power) / power
    return rounded


def draw_line_order(shape: tuple[int, ...], *, is_shuffled: bool, rng: np.random.Generator) -> Ints:
    """For each query, the positions in its ranking in the order in which their lines are written."""
    ranked = np.tile(np.arange(shape[1]), (shape[0], 1))
    return rng.permuted(ranked, axis=1) if is_shuffled else ranked


def write_qrels(path: Path, topics: Topics) -> None:
    query, column = np.nonzero(topics.is_judged)
    lines = pl.DataFrame(
        {
            "query_id": topics.query_ids[query],
            "iteration": np.zeros_like(query),
            "doc_id": topics.judged_docs[query, column],
            "grade": topics.grades[query, column],
        }
    )
    lines.write_csv(path, separator=" ", include_header=False)


def write_run(path: Path, *, query_ids: Ints, rankings: Ints, scores: Floats, order: Ints) -> None:
    with path.open("wb") as file:
        for first in range(0, len(query_ids), QUERIES_PER_BLOCK):
            block = slice(first, first + QUERIES_PER_BLOCK)
            lines = run_lines(query_ids[block], rankings[block], scores[block], order[block])
            tagged = lines.with_columns(tag=pl.lit(path.stem))
            tagged.write_csv(file, separator=" ", include_header=False)


def run_lines(query_ids: Ints, rankings: Ints, scores: Floats, order: Ints) -> pl.DataFrame:
    ordered_scores = np.take_along_axis(scores, order, axis=1).ravel()
    return pl.DataFrame(
        {
            "query_id": np.repeat(query_ids, order.shape[1]),
            "iteration": "Q0",
            "doc_id": np.take_along_axis(rankings, order, axis=1).ravel(),
            "rank": order.ravel() + 1,
            # Python's repr, since most runs are written by Python: Polars would never print an exponent.
            "score": [repr(score) for score in ordered_scores.tolist()],
        }
    )


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.data", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=INPUT_NAMES, default=INPUT_NAMES, metavar="NAME")
    parser.add_argument("--scale", type=float, default=1.0, help="share of the queries (0.01: a smoke test)")
    parser.add_argument("--folder", type=Path, default=DEFAULT_FOLDER, help="default: build/bench")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    options = parse_arguments(arguments)
    for recipe in INPUTS:
        if recipe.name in options.only:
            started = time.perf_counter()
            files = files_of(recipe, folder=options.folder, scale=options.scale)
            is_new = ensure_input(recipe.scaled(options.scale), files)
            took = f"made in {time.perf_counter() - started:.1f} s" if is_new else "already there"
            print(f"input {recipe.name}: {took}", flush=True)


if __name__ == "__main__":
    main()
