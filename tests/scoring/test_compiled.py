"""The compiled scorer is held to NumPy's measures, to the last bit."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import toprung as tr
from toprung.data.placement import Placement, PlacementArrays
from toprung.data.qrels import Qrels
from toprung.scoring import compiled
from toprung.scoring.catalogue import find_measure
from toprung.scoring.measure import Measure
from toprung.scoring.ranked_labels import LabelledQueries, RankedLabels
from toprung.scoring.score_run import score_run, score_ties

pytestmark = pytest.mark.skipif(not compiled.has_scorer(), reason="NO SCORER: it was not built")

NAMES = (
    *("RR", "RR@10", "RR(rel=2)@3", "RR(rel=-1)", "RR(mth=2)", "RR(rel=0, mth=3)@5", "nDCG", "nDCG@1", "nDCG@10"),
    *("nDCG@2000000000", "AP", "AP@3", "AP(rel=2)", "AP(rel=-5)", "P@1", "P@10", "P(rel=3)@2", "R", "R@1000"),
    *("R(rel=4)@5", "R(rel=0)", "Success@1", "Success(rel=2)@10", "Judged", "Judged@10", "ERR", "ERR@20"),
    *("NumRet", "NumRel", "NumRel(rel=2)", "NumRelRet", "NumRelRet(rel=0)"),
)
MEASURES = [measure for measure in map(find_measure, NAMES) if isinstance(measure, Measure)]
OTHERS = ("RR(ties='expected')", "ESL", "nDCG(dcg='exp-log2')@10", "NCG@10", "RBP", "Interval(of='P')@2")


@st.composite
def placements(draw: st.DrawFn) -> Placement:
    """Labels of a few queries, and a run that has some of them: groups of ties, gaps, deep ranks, missing queries."""
    grades = st.lists(st.sampled_from([-2, -1, 0, 0, 1, 1, 2, 3, 4, 7, 10**9 - 1]), max_size=9)
    labels = draw(
        st.lists(grades, min_size=1, max_size=6).filter(lambda each: any(grade >= 1 for q in each for grade in q))
    )
    names = [f"q{i}" for i in range(len(labels))]
    order = draw(st.permutations(names))
    qrels = Qrels.from_dict({q: {f"d{i}": g for i, g in enumerate(of)} for q, of in zip(order, labels, strict=True)})
    arrays = PlacementArrays.empty(qrels)
    for query in range(qrels.n_queries):
        _place(draw, arrays, range(*qrels.starts[query : query + 2].tolist()), query)
    return arrays.finish("run", qrels, n_rows=1, n_unknown=0, n_contradicting=0)


def _place(draw: st.DrawFn, arrays: PlacementArrays, rows: range, query: int) -> None:
    if not draw(st.booleans()):
        return
    rank, waiting = 0, list(draw(st.permutations(rows)))
    while waiting:
        rank += draw(st.sampled_from([0, 0, 1, 8, 990, 10**6]))
        size = draw(st.integers(1, 4))
        tied = waiting[: draw(st.integers(0, size))]
        del waiting[: max(len(tied), 1)]
        ranks, in_32_bits = (draw(st.permutations(range(rank + 1, rank + size + 1))) for _ in range(2))
        for row, at, elsewhere in zip(tied, ranks, in_32_bits, strict=False):
            arrays.rank[row], arrays.tie_first[row], arrays.tie_last[row] = at, rank + 1, rank + size
            arrays.rank_32_bit[row] = elsewhere
        rank += size
    arrays.retrieved[query] = rank


@settings(max_examples=80, deadline=None)
@given(placements())
def test_every_measure_is_that_of_numpy_to_the_last_bit(placement: Placement) -> None:
    labels = LabelledQueries.of(placement.qrels)
    found = score_run(MEASURES, placement, labels)
    ranked = RankedLabels.of(placement, labels)
    for measure, row in zip(MEASURES, found, strict=True):
        assert row.tolist() == measure.score(ranked).tolist(), str(measure)


@settings(max_examples=60, deadline=None)
@given(placements())
def test_ties_are_broken_as_numpy_breaks_them(placement: Placement) -> None:
    labels = LabelledQueries.of(placement.qrels)
    best, worst = score_ties(MEASURES, placement, labels)
    for found, ranked in (
        (best, RankedLabels.best_of_ties(placement, labels)),
        (worst, RankedLabels.worst_of_ties(placement, labels)),
    ):
        for measure, row in zip(MEASURES, found, strict=True):
            assert row.tolist() == measure.score(ranked).tolist(), str(measure)


@settings(max_examples=40, deadline=None)
@given(placements())
def test_ranks_of_32_bit_scores_are_scored_as_numpy_scores_them(placement: Placement) -> None:
    labels = LabelledQueries.of(placement.qrels)
    assume(placement.rank_32_bit is not None)
    ranked = RankedLabels.of(replace(placement, rank=placement.rank_32_bit), labels)
    for measure, row in zip(MEASURES, score_run(MEASURES, placement, labels, in_32_bits=True), strict=True):
        assert row.tolist() == measure.score(ranked).tolist(), str(measure)


@pytest.mark.parametrize("name", NAMES)
def test_common_measures_are_compiled(name: str) -> None:
    measure = find_measure(name)
    assert isinstance(measure, Measure)
    assert compiled.can_score([measure])


@pytest.mark.parametrize("name", [*OTHERS, "RR(rel=99999999999)", "RR(mth=99999999999)"])
def test_other_measures_are_left_to_numpy(name: str) -> None:
    measure = find_measure(name)
    assert isinstance(measure, Measure)
    assert not compiled.can_score([measure])


LABELS = {"q1": {"a": 2, "b": 1, "c": 0}, "q2": {"a": 1}, "q3": {"x": 0}, "q4": {"y": 3, "z": 1}}
RUN = "q1 Q0 b 1 2.0 t\nq1 Q0 a 2 2.0 t\nq1 Q0 u 3 1.00000001 t\nq1 Q0 c 4 1.0 t\nq4 Q0 z 1 5 t\nq9 Q0 z 1 5 t\n"


@pytest.fixture(params=["compiled", "off"])
def evaluation(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tr.Evaluation]:
    run = tmp_path_factory.mktemp("runs") / "mine.run"
    run.write_text(RUN)
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "off":
            patch.setenv("TOPRUNG_SCORER", "off")
        yield tr.evaluate(LABELS, run, ["RR", "nDCG@10", "AP", "R@1000", "Judged@10"])


def test_an_evaluation_is_the_same_with_and_without_the_scorer(evaluation: tr.Evaluation) -> None:
    values = evaluation.runs[0].values
    assert evaluation.query_ids == ("q1", "q2", "q4")
    assert values.dtype == np.float64
    assert values[0].tolist() == [1.0, 0.0, 1.0]  # b before a, as their scores tie: b > a
    discount = np.log2([2, 3])
    assert values[1].tolist() == [(1 + 2 / discount[1]) / (2 + 1 / discount[1]), 0.0, 1 / (3 + 1 / discount[1])]
    assert values[2].tolist() == [1.0, 0.0, 0.5]
    assert values[3].tolist() == [1.0, 0.0, 0.5]
    assert values[4].tolist() == [0.75, 0.0, 1.0]


def test_what_is_told_of_a_run_is_the_same_with_and_without_the_scorer(evaluation: tr.Evaluation) -> None:
    notes = "\n".join(evaluation.notes)
    assert "mine: 1 labelled query missing." in notes
    assert "mine: 1 query without labels ignored." in notes
    assert "Left out: 1 labelled query with no relevant document." in notes
    assert "Ties alone could move mine's nDCG@10 from 0.3784 to 0.4251." in notes


def test_buffers_that_do_not_fit_are_refused() -> None:
    starts, grades, index_of = array("q", [0, 1]), array("i", [1]), array("q", [0])
    ranks, measures, values = array("i", [1]), array("q", [0, 1, 1, 10]), array("d", [0.0])
    good = [starts, grades, index_of, ranks, ranks, measures, values]
    compiled._score.score(*good)
    assert values.tolist() == [1.0]
    bad = (
        *((0, array("q", each)) for each in ([], [0], [0, 2], [1, 1], [0, 1, 1], [0, -1])),
        *((1, array("i", each)) for each in ([], [1, 1])),
        *((2, array("q", each)) for each in ([], [1], [-2], [0, 0])),
        *((place, array("i", each)) for place in (3, 4) for each in ([], [1, 1])),
        *((5, array("q", each)) for each in ([], [0, 1, 1], [99, 1, 1, 10], [-1, 1, 1, 10], [0, 1, 1, 0])),
        *((6, array("d", each)) for each in ([],)),
    )
    for place, buffer in bad:
        with pytest.raises(ValueError, match="do not fit together"):
            compiled._score.score(*(buffer if i == place else each for i, each in enumerate(good)))
    with pytest.raises(ValueError, match="do not fit together"):
        compiled._score.break_ties(starts, grades, ranks, ranks, ranks, array("i"))
    with pytest.raises(TypeError, match="expected 7 buffers"):
        compiled._score.score(starts)  # type: ignore[call-arg]  # too few, on purpose
    with pytest.raises(BufferError):
        compiled._score.score(*good[:6], b"12345678")
