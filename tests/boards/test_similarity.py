"""How alike the top lists of two runs are."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from tests.stats.samples import rank_biased_overlap

import toprung as tr
from toprung.boards.policy import SmallChanges
from toprung.boards.similarity import run_similarity


def run_of(rankings: dict[str, str]) -> tr.Run:
    """Documents are letters, the first the best."""
    return tr.Run.from_dict(
        {query: {doc: float(len(docs) - place) for place, doc in enumerate(docs)} for query, docs in rankings.items()}
    )


def test_the_mean_over_queries_is_of_the_overlap_of_their_lists() -> None:
    a, b = {"q1": "abcd", "q2": "xyz", "q3": "ab"}, {"q1": "abdc", "q2": "xyz", "q3": "axyb"}
    found = run_similarity(run_of(a), run_of(b), p=0.8)
    expected = np.mean([rank_biased_overlap(a[query], b[query], p=0.8) for query in a])
    assert found.rbo == pytest.approx(expected)
    assert found.identical == pytest.approx(1 / 3)
    assert found.n_queries == 3


def test_only_the_first_documents_count() -> None:
    found = run_similarity(run_of({"q": "abcd"}), run_of({"q": "abdc"}), depth=2)
    assert (found.rbo, found.identical) == (1.0, 1.0)


def test_a_query_that_one_run_lacks_is_not_alike() -> None:
    found = run_similarity(run_of({"q1": "ab", "q2": "ab"}), run_of({"q1": "ab", "q3": "ab"}))
    assert (found.rbo, found.identical, found.n_queries) == (pytest.approx(1 / 3), pytest.approx(1 / 3), 3)


def test_a_list_and_its_beginning_overlap_and_are_not_identical() -> None:
    found = run_similarity(run_of({"q": "ab"}), run_of({"q": "abc"}))
    assert (found.rbo, found.identical) == (1.0, 0.0)


def test_scores_do_not_matter_and_the_order_of_the_two_neither() -> None:
    a, b = tr.Run.from_dict({"q": {"x": 9.0, "y": 1.0}}), tr.Run.from_dict({"q": {"x": 0.2, "y": 0.1, "z": 0.0}})
    assert run_similarity(a, b) == run_similarity(b, a)


def test_a_depth_of_nothing_is_refused() -> None:
    with pytest.raises(tr.InputError, match="depth: found 0"):
        run_similarity(run_of({"q": "a"}), run_of({"q": "a"}), depth=0)


@pytest.fixture(scope="module")
def real_runs(shared_data: Path) -> dict[str, tr.Run]:
    files = sorted((shared_data / "msmarco-passage-dev215").glob("*.run.gz"))
    return {path.name.removesuffix(".run.gz"): tr.read_run(path) for path in files}


def test_real_runs_of_different_models_are_not_close(real_runs: dict[str, tr.Run], shared_data: Path) -> None:
    neighbours = [tr.read_run(path) for path in sorted((shared_data / "text-dl19").glob("input.*"))]
    pairs = [*combinations(real_runs.values(), 2), *combinations(neighbours, 2)]
    found = [run_similarity(a, b) for a, b in pairs]
    assert not any(SmallChanges().are_close(each) for each in found)
    assert max(each.rbo for each in found) < 0.71
    assert max(each.identical for each in found) < 0.02


@pytest.mark.parametrize("model", ["bert_L4", "BM25", "tk"])
def test_a_real_run_with_its_scores_shaken_a_little_is_close(real_runs: dict[str, tr.Run], model: str) -> None:
    rng = np.random.default_rng(1)
    shaken = {
        query: {doc: score + 0.001 * float(np.std(list(docs.values())) * rng.normal()) for doc, score in docs.items()}
        for query, docs in real_runs[model].to_dict().items()
    }
    assert SmallChanges().are_close(run_similarity(real_runs[model], tr.Run.from_dict(shaken)))


def test_a_real_run_with_two_neighbours_swapped_in_every_query_is_close(real_runs: dict[str, tr.Run]) -> None:
    rng = np.random.default_rng(2)
    swapped = {}
    for query, docs in real_runs["tk"].to_dict().items():
        names, place = list(docs), int(rng.integers(0, 9))
        names[place : place + 2] = names[place : place + 2][::-1]
        swapped[query] = {doc: float(-rank) for rank, doc in enumerate(names)}
    found = run_similarity(real_runs["tk"], tr.Run.from_dict(swapped))
    assert found.identical < 0.01  # one query has six documents only
    assert SmallChanges().are_close(found)


def test_two_real_runs_of_one_team_are_close_and_those_of_others_not(shared_data: Path) -> None:
    folder = shared_data / "trec-covid-r1"
    first, second, other = (tr.read_run(folder / f"{name}.gz") for name in ("BBGhelani1", "BBGhelani2", "run1"))
    assert SmallChanges().are_close(run_similarity(first, second))
    assert not SmallChanges().are_close(run_similarity(first, other))
