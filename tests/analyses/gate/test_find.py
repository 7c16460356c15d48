from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from toprung.analyses.gate.find import gate
from toprung.analyses.gate.state import GateState
from toprung.data.formats.runs.files import read_run
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.errors import InputError
from toprung.scoring.evaluate import evaluate


def table(differences: np.ndarray, *, measure: str = "nDCG@10", start: float = 0.5) -> ScoreTable:
    values = np.column_stack([np.full(len(differences), start), start + differences])
    ids = tuple(f"q{number:03}" for number in range(len(differences)))
    return ScoreTable(query_ids=ids, runs=("main", "change"), values=values, measure=measure)


def test_a_loss_is_said_with_its_size() -> None:
    found = gate(table(np.full(6, -0.1)))
    assert found.sentence == "Loss shown: main is better than change (nDCG@10 +0.1000, p = 0.031)."
    assert (found.exit_code, found.to_dict()["outcome"]) == (1, "loss")


def test_no_loss_is_said_with_the_margin() -> None:
    """A bound of 1.660 √(2.02 / (101 × 102)) = 0.0232: two queries that cancel out, two imaginary ones, 98 without a
    difference; and a margin of 1/√100.
    """
    found = gate(table(np.array([0.1, -0.1] + [0.0] * 98)))
    assert found.sentence == (
        "Pass: change loses at most 2.3 points of nDCG@10 against main, with 95% confidence; the margin is 10.0 points."
    )


@pytest.mark.parametrize(("n", "queries"), [(1, "1 query"), (3, "3 queries"), (100, "100 queries")])
def test_where_nothing_changed_the_gate_is_green_however_few_the_queries(n: int, queries: str) -> None:
    state = GateState(measure="nDCG@10", labels="sha256:1")
    found = gate(table(np.zeros(n)), state=state)
    assert found.sentence == (
        f"Pass: nothing changed: every query has the same nDCG@10 in change as in main ({queries})."
    )
    assert (str(found.outcome), found.exit_code) == ("no_loss", 0)
    assert found.state == state
    assert "what other queries would show is not said" in " ".join(found.notes)


LABELS = {f"q{number}": {"a": 1} for number in range(8)}
RUN = {query_id: {"a": 2.0, "b": 1.0} for query_id in LABELS}


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (GateState(measure="RR@10", labels="x", alpha=0.01), "state: found measure nDCG@10; expected RR@10"),
        (GateState(measure="nDCG@10", labels="x", alpha=0.2), "state: found alpha 0.01; expected 0.2"),
    ],
)
def test_a_state_of_another_measure_or_alpha_is_refused(state: GateState, said: str) -> None:
    with pytest.raises(InputError, match=said):
        gate(table(np.full(6, -0.1)), alpha=0.01, state=state)


def test_a_state_of_other_labels_is_refused_where_the_labels_are_known() -> None:
    other, runs = GateState(measure="RR@10", labels="x"), {"main": RUN, "change": RUN}
    with pytest.raises(InputError, match="state: found labels sha256:"):
        gate(LABELS, runs, "RR@10", state=other)
    evaluation = evaluate(LABELS, runs, "RR@10")
    with pytest.raises(InputError, match="state: found labels sha256:"):
        gate(evaluation, state=other)
    own = GateState(measure="RR@10", labels=evaluation.labels.qrels.digest)
    assert gate(LABELS, runs, "RR@10", state=own).exit_code == 0


def test_runs_of_the_same_name_are_told_apart(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.run").write_text("".join(f"{query_id} Q0 a 1 2.0 t\n" for query_id in LABELS))
    paths = [tmp_path / "a/x.run", tmp_path / "b/x.run"]
    found = [gate(LABELS, runs, "RR@10") for runs in (paths, [paths[0], paths[0]], [read_run(each) for each in paths])]
    assert [(each.baseline, each.new) for each in found] == [("a/x", "b/x"), ("baseline", "new"), ("baseline", "new")]


def test_where_the_queries_cannot_tell_it_is_said_how_many_would() -> None:
    """The bound is 1.675 √(10 / (51 × 52)) = 0.1029: squares of 50 × 0.16 + 2 over 52 queries, two imaginary."""
    found = gate(table(np.tile([0.4, -0.4], 25)), margin=0.05)
    assert found.sentence == (
        "Cannot tell: change may be up to 10.3 points of nDCG@10 worse than main, and the margin is 5.0 points; "
        "about 420 queries would tell."
    )
    assert found.exit_code == 3


def test_first_ranks_are_compared_by_their_reciprocal() -> None:
    values = np.array([[1, 2]] * 6, dtype=np.int32)
    ranks = FirstRanks(query_ids=tuple("abcdef"), runs=("main", "change"), values=values, cutoff=10)
    assert gate(ranks).decision.test.mean == -0.5


def test_where_less_is_better_a_higher_value_is_a_loss() -> None:
    found = gate(table(np.full(6, 0.5), measure="ESL@10"), margin=0.1)
    assert str(found.outcome) == "loss"
    assert found.decision.test.mean == -0.5


@pytest.mark.parametrize("measure", ["ESL@10", "NumRet", "thumbs"])
def test_a_measure_of_any_size_needs_a_margin(measure: str) -> None:
    with pytest.raises(InputError, match=f"Found {measure}, which is not known to lie from 0 to 1"):
        gate(table(np.full(6, -0.1), measure=measure))


def test_differences_of_more_than_1_are_refused_margin_or_not() -> None:
    with pytest.raises(InputError, match="Found a query on which thumbs differs by 3; expected at most 1"):
        gate(table(np.array([0.1, 3.0]), measure="thumbs"), margin=0.1)


@pytest.mark.parametrize("margin", [0.0, -0.1, 1.5])
def test_a_margin_lies_between_0_and_1(margin: float) -> None:
    with pytest.raises(InputError, match="margin: found"):
        gate(table(np.zeros(6)), margin=margin)


def test_one_run_or_three_are_refused() -> None:
    one = table(np.zeros(6)).select(["main"])
    with pytest.raises(InputError, match="Found 1 run; expected two: the baseline, then the new run"):
        gate(one)


def test_a_query_without_a_value_is_refused() -> None:
    with pytest.raises(InputError, match="queries without a value"):
        gate(table(np.array([0.1, np.nan])))


def test_the_state_of_the_answer_is_the_next_one() -> None:
    state = GateState(measure="nDCG@10", labels="sha256:1")
    found = gate(table(np.tile([0.1, -0.2], 30)), state=state)
    assert found.n_tested == 1
    assert found.decision.level == pytest.approx(0.002221, abs=1e-6)
    assert "1 change below the baseline so far" in found.notes[1]
