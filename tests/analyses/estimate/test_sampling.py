from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from toprung.analyses.estimate.sampling import HumanSample, SampleEvidence, check_sample
from toprung.data.matrices import ScoreTable
from toprung.errors import InputError
from toprung.labels.effort.effort import Effort
from toprung.labels.pools.pool import Pool
from toprung.labels.pools.store import start_pools

N = 80
IDS = tuple(f"q{number}" for number in range(1, N + 1))
SCORES = ScoreTable(
    query_ids=IDS, runs=("a", "b", "c"), values=np.random.default_rng(1).random((N, 3)), measure="nDCG@10"
)
RANDOM = [f"q{number}" for number in np.random.default_rng(6).choice(np.arange(1, N + 1), 20, replace=False)]


def check(judged: list[str], human_sample: HumanSample = "random", *, order: tuple[str, ...] = IDS) -> SampleEvidence:
    return check_sample(human_sample, set(judged), SCORES, order)


def state_of(folder: Path, judged: list[str], *, is_sample: bool = True) -> Path:
    inputs = {"sample": {"n": len(judged), "of": N, "seed": 3}} if is_sample else {}
    pools = [Pool(query_id=query_id, items=("d1", "d2")) for query_id in judged]
    start_pools(Effort.open_or_create(folder / "state"), pools, inputs)
    return folder / "state"


def test_nothing_said_is_refused() -> None:
    with pytest.raises(
        InputError, match=r"Found nothing that says how the queries were chosen .* --human-sample random"
    ):
        check(RANDOM, None)


def test_a_declared_sample_is_taken_at_its_word() -> None:
    found = check(RANDOM)
    assert (found.known_by, found.remarks) == ("declared random", ())
    assert found.scores_p > 0.05


def test_a_recorded_sample_is_known_by_its_record(tmp_path: Path) -> None:
    found = check(RANDOM[:18], state_of(tmp_path, RANDOM))
    assert found.known_by == "recorded: 20 of 80 queries, seed 3, of which 18 were judged"


def test_an_effort_without_a_sample_records_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found no sample in its manifest"):
        check(RANDOM, state_of(tmp_path, RANDOM, is_sample=False))


def test_queries_beyond_the_recorded_sample_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found 1 query judged by people that its sample does not hold"):
        check([*RANDOM, next(each for each in IDS if each not in RANDOM)], state_of(tmp_path, RANDOM))


def test_a_folder_that_is_no_effort_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found no manifest"):
        check(RANDOM, tmp_path)


def test_the_queries_with_the_highest_scores_are_refused() -> None:
    easy = [
        IDS[IDS.index(query)]
        for query, _ in sorted(zip(SCORES.query_ids, SCORES.values.sum(axis=1), strict=True), key=lambda each: -each[1])
    ]
    with pytest.raises(InputError, match=r"differ from the rest as those of a random sample would not \(p = 0.0002\)"):
        check(easy[:20])


def test_the_first_ids_are_refused_by_number_not_by_letter() -> None:
    with pytest.raises(InputError, match="stand together in the order of their ids"):
        check(list(IDS[:20]))


def test_a_recorded_sample_may_stand_together_by_chance(tmp_path: Path) -> None:
    assert check(list(IDS[:20]), state_of(tmp_path, list(IDS[:20]))).order_p < 1e-10


def test_the_first_of_the_file_are_remarked_on() -> None:
    judged_first = tuple(sorted(IDS, key=lambda each: each not in RANDOM))
    assert "were they taken from its beginning?" in check(RANDOM, order=judged_first).remarks[0]
