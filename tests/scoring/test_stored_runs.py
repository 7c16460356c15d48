"""Runs scored from the file that a board keeps."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toprung.data.formats.runs.compiled import has_scanner
from toprung.data.formats.runs.files import read_run, write_stored_run
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import FormatError, NoOverlapError, ToprungError
from toprung.scoring import stored_runs
from toprung.scoring.evaluate import evaluate
from toprung.scoring.evaluation import Evaluation
from toprung.scoring.stored_runs import StoredRun, score_stored

MEASURES = ["RR@100", "nDCG@10", "RR@2", "R@100", "AP", "ESL@3", "RR(ties='expected')", "P@2"]
LABELS = Qrels.from_dict({"q1": {"a": 1, "b": 0}, "q2": {"c": 2, "a": 1}, "q3": {"a": 0}, "q4": {"z": 1}})
RUN = Run.from_dict({"q1": {"x": 3.0, "a": 2.0, "b": 2.0}, "q2": {"c": -1.0, "y": -2.0}, "q9": {"a": 1.0}})


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    path = tmp_path / "run.parquet"
    write_stored_run(RUN, path)
    return path


def test_a_stored_run_is_scored_over_all_labelled_queries(stored: Path) -> None:
    # q1: x, then b before a as 'b' is the later id: rank 3. q2: c first, a missing. q3: none relevant. q4: missing.
    found = score_stored(stored, LABELS, ["RR@100", "R@100"], name="R1")
    assert found.query_ids == ("q1", "q2", "q4")
    assert found.first_ranks(100).values[:, 0].tolist() == [3, 1, 0]
    assert found.first_ranks(2).values[:, 0].tolist() == [0, 1, 0]
    assert found.score_table("R@100").values[:, 0].tolist() == [1.0, 0.5, 0.0]
    assert found.score_table("RR@100").runs == ("R1",)
    assert found.value("R1", "RR@100") == pytest.approx((1 / 3 + 1 + 0) / 3)


def test_what_ties_alone_could_do_is_known_without_the_scores(stored: Path) -> None:
    (score,) = score_stored(stored, LABELS, "RR", name="R1").scores
    assert score.tie_low == pytest.approx((1 / 3 + 1 + 0) / 3)
    assert score.tie_high == pytest.approx((1 / 2 + 1 + 0) / 3)


def test_the_file_is_read_once_for_several_sets_of_labels(stored: Path) -> None:
    run = StoredRun.read(stored, name="R1")
    stored.unlink()
    others = Qrels.from_dict({"q9": {"a": 1}})
    assert run.score(LABELS, "RR@1").value("R1", "RR@1") == pytest.approx(1 / 3)
    assert run.score(others, "RR@1").value("R1", "RR@1") == 1.0


@pytest.mark.skipif(not has_scanner(), reason="NO SCANNER: then stored runs are read whole")
def test_stored_runs_are_not_parsed_and_checked_again(stored: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> Run:
        raise AssertionError("the whole run was read")

    monkeypatch.setattr(stored_runs, "read_run", refuse)
    assert score_stored(stored, LABELS, "RR@1", name="R1").value("R1", "RR@1") == pytest.approx(1 / 3)


def test_a_measure_of_ir_measures_is_given_the_whole_run(stored: Path) -> None:
    pytest.importorskip("ir_measures")
    found = score_stored(stored, LABELS, ["SetP", "RR"], name="R1").score_table("SetP")
    # Relevant are one of the three of q1 and one of the two of q2.
    assert found.values[:, 0].tolist() == [pytest.approx(1 / 3), 0.5, 0.0]


def test_a_run_without_a_labelled_query_is_refused_by_its_name(stored: Path) -> None:
    with pytest.raises(NoOverlapError, match=r"^R1: found 3 queries, none of them in the labels"):
        score_stored(stored, Qrels.from_dict({"q7": {"a": 1}}), name="R1")


def test_a_file_without_the_stamp_is_ordered_and_checked(tmp_path: Path) -> None:
    path = tmp_path / "old.parquet"
    columns = {"query_id": ["q1", "q1"], "doc_id": ["b", "a"], "rank": [1, 2], "score": [1.0, 2.0]}
    pl.DataFrame(columns).write_parquet(path)
    assert score_stored(path, LABELS, "RR", name="R1").value("R1", "RR") == pytest.approx(1 / 3)
    pl.DataFrame(columns | {"doc_id": ["a", "a"]}).write_parquet(path)
    with pytest.raises(FormatError, match="document 'a' of query 'q1' twice"):
        score_stored(path, LABELS, "RR", name="R1")


def test_a_text_run_is_scored_too(tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    path.write_text("q1 Q0 x 1 2.0 t\nq1 Q0 a 2 1.0 t\n")
    assert score_stored(path, LABELS, "RR", name="R1").value("R1", "RR") == pytest.approx(0.5 / 3)


documents = st.integers(0, 9).map("d{}".format) | st.sampled_from(["é", "d10", "😀"])
queries = st.integers(0, 4).map("q{}".format)
scores = st.sampled_from([0.5, -0.5, 0.0, -0.0, 0.1, 0.100000001, 16777216.0, 16777217.0, 1e300, -1e300]) | st.floats(
    allow_nan=False, allow_infinity=False
)
scored_runs = st.dictionaries(queries, st.dictionaries(documents, scores, min_size=1), min_size=1).map(Run.from_dict)
some_labels = st.dictionaries(queries, st.dictionaries(documents, st.integers(-1, 2), min_size=1), min_size=1).map(
    Qrels.from_dict
)


@st.composite
def ranked_runs(draw: st.DrawFn) -> Run:
    """Runs that have ranks, with gaps, and no scores."""
    rows = []
    for query in draw(st.sets(queries, min_size=1)):
        docs = draw(st.lists(documents, min_size=1, unique=True))
        ranks = draw(st.lists(st.integers(1, 200), min_size=len(docs), max_size=len(docs), unique=True))
        rows += [(query, doc, rank) for doc, rank in zip(docs, ranks, strict=True)]
    return Run.from_frame(pl.DataFrame(rows, schema=["query_id", "doc_id", "rank"], orient="row"))


def all_of(found: Evaluation) -> dict[str, Any]:
    """Everything an evaluation knows, NaN spelt so that it equals itself; but for what 32-bit scores would give, for
    which a stored run's scores are not read.
    """
    (run,) = found.runs
    placed = run.placement
    said = found.to_dict()
    for score in said["scores"]:
        del score["value_32_bit"]
    return {
        "said": said,
        "notes": [note for note in found.notes if not note.startswith("trec_eval")],
        "values": [["none" if math.isnan(value) else value for value in values] for values in run.values.tolist()],
        "bounds": {key: tuple(map(str, bounds)) for key, bounds in run.tie_bounds.items()},
        "first": [found.first_ranks(cutoff).values.tolist() for cutoff in (None, 1, 100)],
        "placed": [each.tolist() for each in (placed.rank, placed.tie_first, placed.tie_last, placed.retrieved)],
        "rows": (placed.n_rows, placed.n_unknown_queries, placed.n_contradicting_queries),
    }


def outcome(score: Any) -> dict[str, Any] | str:
    try:
        return all_of(score())
    except ToprungError as error:
        return f"{type(error).__name__}: {error}"


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(run=scored_runs | ranked_runs(), labels=some_labels, float32_ties=st.booleans(), is_stamped=st.booleans())
def test_scores_are_exactly_those_of_evaluate(
    tmp_path: Path, run: Run, labels: Qrels, float32_ties: bool, is_stamped: bool
) -> None:
    path = tmp_path / "run.parquet"
    if is_stamped:
        write_stored_run(run, path)
    else:
        run.to_frame().write_parquet(path)
    expected = outcome(lambda: evaluate(labels, {"R1": read_run(path)}, MEASURES, float32_ties=float32_ties))
    found = outcome(lambda: score_stored(path, labels, MEASURES, name="R1", float32_ties=float32_ties))
    assert found == expected


def test_a_long_run_of_many_ties_is_scored_as_evaluate_does(tmp_path: Path) -> None:
    rng = np.random.default_rng(20210711)
    drawn = {f"q{query}": rng.choice(5000, 300, replace=False).tolist() for query in range(60)}
    run = Run.from_dict(
        {query: {f"d{doc}": float(rng.integers(0, 40)) for doc in docs} for query, docs in drawn.items()}
    )
    labels = Qrels.from_dict(
        {query: {f"d{doc}": int(rng.integers(0, 3)) for doc in [*docs[::30], 6000]} for query, docs in drawn.items()}
    )
    write_stored_run(run, tmp_path / "run.parquet")
    found = score_stored(tmp_path / "run.parquet", labels, MEASURES, name="R1")
    assert found.runs[0].placement.has_ties
    assert all_of(found) == all_of(evaluate(labels, {"R1": run}, MEASURES))
