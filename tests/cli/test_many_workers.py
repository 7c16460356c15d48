"""Every command whose work grows with pairs or runs says the same, byte by byte, whoever does the work."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from toprung import workers
from toprung.cli.main import app
from toprung.stats.ranks.mass import bootstrap_rank_mass

N_QUERIES, N_RUNS = 60, 12
JSON = ("-f", "json")
SCORED = ("--scores", "scores.csv", *JSON)
RANKED = ("--ranks", "ranks.csv", *JSON)
SEARCHED = tuple(f"s{run}.run" for run in range(4))
COMMANDS = {
    "leaderboard": ("leaderboard", *SCORED),
    "leaderboard of ranks": ("leaderboard", *RANKED),
    "stability": ("stability", *SCORED, "--trials", "200"),
    "significance": ("significance", *SCORED),
    "standings": ("standings", *RANKED),
    "standings by tiers": ("standings", *RANKED, "--rule", "lin2021"),
    "holdout": ("holdout", *SCORED, "--private", "private.csv"),
    "power": ("power", *SCORED, "--difference", "0.05", "--margin", "0.1"),
    "rescore": ("labels", "rescore", "qrels", "new.qrels", *SEARCHED, *JSON),
    "leave-one-out": ("labels", "leave-one-out", "--state", "state", "qrels", *SEARCHED, *JSON),
}
# What is cut, into pieces far smaller than usual.
CUTS = {
    "stats.pairs.pair_blocks.PAIRS_PER_BLOCK": 20,
    "stats.pairs.observed.PAIRS_PER_BLOCK": 20,
    "stats.pairs.resamples.CELLS_PER_BLOCK": 20_000,
    "stats.pairs.studentised.STEPS_TO_SEND": 0,
    "stats.pairs.scaled.RUNS_PER_BLOCK": 4,
    "stats.models.divergence.COLUMNS_PER_BLOCK": 4,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Matrices of a dozen runs, some of them nearly alike; and runs with labels and judgments."""
    folder = tmp_path_factory.mktemp("board")
    rng = np.random.default_rng(18)
    easy = rng.random((N_QUERIES, 1))
    values = np.clip(easy + rng.normal(0, 0.3, (N_QUERIES, N_RUNS)) + np.linspace(0, 0.5, N_RUNS), 0, 2).round(3)
    values[:, 3] = values[:, 4]
    _write_matrix(folder / "scores.csv", values)
    _write_matrix(folder / "private.csv", values[::-1] ** 2, first=N_QUERIES)
    _write_matrix(folder / "ranks.csv", np.where(rng.random(values.shape) < 0.02, 0, rng.integers(1, 11, values.shape)))
    _write_labels(folder, rng)
    return folder


def _write_matrix(path: Path, values: NDArray[Any], first: int = 0) -> None:
    head = ",".join(["query_id", *(f"r{run:02}" for run in range(values.shape[1]))])
    rows = [",".join([f"q{first + row:03}", *(f"{value:g}" for value in line)]) for row, line in enumerate(values)]
    path.write_text("\n".join([head, *rows]) + "\n")


def _write_labels(folder: Path, rng: np.random.Generator) -> None:
    """Each run has answers that no other has, and people found some of them better than the label."""
    queries = [f"q{row}" for row in range(8)]
    for run in range(4):
        lines = []
        for query in queries:
            ranking = rng.permutation(["label", f"own{run}", "other"]).tolist()
            lines += [f"{query} Q0 {doc} {rank} {4 - rank} tag" for rank, doc in enumerate(ranking, start=1)]
        (folder / f"s{run}.run").write_text("\n".join(lines) + "\n")
    (folder / "qrels").write_text("".join(f"{query} 0 label 1\n" for query in queries))
    (folder / "new.qrels").write_text("".join(f"{query} 0 own{row % 4} 1\n" for row, query in enumerate(queries)))
    items = ["label", "other", *(f"own{run}" for run in range(4))]
    better = {query: f"own{row % 4}" for row, query in enumerate(queries)}
    votes = [
        f"{query} {a} {b} {b if better[query] == b else a}"
        for query in queries
        for place, a in enumerate(items)
        for b in items[place + 1 :]
    ]
    (folder / "votes.pref").write_text("\n".join(votes) + "\n")


@pytest.fixture
def here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """In the folder; holds how many pieces were given to workers, each time that any were."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr("toprung.stats.ranks.mass.CELLS_PER_CHUNK", 4_000)  # shares of ties are added up chunk by chunk
    if not Path("state").exists():
        _say("labels", "import", "--state", "state", "votes.pref")
    given: list[int] = []
    spread = workers._spread

    def count(work: Any, pieces: list[Any], n_workers: int) -> Any:
        given.append(len(pieces))
        return spread(work, pieces, n_workers)

    monkeypatch.setattr(workers, "_spread", count)
    return given


def _say(*arguments: str) -> bytes:
    outcome = CliRunner().invoke(app, list(arguments))
    assert outcome.exit_code == 0, outcome.output
    return outcome.stdout_bytes


def _cut_finely(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "LEAST_STEPS", 0)
    for name, size in CUTS.items():
        monkeypatch.setattr(f"toprung.{name}", size)


@pytest.mark.parametrize("command", COMMANDS.values(), ids=list(COMMANDS))
def test_two_processes_say_what_one_does(
    command: Sequence[str], here: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = _say(*command)
    assert not here
    _cut_finely(monkeypatch)
    assert _say(*command, "-j", "2", "--backend", "loky") == alone
    assert here
    assert min(here) > 1


@pytest.mark.parametrize("command", COMMANDS.values(), ids=list(COMMANDS))
def test_a_cluster_of_two_processes_says_what_one_does(
    command: Sequence[str], folder: Path, here: list[int], scheduler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its processes work in other folders, so that files have their whole paths."""
    command = [str(folder / word) if word.endswith(".run") else word for word in command]
    alone = _say(*command)
    monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", scheduler)
    _cut_finely(monkeypatch)
    assert _say(*command, "-j", "2", "--backend", "dask") == alone
    assert max(here, default=0) > 1  # and so they were given to both


@pytest.mark.parametrize("kernel", ["on", "off"])
def test_ranks_of_more_runs_than_resamples_can_have_errors_for_are_the_same(
    kernel: str, here: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toprung.stats.pairs.studentised.MOST_KEPT", 0)
    monkeypatch.setenv("TOPRUNG_KERNEL", kernel)
    alone = _say(*COMMANDS["leaderboard"])
    _cut_finely(monkeypatch)
    assert _say(*COMMANDS["leaderboard"], "-j", "2") == alone
    assert here


@pytest.mark.parametrize("gap_share", [0.0, 0.1])
def test_trials_are_the_same_with_ties_and_with_gaps(
    gap_share: float, here: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(3)
    values = rng.integers(0, 3, (40, 6)).astype(np.float64)
    values[rng.random(values.shape) < gap_share] = np.nan
    alone = bootstrap_rank_mass(values, trials=500)
    monkeypatch.setattr(workers, "LEAST_STEPS", 0)
    spread = bootstrap_rank_mass(values, trials=500, workers=workers.Workers(count=2))
    assert (here, spread.tobytes()) == ([5], alone.tobytes())


@pytest.mark.parametrize("name", ["leaderboard", "stability", "significance", "holdout", "power", "leave-one-out"])
def test_a_small_board_stays_in_this_process(name: str, here: list[int]) -> None:
    _say(*COMMANDS[name], "-j", "4")
    assert not here


def test_an_unknown_backend_is_refused_even_where_nobody_would_be_started(here: list[int]) -> None:
    outcome = CliRunner().invoke(app, [*COMMANDS["leaderboard"], "-j", "4", "--backend", "abacus"])
    assert "backend: found 'abacus'; expected loky, threading, dask, " in str(outcome.exception)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["leaderboard", "stability", "significance"])
@pytest.mark.parametrize("backend", ["loky", "threading", "dask"])
def test_a_board_that_is_worth_it_is_spread_as_it_stands(
    command: str, backend: str, here: list[int], scheduler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """320 runs × 1,000 queries, cut as everywhere; takes minutes."""
    monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", scheduler)
    monkeypatch.setattr("toprung.stats.ranks.mass.CELLS_PER_CHUNK", 1 << 21)
    rng = np.random.default_rng(5)
    values = rng.random((1000, 1)) + rng.normal(0, 0.3, (1000, 320)) + np.linspace(0, 0.2, 320)
    _write_matrix(Path("large.csv"), values.round(3))
    asked = (command, "--scores", "large.csv", "-f", "csv")
    alone = _say(*asked)
    assert _say(*asked, "-j", "2", "--backend", backend) == alone
    assert here or backend == "threading"
