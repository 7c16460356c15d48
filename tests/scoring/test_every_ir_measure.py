"""Every measure that ir_measures can compute here has its value, on random graded labels.

Some queries are missing from the run, some documents have no label, and some labelled ones were not retrieved.
"""

from __future__ import annotations

import importlib.util
import random
from typing import Any

import pytest

import toprung as tr
from toprung.scoring.names import DIVERSITY

ir_measures = pytest.importorskip("ir_measures")

TRIED: list[dict[str, Any]] = [
    {},
    {"cutoff": 5},
    {"rel": 2},
    {"rel": 2, "cutoff": 5},
    {"judged_only": True},
    {"judged_only": True, "cutoff": 5},
    {"recall": 0.3},
    {"recall": 0.3, "rel": 2},
    {"dcg": "exp-log2", "cutoff": 5},
    {"gains": {0: 0, 1: 1, 2: 5, 3: 9}},
    {"gains": {0: 0, 1: 1, 2: 5, 3: 9}, "cutoff": 5},
    {"beta": 2.0},
    {"relative": True},
    {"p": 0.8},
    {"p": 0.9, "normalize": False},
    {"p": 0.8, "rel": 2},
    {"p": 0.8, "cutoff": 5},
    {"T": 2.0, "min_rel": 0, "max_rel": 3},
    {"min_rel": 0, "max_rel": 3},
    {"min_rel": 0, "max_rel": 3, "cutoff": 5},
]
NOT_FOR_MISSING_QUERIES = {"NumRel"}
"""Counts labels, which a query has whether the run answers it or not; ir_measures gives 0 for one that is missing."""
OF_CWL_EVAL = {"BPM", "INSQ", "INST", "NERR8", "NERR9", "NERR10", "NERR11", "RBP", "SDCG"}
OTHER_ORDER_OF_TIES = {"Compat", "Judged", "RR"} | OF_CWL_EVAL
"""ir_measures orders ties by doc_id upwards for Compat, in ways of their own for Judged@k and RR@k, as they come for
what cwl_eval computes. Toprung has one order for all measures, that of trec_eval: downwards."""
NEED_NOT_HAVE_A_VALUE = {"Accuracy"}
"""Divides by the number of retrieved documents that are not relevant, which may be 0: then ir_measures stops."""


def of_registry() -> list[Any]:
    """All measures but those of diversity, which Toprung refuses."""
    return [measure for measure in ir_measures.measures.registry.values() if measure.NAME not in DIVERSITY]


def measures_known() -> list[Any]:
    """Each with every set of parameters that it takes, where the package that computes it is installed."""
    found = {}
    for measure in of_registry():
        for parameters in TRIED:
            if set(parameters) <= set(measure.SUPPORTED_PARAMS):
                built = measure(**parameters) if parameters else measure
                if is_computed(built):
                    found[str(built)] = built
    return [built for built in found.values() if built.NAME not in NEED_NOT_HAVE_A_VALUE]


def is_computed(measure: Any) -> bool:
    try:
        return bool(ir_measures.DefaultPipeline.supports(measure))
    except AssertionError:  # a parameter is needed that is not there
        return False


def draw(seed: int, *, has_ties: bool) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Labels of 20 queries, and a run that lacks every fifth of them; ids are numbers, as gdeval wants them."""
    rng = random.Random(seed)
    docs = [f"d{number:02}" for number in range(25)]
    labels = {f"{query}": {doc: rng.choice([0, 0, 1, 2, 3]) for doc in rng.sample(docs, 12)} for query in range(1, 21)}
    run: dict[str, dict[str, float]] = {}
    for query in range(1, 21):
        if query % 5:
            retrieved = rng.sample(docs, rng.choice([1, 4, 10, 20]))
            scores = [rng.randint(1, 4) for _ in retrieved] if has_ties else rng.sample(range(1, 1000), len(retrieved))
            run[f"{query}"] = dict(zip(retrieved, map(float, scores), strict=True))
    return labels, run


def of_ir_measures(measure: Any, labels: Any, run: Any) -> list[tuple[str, float]]:
    """By itself: of NumRet and NumRet(rel=1) together ir_measures at times gives one for the other."""
    return [(each.query_id, each.value) for each in ir_measures.iter_calc([measure], labels, run)]


@pytest.mark.parametrize("has_ties", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_every_measure_has_the_value_of_ir_measures(seed: int, has_ties: bool) -> None:
    labels, run = draw(seed, has_ties=has_ties)
    measures = [each for each in measures_known() if not has_ties or each.NAME not in OTHER_ORDER_OF_TIES]
    found = tr.evaluate(labels, {"run": run}, measures)
    for measure in measures:
        table = found.score_table(measure)
        values = dict(zip(table.query_ids, table.values[:, 0].tolist(), strict=True))
        asked = [each for each in values if each in run or measure.NAME not in NOT_FOR_MISSING_QUERIES]
        known = dict(of_ir_measures(measure, labels, run))
        theirs = {query: known.get(query, 0.0) for query in asked}
        assert {query: values[query] for query in asked} == pytest.approx(theirs, abs=1e-5, nan_ok=True), str(measure)


def test_every_name_that_it_knows_is_asked() -> None:
    """Compat was .21 where ir_measures has .55, for ranks were given to it as scores below 0."""
    known = {measure.NAME for measure in of_registry()}
    missing = OF_CWL_EVAL if importlib.util.find_spec("cwl") is None else set()
    assert {measure.NAME for measure in measures_known()} == known - missing - NEED_NOT_HAVE_A_VALUE
    assert len(measures_known()) >= 60


def test_accuracy_where_every_query_has_a_retrieved_document_that_is_not_relevant() -> None:
    """Without ties, which its provider orders in a way of its own as well."""
    labels, run = draw(5, has_ties=False)
    for query in run:
        labels[query]["none"], run[query]["none"] = 0, 0.5
    found = tr.evaluate(labels, {"run": run}, "Accuracy").score_table("Accuracy")
    theirs = dict(of_ir_measures(ir_measures.Accuracy, labels, run))
    values = dict(zip(found.query_ids, found.values[:, 0].tolist(), strict=True))
    assert values == pytest.approx({query: theirs.get(query, 0.0) for query in values}, abs=1e-9)
    assert any(0 < value < 1 for value in values.values())


def test_every_measure_that_ir_measures_hands_to_pyndeval_is_refused() -> None:
    """alpha_nDCG was 1.0000 where the labels with subtopics give .9826."""
    from ir_measures.providers.pyndeval_provider import PyNdEvalProvider

    of_pyndeval = {getattr(each, "measure", each).NAME for each in PyNdEvalProvider.SUPPORTED_MEASURES}
    names = {name for name, measure in ir_measures.measures.registry.items() if measure.NAME in of_pyndeval}
    assert names == DIVERSITY
    for name in names:
        for given in (f"{name}@5", ir_measures.measures.registry[name]):
            with pytest.raises(tr.MeasureError, match="which needs labels for the subtopics of a query"):
                tr.evaluate({"1": {"a": 1}}, {"1": {"a": 1.0}}, given)


def test_compat_by_hand() -> None:
    # ideal a, b; ranking x, a: overlaps 0/1 and 1/2, against 1 and 1, at weights 1 and .5
    found = tr.evaluate({"1": {"a": 2, "b": 1}}, {"1": {"x": 2.0, "a": 1.0}}, "Compat(p=0.5)")
    assert found.value("run1", "Compat(p=0.5)") == pytest.approx((0.5 * 0.5) / 1.5)


def test_where_ir_measures_stops_a_sentence_says_so() -> None:
    with pytest.raises(tr.MeasureError, match="ir_measures could not compute Accuracy"):
        tr.evaluate({"1": {"a": 1}}, {"1": {"a": 1.0}}, "Accuracy")
