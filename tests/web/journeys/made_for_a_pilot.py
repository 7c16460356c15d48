"""What an organiser brings along: sixty runs, labels, and the texts of queries and passages, made from a seed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

N_RUNS = 60
N_ANSWERS = 6
"""Passages of a query that some run puts first; all others are behind them, and have no text."""
WORDS = (
    "the harbour and its old library are kept by a small town near the border where many people come in summer to see "
    "how boats were built before the railway was opened and why the market moved behind the mill after the last war"
)


@dataclass(frozen=True, kw_only=True)
class Brought:
    """Files as an organiser has them."""

    labels: Path
    runs: Path
    queries: Path
    passages: Path


def make_files(folder: Path, *, n_queries: int, depth: int, n_runs: int = N_RUNS, seed: int = 21) -> Brought:
    rng = np.random.default_rng(seed)
    queries = [f"q{number:04}" for number in range(1, n_queries + 1)]
    brought = Brought(
        labels=folder / "labels.txt",
        runs=folder / "runs",
        queries=folder / "queries.tsv",
        passages=folder / "passages.tsv",
    )
    brought.runs.mkdir(parents=True)
    brought.labels.write_text("".join(f"{query} 0 {query}-0 1\n" for query in queries))
    brought.queries.write_text("".join(f"{query}\twhat of the {_say(rng, 4)}\n" for query in queries))
    passages = [f"{query}-{answer}" for query in queries for answer in range(N_ANSWERS)]
    brought.passages.write_text("".join(f"{doc}\t{_say(rng, 30)} {doc}.\n" for doc in passages))
    for number in range(1, n_runs + 1):
        (brought.runs / f"run-{number:02}.txt").write_text(_make_run(rng, queries, depth, number))
    return brought


def _say(rng: np.random.Generator, n_words: int) -> str:
    words = WORDS.split()
    return " ".join(words[place] for place in rng.integers(len(words), size=n_words))


def _make_run(rng: np.random.Generator, queries: list[str], depth: int, number: int) -> str:
    """Better by its number: the label comes first of a run more often, the later it is."""
    lines = []
    for query in queries:
        strengths = rng.normal(size=N_ANSWERS) + np.array([number / 20, *([0.0] * (N_ANSWERS - 1))])
        ordered = [f"{query}-{answer}" for answer in np.argsort(-strengths)]
        ordered += [f"{query}-x{place}" for place in range(depth - N_ANSWERS)]
        lines += [f"{query} Q0 {doc} {rank} {depth - rank} r{number}\n" for rank, doc in enumerate(ordered, start=1)]
    return "".join(lines)
