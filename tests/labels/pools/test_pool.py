"""Which answers deserve a look? The top of every run and the label."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.labels.builders import votes

from toprung.data.judgments import Pair
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import InputError
from toprung.labels.pools.pool import (
    Pool,
    build_pools,
    first_labels,
    join_same_texts,
    keep_top,
    pools_of_judgments,
    top_documents,
)

QRELS = Qrels.from_dict({"q1": {"d1": 1}, "q2": {"d0": 0, "d5": 1, "d6": 2}, "q3": {"d9": 0}})
RUNS = {
    "beta": Run.from_dict({"q1": {"d1": 3, "d2": 2, "d3": 1}, "q2": {"d6": 1}}),
    "alpha": Run.from_dict({"q1": {"d4": 9, "d1": 8}, "q2": {"d6": 1, "d5": 0}, "q9": {"d7": 1}}),
}


def test_a_pool_is_the_top_of_each_run_and_the_label() -> None:
    one, two = build_pools(QRELS, RUNS)
    assert (one.query_id, one.items, one.label) == ("q1", ("d1", "d4"), "d1")
    assert one.sources == {"d1": ("beta", "qrel"), "d4": ("alpha",)}
    assert (two.query_id, two.items) == ("q2", ("d6",))
    assert two.sources == {"d6": ("alpha", "beta", "qrel")}


def test_the_label_is_the_first_of_the_highest_grade_in_the_file() -> None:
    assert first_labels(QRELS) == {"q1": "d1", "q2": "d6"}
    assert first_labels(Qrels.from_dict({"q": {"d1": 1, "d2": 2, "d3": 2}})) == {"q": "d2"}


def test_depth_takes_more_of_each_run() -> None:
    assert build_pools(QRELS, RUNS, depth=2)[0].items == ("d1", "d2", "d4")
    assert build_pools(QRELS, RUNS, depth=99)[0].items == ("d1", "d2", "d3", "d4")


def test_a_pool_of_one_is_settled_and_has_no_pairs() -> None:
    [pool] = build_pools(Qrels.from_dict({"q1": {"d1": 1}}), {"beta": RUNS["beta"]})
    assert pool.is_settled
    assert not replace(pool, label=None).is_settled
    assert (pool.pairs(), pool.n_pairs) == ([], 0)


def test_a_query_nobody_has_an_answer_to_has_no_pool() -> None:
    assert [pool.query_id for pool in build_pools(QRELS, RUNS)] == ["q1", "q2"]


def test_without_labels_every_query_of_the_runs_is_pooled() -> None:
    pools = build_pools(None, RUNS)
    assert [pool.query_id for pool in pools] == ["q1", "q2", "q9"]
    assert {pool.label for pool in pools} == {None}


def test_only_the_queries_wanted_are_pooled() -> None:
    assert [pool.query_id for pool in build_pools(QRELS, RUNS, query_ids=["q2"])] == ["q2"]
    with pytest.raises(InputError, match="Found 1 of 2 wanted queries without labels, 'q8' first"):
        build_pools(QRELS, RUNS, query_ids=["q2", "q8"])


def test_the_order_of_runs_and_queries_changes_nothing() -> None:
    turned = Qrels.from_dict({query: QRELS.to_dict()[query] for query in ("q3", "q2", "q1")})
    assert build_pools(turned, dict(reversed(RUNS.items()))) == build_pools(QRELS, RUNS)


@given(st.lists(st.text("abcdefgh", min_size=1, max_size=2), min_size=1, max_size=9, unique=True))
def test_n_items_make_n_times_n_minus_1_halves_pairs_each_once(items: list[str]) -> None:
    pool = Pool(query_id="q", items=tuple(sorted(items)))
    pairs = pool.pairs()
    assert len(pairs) == pool.n_pairs == len(items) * (len(items) - 1) // 2 == len(set(pairs))


def test_items_with_the_same_text_are_one_class_and_never_paired() -> None:
    texts = {"d1": "a frog", "d4": "a toad", "d2": "a frog", "d3": "a toad"}
    pool = build_pools(QRELS, RUNS, depth=3, texts=texts)[0]
    assert pool.items == ("d1", "d3")
    assert pool.same_text == {"d2": "d1", "d4": "d3"}
    assert pool.pairs() == [Pair("q1", "d1", "d3")]
    assert pool.represent("d4") == "d3"
    assert pool.represent("d1") == "d1"
    assert pool.sources_of_class == {"d1": ("alpha", "beta", "qrel"), "d3": ("alpha", "beta")}


def test_the_label_stands_for_its_class() -> None:
    pool = build_pools(QRELS, RUNS, depth=2, texts={"d5": "same", "d6": "same"})[1]
    assert pool.items == ("d6",)
    labelled_late = build_pools(Qrels.from_dict({"q2": {"d6": 1}}), RUNS, depth=2, texts={"d5": "same", "d6": "same"})
    assert labelled_late[0].items == ("d6",)


def test_documents_without_a_text_are_not_the_same() -> None:
    assert build_pools(QRELS, RUNS, texts={})[0].items == ("d1", "d4")
    assert build_pools(QRELS, RUNS, texts={"d1": "", "d4": ""})[0].items == ("d1", "d4")


def test_joining_afterwards_is_the_same_as_at_once() -> None:
    texts = {"d1": "a frog", "d4": "a frog"}
    assert join_same_texts(build_pools(QRELS, RUNS), texts) == build_pools(QRELS, RUNS, texts=texts)


def test_a_pool_comes_back_from_its_record() -> None:
    for pool in build_pools(QRELS, RUNS, depth=3, texts={"d1": "same", "d2": "same"}):
        assert Pool.from_record(json.loads(json.dumps(pool.to_record()))) == pool
    for broken in ({"items": []}, {"query_id": "q", "items": None}, {"query_id": "q", "items": [], "sources": 3}):
        with pytest.raises(InputError, match="expected a pool"):
            Pool.from_record(broken)


def test_runs_that_cannot_be_pooled_are_refused() -> None:
    with pytest.raises(InputError, match="Found no run"):
        build_pools(QRELS, {})
    with pytest.raises(InputError, match="depth: found 0"):
        build_pools(QRELS, RUNS, depth=0)
    with pytest.raises(InputError, match="Found a run called 'qrel'"):
        build_pools(QRELS, {"qrel": RUNS["beta"]})


def test_the_top_is_the_first_in_order_whatever_its_rank_says() -> None:
    import polars as pl

    ranked = Run.from_frame(pl.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "b"], "rank": [7, 3]}))
    assert top_documents(ranked) == {"q": ["b"]}
    assert top_documents(ranked, depth=5) == {"q": ["b", "a"]}


def test_a_run_cut_to_its_top_has_the_same_top() -> None:
    for depth in (1, 2):
        cut = keep_top(RUNS["alpha"], depth=depth)
        assert top_documents(cut, depth=9) == top_documents(RUNS["alpha"], depth=depth)
        assert cut.name == RUNS["alpha"].name


def test_without_pools_the_pool_is_what_was_judged() -> None:
    judgments = votes("q2 b a left\nq2 c b tie\nq1 x y skip\nq0 m n right")
    assert [(pool.query_id, pool.items) for pool in pools_of_judgments(judgments)] == [
        ("q0", ("m", "n")),
        ("q2", ("a", "b", "c")),
    ]
