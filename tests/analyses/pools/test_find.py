"""How large are the pools, and what would judging them take?"""

from __future__ import annotations

import json

import pytest

from toprung.analyses.pools.find import describe_pools, remarks_on_inputs
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import InputError
from toprung.labels.pools.pool import Pool, build_pools
from toprung.report.render import OutputFormat, render

POOLS = [
    Pool(query_id=f"q{number}", items=tuple("abcdef"[:size]), label="a")
    for number, size in enumerate([1, 1, 2, 3, 3, 6])
]  # pairs: 0, 0, 1, 3, 3, 15


def test_sizes_pairs_mean_and_median() -> None:
    found = describe_pools(POOLS)
    assert [(size.items, size.n_queries, size.n_pairs) for size in found.sizes] == [
        (1, 2, 0),
        (2, 1, 1),
        (3, 2, 6),
        (6, 1, 15),
    ]
    assert (found.n_queries, found.n_settled, found.n_pairs) == (6, 2, 22)
    assert found.mean == pytest.approx(16 / 6)
    assert found.median == 2.5


def test_the_sentence_says_tasks_and_cost() -> None:
    assert describe_pools(POOLS).sentence == (
        "6 queries, 2 of them settled: 22 pairs fill 15 tasks of up to 10, which cost $40.05."
    )
    assert describe_pools(POOLS, votes=3).sentence.endswith("22 pairs fill 45 tasks of up to 10, which cost $120.15.")
    assert describe_pools(POOLS[:1]).sentence == "1 query, all settled: there is nothing to compare."


def test_one_answer_that_is_no_label_is_not_settled_and_said() -> None:
    found = describe_pools([POOLS[0], Pool(query_id="q9", items=("a",))])
    assert found.sentence == "2 queries, 1 of them settled: there is nothing to compare."
    assert "1 query with one answer that is no label: nothing to compare it with, so it becomes none." in found.notes
    assert found.table.rows[0][0] == "1"


def test_no_pools_are_refused() -> None:
    with pytest.raises(InputError, match="Found no pool"):
        describe_pools([])


@pytest.mark.parametrize("output_format", OutputFormat)
def test_it_is_written_in_every_format(output_format: OutputFormat) -> None:
    assert "15" in render(describe_pools(POOLS), output_format)


def test_the_json_holds_the_histogram() -> None:
    found = json.loads(render(describe_pools(POOLS, inputs={"depth": 1}), OutputFormat.JSON))
    assert found["sizes"][-1] == {"items": 6, "queries": 1, "pairs": 15}
    assert (found["n_tasks"], found["cost"], found["provenance"]["depth"]) == (15, 40.05, 1)


def test_what_the_inputs_lack_is_said() -> None:
    qrels = Qrels.from_dict({"q1": {"d1": 1}, "q2": {"d2": 0}})
    runs = {"whole": Run.from_dict({"q1": {"d1": 1}, "q2": {"d2": 1}}), "part": Run.from_dict({"q9": {"d1": 1}})}
    pools = build_pools(qrels, runs)
    assert remarks_on_inputs(qrels, runs, pools, texts={"d1": "text"}) == (
        "Left out: 1 query of the runs without labels, such as 'q9'.",
        "Labelled queries are missing from part: nothing of theirs is in those pools.",
        "Without a relevant label: 1 query, where the pool holds the runs' answers only.",
        "Without a text: 1 of 2 documents, such as 'd2'. Nobody can be shown them, and whether they equal others is "
        "not known.",
    )
    whole = {"whole": runs["whole"]}
    labelled = Qrels.from_dict({"q1": {"d1": 1}, "q2": {"d2": 1}})
    assert remarks_on_inputs(labelled, whole, build_pools(labelled, whole)) == ()


def test_items_with_the_same_text_are_counted() -> None:
    pool = Pool(query_id="q", items=("a",), same_text={"b": "a", "c": "a"})
    assert describe_pools([pool]).notes[-1] == (
        "2 items with the text of another: that one stands for both, and they are never compared."
    )
