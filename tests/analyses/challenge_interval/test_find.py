from __future__ import annotations

import json

import pytest

from toprung.analyses.challenge_interval.find import ChallengeInterval, challenge_interval
from toprung.data.judgments import Pair
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import InputError
from toprung.labels.best.challenges import find_challenges
from toprung.labels.best.upkeep import settle_challenges
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome
from toprung.report.render import OutputFormat, render


def run_of(*rankings: str) -> Run:
    docs = {f"q{i}": {doc: float(-rank) for rank, doc in enumerate(ranking)} for i, ranking in enumerate(rankings)}
    return Run.from_dict(docs)


LABELS = Qrels.from_dict({f"q{i}": {"A": 1} for i in range(4)})
POOLS = [Pool(query_id=f"q{i}", items=("A", "B")) for i in range(4)]
# new: the best first, a pooled one first, two new ones first; the answer A is at rank 1, 2, 2 and nowhere
RUNS = {"new": run_of("AB", "BA", "NA", "MB"), "old": run_of("AN", "AN", "AN", "BA")}


def interval_of(outcomes: dict[Pair, PairOutcome] | None = None, name: str = "new") -> ChallengeInterval:
    found = find_challenges(POOLS, LABELS, RUNS[name], name=name)
    upkeep = settle_challenges(LABELS, found.challenges, outcomes or {})
    return challenge_interval(LABELS, found, upkeep, RUNS, "RR")


def judged(query_id: str, one: str, other: str, wins: int, losses: int) -> dict[Pair, PairOutcome]:
    pair = Pair.of(query_id, one, other)
    a, b = (wins, losses) if one == pair.a else (losses, wins)
    return {pair: PairOutcome(pair=pair, wins_a=a, wins_b=b, ties=0, n=wins + losses)}


def test_the_interval_is_all_lost_to_all_won() -> None:
    found = interval_of()
    new, old = found["new"], found["old"]
    # all lost: A stays the label, ranks 1, 2, 2, none; all won: its first answers of q2 and q3 are right
    assert (new.if_lost.estimate, new.if_won.estimate) == (0.5, pytest.approx(3.5 / 4))
    # the other run has N of q2 second, and M of q3 nowhere
    assert (old.if_lost.estimate, old.if_won.estimate) == (pytest.approx(3.5 / 4), pytest.approx(2.5 / 4))
    assert (new.place_if_lost, new.place_if_won, old.place_if_lost, old.place_if_won) == (2, 1, 1, 2)
    assert found.sentence == (
        "new has 2 open challenges; its RR is 0.5000 if all are lost (place 2 of 2) and 0.8750 if all are won "
        "(place 1 of 2)."
    )


def test_what_first_answers_are_is_counted() -> None:
    assert interval_of().notes[:2] == (
        "First answers of new over 4 queries: best in 1, in the pool but not best in 1, new in 2.",
        "Challenges: 0 won, 0 lost, 2 open (2 pairs to judge).",
    )


def test_a_decided_challenge_counts_at_both_ends() -> None:
    found = interval_of(judged("q2", "N", "A", 2, 0))
    assert (found["new"].if_lost.estimate, found["new"].if_won.estimate) == (
        pytest.approx(2.5 / 4),
        pytest.approx(3.5 / 4),
    )
    assert (found.n_won, found.n_lost, found.n_open) == (1, 0, 1)
    lost = interval_of(judged("q2", "N", "A", 0, 2))
    assert (lost["new"].if_lost.estimate, lost["new"].if_won.estimate) == (0.5, pytest.approx(3 / 4))


def test_once_all_are_decided_there_is_one_score() -> None:
    found = interval_of(judged("q2", "N", "A", 2, 1) | judged("q3", "M", "A", 0, 2))
    assert found["new"].if_lost == found["new"].if_won
    assert found.sentence == "new has RR 0.6250 (place 2 of 2): its challenges are all decided."


@pytest.mark.parametrize("labels", [{"A": 1}, {"A2": 1}, {"A": 1, "A2": 1}])
def test_a_document_with_the_text_of_the_best_answer_counts_as_that(labels: dict[str, int]) -> None:
    pools = [Pool(query_id="q0", items=("A", "B"), same_text={"A2": "A"}), Pool(query_id="q1", items=("A", "B"))]
    qrels = Qrels.from_dict({"q0": labels, "q1": {"A": 1}})
    runs = {"new": run_of("NA", "A"), "first": run_of("A", "A"), "twin": Run.from_dict({"q0": {"A2": 1.0}})}
    challenges = find_challenges(pools, qrels, runs["new"], name="new")
    upkeep = settle_challenges(qrels, challenges.challenges, judged("q0", "N", "A", 0, 2), pools=pools)
    found = challenge_interval(qrels, challenges, upkeep, runs, "RR")
    assert {row.run: row.if_lost.estimate for row in found.rows} == {"new": 0.75, "first": 1.0, "twin": 0.5}


def test_a_run_without_new_answers_challenges_nothing() -> None:
    found = interval_of(name="old")
    assert found.sentence == "old has RR 0.8750 (place 1 of 2): none of its first answers is new."
    assert not any(note.startswith("Challenges:") for note in found.notes)


def test_the_result_goes_into_json_and_frames() -> None:
    found = interval_of()
    back = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert back["challenges"] == {"won": 0, "lost": 0, "open": 2, "open_pairs": 2, "held_back": 0}
    assert {row["run"]: row["is_new"] for row in back["runs"]} == {"new": True, "old": False}
    assert back["runs"][1]["if_won_low"] <= 0.875 <= back["runs"][1]["if_won_high"]
    assert found.to_frame()["if_lost"].to_list() == [0.875, 0.5]


@pytest.mark.parametrize("output_format", list(OutputFormat))
def test_it_can_be_shown_in_every_format(output_format: OutputFormat) -> None:
    assert "new" in render(interval_of(), output_format)


def test_the_new_run_must_be_among_the_runs() -> None:
    found = find_challenges(POOLS, LABELS, RUNS["new"], name="new")
    with pytest.raises(InputError, match="Found no run 'new'"):
        challenge_interval(LABELS, found, settle_challenges(LABELS, found.challenges, {}), {"old": RUNS["old"]}, "RR")
