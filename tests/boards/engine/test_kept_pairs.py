"""What is kept of runs: in whatever order they came and went, intervals are those of computing from nothing."""

from __future__ import annotations

import math
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toprung.boards.engine import kept_pairs
from toprung.boards.engine.kept_arrays import INDEX
from toprung.boards.engine.kept_pairs import KeptPairs
from toprung.stats.inputs import Floats
from toprung.stats.ranks.intervals import RankIntervals, rank_intervals

N_QUERIES, N_RUNS, RESAMPLES = 40, 9, 60


@pytest.fixture(params=["studentised", "scaled"])
def kind(request: pytest.FixtureRequest) -> str:
    """How the runs are compared: with a standard error for each resample, or as boards of thousands are."""
    return str(request.param)


@pytest.fixture(autouse=True)
def few_are_kept(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """Boards of nine runs go the way of those with hundreds or thousands."""
    monkeypatch.setattr(kept_pairs, "LEAST_WORK", 0)
    monkeypatch.setattr(kept_pairs, "is_affordable", lambda *_: kind == "studentised")


def draw_values(seed: int) -> Floats:
    """Runs of unlike skill; the last has the values of the first, and one has gaps."""
    draw = np.random.default_rng(seed)
    values = draw.normal(np.linspace(0, 2, N_RUNS), 1.0, (N_QUERIES, N_RUNS)).round(2)
    values[:, -1] = values[:, 0]
    values[:3, 4] = np.nan
    return values


def from_nothing(values: Floats, kind: str, *, higher_is_better: bool = True, seed: int = 7) -> RankIntervals:
    most_work = math.inf if kind == "studentised" else 0
    return rank_intervals(values, resamples=RESAMPLES, higher_is_better=higher_is_better, rng=seed, most_work=most_work)


def with_kept(kept: KeptPairs, values: Floats, *, higher_is_better: bool = True) -> RankIntervals:
    return kept.rank_intervals(values, confidence=0.95, resamples=RESAMPLES, higher_is_better=higher_is_better, rng=7)


def assert_same(found: RankIntervals, expected: RankIntervals) -> None:
    assert (found.is_better == expected.is_better).all()
    assert (found.low.tolist(), found.high.tolist()) == (expected.low.tolist(), expected.high.tolist())
    assert (found.n_judged, found.least_differing) == (expected.n_judged, expected.least_differing)
    assert found.is_studentised == expected.is_studentised


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10_000), sizes=st.lists(st.integers(4, N_RUNS), min_size=1, max_size=4))
def test_in_whatever_order_runs_come_and_go(
    tmp_path_factory: pytest.TempPathFactory, kind: str, seed: int, sizes: list[int]
) -> None:
    values, draw = draw_values(seed), Random(seed)
    kept = KeptPairs(folder=tmp_path_factory.mktemp("kept"))
    for size in sizes:
        chosen = values[:, draw.sample(range(N_RUNS), size)]
        assert_same(with_kept(kept, chosen), from_nothing(chosen, kind))


def test_where_lower_is_better(tmp_path: Path, kind: str) -> None:
    values, kept = draw_values(1), KeptPairs(folder=tmp_path)
    with_kept(kept, values[:, :5], higher_is_better=False)
    assert_same(with_kept(kept, values, higher_is_better=False), from_nothing(values, kind, higher_is_better=False))


def test_one_run_more_adds_its_own_row(tmp_path: Path, kind: str) -> None:
    values, kept = draw_values(2), KeptPairs(folder=tmp_path)
    with_kept(kept, values[:, :6])
    before = (tmp_path / kind / "variance").read_bytes()
    with_kept(kept, values[:, :7])
    after = (tmp_path / kind / "variance").read_bytes()
    assert len(before) == 8 * 15
    assert after.startswith(before)
    assert len(after) == 8 * 21


@pytest.mark.parametrize("name", [INDEX, "variance", "differing", "means", "mean", "counted", "variances"])
@pytest.mark.parametrize("left", [0, 5])
def test_a_file_that_was_cut_short_is_made_anew(tmp_path: Path, kind: str, name: str, left: int) -> None:
    values, kept = draw_values(3), KeptPairs(folder=tmp_path)
    with_kept(kept, values[:, :6])
    path = tmp_path / kind / name
    if name == "variances" and kind == "scaled":
        assert not path.exists()
        return
    path.write_bytes(path.read_bytes()[:left])
    assert_same(with_kept(kept, values), from_nothing(values, kind))
    assert_same(with_kept(kept, values), from_nothing(values, kind))


def test_what_a_stop_left_behind_the_last_run_is_written_over(tmp_path: Path, kind: str) -> None:
    values, kept = draw_values(4), KeptPairs(folder=tmp_path)
    with_kept(kept, values[:, :6])
    with (tmp_path / kind / "variance").open("ab") as file:
        file.write(b"half a row")
    assert_same(with_kept(kept, values), from_nothing(values, kind))


def test_resamples_of_another_seed_are_not_taken(tmp_path: Path, kind: str) -> None:
    values, kept = draw_values(5), KeptPairs(folder=tmp_path)
    with_kept(kept, values)
    found = kept.rank_intervals(values, confidence=0.95, resamples=RESAMPLES, higher_is_better=True, rng=8)
    assert_same(found, from_nothing(values, kind, seed=8))


def test_a_folder_that_cannot_be_written_keeps_nothing(tmp_path: Path, kind: str) -> None:
    in_the_way = tmp_path / "a-file"
    in_the_way.write_text("")
    values = draw_values(6)
    assert_same(with_kept(KeptPairs(folder=in_the_way), values), from_nothing(values, kind))


def test_who_reads_while_runs_go_keeps_what_it_reads(tmp_path: Path, kind: str) -> None:
    """A run that was withdrawn leaves: files are written anew, and who has the old ones open goes on with them."""
    values, kept = draw_values(7), KeptPairs(folder=tmp_path)
    with_kept(kept, values[:, :6])
    opened = np.memmap(tmp_path / kind / "variance", dtype="<f8", mode="r")
    before = opened.tolist()
    with_kept(kept, values[:, 2:8])
    assert opened.tolist() == before
