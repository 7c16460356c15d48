"""Which inputs are timed, what shape do they have, and where do their files lie?

Nothing heavy is imported here: the harness reads this module and has to stay small (see ``cost.py``).
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, Protocol

REPOSITORY = Path(__file__).resolve().parents[1]
DEFAULT_FOLDER = REPOSITORY / "build" / "bench"

# Scaled-down inputs keep at least so many queries, so that means, ties and misses still occur in them.
FEWEST_QUERIES = 5
LARGE_FROM_LINES = 5_000_000

type ScoreStyle = Literal["short", "long", "negative"]
type LabelStyle = Literal["sparse", "single", "graded"]


@dataclass(frozen=True, kw_only=True)
class BenchmarkInput:
    """The recipe of one input: some runs over the same queries, and their qrels."""

    name: str
    seed: int
    n_queries: int
    depth: int
    n_runs: int = 1
    scores: ScoreStyle = "short"
    labels: LabelStyle = "sparse"
    is_shuffled: bool = False

    @property
    def is_large(self) -> bool:
        return self.n_queries * self.depth * self.n_runs >= LARGE_FROM_LINES

    def scaled(self, scale: float) -> "BenchmarkInput":
        return replace(self, n_queries=max(FEWEST_QUERIES, round(self.n_queries * scale)))


class Files(Protocol):
    """Labels, and the runs that are scored by them."""

    @property
    def qrels(self) -> Path: ...

    @property
    def runs(self) -> list[Path]: ...


@dataclass(frozen=True)
class InputFiles:
    """Where the files of one input lie."""

    folder: Path
    n_runs: int

    @property
    def qrels(self) -> Path:
        return self.folder / "qrels.txt"

    @property
    def runs(self) -> list[Path]:
        return [self.folder / f"run{number:02}.trec" for number in range(1, self.n_runs + 1)]


INPUTS = (
    BenchmarkInput(name="small", seed=1, n_queries=50, depth=1000, labels="graded"),
    BenchmarkInput(name="short", seed=2, n_queries=6980, depth=1000),
    BenchmarkInput(name="long", seed=3, n_queries=6980, depth=1000, scores="long"),
    BenchmarkInput(name="negative", seed=4, n_queries=6980, depth=1000, scores="negative"),
    BenchmarkInput(name="marco13", seed=5, n_queries=5793, depth=100, n_runs=13, labels="single"),
    BenchmarkInput(name="unsorted", seed=6, n_queries=5793, depth=100, is_shuffled=True),
)
INPUT_NAMES = tuple(recipe.name for recipe in INPUTS)


def files_of(recipe: BenchmarkInput, *, folder: Path, scale: float) -> InputFiles:
    # Inputs of another size get a folder of their own, so that a smoke test never passes for a benchmark.
    size_folder = folder if scale == 1 else folder / f"scale-{scale:g}"
    return InputFiles(size_folder / recipe.name, recipe.n_runs)
