"""One reading of a run serves several sets of labels, and each gets what it would have got alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.data.formats.runs.files import place_file
from toprung.data.joined_labels import JoinedLabels
from toprung.data.place import place_run
from toprung.data.placement import Placement
from toprung.data.qrels import Qrels
from toprung.data.run import Run

queries, docs = st.sampled_from(["q1", "q2", "q3", "q4"]), st.sampled_from("abcde")
labels = st.dictionaries(queries, st.dictionaries(docs, st.integers(-1, 2), min_size=1), min_size=1).map(
    Qrels.from_dict
)
runs = st.dictionaries(
    queries, st.dictionaries(docs, st.sampled_from([0.0, 1.0, 1.00000001, 2.0]), min_size=1), min_size=1
)


def assert_same(found: Placement, expected: Placement) -> None:
    for name in ("rank", "tie_first", "tie_last", "retrieved"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    for name in ("run", "n_rows", "n_unknown_queries", "n_contradicting_queries"):
        assert getattr(found, name) == getattr(expected, name)
    assert found.qrels is expected.qrels
    in_32_bits = [each.rank if each.rank_32_bit is None else each.rank_32_bit for each in (found, expected)]
    np.testing.assert_array_equal(*in_32_bits)


@given(runs, labels, labels)
def test_each_set_gets_what_it_would_have_got_alone(
    ranking: dict[str, dict[str, float]], one: Qrels, other: Qrels
) -> None:
    run = Run.from_dict(ranking)
    place = JoinedLabels.of([one, other]).place_once(lambda qrels: place_run(run, qrels))
    assert_same(place(one), place_run(run, one))
    assert_same(place(other), place_run(run, other))


def test_a_file_is_read_once_for_all_of_them(tmp_path: Path) -> None:
    path, asked = tmp_path / "x.run", []
    path.write_text("q1 Q0 a 2 1 t\nq1 Q0 b 1 2 t\nq2 Q0 a 1 1 t\nq9 Q0 a 1 1 t\n")

    def place(qrels: Qrels) -> Placement:
        asked.append(qrels)
        return place_file(path, qrels)

    sets = [Qrels.from_dict({"q1": {"a": 1}}), Qrels.from_dict({"q2": {"a": 1}, "q1": {"b": 1}})]
    once = JoinedLabels.of(sets).place_once(place)
    for qrels in (*sets, *sets):
        assert_same(once(qrels), place_file(path, qrels))
    assert len(asked) == 1


@pytest.mark.parametrize("other", [{"q1": {"z": 1}}, {"q7": {"a": 1}}], ids=["a document", "a query"])
def test_labels_that_were_not_joined_are_looked_up_in_the_run_itself(other: dict[str, dict[str, int]]) -> None:
    run = Run.from_dict({"q1": {"z": 2.0, "a": 1.0}, "q7": {"a": 1.0}})
    place = JoinedLabels.of([Qrels.from_dict({"q1": {"a": 1}})]).place_once(lambda qrels: place_run(run, qrels))
    assert_same(place(asked := Qrels.from_dict(other)), place_run(run, asked))
