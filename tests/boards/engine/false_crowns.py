"""How often is a run crowned where none is better?

All submissions of a board are truly equal, so that every claim that passes is a false crown. Until one passes the first
submission holds the rung, and every claim is made against it: so all are screened at once, and those that could pass
are decided by the engine.

``python -m tests.boards.engine.false_crowns`` prints the figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr
from tests.conftest import SHARED_DATA

from toprung.boards.engine.claims import hold_to_level
from toprung.boards.engine.parts import PairParts, parts_of_ranks
from toprung.boards.engine.rules import LARGEST_P_OF_MEASURE, Rule
from toprung.data.formats.tables.matrix_files import read_scores
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.models.board_model import BoardModel, ms_marco_like
from toprung.stats.sequences.online import OnlineTest
from toprung.stats.tests.pair import pair_test

type Floats = NDArray[np.float64]

SUBMISSIONS = (60, 300)
BOARDS = {215: 2_000, 1_000: 1_000, 5_793: 300}
"""For each number of queries, how many boards are simulated."""
GRADED_BOARDS = 1_000


@dataclass(frozen=True, eq=False, kw_only=True)
class NullBoard:
    """Submissions × queries in the order they came; ``ranks`` is None where only scores are known."""

    scores: Floats
    ranks: NDArray[np.int32] | None = None

    def claims(self) -> Iterator[tuple[int, int, float]]:
        """The claims against the first submission: its number t, its row, and its p by the paired t-test."""
        means = self.scores.mean(axis=1).round(MEAN_DIGITS)
        rows = np.flatnonzero(means > means[0])
        differences = self.scores[rows] - self.scores[0]
        n = differences.shape[1]
        with np.errstate(divide="ignore"):  # near-copies may differ by the same amount on all queries drawn: p is 0
            t = differences.mean(axis=1) / (differences.std(axis=1, ddof=1) / np.sqrt(n))
        yield from zip(range(1, len(rows) + 1), rows.tolist(), (2 * stdtr(n - 1, -t)).tolist(), strict=True)

    def parts(self, row: int) -> PairParts:
        if self.ranks is None:
            return PairParts(measure=pair_test(self.scores[row] - self.scores[0]))
        return parts_of_ranks(self.ranks[0], self.ranks[row])


def has_false_crown(board: NullBoard, rule: Rule) -> bool:
    """Whether any claim passes; what is far above every level is not looked at."""
    worth_a_look = 1.2 * LARGEST_P_OF_MEASURE if rule is Rule.NO_HARM else 0.01
    return any(
        hold_to_level(board.parts(row), state=OnlineTest(tested=t - 1), rule=rule)[0].is_rejected
        for t, row, p in board.claims()
        if p <= worth_a_look
    )


def draw_sparse(model: BoardModel, queries: int, submissions: int, rng: np.random.Generator) -> NullBoard:
    """As on MS MARCO, one answer a query; successive submissions are kin."""
    levels = model.draw([model.mean] * submissions, queries=queries, rng=rng)
    assert model.ranks is not None
    return NullBoard(scores=model.scores[levels], ranks=model.ranks[levels].astype(np.int32))


def sparse_rates(queries: int, submissions: int, *, boards: int, seed: int = 0) -> dict[Rule, float]:
    """The share of boards with a false crown, the same boards under each rule."""
    found: dict[Rule, int] = {Rule.MEASURE: 0, Rule.NO_HARM: 0}
    for number in range(boards):
        rng = np.random.default_rng([seed, queries, submissions, number])
        board = draw_sparse(ms_marco_like(), queries, submissions, rng)
        for rule in found:
            found[rule] += has_false_crown(board, rule)
    return {rule: count / boards for rule, count in found.items()}


def read_equal_runs(path: Path) -> Floats:
    """Runs × queries of a real board, each run's mean taken off: over these queries all are equal."""
    values = read_scores(path).values.T
    return values - values.mean(axis=1, keepdims=True)


def draw_graded(runs: Floats, submissions: int | None, rng: np.random.Generator) -> NullBoard:
    """As many queries drawn anew; all runs in a random order, or so many means of two runs each."""
    queries = rng.integers(0, runs.shape[1], runs.shape[1])
    if submissions is None:
        return NullBoard(scores=rng.permutation(runs)[:, queries])
    pairs = np.array([rng.choice(len(runs), 2, replace=False) for _ in range(submissions)])
    return NullBoard(scores=runs[pairs].mean(axis=1)[:, queries])


def graded_rate(path: Path, submissions: int | None, *, boards: int, seed: int = 0) -> float:
    draw = partial(draw_graded, read_equal_runs(path), submissions)
    rngs = (np.random.default_rng([seed, submissions or 0, number]) for number in range(boards))
    return sum(has_false_crown(draw(rng), Rule.MEASURE) for rng in rngs) / boards


def graded_boards(data: Path) -> Sequence[Path]:
    return sorted((data / "score-matrices").glob("*.csv"))


def main() -> None:
    for queries, boards in BOARDS.items():
        for submissions in SUBMISSIONS:
            rates = sparse_rates(queries, submissions, boards=boards)
            shown = ", ".join(f"{rule} {rate:.4f}" for rule, rate in rates.items())
            print(f"sparse, {queries:,} queries, {submissions} submissions, {boards:,} boards: {shown}", flush=True)
    for submissions in (None, *SUBMISSIONS):
        rates = {path.stem: graded_rate(path, submissions, boards=GRADED_BOARDS) for path in graded_boards(SHARED_DATA)}
        what = "all runs" if submissions is None else f"{submissions} means of two runs"
        spread = f"{min(rates.values()):.4f} to {max(rates.values()):.4f}, mean {np.mean(list(rates.values())):.4f}"
        print(f"graded, {what}, {len(rates)} boards × {GRADED_BOARDS:,}: {spread}", flush=True)
        print("  " + ", ".join(f"{name} {rate:.3f}" for name, rate in rates.items()), flush=True)


if __name__ == "__main__":
    main()
