from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import toprung as tr
from toprung.analyses.estimate.find import estimate
from toprung.analyses.estimate.result import Estimate
from toprung.data.formats.runs.files import read_run
from toprung.data.qrels import Qrels
from toprung.errors import InputError
from toprung.report.render import OutputFormat, render
from toprung.scoring.evaluate import evaluate

N = 60
JUDGED = [f"q{number:02}" for number in np.random.default_rng(4).choice(N, size=20, replace=False)]


def run_of(rng: np.random.Generator, skill: float) -> dict[str, dict[str, float]]:
    """The label d0 among ten documents, the higher the more skill."""
    return {
        f"q{number:02}": {f"d{doc}": float(rng.normal() + (skill if doc == 0 else 0)) for doc in range(10)}
        for number in range(N)
    }


RNG = np.random.default_rng(2)
RUNS = {name: run_of(RNG, skill) for name, skill in (("good", 2.5), ("fair", 1.0), ("poor", 0.0))}
LABELS = Qrels.from_dict({f"q{number:02}": {"d0": 1} for number in range(N)}, source="truth")
PEOPLE = Qrels.from_dict({query: docs for query, docs in LABELS.to_dict().items() if query in JUDGED}, source="people")
LIKES_POOR = Qrels.from_dict(
    {query: {max(RUNS["poor"][query], key=RUNS["poor"][query].__getitem__): 1} for query in LABELS.query_ids}
)


@pytest.fixture(scope="module")
def found() -> Estimate:
    return estimate(PEOPLE, RUNS, "RR", model=LABELS, human_sample="random")


def test_a_perfect_model_gives_what_all_labels_give(found: Estimate) -> None:
    truth = evaluate(LABELS, RUNS, "RR")
    for row in found.rows:
        assert row.corrected.estimate == pytest.approx(truth.value(row.run, "RR"))
        assert row.model == pytest.approx(truth.value(row.run, "RR"))
        assert row.people.estimate == pytest.approx(evaluate(PEOPLE, RUNS, "RR").value(row.run, "RR"))
        assert row.bias.estimate == pytest.approx(0)
    assert [row.run for row in found.rows] == ["good", "fair", "poor"]
    assert found.worth.estimate > 40  # of 60: with n = 20 the rows do not know that the model is perfect


def test_the_words_are_those_of_a_board(found: Estimate) -> None:
    assert found.sentence.startswith("good does best, beyond chance. With the model's labels of 60, 20 queries judged ")


def test_a_model_that_likes_one_run_does_not_make_it_best() -> None:
    found = estimate(PEOPLE, RUNS, "RR", model=LIKES_POOR, human_sample="random")
    assert found["poor"].model == 1.0
    assert found["poor"].corrected.estimate < 0.5 < found["good"].corrected.estimate
    assert found.top.members == ("good",)
    assert found["poor"].is_favoured
    assert found["good"].is_disfavoured
    assert found.model_alone.contradicted == 2  # poor above good, and above fair
    assert found.model_alone.borne_out + found.model_alone.not_told_apart == found.model_alone.different - 2
    assert "say the opposite of 2" in found.notes[0]
    assert "favours poor (+" in found.notes[1]


def test_where_less_is_better_the_favoured_run_is_the_same() -> None:
    found = estimate(PEOPLE, RUNS, "ESL", model=LIKES_POOR, human_sample="random")
    assert found["poor"].bias.estimate < 0
    assert found["poor"].is_favoured
    assert found.rows[0].run == "good"


def test_the_bias_of_a_run_is_the_mean_difference_on_shared_queries() -> None:
    found = estimate(PEOPLE, RUNS, "RR", model=LIKES_POOR, human_sample="random")
    people, model = (evaluate(labels, RUNS, "RR").score_table("RR") for labels in (PEOPLE, LIKES_POOR))
    shared = model.select_queries(people.query_ids, name="shared")
    bias = (shared.values - people.values).mean(axis=0)
    assert [found[run].bias.estimate for run in people.runs] == pytest.approx(bias.tolist())


def test_a_difference_of_two_runs_is_the_difference_of_their_scores(found: Estimate) -> None:
    pairs = found.to_dict()["pairs"]
    first = pairs[0] if isinstance(pairs, list) else {key: column[0] for key, column in pairs.items()}
    delta = found[first["b"]].corrected.estimate - found[first["a"]].corrected.estimate
    assert first["delta"] == pytest.approx(delta)
    assert first["delta_low"] < first["delta"] < first["delta_high"]


def test_people_who_judged_everything_leave_nothing_to_correct() -> None:
    found = estimate(LABELS, RUNS, "RR", model=LIKES_POOR, human_sample="random")
    assert found["good"].corrected.estimate == pytest.approx(evaluate(LABELS, RUNS, "RR").value("good", "RR"))
    assert found.sentence.endswith("People judged all 60 queries: the model's labels add nothing.")
    assert not any("Weight" in note for note in found.notes)


def test_labels_that_make_nothing_surer_are_not_said_to_be_worthless() -> None:
    """They have a weight all the same: with few queries it is drawn towards one half."""
    found = estimate(PEOPLE, RUNS, "RR", model=LIKES_POOR, human_sample="random")
    assert round(found.worth.estimate) <= 20
    assert found.ways.scores.level_weight > 0.01
    as_good = f"{found.worth.estimate:.0f} ({found.worth.low:.0f} to {found.worth.high:.0f})"
    assert found.sentence.endswith(
        "The model's labels of 60 are not shown to help: "
        f"with them, 20 queries judged by people are as good as {as_good}."
    )


@pytest.mark.parametrize(("n", "is_said"), [(5, True), (12, True), (13, False)])
def test_fewer_queries_than_intervals_were_tried_with_are_told(n: int, is_said: bool) -> None:
    few = {query: {"d0": 1} for query in JUDGED[:n]}
    notes = estimate(few, RUNS, "RR", model=LABELS, human_sample="random").notes
    said = f"People judged {n} queries: how often the intervals hold was shown from 13 on, and not for fewer."
    assert (said in notes) == is_said


def test_queries_without_a_relevant_document_count_for_no_run() -> None:
    without = {query: {"d0": int(query != JUDGED[0])} for query in JUDGED}
    found = estimate(without, RUNS, "RR", model=LABELS, human_sample="random")
    assert found.n_without_relevant == 1
    people = {query: docs for query, docs in without.items() if query != JUDGED[0]}
    assert found["fair"].people.estimate == pytest.approx(evaluate(people, RUNS, "RR").value("fair", "RR"))


def test_where_the_model_finds_nothing_it_predicts_nothing() -> None:
    model = {query: {"d0": int(query != JUDGED[0])} for query in LABELS.query_ids}
    found = estimate(PEOPLE, RUNS, "RR", model=model, human_sample="random")
    assert (found.n_queries, found.n_human) == (60, 20)
    assert any("finds nothing relevant for 1 query" in note for note in found.notes)


def test_queries_that_the_model_did_not_judge_are_left_out() -> None:
    model = {query: docs for query, docs in LABELS.to_dict().items() if query != JUDGED[0]}
    found = estimate(PEOPLE, RUNS, "RR", model=model, human_sample="random")
    assert (found.n_human, found.n_queries, found.n_only_human) == (19, 59, 1)


def test_one_run_has_a_score_and_no_rival() -> None:
    found = estimate(PEOPLE, {"fair": RUNS["fair"]}, "RR", model=LABELS, human_sample="random")
    assert found.sentence.startswith("fair is the only run. With the model's labels of 60,")


def test_the_order_of_queries_and_runs_shows_in_nothing(found: Estimate) -> None:
    turned = estimate(
        dict(reversed(PEOPLE.to_dict().items())),
        dict(reversed(RUNS.items())),
        "RR",
        model=dict(reversed(LABELS.to_dict().items())),
        human_sample="random",
    )
    assert turned.to_dict()["runs"] == found.to_dict()["runs"]


def test_the_measure_is_chosen_from_people_s_labels() -> None:
    assert estimate(PEOPLE, RUNS, model=LABELS, human_sample="random").measure == "RR@10"


def test_json_has_what_programs_need(found: Estimate) -> None:
    told = json.loads(render(found, OutputFormat.JSON))
    assert told["queries"] == {"people": 20, "model": 60, "without_relevant": 0, "only_people": 0}
    assert told["sample"]["known_by"] == "declared random"
    assert set(told["model_alone"]) == {"different", "borne_out", "not_told_apart", "contradicted"}


def test_too_few_queries_in_common_are_refused() -> None:
    few = {query: {"d0": 1} for query in JUDGED[:4]}
    with pytest.raises(InputError, match=r"Found 4 queries judged both by people .* expected at least 5"):
        estimate(few, RUNS, "RR", model=LABELS, human_sample="random")


def test_it_is_exported() -> None:
    assert tr.estimate is estimate
    assert tr.Estimate is Estimate


def test_real_runs_are_covered_by_random_subsets(shared_data: Path) -> None:
    """TREC-COVID round 1: people's labels of 13 of 30 topics, and a model that misreads three grades in ten."""
    folder = shared_data / "trec-covid-r1"
    labels = tr.read_qrels(next(folder.glob("*qrels*")))
    runs = {path.stem: read_run(path, name=path.stem) for path in sorted(folder.glob("*.gz"))[:4]}
    truth = evaluate(labels, runs, "nDCG@10")
    rng, covered = np.random.default_rng(8), []
    grades = np.where(rng.random(len(labels.grades)) < 0.3, rng.integers(0, 3, len(labels.grades)), labels.grades)
    model = Qrels(labels.query_ids, labels.starts, labels.doc_ids, grades.astype(np.int32))
    for seed in range(8):
        chosen = np.random.default_rng(seed).choice(labels.query_ids, size=13, replace=False)
        people = {query: docs for query, docs in labels.to_dict().items() if query in set(chosen.tolist())}
        found = estimate(people, runs, "nDCG@10", model=model, human_sample="random")
        covered += [row.corrected.low <= truth.value(row.run, "nDCG@10") <= row.corrected.high for row in found.rows]
    assert np.mean(covered) >= 0.9
